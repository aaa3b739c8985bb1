import type { MentionSelection } from "../../database/mentionStreams.ts";
import type { DateRange } from "../../domain/dateRange.ts";
import { ApiError } from "../../domain/errors.ts";
import { entityGroup } from "../../domain/evidence.ts";
import type { SearchPiece } from "../../domain/freeText.ts";
import { mentionFacets, type MentionSigns } from "../../domain/mentionFacets.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type AskedEntity, findAsked } from "../entities/findAsked.ts";
import type { RowQuote } from "../usage/rowQuote.ts";
import { buyPage, type MentionPage, quotePage, type Slice } from "./page.ts";

export interface MentionQuery extends MentionSigns, Slice {
  entity: AskedEntity;
  channelId: string | null;
  search: readonly SearchPiece[] | null;
  dates: DateRange;
}

/**
 * A page of mentions, newest first, at the price of a row each and of a commercial row for each that is attached; cut to what the account can
 * pay. Throws `entity_not_found`, `channel_not_found`, `appearances_person_only` where appearances of an entity are asked for that is no
 * person, and `quota_exceeded` when not one row can be paid.
 */
export async function buyMentionPage(
  context: ServiceContext,
  caller: MeteredCaller,
  query: MentionQuery,
): Promise<MentionPage> {
  return buyPage(context, caller, await select(context, query), query, "mentions");
}

/** What the page would cost. Throws as the page itself does, but for `quota_exceeded`. */
export async function quoteMentionPage(
  context: ServiceContext,
  caller: MeteredCaller,
  query: MentionQuery,
): Promise<RowQuote> {
  return quotePage(context, caller, await select(context, query), query);
}

async function select(context: ServiceContext, query: MentionQuery): Promise<MentionSelection> {
  const asked = await findAsked(context.pool, query.entity);
  if (asked !== null && query.isAppearance === true && entityGroup(asked.entity.type) !== "person")
    throw new ApiError("appearances_person_only");
  return {
    memberIds: asked?.memberIds ?? null,
    channelId: query.channelId,
    entityGroup: asked === null ? query.entity.type : null,
    facets: mentionFacets(query),
    role: null,
    search: query.search,
    dates: query.dates,
  };
}
