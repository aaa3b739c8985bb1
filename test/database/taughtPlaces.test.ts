import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { candidatesStatement, listCandidates } from "../../database/taughtPlaces.ts";
import { findWrong } from "../../domain/teaching/sameWords.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { explain } from "./explained.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

const wrongs = [
  "Quil",
  "eta kwil",
  "naïve",
  "三頓",
  "O'Kwil",
  "Straße",
  "Ærø",
  "ﬁn",
  "Kwil-Smith",
  "ﷺ",
  "42nd",
  "İzmir",
  "Ωmega",
  "โตโยตี",
  "ラーメン",
  "ភាសា",
  "𠮷野",
];
const word = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...wrongs,
      "quil's",
      "QUILS",
      "ETA",
      "kwil’s",
      "strasse",
      "aerø",
      "okwil",
      "nai\u0308ve",
      "½",
      "โตโยตีมา",
      "วันนี้โตโยตี",
      "昼はﾗｰﾒﾝだ",
      "リﾊﾞー",
      "ខ្ញុំរៀនភាសាខ្មែរ",
      "𠮷𠮷野家",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }) },
);
const line = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 8 }), fc.constantFrom(" ", "-", ", ", "_", "\u00a0"))
  .map(([words, between]) => words.join(between))
  // oxlint-disable-next-line no-control-regex -- what no segment holds
  .filter((text) => text.trim() !== "" && !/[\x00-\x1f\x7f]/.test(text) && text.isWellFormed());
const many = 400;
const isHan = (code: number) => (code >= 0x3400 && code <= 0x9fff) || code >= 0x2_0000;

describe("the segments that may say some words", () => {
  it("are at least those that do, in any script, and however long", async () => {
    const caller = await createCaller(context, { tier: "enterprise" });
    const lines = fc.sample(line, { numRuns: many, seed: 5 });
    const long = Array.from(
      { length: 30 },
      (_, n) => `${"word ".repeat(n * 97)}Eta Kwil ${"more ".repeat(3000 - n * 97)}`,
    );
    const texts = [...lines, ...long];
    const segments = texts.map((text, n) => ({ text, startSeconds: n, endSeconds: n + 1, confidence: 1, words: [] }));
    await createTranscript(context, caller, { videoId: "taughtplace", durationSeconds: texts.length, segments });
    let found = 0;
    for (const wrongWords of wrongs) {
      const sought = { words: wrongWords, videoIds: null };
      const candidates = await listCandidates(context.pool, sought, { limit: texts.length, after: null });
      const candidateIds = new Set(candidates.map(({ segmentId }) => segmentId));
      const saying = texts.flatMap((text, n) =>
        findWrong(text, { wrongWords, rightWords: null }).length > 0 ? [`seg_${n}`] : [],
      );
      expect([wrongWords, saying.filter((id) => !candidateIds.has(id))]).toEqual([wrongWords, []]);
      found += saying.length;
    }
    expect(found).toBeGreaterThan(many);
    expect(
      await listCandidates(context.pool, { words: "Eta Kwil", videoIds: ["nobody"] }, { limit: 9, after: null }),
    ).toEqual([]);
  });

  it("are found by each sign of the scripts that nothing parts", async () => {
    // Of the many Han signs some.
    const signs = Array.from({ length: 0x3_2000 }, (_, code) => code)
      .filter((code) => (code < 0xd800 || code > 0xdfff) && (!isHan(code) || code % 16 === 0))
      .map((code) => String.fromCodePoint(code))
      .filter((sign) => findWrong(`かx${sign}yกx`, { wrongWords: sign, rightWords: null }).length > 0);
    expect(signs.length).toBeGreaterThan(5000);
    const missed = await context.pool.anyFirst(sql.type(z.object({ sign: z.string() }))`
      select sign from unnest(${sql.array(signs, "text")}) as sign cross join lateral (select 'かx' || sign || 'yกx' as text) as said
      where not (said_words(text) @> said_words(sign) or has_signs(text) and said_signs(text) @> said_signs(sign))`);
    expect(missed).toEqual([]);
  });

  it("are found by the index of words, and no other text is looked at", async () => {
    const videos = 20;
    const segmentsEach = 1000;
    const { accountId } = await createCaller(context);
    await context.pool.query(sql.typeAlias("void")`
      with added as (
        insert into video (id, title, channel_id) select 'plan-video-' || n, 'A title', 'ch' from generate_series(1, ${videos}::int4) as n returning id
      ), job as (
        insert into transcription_job (id, video_id, account_id, status, stage, priority, held_rows, held_period)
        select 'job_' || id, id, ${accountId}, 'completed', 'done', 'normal', 0, '2026-01-01' from added returning id, video_id
      ), head as (
        insert into transcript (video_id, job_id, revision, seq, source, engine, duration_seconds)
        select video_id, id, 1, 0, 'speech', 'test', 3600 from job returning video_id
      )
      insert into transcript_segment (video_id, position, id, start_seconds, end_seconds, text, confidence, words)
      select video_id, engine_position(n), 'seg_' || n, n, n + 1,
        'there was this morning in the workshop where nothing worked ' || case when n = 500 then 'said Eta Kwil' else 'at all ' || n % 100 end, 1, '[]'
      from head, generate_series(0, ${segmentsEach - 1}::int4) as n`);
    await context.pool.query(sql.typeAlias("void")`vacuum analyze transcript_segment, transcript, video`);
    const sought = { words: "eta kwil", videoIds: null };
    const statement = candidatesStatement(sought, { limit: 21, after: { videoId: "plan-video-1", position: "" } });
    const { scans } = await explain(context.databaseUrl, statement);
    const ofText = scans.filter(({ table }) => table === "transcript_segment");
    expect(ofText.filter(({ type }) => type === "Seq Scan")).toEqual([]);
    expect(ofText.map(({ index }) => index)).toContain("transcript_segment_said");
    // Those of the first test, those that say the words, and each once more by its key.
    expect(ofText.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(2 * (videos + many));
  });
});
