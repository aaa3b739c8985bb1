import { z } from "zod";
import { buyEntity, quoteEntity } from "../../../services/entities/readEntity.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { dryRun, dryRunBody, shapeDryRun } from "../meteredRead.ts";
import { recommendationsSummary, shapeRecommendationsSummary } from "../recommendations/summary.ts";
import { entity, entityIdParameter, shapeEntity } from "./schema.ts";

export const read = operation({
  id: "getEntity",
  method: "get",
  charges: true,
  path: "/v1/entities/{id}",
  tag: "Entities",
  summary: "Read an entity",
  description:
    "1 row. An id that was merged into another answers with the canonical entity. `recommendations_summary` is there for organizations and products with commercial data, on a tier of `pro_plus` or higher with the scope `recommendations:read`.",
  access: keyAccess("read"),
  params: z.strictObject({ id: entityIdParameter }),
  query: z.strictObject({ dry_run: dryRun }),
  errors: ["entity_not_found"],
  responses: {
    200: {
      description: "The entity.",
      json: z.union([z.object({ entity, recommendations_summary: recommendationsSummary.optional() }), dryRunBody]),
    },
  },
  async handle({ context, caller, params, query }) {
    if (query.dry_run) return { status: 200, json: shapeDryRun(await quoteEntity(context, caller, params.id)) };
    const bought = await buyEntity(context, caller, params.id);
    const json = {
      entity: shapeEntity(bought.entity, params.id),
      ...(bought.brandProfile !== null && {
        recommendations_summary: shapeRecommendationsSummary(bought.brandProfile),
      }),
    };
    return { status: 200, json, rows: bought.rows };
  },
});
