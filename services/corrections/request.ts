import { findEntityByName } from "../../database/entityMembers.ts";
import type { Queryable } from "../../database/pool.ts";
import type {
  AddPerson,
  Correction,
  EntityTagging,
  LineEdit,
  SegmentRewrite,
  SpeakerReassign,
} from "../../domain/corrections/types.ts";
import { ApiError } from "../../domain/errors.ts";
import type { AppearanceRole } from "../../domain/evidence.ts";
import { foldName } from "../../domain/names.ts";
import { resolveEntity } from "../entities/resolveEntity.ts";

/** A correction as it is asked for: entities by any of their ids, or by name. */
export type CorrectionRequest =
  | LineEdit
  | SpeakerReassign
  | EntityTagging
  | SegmentRewrite
  | { kind: "speaker_identify"; speakerId: string; entityId: number }
  | { kind: "add_person"; person: { entityId: number } | { name: string }; role: AppearanceRole };

/**
 * The correction with the canonical entities that it is about. A person who is named is the best known of that name, else one whom the index
 * does not know. Throws `entity_not_found`, and `appearances_person_only` for speakers who are no persons.
 */
export async function resolveRequest(db: Queryable, request: CorrectionRequest): Promise<Correction> {
  switch (request.kind) {
    case "line_edit":
    case "speaker_reassign":
    case "segment_rewrite":
      return request;
    case "entity_tag": {
      const { entity } = await resolveEntity(db, { by: "id", id: request.tag.entityId });
      return { ...request, tag: { ...request.tag, entityId: entity.numericId } };
    }
    case "speaker_identify":
      return { ...request, entityId: (await requirePerson(db, request.entityId)).numericId };
    case "add_person":
      return { ...request, person: await findPerson(db, request.person) };
  }
}

async function findPerson(db: Queryable, asked: { entityId: number } | { name: string }): Promise<AddPerson["person"]> {
  if ("entityId" in asked) {
    const { name, numericId } = await requirePerson(db, asked.entityId);
    return { name, entityId: numericId };
  }
  const found = await findEntityByName(db, foldName(asked.name), "person");
  return found === null
    ? { name: asked.name, entityId: null }
    : { name: found.entity.name, entityId: found.entity.numericId };
}

async function requirePerson(db: Queryable, id: number) {
  const { entity } = await resolveEntity(db, { by: "id", id });
  if (entity.type !== "person") throw new ApiError("appearances_person_only");
  return entity;
}
