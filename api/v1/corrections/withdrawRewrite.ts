import { z } from "zod";
import { withdrawRewrite as withdraw } from "../../../services/corrections/withdraw.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { correctionId, shapeWithdrawn, withdrawalBareBodies, withdrawnCorrection } from "./schema.ts";

export const withdrawRewrite = operation({
  id: "withdrawSegmentRewrite",
  method: "delete",
  path: "/v1/corrections/segment-rewrites/{id}",
  tag: "Corrections",
  summary: "Withdraw a segment rewrite",
  description:
    "What it replaced is there again, as it was. Refused where later edits sit on it; repeating it answers the same.",
  access: keyAccess("read"),
  params: z.strictObject({ id: correctionId }),
  query: none,
  body: noBody,
  errors: ["correction_not_found", "transcript_not_found", "transcript_locked"],
  bareBodies: withdrawalBareBodies,
  responses: { 200: { description: "The rewrite is taken back.", json: withdrawnCorrection } },
  async handle({ transaction, caller, params }) {
    return { status: 200, json: shapeWithdrawn(await withdraw(transaction, caller, params.id)) };
  },
});
