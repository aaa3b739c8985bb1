import { parentPort } from "node:worker_threads";
import { detectEvidence, namedIds, type ReadInput, readInput } from "../../domain/detection/detectEvidence.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { DetectedEvidence, DetectionInput, EntityProfile, SpokenSegment } from "../../domain/detection/types.ts";
import type { Name } from "./lookUpNames.ts";

/** In this order; the last two are answered. */
export type DetectionMessage =
  | { kind: "names"; names: readonly Name[] }
  | { kind: "segments"; segments: readonly SpokenSegment[] }
  | { kind: "read"; title: string | null; description: string | null }
  | {
      kind: "decide";
      known: Pick<DetectionInput, "channel" | "elsewhere">;
      profiles: ReadonlyMap<number, EntityProfile>;
    };
export type DetectionAnswer = { kind: "read"; entityIds: number[] } | { kind: "decided"; evidence: DetectedEvidence };

const gazetteer = new Gazetteer(0, "single text");
const all: SpokenSegment[] = [];
let read: ReadInput | null = null;

parentPort?.on("message", (message: DetectionMessage) => {
  const answer = answerTo(message);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (answer !== null) parentPort?.postMessage(answer);
});

function answerTo(message: DetectionMessage): DetectionAnswer | null {
  switch (message.kind) {
    case "names":
      for (const { entityId, name, isAlias } of message.names) gazetteer.add(entityId, name, isAlias);
      return null;
    case "segments":
      all.push(...message.segments);
      return null;
    case "read":
      read = readInput(
        { title: message.title, description: message.description, segments: all, channel: null },
        gazetteer,
      );
      return { kind: "read", entityIds: namedIds(read) };
    case "decide": {
      if (read === null) throw new Error("there is no text to decide on");
      const { known, profiles } = message;
      return { kind: "decided", evidence: detectEvidence({ ...read, input: { ...read.input, ...known } }, profiles) };
    }
  }
}
