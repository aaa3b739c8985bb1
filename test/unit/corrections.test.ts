import { describe, expect, it } from "@jest/globals";
import { contentHash } from "../../domain/contentHash.ts";
import type { Correction, Segment } from "../../domain/corrections/types.ts";
import { reasonOf, spokenTranscript, TranscriptModel } from "../builders/transcriptModel.ts";

const texts = ["ada built the first engines", "of the first kind", "naïve engines built it's", "the first", "of ada"];

function anchorOf(...range: readonly Segment[]) {
  return {
    revision: 1,
    anchor: { segmentId: range[0]?.id ?? "", contentHash: contentHash(range.map(({ text }) => text).join("\n")) },
  };
}

function edit(model: TranscriptModel, at: number, text: string): Correction {
  const segment = model.segments[at];
  if (segment === undefined) throw new Error("no such segment");
  return { kind: "line_edit", ...anchorOf(segment), text };
}

function rewrite(
  model: TranscriptModel,
  [from, to]: [number, number],
  replacements: readonly { text: string; start?: number; end?: number; speakerId?: string }[],
): Correction {
  const range = model.segments.slice(from, to + 1);
  return {
    kind: "segment_rewrite",
    ...anchorOf(...range),
    range: { fromSegmentId: range[0]?.id ?? "", toSegmentId: range.at(-1)?.id ?? "" },
    replacements: replacements.map(({ text, start, end, speakerId }) => ({
      text,
      startSeconds: start ?? null,
      endSeconds: end ?? null,
      speakerId: speakerId ?? null,
    })),
  };
}

const timesOf = (segments: readonly Segment[]) =>
  segments.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);

describe("line_edit", () => {
  it("keeps the times of the words that stay, and shares out the rest", () => {
    const model = new TranscriptModel(spokenTranscript(["ada built the first engines"]));
    const [before] = model.segments;
    model.correct(edit(model, 0, "Ada built two big engines."));
    const words = model.segments[0]?.words ?? [];
    expect(words.map(([text]) => text)).toEqual(["Ada", "built", "two", "big", "engines"]);
    const timeOf = (n: number) => before?.words[n]?.slice(1);
    expect([words[0], words[1], words[4]].map((word) => word?.slice(1))).toEqual([timeOf(0), timeOf(1), timeOf(4)]);
    const [until, from] = [before?.words[1]?.[2], before?.words[4]?.[1]];
    expect([words[2]?.[1], words[3]?.[2], words[2]?.[3]]).toEqual([until, from, 1]);
    expect(words[2]?.[2]).toBe(words[3]?.[1]);
  });

  it("keeps the words of scripts without spaces", () => {
    const [segment] = spokenTranscript(["你好世界"]);
    if (segment === undefined) throw new Error("no segment");
    const words = [["你好", 0, 1, 0.9] as const, ["世界", 1, 2, 0.8] as const];
    const model = new TranscriptModel([{ ...segment, endSeconds: 2, words }]);
    model.correct(edit(model, 0, "你们好世界"));
    expect(model.segments[0]?.words.at(-1)).toEqual(["世界", 1, 2, 0.8]);
  });

  it("leaves words without times where the engine told none", () => {
    const model = new TranscriptModel(spokenTranscript(["ada built"], { words: false }));
    model.correct(edit(model, 0, "ada built engines"));
    expect(model.segments[0]?.words).toEqual([]);
  });

  it("is refused where the text is another one, gone, or as asked for already", () => {
    const model = new TranscriptModel(spokenTranscript(texts));
    const stale = edit(model, 0, "somebody else");
    const gone = edit(model, 1, "too late");
    model.correct(edit(model, 0, "Ada"));
    model.correct(rewrite(model, [1, 1], []));
    expect([
      reasonOf(() => model.correct(stale)),
      reasonOf(() => model.correct(gone)),
      reasonOf(() => model.correct(edit(model, 0, "Ada"))),
    ]).toEqual(["content_hash_mismatch", "segment_not_found", "already_applied"]);
  });

  it("of an older revision is taken while its segment is as it was, and of one that never was is not", () => {
    const model = new TranscriptModel(spokenTranscript(texts));
    const rebased = edit(model, 1, "of no kind");
    model.correct(edit(model, 0, "Ada"));
    expect(reasonOf(() => model.correct(rebased))).toBeNull();
    const fromTheFuture = { ...edit(model, 1, "of any kind"), revision: 99 };
    expect(reasonOf(() => model.correct(fromTheFuture))).toBe("content_hash_mismatch");
  });
});

