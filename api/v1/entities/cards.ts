import { z } from "zod";
import { buyCards, quoteCards } from "../../../services/entities/readCards.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { dryRun, dryRunBody, shapeDryRun } from "../meteredRead.ts";
import { card, cardIdsParameter, shapeCard } from "./schema.ts";

export const cards = operation({
  id: "getEntityCards",
  method: "get",
  charges: true,
  path: "/v1/entities/cards",
  tag: "Entities",
  summary: "Read cards of up to 50 entities",
  description:
    "1 row a card, all or nothing. One card for each id that resolves, in the order asked; merged ids resolve to the canonical entity and unknown ids are dropped.",
  access: keyAccess("read"),
  params: none,
  query: z.strictObject({ ids: cardIdsParameter, dry_run: dryRun }),
  responses: { 200: { description: "The cards.", json: z.union([z.object({ cards: z.array(card) }), dryRunBody]) } },
  async handle({ context, caller, query }) {
    if (query.dry_run) return { status: 200, json: shapeDryRun(await quoteCards(context, caller, query.ids)) };
    const { entities, rows } = await buyCards(context, caller, query.ids);
    return { status: 200, json: { cards: entities.map(shapeCard) }, rows };
  },
});
