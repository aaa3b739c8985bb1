import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import type { Caller } from "../../services/context.ts";
import { createCaller } from "../builders/context.ts";
import { CommandLine, done, mentionLine } from "../builders/commandLine.ts";
import { createTestTracker } from "../builders/monitors.ts";

let command: CommandLine;
let caller: Caller;
beforeAll(async () => {
  command = await CommandLine.open();
  await command.importBeginnings();
  caller = await createCaller(command.context);
});
afterAll(() => command.close());

const connected = z.strictObject({ chatIntegrationId: z.string().regex(/^chi_/) });
const connect = (...words: string[]) =>
  command.run("chat", "connect", "--account", caller.accountId, "--name", "Newsroom", ...words);

describe("chat", () => {
  it("connects a webhook by its address and a bot by the token in a file, and disconnects them", async () => {
    const webhook = await connect("--kind", "slack-webhook", "--url", "https://hooks.example.com/services/T0/B0/x");
    const bot = await connect("--kind", "slack-bot", "--token-file", command.fileOf("token", ["xoxb-secret"]));
    expect([webhook.status, bot.status]).toEqual([0, 0]);
    const { chatIntegrationId } = connected.parse(bot.json);
    expect(connected.parse(webhook.json).chatIntegrationId).not.toBe(chatIntegrationId);
    expect(await command.run("chat", "disconnect", chatIntegrationId)).toMatchObject({
      status: 0,
      json: { chatIntegrationId },
    });
    const again = await command.run("chat", "disconnect", chatIntegrationId);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining("No chat integration")]);
  });

  it("ends with 2 for wrong usage and with 1 for what does not exist or may not be reached, never showing the secret", async () => {
    const wrong = [
      await connect("--kind", "slack-webhook"),
      await connect("--kind", "slack-bot", "--url", "https://hooks.example.com/"),
      await connect("--kind", "irc", "--url", "https://hooks.example.com/"),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([2, 2, 2]);
    const refused = [
      await connect("--kind", "slack-bot", "--token-file", "/nowhere/token"),
      await connect("--kind", "slack-webhook", "--url", "http://10.0.0.1/secret"),
      await command.run(
        "chat",
        "connect",
        "--account",
        "usr_0",
        "--name",
        "N",
        "--kind",
        "slack-webhook",
        "--url",
        "https://a.example/secret",
      ),
    ];
    expect(refused.map(({ status }) => status)).toEqual([1, 1, 1]);
    for (const { stderr } of refused) expect(stderr).not.toMatch(/secret|\n\s+at /);
  });
});

const fired = () =>
  command.context.pool.oneFirst(sql.type(z.object({ count }))`
    select count(*) from alert_occurrence join outbox on subject = alert_occurrence.id and outbox.kind = 'alert.start'`);

describe("import mentions", () => {
  it("fires trackers once for a video, with what is new to them", async () => {
    expect(await command.import("mentions", [mentionLine(1)])).toEqual(done(1));
    await createTestTracker(command.context, caller, { entityName: "Ada Lovelace" });
    expect((await command.import("mentions", [mentionLine(1)])).status).toBe(0);
    expect(await fired()).toBe(0);
    const lines = [mentionLine(1, { video_id: "bbbbbbbbbbb" }), mentionLine(9, { video_id: "bbbbbbbbbbb" })];
    expect(await command.import("mentions", lines)).toEqual(done(2));
    expect(await fired()).toBe(1);
    expect((await command.import("mentions", [...lines, mentionLine(30, { video_id: "bbbbbbbbbbb" })])).status).toBe(0);
    expect(await fired()).toBe(1);
    expect(await command.import("mentions", [mentionLine(60)])).toEqual(done(1));
    expect(await fired()).toBe(2);
  });
});
