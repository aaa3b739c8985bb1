import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { sumStaleBrandProfiles } from "../../database/brandProfiles.ts";
import { sql } from "../../database/pool.ts";
import { mentionClasses } from "../../domain/evidence.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

const anything = z.object({ row: z.any() });
const rows = (query: ReturnType<typeof sql.fragment>) =>
  context.pool.anyFirst(sql.type(anything)`select to_jsonb(found) as row from (${query}) as found order by 1`);

/** What the rows themselves say the sponsors are, counted without any of the tables that follow them. */
const sponsorsFromRows = () =>
  rows(sql.fragment`
    with detected as (
      select recommendation.*, coalesce(canonical_id, entity.id) as canonical
      from recommendation join entity on entity.id = entity_id where conflict_status <> 'disputed'
    ), curated as (
      select distinct channel_id, coalesce(canonical_id, entity.id) as canonical from known_advertiser join entity on entity.id = entity_id
    )
    select coalesce(detected.channel_id, curated.channel_id) as channel_id, coalesce(detected.canonical, curated.canonical) as entity_id,
      count(detected.id) as row_count, count(*) filter (where mention_class = 'ad_read') as ad_read_count,
      count(*) filter (where mention_class = 'endorsement') as endorsement_count,
      coalesce(sum(confidence::numeric), 0) as confidence_sum,
      min(sorted_at) filter (where sorted_at > '0001-01-01Z') as first_seen_at, max(sorted_at) filter (where sorted_at > '0001-01-01Z') as last_seen_at,
      (array_agg(detected.id order by sorted_at desc, detected.id desc))[1] as latest_id,
      coalesce(array_agg(distinct promo_code collate "C") filter (where promo_code is not null), '{}') as promo_codes,
      curated.canonical is not null as is_known
    from detected full join curated on curated.channel_id = detected.channel_id and curated.canonical = detected.canonical
    group by 1, 2, curated.canonical`);
const sponsors = () =>
  rows(sql.fragment`
    select channel_id, entity_id, row_count, ad_read_count, endorsement_count, confidence_sum, first_seen_at, last_seen_at, latest_id,
      promo_codes, is_known from channel_sponsor`);
const channelsFromSponsors = () =>
  rows(sql.fragment`
    select channel_id, count(*) filter (where ad_read_count >= 3) as frequent_sponsor_count, sum(row_count) as row_count,
      sum(ad_read_count) as ad_read_count, sum(endorsement_count) as endorsement_count from channel_sponsor group by 1`);
const channels = () =>
  rows(sql.fragment`select * from channel_commerce where (row_count, frequent_sponsor_count) <> (0, 0)`);
const profilesFromSponsors = () =>
  rows(sql.fragment`
    select entity_id, sum(ad_read_count) as total_ad_reads, sum(endorsement_count) as total_endorsements,
      count(*) filter (where row_count > 0) as unique_shows, min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at,
      count(*) filter (where is_known) as channels_as_sponsor
    from channel_sponsor group by 1`);
const profiles = (condition: ReturnType<typeof sql.fragment>) =>
  rows(sql.fragment`
    select entity_id, total_ad_reads, total_endorsements, unique_shows, first_seen_at, last_seen_at, channels_as_sponsor
    from brand_profile where ${condition}`);
const run = (statement: ReturnType<typeof sql.fragment>) => context.pool.query(sql.typeAlias("void")`${statement}`);

const [entityCount, videoCount] = [6, 8];
const entity = fc.nat(entityCount - 1);
const video = fc.nat(videoCount - 1);
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      rows: fc.array(
        fc.record({
          entity,
          video,
          mentionClass: fc.constantFrom(...mentionClasses),
          confidence: fc.constantFrom(0.1, 0.7, 0.9, 1),
          status: fc.constantFrom("none", "disputed", "resolved"),
          code: fc.constantFrom(null, "A", "b", "É"),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), entity, video }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("dispute" as const), entity, to: fc.constantFrom("disputed", "none") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reassign" as const), entity, to: entity }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("redate" as const), video, day: fc.integer({ min: 1, max: 28 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("merge" as const), entity, into: entity }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("unmerge" as const), entity }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("curate" as const), entity, channel: fc.nat(2), known: fc.boolean() }),
  },
);

