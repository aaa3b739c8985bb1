import { detectEvidence, namedIds, readInput } from "../../domain/detection/detectEvidence.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { DetectedEvidence } from "../../domain/detection/types.ts";
import { catalogue, catalogueProfiles, type Passage, passagesOf, transcriptOf } from "./passages.ts";

export interface Score {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
}

export const kinds = [
  "entities",
  "ad reads",
  "endorsements",
  "commercial mentions",
  "promo codes",
  "offers",
  "appearances",
] as const;
type Kind = (typeof kinds)[number];

export interface Evaluation {
  passages: number;
  scores: Record<Kind, Score>;
  /** What was wrong, for people. */
  faults: string[];
}

/** Runs the detector over a part of the labelled set. An entity counts as found where it is named, a commercial row and an appearance by passage. */
export function evaluate(part: "develop" | "report"): Evaluation {
  const gazetteer = new Gazetteer(catalogue.length);
  for (const [index, { name, aliases }] of catalogue.entries()) {
    gazetteer.add(index + 1, name, false);
    for (const alias of aliases) gazetteer.add(index + 1, alias, true);
  }
  const profiles = catalogueProfiles();
  const passages = passagesOf(part);
  const evaluation: Evaluation = {
    passages: passages.length,
    scores: {
      entities: none(),
      "ad reads": none(),
      endorsements: none(),
      "commercial mentions": none(),
      "promo codes": none(),
      offers: none(),
      appearances: none(),
    },
    faults: [],
  };
  for (const passage of passages) {
    const { input, mentions } = transcriptOf(passage);
    const read = readInput(input, gazetteer);
    const wanted = new Set(namedIds(read));
    const found = detectEvidence(read, new Map([...profiles].filter(([id]) => wanted.has(id))));
    compareMentions(evaluation, passage, mentions, found);
    compareRows(evaluation, passage, found);
  }
  return evaluation;
}

const none = (): Score => ({ truePositives: 0, falsePositives: 0, falseNegatives: 0 });
const keyOf = (entityId: number) => catalogue[entityId - 1]?.key ?? `unknown ${entityId}`;

function compareMentions(
  evaluation: Evaluation,
  passage: Passage,
  expected: ReturnType<typeof transcriptOf>["mentions"],
  found: DetectedEvidence,
): void {
  const left = [...expected];
  const score = evaluation.scores.entities;
  for (const mention of found.mentions) {
    const at = left.findIndex(
      ({ segment, start, end, entity }) =>
        `seg_${segment}` === mention.segmentId &&
        start < mention.charEnd &&
        end > mention.charStart &&
        entity === keyOf(mention.entityId),
    );
    if (at >= 0) {
      left.splice(at, 1);
      score.truePositives += 1;
    } else {
      score.falsePositives += 1;
      evaluation.faults.push(
        `${passage.id} entity too many: ${keyOf(mention.entityId)} "${mention.surfaceForm}" ${mention.confidence} in: ${mention.quote}`,
      );
    }
  }
  score.falseNegatives += left.length;
  for (const { entity, segment } of left)
    evaluation.faults.push(`${passage.id} entity missed: ${entity} in: ${passage.lines[segment]?.text}`);
}

function compareRows(evaluation: Evaluation, passage: Passage, found: DetectedEvidence): void {
  const classes = [
    ["ad reads", "ad_read"],
    ["endorsements", "endorsement"],
    ["commercial mentions", "mention"],
  ] as const;
  for (const [kind, mentionClass] of classes) {
    const expected = passage.commercial.filter((row) => row.class === mentionClass).map((row) => row.entity);
    compare(
      evaluation,
      passage,
      kind,
      expected,
      found.commercials.filter((row) => row.mentionClass === mentionClass).map((row) => keyOf(row.entityId)),
    );
  }
  const ads = found.commercials.filter((row) => row.mentionClass === "ad_read");
  const code = {
    expected: passage.commercial.map((row) => ({ entity: row.entity, text: row.promoCode })),
    found: ads.map((row) => ({ entity: keyOf(row.entityId), text: row.promoCode })),
  };
  compare(evaluation, passage, "promo codes", told(code.expected), told(code.found));
  const offer = {
    expected: passage.commercial.map((row) => ({ entity: row.entity, text: row.offer })),
    found: found.commercials.map((row) => ({ entity: keyOf(row.entityId), text: row.offer })),
  };
  compare(evaluation, passage, "offers", told(offer.expected), told(offer.found), isSameOffer);
  compare(
    evaluation,
    passage,
    "appearances",
    passage.appearances.map(({ entity, role }) => `${entity} ${role}`),
    found.appearances.map(({ entityId, role }) => `${keyOf(entityId)} ${role}`),
  );
}

const told = (rows: readonly { entity: string; text: string | null }[]) =>
  rows.flatMap(({ entity, text }) => (text === null ? [] : [`${entity} ${text.toLowerCase()}`]));

/** Offers are the same when most of their words are. */
function isSameOffer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => new Set(text.split(/[\s,]+/)));
  if (left === undefined || right === undefined) return false;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared * 2 > Math.min(left.size, right.size) && shared >= 2;
}

function compare(
  evaluation: Evaluation,
  passage: Passage,
  kind: Kind,
  expected: readonly string[],
  found: readonly string[],
  isSame: (a: string, b: string) => boolean = (a, b) => a === b,
): void {
  const left = [...expected];
  const score = evaluation.scores[kind];
  for (const row of found) {
    const at = left.findIndex((wanted) => isSame(wanted, row));
    if (at >= 0) {
      left.splice(at, 1);
      score.truePositives += 1;
    } else {
      score.falsePositives += 1;
      evaluation.faults.push(`${passage.id} ${kind} too many: ${row}`);
    }
  }
  score.falseNegatives += left.length;
  for (const row of left) evaluation.faults.push(`${passage.id} ${kind} missed: ${row}`);
}

/** Precision, recall and their harmonic mean; 1 where there is nothing to be found and nothing was. */
export function rates({ truePositives, falsePositives, falseNegatives }: Score): {
  precision: number;
  recall: number;
  f1: number;
} {
  const precision = truePositives + falsePositives === 0 ? 1 : truePositives / (truePositives + falsePositives);
  const recall = truePositives + falseNegatives === 0 ? 1 : truePositives / (truePositives + falseNegatives);
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
