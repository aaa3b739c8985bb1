import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { sql } from "../database/pool.ts";
import { createInternalKey } from "../services/keys/createKey.ts";
import { Installation } from "../test/builders/installation.ts";
import { runningParts } from "../test/environment/startedSystem.ts";
import { watchPeak } from "./memory.ts";

export interface ReviewBenchOptions {
  /** Reviews that are open, each with its workflow. */
  open: number;
  /** Reviews that are over, beside them. */
  over: number;
  rounds: number;
}

/** Of so few the worker holds next to nothing: what the rest is compared with. */
const fewReviews = 10;
/** At 10,000 the workflow worker's cache is full from the first share on: what it holds must not grow with the others. */
const measuredShares = [0.1, 0.4, 0.7, 1];
const pageRows = 50;

/**
 * The reviewers' queue through the running product, with so many reviews open and many more over: pages, near and far, against the bare
 * statement for the same rows; and what the workflow worker holds as ever more of them are idle.
 */
export async function benchReview({ open, over, rounds }: ReviewBenchOptions): Promise<void> {
  const installation = await Installation.start({ SPEECH_ENGINE: "none" });
  try {
    const { accountId } = await installation.createKey("enterprise");
    const { key } = await createInternalKey(installation.context, "bench");
    await generate(installation, accountId, over, "rejected");
    const memory: Record<string, { "workflow worker, MB": string; "more a review than the row above, kB": string }> =
      {};
    let idle = 0;
    let bytesBefore = 0;
    for (const wanted of [fewReviews, ...measuredShares.map((share) => Math.round(open * share))]) {
      const added = wanted - idle;
      await generate(installation, accountId, added, "pending_review");
      const bytes = await settledMemory(installation);
      memory[`${wanted} idle reviews`] = {
        "workflow worker, MB": (bytes / 1e6).toFixed(0),
        "more a review than the row above, kB": idle === 0 ? "" : ((bytes - bytesBefore) / added / 1e3).toFixed(1),
      };
      [idle, bytesBefore] = [wanted, bytes];
    }
    await installation.context.pool.query(sql.typeAlias("void")`vacuum analyze feedback, feedback_correction`);
    console.log(`\n${open} open reviews, ${over} that are over`);
    console.table(await timings(installation, key, rounds));
    console.table(memory);
  } finally {
    await installation.stop();
  }
}

/** Reviews as submissions leave them; those that are open with the message that starts their workflows. */
async function generate(
  { context: { pool } }: Installation,
  accountId: string,
  reviews: number,
  status: "pending_review" | "rejected",
): Promise<void> {
  const types = sql.array(["mentions", "appearances", "entities", "search"], "text");
  await pool.query(sql.typeAlias("void")`
    with added as (
      insert into feedback (account_id, key_id, type, query, notes, status)
      select ${accountId}, 'key_' || n % 50, (${types})[1 + n % 4], '{"q": "what was asked"}', 'What is wrong with it', ${status}
      from generate_series(1, ${reviews}::int4) as n
      returning id, key_id
    ), corrected as (
      insert into feedback_correction (feedback_id, position, key_id, item_kind, item_id, issue_type, reason, status)
      select id, position, key_id, 'entity', 'ent_' || id, 'should_split', 'These are two.', ${status} from added, generate_series(0, 2) as position
    )
    insert into outbox (kind, subject) select 'review.start', id::text from added where ${status} = 'pending_review'`);
}

/** What the workflow worker holds once all workflows are started and it has nothing to do. */
async function settledMemory({ context: { pool }, where }: Installation): Promise<number> {
  while (await pool.exists(sql.typeAlias("void")`select from outbox`)) await sleep(200);
  await sleep(5000);
  const worker = runningParts(where.home).workers;
  if (worker === undefined) throw new Error("no workflow worker is running");
  return watchPeak(worker.pid).stop();
}

const page = z.object({
  data: z.array(z.object({ feedback_id: z.number() })),
  next_cursor: z.string().nullable(),
});

async function timings(installation: Installation, key: string, rounds: number) {
  const read = async (route: string) => page.parse(await installation.call(key, route));
  const queue = `/internal/reviews?status=open&limit=${pageRows}`;
  let deep = queue;
  for (let pages = 0; pages < 100; pages += 1) {
    const { next_cursor } = await read(deep);
    if (next_cursor === null) break;
    deep = `${queue}&cursor=${next_cursor}`;
  }
  const { data } = await read(queue);
  const bare = () =>
    installation.context.pool.any(sql.type(z.object({ id: z.bigint() }))`
      select id from feedback where status = 'pending_review' order by id limit ${pageRows}`);
  const look = await visitConsole(installation, key);
  return {
    "bare statement": await quantiles(rounds, bare),
    "first page": await quantiles(rounds, () => read(queue)),
    "100th page": await quantiles(rounds, () => read(deep)),
    "first page of a type": await quantiles(rounds, () => read(`${queue}&type=search`)),
    "newest of a key": await quantiles(rounds, () => read(`${queue}&key_id=key_7&order=newest`)),
    "one review": await quantiles(rounds, (round) =>
      installation.call(key, `/internal/reviews/${data[round % data.length]?.feedback_id}`),
    ),
    "console, first page": await quantiles(rounds, () => look("/console/reviews")),
    "console, one review": await quantiles(rounds, (round) =>
      look(`/console/reviews/${data[round % data.length]?.feedback_id}`),
    ),
  };
}

/** Signs in to the console; returns how a page of it is loaded. */
async function visitConsole({ running: { apiUrl } }: Installation, key: string) {
  const signedIn = await fetch(`${apiUrl}/console/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ key }),
    redirect: "manual",
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  return async (path: string) => {
    const page = await fetch(apiUrl + path, { headers: { cookie }, redirect: "error" });
    if (!page.ok) throw new Error(`${path}: ${page.status}`);
    return page.text();
  };
}

async function quantiles(rounds: number, work: (round: number) => Promise<unknown>) {
  const milliseconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work(round);
    milliseconds.push(performance.now() - start);
  }
  milliseconds.sort((a, b) => a - b);
  const at = (share: number) => (milliseconds[Math.floor(share * (rounds - 1))] ?? 0).toFixed(1);
  return { "p50, ms": at(0.5), "p95, ms": at(0.95) };
}
