import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { readRunningJob } from "../../database/transcriptionJobs.ts";
import { failTranscription } from "../../services/transcriptions/end.ts";
import { allPages, factsOf, rowsOf } from "./consoleReading.ts";
import { createVisitor, type Visitor } from "./consoleVisitor.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let visitor: Visitor;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  visitor = createVisitor(edge);
  await visitor.signIn();
});
afterAll(() => edge.close());

let videos = 0;
/** Asks for a video's transcription; returns the job's id. */
async function submit(caller: NewKey, title?: string): Promise<{ jobId: string; videoId: string }> {
  videos += 1;
  const videoId = `cvideo${String(videos).padStart(5, "0")}`;
  const answer = await edge.call("POST", "/v1/transcriptions", { key: caller.key, body: { videoId } });
  if (answer.status !== 202) throw new Error(answer.text);
  if (title !== undefined)
    await edge.context.pool.query(sql.typeAlias("void")`update video set title = ${title} where id = ${videoId}`);
  const job = await readRunningJob(edge.context.pool, videoId);
  return { jobId: job?.jobId ?? "", videoId };
}
const listed = async (query: string) => rowsOf(await visitor.get(`/console/jobs?${query}`));

it("lists the jobs of all accounts, newest first, of a status or of an account", async () => {
  const [ada, bob] = [await edge.newKey(), await edge.newKey()];
  const [first, second] = [await submit(ada), await submit(bob)];
  await failTranscription(edge.context, first.jobId, "no_audio");
  const all = (await listed("")).map((row) => row["Video"]);
  expect(all.indexOf(second.videoId)).toBeLessThan(all.indexOf(first.videoId));
  const [failed, ...others] = await listed(`status=failed&account=${ada.accountId}`);
  expect([failed, others]).toMatchObject([
    { Video: first.videoId, Status: "failed", "Ended because": "no audio", "Rows held": "0" },
    [],
  ]);
  expect(await listed(`status=failed&account=${bob.accountId}`)).toEqual([]);
  expect(await listed(`account=${bob.accountId}&status=&cursor=`)).toMatchObject([{ Video: second.videoId }]);
});

it("goes through all pages without a row twice or left out, whatever is asked for meanwhile", async () => {
  const caller = await edge.newKey();
  const expected: string[] = [];
  for (let job = 0; job < 60; job += 1) expected.unshift((await submit(caller)).videoId);
  const pages = await allPages(visitor.get, `/console/jobs?account=${caller.accountId}`, () => submit(caller));
  expect(pages.map((rows) => rows.length)).toEqual([50, 10]);
  expect(pages.flat().map((row) => row["Video"])).toEqual(expected);
});

it("shows how far a job is, what it has cost, why it ended, and its workflow", async () => {
  const caller = await edge.newKey();
  const { jobId, videoId } = await submit(caller);
  const running = await visitor.get(`/console/jobs/${jobId}`);
  expect(factsOf(running)).toMatchObject({
    Status: "queued",
    Left: expect.stringMatching(/^about \d/),
    Held: "100",
    Refunded: "0",
    "Held now": "100",
    Job: jobId,
    "Workflow in Temporal UI": `transcription-${videoId}`,
  });
  expect(rowsOf(running)).toMatchObject([{ Entry: "transcription", Kind: "hold", Rows: "100" }]);

  await failTranscription(edge.context, jobId, "download_failed");
  const failed = await visitor.get(`/console/jobs/${jobId}`);
  const facts = factsOf(failed);
  expect(facts).toMatchObject({ Held: "100", Refunded: "100", Charged: "0", "Failed because": "download failed" });
  expect(facts).not.toHaveProperty("Left");
  expect(rowsOf(failed).map((row) => row["Rows"])).toEqual(["100", "-100"]);
});

it("writes names of videos as text, whatever is in them", async () => {
  const title = `"><script>alert(1)</script>&amp;'`;
  const { jobId } = await submit(await edge.newKey(), title);
  for (const path of ["/console/jobs", `/console/jobs/${jobId}`]) {
    const page = await visitor.get(path);
    expect(page.text).not.toContain("<script>alert");
    expect([...page.texts("a"), page.title].some((text) => text.includes(title))).toBe(true);
  }
});

it("says what is wrong with what is asked, and that there is no such job", async () => {
  for (const [query, named] of [
    ["status=done", "status"],
    ["colour=red", "colour"],
    ["cursor=!", "cursor"],
    ["cursor=abc", "cursor"],
  ]) {
    const page = await visitor.get(`/console/jobs?${query}`);
    expect([query, page.status]).toEqual([query, 400]);
    expect(page.texts("p").join(" ")).toContain(named);
  }
  for (const jobId of ["job_0", "%00", "x".repeat(300)])
    expect([jobId, (await visitor.get(`/console/jobs/${jobId}`)).status]).toEqual([jobId, 404]);
});

it("is for nobody who is not signed in", async () => {
  const { jobId, videoId } = await submit(await edge.newKey());
  for (const path of ["/console/jobs", `/console/jobs/${jobId}`]) {
    const page = await createVisitor(edge).get(path);
    expect(page.title).toBe("Sign in");
    expect(page.text).not.toContain(videoId);
  }
});
