import { z } from "zod";
import { defaultMinAdReads, sponsorStatuses } from "../../../domain/sponsors.ts";
import { buySponsorPage, quoteSponsorPage } from "../../../services/channels/listSponsors.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { pageParameters } from "../../http/paging.ts";
import { integerParameter } from "../../http/parameters.ts";
import { dryRun, dryRunBody, shapeDryRun } from "../meteredRead.ts";
import { channelIdParameter, shapeSponsorList, sponsorList } from "./schema.ts";

/** Where a page ends, and when the list was begun. */
const position = z
  .tuple([z.number(), z.number(), z.number()])
  .transform(([sortedAt, entityId, asOf]) => ({ sortedAt, entityId, asOf: new Date(asOf) }));

export const sponsors = operation({
  id: "listChannelSponsors",
  method: "get",
  charges: true,
  path: "/v1/channels/{channel_id}/sponsors",
  tag: "Channels",
  summary: "Sponsors of a channel, last seen first",
  description:
    "10 rows each. A sponsor is an entity with commercial rows in the channel's videos, or a curated advertiser of the channel; disputed rows do not count. A page is cut to what the row pool covers.",
  access: keyAccess("recommendations:read", { proPlus: true }),
  params: z.strictObject({ channel_id: channelIdParameter }),
  query: z.strictObject({
    min_ad_reads: integerParameter({
      min: 0,
      max: 1_000_000,
      default: defaultMinAdReads,
      description: "Least ad reads of a sponsor. Those of status `known` are listed whatever they have.",
    }),
    status: z.enum(sponsorStatuses).optional().meta({ description: "Only sponsors of this status." }),
    ...pageParameters,
    dry_run: dryRun,
  }),
  errors: ["channel_not_found"],
  responses: { 200: { description: "A page of sponsors.", json: z.union([sponsorList, dryRunBody]) } },
  async handle({ context, caller, cursors, params: { channel_id }, query }) {
    const { status, min_ad_reads } = query;
    const binding = { operation: "listChannelSponsors", account: caller.accountId, channel_id, status, min_ad_reads };
    const after = cursors.open(binding, query.cursor, position);
    const asked = {
      channelId: channel_id,
      status: status ?? null,
      minAdReads: min_ad_reads,
      limit: query.limit,
      after,
      asOf: after?.asOf ?? context.clock(),
    };
    if (query.dry_run) return { status: 200, json: shapeDryRun(await quoteSponsorPage(context, caller, asked)) };
    const page = await buySponsorPage(context, caller, asked);
    const nextCursor =
      page.hasMore && page.last !== null
        ? cursors.seal(binding, [page.last.sortedAt, page.last.entityId, asked.asOf.getTime()])
        : null;
    return { status: 200, json: shapeSponsorList(page, nextCursor), rows: page.costRows };
  },
});