describe("segment_rewrite", () => {
  const range: [number, number] = [0, 1];

  it("shares out the time of the range by the length of the texts", () => {
    const model = new TranscriptModel(spokenTranscript(["aaaa bbbb", "cccc dddd"]));
    const end = model.segments[1]?.endSeconds ?? 0;
    model.correct(rewrite(model, range, [{ text: "x" }, { text: "yyy" }]));
    expect(timesOf(model.segments)).toEqual([
      [0, end / 4],
      [end / 4, end],
    ]);
  });

  it("keeps pinned times, and shares out what is between them", () => {
    const model = new TranscriptModel(spokenTranscript(["aaaa bbbb", "cccc dddd"]));
    const end = model.segments[1]?.endSeconds ?? 0;
    model.correct(
      rewrite(model, range, [{ text: "x", end: 0.5 }, { text: "y" }, { text: "y", start: 1.5 }, { text: "z", end: 2 }]),
    );
    expect(timesOf(model.segments)).toEqual([
      [0, 0.5],
      [0.5, 1.5],
      [1.5, 1.75],
      [1.75, 2],
    ]);
    expect(end).toBeGreaterThan(2);
  });

  it("refuses pins that are out of the range or out of order", () => {
    const model = new TranscriptModel(spokenTranscript(["aaaa bbbb", "cccc dddd"]));
    const refused = (replacements: Parameters<typeof rewrite>[2]) =>
      reasonOf(() => model.correct(rewrite(model, range, replacements)));
    expect([
      refused([{ text: "x", end: 99 }]),
      refused([{ text: "x", start: 1, end: 0.5 }]),
      refused([
        { text: "x", end: 1 },
        { text: "y", start: 0.5 },
      ]),
    ]).toEqual(["invalid_body", "invalid_body", "invalid_body"]);
  });

  it("keeps the times of words that go on, whichever replacement they are in, and who said them", () => {
    const segments = spokenTranscript(["ada built", "the first engines"], { speakers: ["spk_0", "spk_1"] });
    const model = new TranscriptModel(segments);
    model.speakers = ["spk_0", "spk_1"].map((id) => ({ id, label: id, entityId: null, role: null }));
    model.correct(
      rewrite(model, range, [{ text: "Ada" }, { text: "built the" }, { text: "first, engines" }, { text: "indeed" }]),
    );
    const timesBefore = segments.flatMap(({ words }) => words.map(([, start]) => start));
    const words = model.segments.flatMap((segment) => segment.words);
    expect(words.slice(0, 5).map(([, start]) => start)).toEqual(timesBefore);
    expect(model.segments.map(({ speakerId }) => speakerId)).toEqual(["spk_0", "spk_0", "spk_1", "spk_1"]);
  });

  it("deletes the range without replacements, and stands between what was around it when it is withdrawn", () => {
    const model = new TranscriptModel(spokenTranscript(texts));
    const original = model.segments;
    model.correct(rewrite(model, [1, 2], []));
    const deletion = model.seq;
    expect(model.segments.map(({ id }) => id)).toEqual(["seg_0", "seg_3", "seg_4"]);
    model.correct(rewrite(model, [0, 0], [{ text: "a" }, { text: "b" }]));
    model.withdraw(deletion);
    expect(model.segments.map(({ text }) => text)).toEqual(["a", "b", ...texts.slice(1)]);
    expect(model.segments.slice(2)).toEqual(original.slice(1));
  });

  it("cannot be withdrawn while later edits sit on it, and can when they are withdrawn", () => {
    const model = new TranscriptModel(spokenTranscript(texts));
    model.correct(rewrite(model, [1, 1], [{ text: "one" }, { text: "two" }]));
    model.correct(rewrite(model, [3, 3], []));
    model.correct(edit(model, 2, "too"));
    model.correct(rewrite(model, [2, 3], [{ text: "across the deletion" }]));
    expect([1, 2, 3].map((seq) => reasonOf(() => model.withdraw(seq)))).toEqual(
      Array.from({ length: 3 }, () => "content_hash_mismatch"),
    );
    for (const seq of [4, 3, 1, 2]) model.withdraw(seq);
    expect(model.segments).toEqual(spokenTranscript(texts));
  });
});

