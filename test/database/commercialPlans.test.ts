import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { recommendationsStatement, type RecommendationSelection } from "../../database/recommendations.ts";
import { type SqlFragment, sql } from "../../database/pool.ts";
import { sponsorsStatement } from "../../database/sponsors.ts";
import { type RecommendationNarrowing, recommendationStrata } from "../../domain/recommendationStrata.ts";
import { activeSince, sponsorRuns, type SponsorStatus } from "../../domain/sponsors.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";
import { explain } from "./explained.ts";

const now = new Date("2025-06-01T00:00:00.000Z");
let context: TestContext;
let purchase: Parameters<typeof recommendationsStatement>[0];
beforeAll(async () => {
  context = await createTestContext();
  const { accountId } = await createAccount(context, { email: "plans@example.com", tier: "enterprise" });
  purchase = {
    accountId,
    period: "2026-06-01",
    allowance: { poolRows: 1_000_000_000, onDemandLimitRows: 0 },
    rows: 10,
    requestId: "req_plan",
  };
  const fill = (statement: SqlFragment) => context.pool.query(sql.typeAlias("void")`${statement}`);
  await fill(
    sql.fragment`insert into entity (name, type, slug) select 'E' || n, 'product', 'e' || n from generate_series(1, 2000::int4) as n`,
  );
  await fill(sql.fragment`insert into channel select 'c' || n, 'C' || n from generate_series(1, 200::int4) as n`);
  await fill(sql.fragment`
    insert into video (id, channel_id, published_at)
    select 'v' || n, 'c' || 1 + n % 200, timestamptz '2024-01-01Z' + n * interval '40 minutes' from generate_series(1, 20000::int4) as n`);
  // Half of all rows are about entity 1, and a third on channel c1, so that a list that read all of them would show.
  await fill(sql.fragment`
    insert into recommendation (video_id, entity_id, channel_id, sorted_at, mention_class, start_seconds, end_seconds, confidence,
      conflict_status, source)
    select video.id, entity_id, video.channel_id, published_at, (array['ad_read', 'endorsement', 'mention'])[1 + dice[1] % 3], n, n,
      dice[2] % 1000 / 1000.0, case when dice[3] % 20 = 0 then 'disputed' else 'none' end, 'import'
    from (
      select n, dice, case when dice[4] % 3 = 0 then 'v' || 200 * (1 + dice[5] % 99) else 'v' || 1 + dice[5] % 20000 end as video_id,
        case when dice[6] % 2 = 0 then 1 else 1 + dice[7] % 2000 end as entity_id
      from generate_series(1, 60000::int4) as n,
        lateral (select array_agg(abs(hashint8(n * 10 + die))) as dice from generate_series(1, 7::int4) as die) as thrown
    ) as made join video on video.id = video_id`);
  await fill(sql.fragment`insert into known_advertiser select 'c1', n from generate_series(1, 2000::int4, 7) as n`);
  for (const table of ["entity", "channel", "video", "recommendation", "channel_sponsor"])
    await fill(sql.fragment`vacuum analyze ${sql.identifier([table])}`);
});
afterAll(() => context.close());

/** That the table is listed through the index alone, in its order, and not much more of it than is shown; that nothing long is sorted. */
async function expectShortReads(statement: SqlFragment, table: string, index: string, most: number): Promise<void> {
  const { scans, sortedRows } = await explain(context.databaseUrl, statement);
  const reads = scans.filter((scan) => scan.table === table);
  expect(new Set(reads.map(({ type }) => type).filter((type) => !/^Index (Only )?Scan$/.test(type)))).toEqual(
    new Set(),
  );
  const listing = reads.filter((scan) => scan.index === index);
  expect(listing).toHaveLength(1);
  for (const scan of listing) expect(scan.rows).toBeGreaterThan(0);
  for (const rows of [...reads.map((scan) => scan.rows), ...sortedRows]) expect(rows).toBeLessThanOrEqual(most);
}

const limit = 20;
const byDefault: RecommendationNarrowing = { mentionClass: "all", minConfidence: 0.7, includeDisputed: false };
const selection = (more: Partial<RecommendationSelection & RecommendationNarrowing>): RecommendationSelection => {
  const narrowing = { ...byDefault, ...more };
  return {
    memberIds: null,
    channelIds: null,
    entityGroup: null,
    dates: { from: null, to: null },
    ...more,
    strata: recommendationStrata(narrowing),
    minConfidence: narrowing.minConfidence,
  };
};

describe("a list of commercial rows", () => {
  const deep = { sortedAt: Date.UTC(2025, 2, 1), id: 1000 };
  it.each([
    ["an entity", { memberIds: [1] }, "recommendation_entity", 1],
    ["a rare entity", { memberIds: [17] }, "recommendation_entity", 1],
    ["several members", { memberIds: [1, 3, 5] }, "recommendation_entity", 1],
    ["a channel", { channelIds: ["c1"] }, "recommendation_channel", 1],
    ["both", { memberIds: [1], channelIds: ["c1"] }, "recommendation_entity_channel", 1],
    ["a class", { memberIds: [1], mentionClass: "endorsement" }, "recommendation_entity", 1],
    ["a class on a channel", { channelIds: ["c1"], mentionClass: "ad_read" }, "recommendation_channel", 1],
    // Of the lowest band that it reads, an eighth.
    ["high confidence", { memberIds: [1], minConfidence: 0.985 }, "recommendation_entity", 4],
    [
      "any confidence, disputed too",
      { memberIds: [1], minConfidence: 0, includeDisputed: true },
      "recommendation_entity",
      1,
    ],
    [
      "dates",
      { memberIds: [1], dates: { from: new Date("2024-03-01"), to: new Date("2024-12-01") } },
      "recommendation_entity",
      1,
    ],
  ] as const)(
    "of %s reads a page's worth of each run of its index, on the first page and deep down",
    async (_what, more, index, times) => {
      const selected = selection(more);
      const runs = selected.strata.length * (selected.memberIds?.length ?? 1);
      for (const after of [null, deep]) {
        const statement = recommendationsStatement(purchase, selected, { limit, after });
        await expectShortReads(statement, "recommendation", index, times * runs * (limit + 1));
      }
    },
  );

  it("would be seen to read more, if it did", async () => {
    const whole = sql.fragment`
      select id from recommendation where entity_id = 1 and confidence >= 0.7 and conflict_status <> 'disputed'
      order by sorted_at desc, id desc limit 21`;
    await expect(expectShortReads(whole, "recommendation", "recommendation_entity", 500)).rejects.toThrow();
  });
});

describe("a list of sponsors", () => {
  const statuses: (SponsorStatus | null)[] = [null, "active", "lapsed", "known"];
  it.each(statuses.flatMap((status) => [0, 3, 5].map((minAdReads) => [status, minAdReads] as const)))(
    "of status %s with %d ad reads reads a page's worth of each run of its index",
    async (status, minAdReads) => {
      const runs = sponsorRuns({ status, minAdReads, activeSince: activeSince(now) });
      const deep = { sortedAt: status === "active" ? Date.UTC(2025, 3, 15) : Date.UTC(2024, 11, 1), entityId: 1000 };
      for (const after of [null, deep]) {
        const statement = sponsorsStatement(purchase, { channelId: "c1", runs }, { limit, after });
        // Of a step that begins below the number asked for, a part.
        const most = (minAdReads === 5 ? 4 : 1) * runs.length * (limit + 1);
        await expectShortReads(statement, "channel_sponsor", "channel_sponsor_list", most);
      }
    },
  );
});
