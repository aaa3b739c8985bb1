import { z } from "zod";
import { type EntityType, entityTypes } from "../entities.ts";
import { type Read, checkRow } from "./readRow.ts";
import { type EntityRow, rowSchemas } from "./rows.ts";

/** Classes that an item is an instance of (P31), by the type that they make it; the first that is known decides. */
const typeOfClass: Readonly<Record<string, EntityType>> = {
  Q5: "person", // human
  Q43229: "organization", // organization
  Q4830453: "organization", // business
  Q783794: "organization", // company
  Q6881511: "organization", // enterprise
  Q891723: "organization", // public company
  Q163740: "organization", // nonprofit organization
  Q79913: "organization", // non-governmental organization
  Q3918: "organization", // university
  Q1664720: "organization", // institute
  Q7278: "organization", // political party
  Q476028: "organization", // association football club
  Q847017: "organization", // sports club
  Q215380: "organization", // musical group
  Q1616075: "organization", // television station
  Q1002697: "product", // periodical
  Q431289: "organization", // brand: what sells under it is told apart by other classes
  Q167270: "organization", // trademark
  Q2424752: "product", // product
  Q7397: "product", // software
  Q166142: "product", // application
  Q620615: "product", // mobile app
  Q7889: "product", // video game
  Q22811462: "product", // video game console model
  Q10929058: "product", // product model
  Q3231690: "product", // automobile model
  Q19723451: "product", // smartphone model
  Q571: "product", // book
  Q7725634: "product", // literary work
  Q11424: "product", // film
  Q5398426: "product", // television series
  Q24634210: "product", // podcast
  Q482994: "product", // album
};

const label = z.object({ value: z.string() });
const claim = z.object({
  mainsnak: z.object({ datavalue: z.object({ value: z.object({ id: z.string() }) }).optional() }),
});
const id = z.string().regex(/^Q[1-9]\d*$/, "must be an item's id such as Q42; properties and lexemes are no entities");

/** An item as the dump writes it (Wikibase JSON, doc.wikimedia.org), as far as it is read. */
const dumpItem = z.object({
  id,
  labels: z.record(z.string(), label),
  aliases: z.record(z.string(), z.array(label)).optional(),
  descriptions: z.record(z.string(), label).optional(),
  claims: z.record(z.string(), z.unknown()).optional(),
});
const simpleItem = z.strictObject({
  id,
  label: z.string(),
  aliases: z.array(z.string()).optional(),
  type: z.string().optional(),
});

/** What a line of a dump is without the brackets and commas of the array around it; null where nothing is left. */
export function withoutArray(line: string): string | null {
  const item = line
    .trim()
    .replace(/^\[/, "")
    .replace(/[,\]]$/, "");
  return item.trim() === "" ? null : item;
}

/**
 * An item of a Wikidata dump, or `{id, label, aliases?, type?}` with a type of ours or a class, as an entity whose platform is `wikidata`:
 * label, aliases and description in `language`. An item of no known class is a topic, one of no class at all `unknown`.
 */
export function readWikidataItem(value: unknown, language: string): Read<EntityRow> {
  const isSimple = typeof value === "object" && value !== null && "label" in value;
  return isSimple ? readSimple(value) : readDump(value, language);
}

function readSimple(value: unknown): Read<EntityRow> {
  const item = checkRow(simpleItem, value);
  if ("reason" in item) return item;
  const { id, label, aliases, type } = item.row;
  return entityOf({ id, name: label, aliases: aliases ?? [], type: typeOf(type === undefined ? [] : [type]) });
}

function readDump(value: unknown, language: string): Read<EntityRow> {
  const item = checkRow(dumpItem, value);
  if ("reason" in item) return item;
  const { id, labels, aliases, descriptions, claims } = item.row;
  const name = labels[language]?.value;
  if (name === undefined)
    return { reason: `labels.${language}: is missing; choose another --language, or leave the item out` };
  const classes = z.array(z.unknown()).catch([]).parse(claims?.["P31"]);
  return entityOf({
    id,
    name,
    aliases: aliases?.[language]?.map((alias) => alias.value) ?? [],
    description: descriptions?.[language]?.value,
    type: typeOf(classes.flatMap((each) => claim.safeParse(each).data?.mainsnak.datavalue?.value.id ?? [])),
  });
}

function typeOf(classes: readonly string[]): EntityType {
  for (const each of classes) {
    const type = entityTypes.find((known) => known === each) ?? typeOfClass[each];
    if (type !== undefined) return type;
  }
  return classes.length === 0 ? "unknown" : "topic";
}

function entityOf(item: {
  id: string;
  name: string;
  aliases: readonly string[];
  description?: string | undefined;
  type: EntityType;
}): Read<EntityRow> {
  const { id, name, aliases, description, type } = item;
  return checkRow(rowSchemas.entities, { name, type, aliases, description, platform: "wikidata", platform_id: id });
}
