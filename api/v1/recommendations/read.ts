import { z } from "zod";
import { buyRecommendation, quoteRecommendation } from "../../../services/recommendations/read.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { recommendationRow, shapeRecommendation } from "../evidence/recommendationRow.ts";
import { dryRun, dryRunBody, shapeDryRun } from "../meteredRead.ts";

const recommendationIdParameter = z
  .string()
  .regex(/^(com_)?(0|[1-9]\d{0,14})$/, "must be com_ and a whole number of at most 15 digits, or the number alone")
  .transform((id) => Number(id.replace("com_", "")))
  .meta({ description: "Public id (`com_7`) or its number.", example: "com_7" });

export const read = operation({
  id: "getRecommendation",
  method: "get",
  charges: true,
  path: "/v1/recommendations/{id}",
  tag: "Recommendations",
  summary: "Read a commercial row",
  description: "10 rows. Disputed rows are read like others.",
  access: keyAccess("recommendations:read", { proPlus: true }),
  params: z.strictObject({ id: recommendationIdParameter }),
  query: z.strictObject({ dry_run: dryRun }),
  errors: ["recommendation_not_found"],
  responses: {
    200: {
      description: "The commercial row.",
      json: z.union([z.object({ recommendation: recommendationRow }), dryRunBody]),
    },
  },
  async handle({ context, caller, params, query }) {
    if (query.dry_run) return { status: 200, json: shapeDryRun(await quoteRecommendation(context, caller, params.id)) };
    const { row, costRows } = await buyRecommendation(context, caller, params.id);
    const recommendation = shapeRecommendation(row, context.settings.videoUrl);
    return { status: 200, json: { recommendation }, rows: costRows };
  },
});
