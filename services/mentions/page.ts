import {
  type BoughtMention,
  buyMentions,
  type MentionPage as PageSelection,
  priceMentions,
} from "../../database/mentions.ts";
import type { MentionPosition, MentionSelection } from "../../database/mentionStreams.ts";
import { channelHasMedia } from "../../database/videos.ts";
import { ApiError } from "../../domain/errors.ts";
import { coveredCount, cutPage } from "../../domain/pageCut.ts";
import { payableRows, usagePeriod } from "../../domain/rowPool.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";

export interface Slice {
  limit: number;
  after: MentionPosition | null;
  /** Whether the commercial rows at each mention's time come with it. */
  details: "none" | "full";
}

export interface MentionPage {
  rows: readonly BoughtMention[];
  hasMore: boolean;
  /** Of the last row; null for an empty page. */
  last: MentionPosition | null;
  costRows: number;
}

/**
 * A page of a selection's mentions, newest first, at the price of a row each and of what is attached to it; cut to what the account can pay.
 * `reason` stands in the ledger. Throws `channel_not_found`, free of charge, and `quota_exceeded` when not one row can be paid.
 */
export async function buyPage(
  context: ServiceContext,
  caller: MeteredCaller,
  selection: MentionSelection,
  slice: Slice,
  reason: "mentions" | "appearances",
): Promise<MentionPage> {
  const purchase = {
    accountId: caller.accountId,
    period: usagePeriod(context.clock()),
    allowance: caller.allowance,
    rows: context.settings.prices.evidenceRowRows,
    requestId: caller.requestId,
    reason,
  };
  const found = await buyMentions(context.pool, purchase, selection, pageOf(context, slice));
  if (found.length === 0) await requireChannel(context, selection);
  const page = found.slice(0, slice.limit);
  const rows = page.filter(({ paid }) => paid);
  const cut = cutPage({ found: page.length, paid: rows.length, moreExist: found.length > slice.limit });
  if (cut.kind === "quota_exceeded") throw new ApiError("quota_exceeded");
  return {
    rows,
    hasMore: cut.hasMore,
    last: rows.at(-1)?.position ?? null,
    costRows: rows.reduce((sum, { costRows }) => sum + costRows, 0),
  };
}

/** What the page would cost. Throws `channel_not_found`. */
export async function quotePage(
  context: ServiceContext,
  caller: MeteredCaller,
  selection: MentionSelection,
  slice: Slice,
): Promise<RowQuote> {
  const prices = await priceMentions(
    context.pool,
    context.settings.prices.evidenceRowRows,
    selection,
    pageOf(context, slice),
  );
  if (prices.length === 0) await requireChannel(context, selection);
  const count = coveredCount(prices, payableRows(caller.allowance, caller.use));
  return rowQuote(caller, { count, rows: prices.slice(0, count).reduce((sum, price) => sum + price, 0) });
}

function pageOf({ settings }: ServiceContext, { limit, after, details }: Slice): PageSelection {
  return { limit, after, attached: details === "full" ? { priceRows: settings.prices.commercialRowRows } : null };
}

/** Looked at only when nothing was found, so that lists that hold something take one statement less. */
async function requireChannel({ pool }: ServiceContext, { channelId }: MentionSelection): Promise<void> {
  if (channelId !== null && !(await channelHasMedia(pool, channelId))) throw new ApiError("channel_not_found");
}
