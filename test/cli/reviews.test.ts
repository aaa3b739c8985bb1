import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import type { Caller } from "../../services/context.ts";
import { submitFeedback } from "../../services/feedback/submit.ts";
import { type Edge, startEdge } from "../api/edge.ts";
import { CommandLine, mentionLine } from "../builders/commandLine.ts";
import { createCaller } from "../builders/context.ts";

let edge: Edge;
let command: CommandLine;
let caller: Caller;
let feedbackId: number;
let corrections: number[];
beforeAll(async () => {
  edge = await startEdge();
  command = await CommandLine.open(edge.context);
  await command.importBeginnings();
  await command.import("mentions", [mentionLine(1), mentionLine(60)]);
  caller = await createCaller(command.context);
});
afterAll(async () => {
  await command.close();
  await edge.close();
});
beforeEach(async () => {
  const [first, second] = await command.context.pool.anyFirst(
    sql.type(z.object({ id: count }))`select id from mention order by id`,
  );
  const submitted = await command.context.pool.transaction((transaction) =>
    submitFeedback(transaction, caller, {
      type: "mentions",
      query: { entity_id: "ent_1" },
      notes: null,
      corrections: [first, second].map((id) => ({
        itemId: `men_${id}`,
        itemKind: "mention" as const,
        issueType: "wrong_sentiment",
        reason: null,
        suggestedChange: { sentiment_score: -0.5 },
        notes: null,
        observedRank: null,
      })),
    }),
  );
  feedbackId = submitted.feedbackId;
  corrections = submitted.corrections.map(({ correctionId }) => correctionId);
});

const record = z.object({
  feedback_id: z.number(),
  status: z.string(),
  corrections: z.array(z.object({ correction_id: z.number(), status: z.string() })),
});
const statusesOf = (json: unknown) => {
  const { status, corrections: each } = record.parse(json);
  return [status, ...each.map((correction) => correction.status)];
};
const reviews = (verb: string, ...words: string[]) => command.run("reviews", verb, String(feedbackId), ...words);
const scores = () =>
  command.context.pool.anyFirst(sql.type(z.object({ score: z.number().nullable() }))`
    select sentiment_score as score from mention order by id`);

