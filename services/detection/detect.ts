import { readChannelEntityIds, readChannelTopics, readProfiles } from "../../database/nameIndex.ts";
import type { Queryable } from "../../database/pool.ts";
import { detectEvidence, namedIds, readInput } from "../../domain/detection/detectEvidence.ts";
import type { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { DetectedEvidence, NamedElsewhere, SpokenSegment } from "../../domain/detection/types.ts";

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
  const { title, description, channel, segments, readElsewhere } = transcript;
  const read = readInput({ title, description, segments, channel: null }, gazetteer);
  const ids = namedIds(read);
  const profiles = await readProfiles(db, ids);
  const named = [...new Set([...ids, ...[...profiles.values()].map(({ entityId }) => entityId)])];
  const elsewhere = (await readElsewhere?.(named)) ?? [];
  if (channel === null) return detectEvidence({ ...read, input: { ...read.input, elsewhere } }, profiles);
  const known = {
    name: channel.name,
    entityIds: await readChannelEntityIds(db, channel.id),
    mentionedIn: await readChannelTopics(db, channel.id, ids),
  };
  return detectEvidence({ ...read, input: { ...read.input, elsewhere, channel: known } }, profiles);
}
