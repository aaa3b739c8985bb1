import { z } from "zod";
import { buyEntity, quoteEntity } from "../../../services/entities/readEntity.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { dryRun, dryRunBody, shapeDryRun } from "../meteredRead.ts";
import { entity, entityIdParameter, shapeEntity } from "./schema.ts";

export const read = operation({
  id: "getEntity",
  method: "get",
  charges: true,
  path: "/v1/entities/{id}",
  tag: "Entities",
  summary: "Read an entity",
  description: "1 row. An id that was merged into another answers with the canonical entity.",
  access: keyAccess("read"),
  params: z.strictObject({ id: entityIdParameter }),
  query: z.strictObject({ dry_run: dryRun }),
  errors: ["entity_not_found"],
  responses: { 200: { description: "The entity.", json: z.union([z.object({ entity }), dryRunBody]) } },
  async handle({ context, caller, params, query }) {
    if (query.dry_run) return { status: 200, json: shapeDryRun(await quoteEntity(context, caller, params.id)) };
    const bought = await buyEntity(context, caller, params.id);
    return { status: 200, json: { entity: shapeEntity(bought.entity, params.id) }, rows: bought.rows };
  },
});