describe("reviews", () => {
  it("decides, applies and reverts, correction by correction, and prints the feedback record", async () => {
    const [first = 0, second = 0] = corrections;
    const decided = await reviews(
      "decide",
      "--decision",
      "accepted",
      "--corrections",
      String(first),
      "--note",
      "Right.",
    );
    expect([decided.status, statusesOf(decided.json)]).toEqual([0, ["pending_review", "accepted", "pending_review"]]);
    const change = JSON.stringify({ sentiment_score: 0.1 });
    const changed = await reviews(
      "decide",
      "--decision",
      "accepted_with_changes",
      "--corrections",
      String(second),
      "--change",
      change,
    );
    expect(statusesOf(changed.json)).toEqual(["accepted", "accepted", "accepted_with_changes"]);
    const applied = await reviews("apply");
    expect([statusesOf(applied.json), await scores()]).toEqual([
      ["applied", "applied", "applied"],
      [-0.5, 0.1],
    ]);
    const again = await command.import("mentions", [
      mentionLine(1, { sentiment_score: 1 }),
      mentionLine(60),
      mentionLine(200, { entity: "ent_7" }),
    ]);
    expect(again).toMatchObject({ status: 0, json: { imported: 0, updated: 0, settled: 2, rejected: 1 } });
    expect(again.stderr).toBe("2 left as reviewers settled them; after a revert the same import writes them.\n");
    expect(await scores()).toEqual([-0.5, 0.1]);
    const reverted = await reviews("revert", "--corrections", `${first},${second}`);
    expect([statusesOf(reverted.json), await scores()]).toEqual([
      ["reverted", "reverted", "reverted"],
      [null, null],
    ]);
  });

  it("asks for information and notes it, and shows all of it with who did what", async () => {
    expect(statusesOf((await reviews("request-information", "--note", "Which?")).json)[0]).toBe("needs_information");
    expect(statusesOf((await reviews("supply-information", "--note", "Both.")).json)[0]).toBe("pending_review");
    const shown = await reviews("show");
    const { history, reputation } = z
      .object({
        history: z.array(z.object({ actor: z.string(), verb: z.string(), note: z.string() })),
        reputation: z.object({ submitted: z.number() }),
      })
      .parse(shown.json);
    expect(history).toEqual([
      { actor: "command line", verb: "request_information", note: "Which?" },
      { actor: "command line", verb: "supply_information", note: "Both." },
    ]);
    expect(reputation.submitted).toBeGreaterThanOrEqual(2);
    const listed = z.array(record).parse((await command.run("reviews", "list", "--status", "pending_review")).json);
    expect(listed.map((each) => each.feedback_id)).toContain(feedbackId);
    const all = z.array(record).parse((await command.run("reviews", "list")).json);
    expect(all.length).toBeGreaterThan(listed.length);
  });

  it("lists what is open, and a line for each correction to who reads it", async () => {
    const listed = async (status: string) =>
      z
        .array(record)
        .parse((await command.run("reviews", "list", "--status", status)).json)
        .map((each) => each.feedback_id);
    expect(await listed("open")).toContain(feedbackId);
    const table = await command.shown("reviews", "list", "--status", "open");
    for (const correction of corrections)
      expect(table).toMatch(new RegExp(`${feedbackId} .*${correction} .*wrong_sentiment.*men_\\d+.*pending_review`));
    expect(table).not.toContain("[Object]");
    await reviews("decide", "--decision", "accepted");
    expect(await listed("open")).toContain(feedbackId);
    await reviews("apply");
    expect(await listed("open")).not.toContain(feedbackId);
    await reviews("revert");
  });

  it("shows what the API shows of it, the moment in the video too", async () => {
    await reviews("request-information", "--note", "Which?");
    const { json } = await edge.call("GET", `/internal/reviews/${feedbackId}`, { key: edge.internalKey });
    const shown = await reviews("show");
    expect(shown.json).toEqual(json);
    const { corrections: seen } = z
      .object({ corrections: z.array(z.object({ evidence: z.object({ video_link: z.string() }) })) })
      .parse(shown.json);
    expect(seen.map(({ evidence }) => evidence.video_link)).toEqual([
      expect.stringContaining("aaaaaaaaaaa&t=1s"),
      expect.stringContaining("aaaaaaaaaaa&t=60s"),
    ]);
  });

  it("previews both ways, corrections, and what they would be accepted with, and changes nothing", async () => {
    const [first = 0] = corrections;
    const before = await scores();
    const impact = z.object({
      corrections: z.array(
        z.object({
          correction_id: z.number(),
          refusal: z.string().nullable(),
          rows: z.array(z.object({ table: z.string(), after: z.record(z.string(), z.unknown()) })),
        }),
      ),
      pages: z.array(z.string()),
    });
    const seen = async (...words: string[]) => {
      const { status, json } = await reviews("preview", ...words);
      expect(status).toBe(0);
      return impact.parse(json);
    };
    const whole = await seen();
    expect(whole.corrections.map((each) => [each.correction_id, each.refusal])).toEqual(
      corrections.map((each) => [each, null]),
    );
    expect(whole.pages).toContain("/v1/entities/ent_1/mentions");
    const scoresIn = (report: z.output<typeof impact>) =>
      report.corrections.map(({ rows }) => rows.map(({ after }) => after["sentiment_score"]));
    expect(scoresIn(await seen("--corrections", String(first), "--change", '{"sentiment_score":0.2}'))).toEqual([
      [0.2],
    ]);
    expect((await seen("--action", "revert")).corrections).toEqual([]);
    expect([statusesOf((await reviews("show")).json)[0], await scores()]).toEqual(["pending_review", before]);

    await reviews("decide", "--decision", "accepted");
    await reviews("apply");
    const applied = await scores();
    expect(scoresIn(await seen("--action", "revert", "--corrections", String(first)))).toEqual([[before[0]]]);
    expect(await scores()).toEqual(applied);
    await reviews("revert");
  });

  it("takes notes as long as the API does", async () => {
    const fits = await reviews("request-information", "--note", "x".repeat(5000));
    expect(fits.status).toBe(0);
    for (const words of [["supply-information"], ["decide", "--decision", "rejected"]]) {
      const [verb = "", ...more] = words;
      const refused = await reviews(verb, ...more, "--note", "x".repeat(5001));
      expect([refused.status, refused.stderr.trim()]).toEqual([
        2,
        "error: the note has 5001 characters; shorten it to at most 5000.",
      ]);
    }
    expect(statusesOf((await reviews("show")).json)[0]).toBe("needs_information");
  });

  it("ends with 2 for wrong usage and with 1 for what cannot be, and says why", async () => {
    const wrong = [
      await reviews("decide"),
      await reviews("decide", "--decision", "maybe"),
      await reviews("decide", "--decision", "accepted_with_changes", "--change", "[1]"),
      await reviews("apply", "--corrections", "a,b"),
      await reviews("request-information"),
      await command.run("reviews", "show", "seven"),
      await command.run("reviews", "list", "--status", "lost"),
      await reviews("preview", "--action", "decide"),
    ];
    expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 2));
    const refused = [
      await reviews("apply"),
      await reviews("revert", "--corrections", "999999999"),
      await reviews("decide", "--decision", "accepted_with_changes", "--change", '{"quote":"x"}'),
      await command.run("reviews", "show", "999999999"),
    ];
    expect(refused.map(({ status }) => status)).toEqual([1, 1, 1, 1]);
    expect(refused[0]?.stderr).toContain("pending_review");
    for (const { stderr } of refused) expect(stderr).not.toMatch(/\n\s+at /);
  });
});
