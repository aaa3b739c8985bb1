import { readChannelEntityIds, readChannelTopics, readProfiles } from "../../database/nameIndex.ts";
import type { Queryable } from "../../database/pool.ts";
import { detectEvidence, namedIds, readInput } from "../../domain/detection/detectEvidence.ts";
import type { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { DetectedEvidence, SpokenSegment } from "../../domain/detection/types.ts";

/** What is to be detected in. */
export interface Transcript {
  title: string | null;
  description: string | null;
  channel: { id: string; name: string } | null;
  segments: readonly SpokenSegment[];
}

/** The evidence in a transcript, by names in memory and by what the database knows of their entities now. Reads only. */
export async function detect(db: Queryable, gazetteer: Gazetteer, transcript: Transcript): Promise<DetectedEvidence> {
  const { title, description, channel, segments } = transcript;
  const read = readInput({ title, description, segments, channel: null }, gazetteer);
  const ids = namedIds(read);
  const profiles = await readProfiles(db, ids);
  if (channel === null) return detectEvidence(read, profiles);
  const known = {
    name: channel.name,
    entityIds: await readChannelEntityIds(db, channel.id),
    mentionedIn: await readChannelTopics(db, channel.id, ids),
  };
  return detectEvidence({ ...read, input: { ...read.input, channel: known } }, profiles);
}
