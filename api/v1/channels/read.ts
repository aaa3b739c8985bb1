import { z } from "zod";
import { buyChannel, quoteChannel } from "../../../services/channels/readChannel.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { dryRun, dryRunBody, shapeDryRun } from "../meteredRead.ts";
import { recommendationsSummary, shapeRecommendationsSummary } from "../recommendations/summary.ts";
import { channel, channelIdParameter, shapeChannel } from "./schema.ts";

export const read = operation({
  id: "getChannel",
  method: "get",
  charges: true,
  path: "/v1/channels/{channel_id}",
  tag: "Channels",
  summary: "Read a channel",
  description:
    "1 row. `recommendations_summary` holds the totals of the commercial rows in the channel's own videos; it is there when the channel has any or has curated advertisers, on a tier of `pro_plus` or higher with the scope `recommendations:read`.",
  access: keyAccess("read"),
  params: z.strictObject({ channel_id: channelIdParameter }),
  query: z.strictObject({ dry_run: dryRun }),
  errors: ["channel_not_found"],
  responses: {
    200: {
      description: "The channel.",
      json: z.union([z.object({ channel, recommendations_summary: recommendationsSummary.optional() }), dryRunBody]),
    },
  },
  async handle({ context, caller, params, query }) {
    if (query.dry_run)
      return { status: 200, json: shapeDryRun(await quoteChannel(context, caller, params.channel_id)) };
    const { channel: bought, costRows } = await buyChannel(context, caller, params.channel_id);
    const json = {
      channel: shapeChannel(bought, params.channel_id),
      ...(bought.totals !== null && { recommendations_summary: shapeRecommendationsSummary(bought.totals) }),
    };
    return { status: 200, json, rows: costRows };
  },
});
