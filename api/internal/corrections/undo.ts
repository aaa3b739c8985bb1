import { z } from "zod";
import { undoCorrection as undo } from "../../../services/corrections/withdraw.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { correctionId, shapeWithdrawn, undoneCorrection, withdrawalBareBodies } from "../../v1/corrections/schema.ts";

export const undoCorrection = operation({
  id: "undoCorrection",
  method: "post",
  path: "/internal/corrections/{id}/undo",
  tag: "Corrections",
  summary: "Take back a correction of a transcript",
  description:
    "Of any kind: text, speakers and index are as they were before it. Refused where later edits sit on it; repeating it answers the same.",
  access: internalAccess,
  params: z.strictObject({ id: correctionId }),
  query: none,
  body: z
    .strictObject({ note: z.string().max(2000).optional().meta({ description: "Why, for those who read the log." }) })
    .optional(),
  errors: ["correction_not_found"],
  bareBodies: withdrawalBareBodies,
  responses: { 200: { description: "The correction is taken back.", json: undoneCorrection } },
  async handle({ transaction, params, body }) {
    const undone = await undo(transaction, params.id, body?.note ?? null);
    const { kind, videoId } = undone;
    return { status: 200, json: { ...shapeWithdrawn(undone), kind, videoId } };
  },
});
