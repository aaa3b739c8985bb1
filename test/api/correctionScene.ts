import { contentHash } from "../../domain/contentHash.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import type { components } from "../client/api.d.ts";
import { answered, type Edge, type NewKey, startEdge } from "./edge.ts";

type CorrectionBody = components["schemas"]["CorrectionRequest"];
type Segment = components["schemas"]["TranscriptSegment"];

export const saidAtFirst = [
  "Welcome to the show.",
  "Today we talk of engines.",
  "They were built by hand.",
  "Goodbye.",
];

/** A running API with transcripts to put right. */
export interface CorrectionScene {
  edge: Edge;
  /** Has all transcripts unlocked. */
  owner: NewKey;
  /** Has none. */
  stranger: NewKey;
  /** Publishes another transcript, which all else is about from then on; returns the video's id. */
  publish(): Promise<string>;
  read(): Promise<{
    revision: number;
    seq: number;
    speakers: components["schemas"]["Transcript"]["speakers"];
    segments: Segment[];
  }>;
  post(body: unknown, options?: { caller?: NewKey; headers?: Record<string, string> }): ReturnType<Edge["call"]>;
  correct(body: CorrectionBody): Promise<components["schemas"]["Correction"]>;
  /** The anchor of segments as they are now. */
  anchor(
    from: number,
    to?: number,
  ): Promise<{
    revision: number;
    anchor: { segmentId: string; contentHash: string };
    range: { fromSegmentId: string; toSegmentId: string };
  }>;
  editOf(at: number, text: string): Promise<CorrectionBody>;
  rewriteOf(
    from: number,
    to: number,
    replacements: { text: string; start?: number; end?: number }[],
  ): Promise<CorrectionBody>;
}

export async function startCorrections(): Promise<CorrectionScene> {
  const edge = await startEdge({ connections: 20, settings: { rateLimitPerMinute: { enterprise: 1_000_000 } } });
  const [owner, stranger] = [await edge.newKey(), await edge.newKey()];
  let videoId = "";
  let videos = 0;

  async function publish(): Promise<string> {
    videos += 1;
    videoId = `correct-${String(videos).padStart(3, "0")}`;
    const caller = { ...owner, tier: "enterprise", scopes: [], requestId: "req_test" } as const;
    const segments = saidAtFirst.map((text, index) => {
      const startSeconds = index * 5;
      const words = text.split(" ").map((word, n) => ({
        text: word,
        startSeconds: startSeconds + n * 0.5,
        endSeconds: startSeconds + n * 0.5 + 0.4,
        confidence: 0.8,
      }));
      return { text, startSeconds, endSeconds: startSeconds + 4, confidence: 0.9, words };
    });
    return createTranscript(edge.context, caller, { videoId, durationSeconds: 20, segments });
  }

  async function read() {
    const { data } = answered(
      await edge.client(owner).GET("/v1/transcripts/{video_id}", {
        params: { path: { video_id: videoId }, query: { include: "words" } },
      }),
    );
    if (typeof data === "string" || !("access" in data)) throw new Error("the transcript is not in JSON");
    const { revision, seq, speakers, segments } = data;
    if (revision === null || seq === null || segments === null) throw new Error("the transcript cannot be read");
    return { revision, seq, speakers, segments };
  }

  async function anchor(from: number, to = from) {
    const { revision, segments } = await read();
    const range = segments.slice(from, to + 1);
    const [segmentId = "", toSegmentId = ""] = [range[0]?.id, range.at(-1)?.id];
    return {
      revision,
      anchor: { segmentId, contentHash: contentHash(range.map(({ text }) => text).join("\n")) },
      range: { fromSegmentId: segmentId, toSegmentId },
    };
  }

  return {
    edge,
    owner,
    stranger,
    publish,
    read,
    anchor,
    post: (body, { caller = owner, headers = {} } = {}) =>
      edge.call("POST", `/v1/videos/${videoId}/corrections`, { key: caller.key, headers, body }),
    correct: async (body) => {
      const params = { path: { video_id: videoId } };
      return answered(await edge.client(owner).POST("/v1/videos/{video_id}/corrections", { params, body })).data;
    },
    editOf: async (at, text) => {
      const { revision, anchor: anchored } = await anchor(at);
      return { kind: "line_edit", revision, anchor: anchored, text };
    },
    rewriteOf: async (from, to, replacements) => ({
      kind: "segment_rewrite",
      ...(await anchor(from, to)),
      replacements,
    }),
  };
}
