import { z } from "zod";
import { taughtNameStatuses } from "../../../domain/teaching/states.ts";
import { listOffers } from "../../../services/teaching/read.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { shapeTaughtName, taughtName } from "./schema.ts";

const position = z.tuple([z.int()]).transform(([after]) => after);

export const listTaughtNames = operation({
  id: "listTaughtNames",
  method: "get",
  path: "/internal/taught-names",
  tag: "Taught names",
  summary: "Names that corrections taught, the oldest first",
  description:
    "Whoever corrects a name in one transcript shows how it is misheard: the wrong words are offered as an alias of the entity, and for correction wherever else they stand.",
  access: internalAccess,
  params: none,
  query: z.strictObject({
    status: z.enum(taughtNameStatuses).optional().meta({ description: "Left out: any." }),
    ...pageParameters,
  }),
  responses: { 200: { description: "A page of names.", json: listOf(taughtName).meta({ id: "TaughtNameList" }) } },
  async handle({ context, query, cursors }) {
    const { status, limit, cursor } = query;
    const binding = { operation: "listTaughtNames", status };
    const after = cursors.open(binding, cursor, position);
    const statuses = status === undefined ? taughtNameStatuses : [status];
    const { names, hasMore } = await listOffers(context, statuses, { limit, after });
    const last = names.at(-1);
    const next_cursor = hasMore && last !== undefined ? cursors.seal(binding, [last.name.id]) : null;
    return { status: 200, json: { data: names.map(shapeTaughtName), has_more: hasMore, next_cursor } };
  },
});
