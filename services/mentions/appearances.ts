import type { EntityWithMembers } from "../../database/entityMembers.ts";
import type { MentionSelection } from "../../database/mentionStreams.ts";
import type { DateRange } from "../../domain/dateRange.ts";
import { ApiError } from "../../domain/errors.ts";
import type { AppearanceRole } from "../../domain/evidence.ts";
import { mentionFacets } from "../../domain/mentionFacets.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { resolveEntity } from "../entities/resolveEntity.ts";
import type { RowQuote } from "../usage/rowQuote.ts";
import { buyPage, type MentionPage, quotePage, type Slice } from "./page.ts";

export interface AppearanceQuery extends Omit<Slice, "details"> {
  slug: string;
  channelId: string | null;
  role: AppearanceRole | null;
  dates: DateRange;
}

/**
 * A page of a person's appearances, newest first, at the price of a row each; cut to what the account can pay. Throws `entity_not_found`,
 * `appearances_person_only`, `channel_not_found`, and `quota_exceeded` when not one row can be paid.
 */
export async function buyAppearancePage(
  context: ServiceContext,
  caller: MeteredCaller,
  query: AppearanceQuery,
): Promise<MentionPage & { person: EntityWithMembers }> {
  const person = await findPerson(context, query);
  const page = await buyPage(context, caller, selectionOf(person, query), { ...query, details: "none" }, "appearances");
  return { ...page, person };
}

/** What the page would cost. Throws as the page itself does, but for `quota_exceeded`. */
export async function quoteAppearancePage(
  context: ServiceContext,
  caller: MeteredCaller,
  query: AppearanceQuery,
): Promise<RowQuote> {
  const person = await findPerson(context, query);
  return quotePage(context, caller, selectionOf(person, query), { ...query, details: "none" });
}

async function findPerson({ pool }: ServiceContext, { slug }: AppearanceQuery): Promise<EntityWithMembers> {
  const found = await resolveEntity(pool, { by: "slug", slug });
  if (found.entity.type !== "person") throw new ApiError("appearances_person_only");
  return found;
}

function selectionOf({ memberIds }: EntityWithMembers, { channelId, role, dates }: AppearanceQuery): MentionSelection {
  const facets = mentionFacets({ sentiment: null, isAppearance: true, inAd: null });
  return { memberIds, channelId, entityGroup: null, facets, role, search: null, dates };
}
