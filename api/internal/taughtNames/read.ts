import { readOffer } from "../../../services/teaching/read.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { shapeDetails, taughtNameDetails, taughtNamePath } from "./schema.ts";

export const readTaughtName = operation({
  id: "getTaughtName",
  method: "get",
  path: "/internal/taught-names/{id}",
  tag: "Taught names",
  summary: "One taught name, what taught it, and how far the words stand",
  description: "Its workflow in Temporal UI is `taught-name-<id>`.",
  access: internalAccess,
  params: taughtNamePath,
  query: none,
  errors: ["taught_name_not_found"],
  responses: { 200: { description: "The name.", json: taughtNameDetails } },
  async handle({ context, params }) {
    return { status: 200, json: shapeDetails(await readOffer(context, params.id)) };
  },
});
