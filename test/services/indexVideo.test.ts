import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { SpokenSegment } from "../../domain/detection/types.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { indexVideo, type VideoText } from "../../services/indexing/indexVideo.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";

let context: TestContext;
let names: Gazetteer;
let ada: number;
let lumora: number;
beforeAll(async () => {
  context = await createTestContext();
  ada = await createEntity(context, { name: "Ada Quillfeather", type: "person" });
  lumora = await createEntity(context, { name: "Lumora Mattress", type: "brand" });
  names = new Gazetteer();
  names.add(ada, "Ada Quillfeather", false);
  names.add(lumora, "Lumora Mattress", false);
});
afterAll(() => context.close());

const segment = (
  id: string,
  startSeconds: number,
  text: string,
  speaker: SpokenSegment["speaker"] = null,
): SpokenSegment => ({
  id,
  startSeconds,
  endSeconds: startSeconds + 10,
  text,
  speaker,
});
const segments = [
  segment("seg_0", 0, "Welcome back. My guest today is Ada Quillfeather.", { id: "spk_0", label: "Host" }),
  segment("seg_1", 10, "Thank you for having me, it is wonderful to be here.", {
    id: "spk_1",
    label: "Ada Quillfeather",
  }),
  segment("seg_2", 20, "This episode is brought to you by Lumora Mattress.", { id: "spk_0", label: "Host" }),
  segment("seg_3", 30, "Go to lumora dot com and use code ADA20 for twenty percent off your first order.", {
    id: "spk_0",
    label: "Host",
  }),
];
const index = (text: Partial<VideoText> & { videoId: string }) =>
  context.pool.transaction((transaction) =>
    indexVideo(transaction, names, { source: "captions", transcriptRevision: null, segments, ...text }),
  );
const evidenceRow = z.object({
  id: count,
  entity_id: count,
  is_appearance: z.boolean(),
  in_ad: z.boolean(),
  quote: z.string(),
  segment_id: z.string(),
  surface: z.string(),
  speaker_entity_id: count.nullable(),
  source: z.string(),
  detector_version: z.string(),
});
const evidence = (videoId: string) =>
  context.pool.any(sql.type(evidenceRow)`
    select id, entity_id, is_appearance, in_ad, quote, segment_id, coalesce(surface_form, '') as surface, speaker_entity_id, source, detector_version
    from mention where video_id = ${videoId} order by start_seconds, is_appearance, id`);
const commercialRow = z.object({
  entity_id: count,
  mention_class: z.string(),
  promo_code: z.string().nullable(),
  segment_id: z.string(),
});
const commercials = (videoId: string) =>
  context.pool.any(sql.type(commercialRow)`
    select entity_id, mention_class, promo_code, segment_id from recommendation where video_id = ${videoId}`);

describe("indexVideo", () => {
  it("writes who is spoken of, who appears and what is advertised, each with its place and origin", async () => {
    const videoId = await createVideo(context);
    await index({ videoId });
    const rows = await evidence(videoId);
    expect(rows.filter((row) => row.is_appearance).map((row) => row.entity_id)).toEqual([ada]);
    expect(rows.filter((row) => !row.is_appearance)).toEqual([
      expect.objectContaining({ entity_id: ada, surface: "Ada Quillfeather", segment_id: "seg_0", in_ad: false }),
      expect.objectContaining({ entity_id: lumora, surface: "Lumora Mattress", segment_id: "seg_2", in_ad: true }),
    ]);
    expect(new Set(rows.map(({ source, detector_version }) => `${source} ${detector_version}`)).size).toBe(1);
    expect(await commercials(videoId)).toEqual([
      { entity_id: lumora, mention_class: "ad_read", promo_code: "ADA20", segment_id: "seg_2" },
    ]);
  });

  it("changes nothing the second time, and follows a merge to the entity that is left", async () => {
    const videoId = await createVideo(context);
    await index({ videoId });
    const before = await evidence(videoId);
    await index({ videoId });
    expect(await evidence(videoId)).toEqual(before);
    const other = await createEntity(context, { name: "A. Quillfeather", type: "person" });
    await context.pool.transaction((transaction) => mergeEntities(transaction, ada, other));
    await index({ videoId });
    expect((await evidence(videoId)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });
});
