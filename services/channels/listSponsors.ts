import { type Channel, readChannel } from "../../database/channels.ts";
import { buySponsors, countSponsors, type Sponsor, type SponsorPosition } from "../../database/sponsors.ts";
import { ApiError } from "../../domain/errors.ts";
import { coveredCount, cutPage } from "../../domain/pageCut.ts";
import { payableRows, usagePeriod } from "../../domain/rowPool.ts";
import { activeSince, sponsorRuns, type SponsorStatus, sponsorStatus } from "../../domain/sponsors.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";

export interface SponsorQuery {
  channelId: string;
  status: SponsorStatus | null;
  minAdReads: number;
  limit: number;
  after: SponsorPosition | null;
  /** When the list was begun: statuses are as they are then on all of its pages. */
  asOf: Date;
}

export interface SponsorPage {
  channel: Channel;
  rows: readonly (Sponsor & { status: SponsorStatus })[];
  hasMore: boolean;
  /** Of the last row. */
  last: SponsorPosition | null;
  costRows: number;
}

/**
 * A page of a channel's sponsors, last seen first, at the price of a commercial row each, cut to what the account can pay. Throws
 * `channel_not_found`, and `quota_exceeded` when not one row can be paid.
 */
export async function buySponsorPage(
  context: ServiceContext,
  caller: MeteredCaller,
  query: SponsorQuery,
): Promise<SponsorPage> {
  const channel = await findChannel(context, query);
  const price = context.settings.prices.commercialRowRows;
  const purchase = {
    accountId: caller.accountId,
    period: usagePeriod(context.clock()),
    allowance: caller.allowance,
    rows: price,
    requestId: caller.requestId,
  };
  const { rows, found, moreExist } = await buySponsors(context.pool, purchase, selectionOf(query), query);
  const cut = cutPage({ found, paid: rows.length, moreExist });
  if (cut.kind === "quota_exceeded") throw new ApiError("quota_exceeded");
  return {
    channel,
    rows: rows.map(({ row }) => ({ ...row, status: sponsorStatus(row, query.asOf) })),
    hasMore: cut.hasMore,
    last: rows.at(-1)?.position ?? null,
    costRows: rows.length * price,
  };
}

/** What the page would cost. Throws `channel_not_found`. */
export async function quoteSponsorPage(
  context: ServiceContext,
  caller: MeteredCaller,
  query: SponsorQuery,
): Promise<RowQuote> {
  await findChannel(context, query);
  const price = context.settings.prices.commercialRowRows;
  const found = await countSponsors(context.pool, selectionOf(query), query);
  const count = coveredCount(Array(found).fill(price), payableRows(caller.allowance, caller.use));
  return rowQuote(caller, { count, rows: count * price });
}

async function findChannel({ pool, clock }: ServiceContext, { channelId }: SponsorQuery): Promise<Channel> {
  const channel = await readChannel(pool, channelId, clock());
  if (channel === null) throw new ApiError("channel_not_found");
  return channel;
}

function selectionOf({ channelId, status, minAdReads, asOf }: SponsorQuery) {
  return { channelId, runs: sponsorRuns({ status, minAdReads, activeSince: activeSince(asOf) }) };
}