const tag = (
  model: TranscriptModel,
  [charStart, charEnd]: [number, number],
  action: "add" | "remove" = "add",
): Correction => {
  const [segment] = model.segments;
  if (segment === undefined) throw new Error("no segment");
  return { kind: "entity_tag", ...anchorOf(segment), tag: { entityId: 7, charStart, charEnd, action } };
};

describe("entity_tag", () => {
  it("goes with its words through edits and rewrites, and is gone with them", () => {
    const model = new TranscriptModel(spokenTranscript(["we met ada there", "of the first kind"]));
    model.correct(tag(model, [7, 10]));
    model.correct(edit(model, 0, "Yesterday we met Ada, there"));
    expect(model.segments[0]?.tags).toEqual([{ entityId: 7, charStart: 17, charEnd: 20, action: "add" }]);
    model.correct(
      rewrite(model, [0, 1], [{ text: "Yesterday" }, { text: "we met ada" }, { text: "of the first kind" }]),
    );
    expect(model.segments.map(({ tags }) => tags)).toEqual([
      [],
      [{ entityId: 7, charStart: 7, charEnd: 10, action: "add" }],
      [],
    ]);
    model.correct(edit(model, 1, "we met nobody"));
    expect(model.segments[1]?.tags).toEqual([]);
  });

  it("must be in the text, hold a word, and say something new", () => {
    const model = new TranscriptModel(spokenTranscript(["hey, you"]));
    expect([
      reasonOf(() => model.correct(tag(model, [0, 99]))),
      reasonOf(() => model.correct(tag(model, [3, 5]))),
      reasonOf(() => model.correct(tag(model, [0, 3], "remove"))),
      reasonOf(() => model.correct(tag(model, [0, 3]))),
      reasonOf(() => model.correct(tag(model, [0, 3]))),
    ]).toEqual(["invalid_body", "invalid_body", "already_applied", null, "already_applied"]);
  });
});

describe("speakers", () => {
  it("are brought in once by their label, named, and stay while somebody else is said to be one", () => {
    const model = new TranscriptModel(spokenTranscript(texts));
    const reassign = (at: number, label: string): Correction => {
      const segment = model.segments[at];
      if (segment === undefined) throw new Error("no segment");
      return { kind: "speaker_reassign", ...anchorOf(segment), to: { newSpeakerLabel: label } };
    };
    model.correct(reassign(0, "Host"));
    model.correct(reassign(1, "Host"));
    expect(model.speakers).toEqual([{ id: "spk_1", label: "Host", entityId: null, role: null }]);
    expect(reasonOf(() => model.correct(reassign(1, "Host")))).toBe("already_applied");
    expect(reasonOf(() => model.withdraw(1))).toBe("content_hash_mismatch");
    model.correct({ kind: "speaker_identify", speakerId: "spk_1", entityId: 7 });
    expect(reasonOf(() => model.correct({ kind: "speaker_identify", speakerId: "spk_1", entityId: 7 }))).toBe(
      "already_applied",
    );
    expect(reasonOf(() => model.correct({ kind: "speaker_identify", speakerId: "spk_9", entityId: 7 }))).toBe(
      "invalid_body",
    );
    model.correct({ kind: "add_person", person: { name: "Ada", entityId: 7 }, role: "host" });
    expect(model.speakers).toEqual([{ id: "spk_1", label: "Host", entityId: 7, role: "host" }]);
    for (const seq of model.standing) model.withdraw(seq);
    expect(model.speakers).toEqual([]);
  });
});
