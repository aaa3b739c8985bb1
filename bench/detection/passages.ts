import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { DetectionInput, EntityProfile } from "../../domain/detection/types.ts";
import { entityTypes } from "../../domain/entities.ts";
import { appearanceRoles, mentionClasses } from "../../domain/evidence.ts";

const entry = z.object({
  key: z.string(),
  name: z.string(),
  type: z.enum(entityTypes),
  aliases: z.array(z.string()).default([]),
  owner: z.string().optional(),
  description: z.string().optional(),
  mentions: z.int(),
});
const line = z.union([
  z.string().transform((text) => ({ text, speaker: null })),
  z.object({ speaker: z.string(), text: z.string() }),
]);
const passage = z.object({
  id: z.string(),
  style: z.string(),
  title: z.string().optional(),
  lines: z.array(line),
  commercial: z.array(
    z.object({
      entity: z.string(),
      class: z.enum(mentionClasses),
      promoCode: z.string().nullable(),
      offer: z.string().nullable(),
    }),
  ),
  appearances: z.array(z.object({ entity: z.string(), role: z.enum(appearanceRoles) })),
});
export type Passage = z.output<typeof passage>;

/** Where a passage names an entity: characters of the text of a line without its marks. */
export interface LabelledMention {
  segment: number;
  start: number;
  end: number;
  entity: string;
}

const folder = import.meta.dirname;
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8"));

export const catalogue = z.array(entry).parse(read("catalogue"));

/** The passages of one part of the labelled set. */
export function passagesOf(part: "develop" | "report"): Passage[] {
  return z.array(passage).parse(read(part));
}

/** The profiles of the catalogue by number, which is the position in it, from 1. */
export function catalogueProfiles(): Map<number, EntityProfile> {
  const numbers = new Map(catalogue.map(({ key }, index) => [key, index + 1]));
  return new Map(
    catalogue.map(({ name, type, owner, description, mentions }, index) => [
      index + 1,
      {
        entityId: index + 1,
        name,
        type,
        ownerId: owner === undefined ? null : (numbers.get(owner) ?? null),
        mentionCount: mentions,
        description: description ?? null,
      },
    ]),
  );
}

const wordsPerSecond = 2.6;

/** A passage as a transcript, spoken at a steady pace, and the places that its marks name. */
export function transcriptOf({ lines, title }: Passage): { input: DetectionInput; mentions: LabelledMention[] } {
  const mentions: LabelledMention[] = [];
  let seconds = 0;
  const segments = lines.map(({ text: marked, speaker }, segment) => {
    let text = "";
    for (const part of marked.matchAll(/\[\[([^|\]]+)\|([^\]]+)\]\]|[^[]+|\[/g)) {
      const [whole, surface, entity] = part;
      if (surface !== undefined && entity !== undefined)
        mentions.push({ segment, start: text.length, end: text.length + surface.length, entity });
      text += surface ?? whole;
    }
    const startSeconds = seconds;
    seconds = Math.round((seconds + text.split(" ").length / wordsPerSecond) * 1000) / 1000;
    return {
      id: `seg_${segment}`,
      startSeconds,
      endSeconds: seconds,
      text,
      speaker: speaker === null ? null : { id: speaker, label: speaker },
    };
  });
  return { input: { segments, title: title ?? null, description: null, channel: null }, mentions };
}
