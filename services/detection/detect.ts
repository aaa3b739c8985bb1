import { readChannelEntityIds, readChannelTopics, readProfiles } from "../../database/nameIndex.ts";
import type { Queryable } from "../../database/pool.ts";
import { detectEvidence, namedIds, readInput } from "../../domain/detection/detectEvidence.ts";
import type { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type {
  DetectedEvidence,
  DetectionInput,
  EntityProfile,
  NamedElsewhere,
  SpokenSegment,
} from "../../domain/detection/types.ts";
import { withThread } from "../threads/thread.ts";
import type { DetectionAnswer, DetectionMessage } from "./detectionThread.ts";
import { gazetteerOf, listNames } from "./lookUpNames.ts";

/** Detection in so many characters takes some 40 ms; a process that answers requests leaves longer texts to a thread. */
const mostCharactersHere = 16_000;

/** What is to be detected in. */
export interface Transcript {
  title: string | null;
  description: string | null;
  channel: { id: string; name: string } | null;
  segments: readonly SpokenSegment[];
  /** Where the segments are a part of a video: how the entities are called in the rest of it. */
  readElsewhere?: (entityIds: readonly number[]) => Promise<readonly NamedElsewhere[]>;
}

/** The evidence in a transcript, by names in memory and by what the database knows of their entities now. Reads only. */
export async function detect(db: Queryable, gazetteer: Gazetteer, transcript: Transcript): Promise<DetectedEvidence> {
  const { title, description, segments } = transcript;
  const read = readInput({ title, description, segments, channel: null }, gazetteer);
  const { known, profiles } = await readKnown(db, transcript, namedIds(read));
  return detectEvidence({ ...read, input: { ...read.input, ...known } }, profiles);
}

/**
 * As `detect`, by the names that `lookedUp` may hold, looked up in the database. The process answers others meanwhile, whatever the length of
 * the text.
 */
export async function detectLookedUp(
  db: Queryable,
  lookedUp: readonly (readonly SpokenSegment[])[],
  transcript: Transcript,
): Promise<DetectedEvidence> {
  const { title, description, segments } = transcript;
  const names = await listNames(db, lookedUp);
  if (segments.reduce((sum, { text }) => sum + text.length, 0) <= mostCharactersHere)
    return detect(db, gazetteerOf(names), transcript);
  const script = new URL("./detectionThread.ts", import.meta.url);
  return withThread<DetectionMessage, DetectionAnswer, DetectedEvidence>(script, async (thread) => {
    await thread.postAll(names, (part) => ({ kind: "names", names: part }));
    await thread.postAll(segments, (part) => ({ kind: "segments", segments: part }));
    thread.post({ kind: "read", title, description });
    const read = await thread.answer();
    if (read.kind !== "read") throw new Error("the text was not read");
    thread.post({ kind: "decide", ...(await readKnown(db, transcript, read.entityIds)) });
    const decided = await thread.answer();
    if (decided.kind !== "decided") throw new Error("the text was not decided on");
    return decided.evidence;
  });
}

interface Known {
  known: Pick<DetectionInput, "channel" | "elsewhere">;
  profiles: ReadonlyMap<number, EntityProfile>;
}

async function readKnown(
  db: Queryable,
  { channel, readElsewhere }: Transcript,
  ids: readonly number[],
): Promise<Known> {
  const profiles = await readProfiles(db, ids);
  const named = [...new Set([...ids, ...[...profiles.values()].map(({ entityId }) => entityId)])];
  const elsewhere = (await readElsewhere?.(named)) ?? [];
  if (channel === null) return { known: { channel, elsewhere }, profiles };
  return {
    known: {
      elsewhere,
      channel: {
        name: channel.name,
        entityIds: await readChannelEntityIds(db, channel.id),
        mentionedIn: await readChannelTopics(db, channel.id, ids),
      },
    },
    profiles,
  };
}