describe("sponsors, totals of channels and brand profiles", () => {
  it("are what the commercial rows say, after any sequence of writes, merges and merges undone", async () => {
    let start = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 15 }), async (operations) => {
        const entities = await Promise.all(
          Array.from({ length: entityCount }, () => createEntity(context, { type: "product" })),
        );
        const videos: string[] = [];
        for (let n = 0; n < videoCount; n += 1)
          videos.push(
            await createVideo(context, {
              channelId: `channel-${n % 3}`,
              publishedAt: n === 0 ? null : new Date(Date.UTC(2026, 2, n)),
            }),
          );
        const entityOf = (place: number) => entities[place] ?? 0;
        const videoOf = (place: number) => videos[place] ?? "";
        for (const step of operations) {
          switch (step.kind) {
            case "add":
              await run(sql.fragment`
                insert into recommendation (video_id, entity_id, channel_id, sorted_at, mention_class, start_seconds, end_seconds, confidence,
                  conflict_status, promo_code, source)
                select id, entity, channel_id, coalesce(published_at, '0001-01-01Z'), class, start, start, confidence, status, code, 'import'
                from ${sql.unnest(
                  step.rows.map((row) => [
                    videoOf(row.video),
                    entityOf(row.entity),
                    row.mentionClass,
                    (start += 1),
                    row.confidence,
                    row.status,
                    row.code,
                  ]),
                  ["text", "int8", "text", "int4", "float8", "text", "text"],
                )} as row (video, entity, class, start, confidence, status, code) join video on video.id = row.video`);
              break;
            case "remove":
              await run(sql.fragment`
                delete from recommendation where entity_id = ${entityOf(step.entity)} and video_id = ${videoOf(step.video)}`);
              break;
            case "dispute":
              await run(
                sql.fragment`update recommendation set conflict_status = ${step.to} where entity_id = ${entityOf(step.entity)}`,
              );
              break;
            case "reassign":
              await run(sql.fragment`
                update recommendation set entity_id = ${entityOf(step.to)} where entity_id = ${entityOf(step.entity)} and mention_class = 'mention'`);
              break;
            case "redate":
              await run(sql.fragment`
                update recommendation set sorted_at = ${new Date(Date.UTC(2026, 5, step.day)).toISOString()} where video_id = ${videoOf(step.video)}`);
              break;
            case "merge":
              await context.pool
                .transaction((transaction) => mergeEntities(transaction, entityOf(step.entity), entityOf(step.into)))
                .catch(() => undefined);
              break;
            case "unmerge":
              await run(sql.fragment`
                update entity set merged_into_id = null, canonical_id = null where id = ${entityOf(step.entity)}`);
              break;
            case "curate":
              await run(
                step.known
                  ? sql.fragment`insert into known_advertiser values (${`channel-${step.channel}`}, ${entityOf(step.entity)}) on conflict do nothing`
                  : sql.fragment`delete from known_advertiser where channel_id = ${`channel-${step.channel}`} and entity_id = ${entityOf(step.entity)}`,
              );
              break;
          }
        }
        expect(await sponsors()).toEqual(await sponsorsFromRows());
        expect(await channels()).toEqual(
          (await channelsFromSponsors()).filter(
            (channel) => channel.row_count > 0 || channel.frequent_sponsor_count > 0,
          ),
        );
        // One that is not stale is right, one that is missing has nothing; summed up, all are right.
        const right = await profilesFromSponsors();
        const shown = sql.fragment`(unique_shows > 0 or channels_as_sponsor > 0)`;
        for (const profile of await profiles(sql.fragment`stale_since is null and ${shown}`))
          expect(right).toContainEqual(profile);
        expect((await profiles(sql.fragment`true`)).map(({ entity_id }) => entity_id)).toEqual(
          expect.arrayContaining(right.map(({ entity_id }) => entity_id)),
        );
        await sumStaleBrandProfiles(context.pool, 1000);
        expect(await profiles(shown)).toEqual(right);
      }),
      { numRuns: 60 },
    );
  });
});
