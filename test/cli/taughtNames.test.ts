import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { CommandLine } from "../builders/commandLine.ts";
import { createCaller } from "../builders/context.ts";
import { carryAll, createMisheardName, type MisheardName } from "../builders/taughtNames.ts";

let command: CommandLine;
let scene: MisheardName;
let id: number;
beforeAll(async () => {
  command = await CommandLine.open();
  scene = await createMisheardName(command.context, await createCaller(command.context, { tier: "enterprise" }), 2);
  await scene.teach();
  id = await scene.taughtId();
});
afterAll(() => command.close());

const names = (verb: string, ...words: string[]) => command.run("taught-names", verb, ...words);

it("lists, shows, accepts and takes back what corrections taught", async () => {
  const [, video = ""] = scene.videoIds;
  const offered = { id, status: "offered", wrong_words: scene.wrong, right_words: scene.right, common_words: false };
  expect((await names("list", "--status", "offered")).json).toMatchObject([offered]);
  expect((await names("list", "--status", "carried")).json).toEqual([]);
  expect((await names("show", String(id))).json).toMatchObject({
    ...offered,
    lessons: [{ video_id: scene.videoIds[0], withdrawn: false }],
    standing: { video_count: 2, segment_count: 3 },
  });
  const accepted = await names("accept", String(id), "--no-alias", "--videos", ` ${video}, dQw4w9WgXcQ`);
  expect([accepted.status, accepted.json]).toMatchObject([0, { status: "carrying", decided_by: "command line" }]);
  expect((await carryAll(command.context, id)).counts.corrected).toBe(2);
  expect((await names("dismiss", String(id))).status).toBe(1);
  expect((await names("undo", String(id))).json).toMatchObject({ status: "undoing" });
  expect((await carryAll(command.context, id)).status).toBe("undone");
});

it("says why it cannot", async () => {
  expect((await names("show", "999")).status).toBe(1);
  expect((await names("show", "first")).status).toBe(2);
  expect((await names("accept", String(id), "--videos", "dQw4w9WgXcQ, r8")).status).toBe(2);
});
