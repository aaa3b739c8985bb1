import { z } from "zod";
import { acceptName, dismissName, undoName } from "../../../services/teaching/decide.ts";
import { internalAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { shapeTaughtName, shapeUndone, taughtName, taughtNamePath, undoneName } from "./schema.ts";

const mostVideos = 1000;
const repeats = "Repeating it answers the same.";
const decision = {
  tag: "Taught names",
  access: internalAccess,
  params: taughtNamePath,
  query: none,
  errors: ["taught_name_not_found", "illegal_transition"],
  responses: { 200: { description: "The name as it is now.", json: taughtName } },
} as const;

export const acceptTaughtName = operation({
  ...decision,
  method: "post",
  id: "acceptTaughtName",
  path: "/internal/taught-names/{id}/accept",
  summary: "Accept a taught name",
  description: `The wrong words are an alias of the entity from then on, and the workflow \`taught-name-<id>\` corrects each segment that says them, by an ordinary correction of its own. Meanwhile, repeating it answers the same. Once carried, it can be accepted for more videos, or again: what says the words by then is corrected too, and what is done stays, also what somebody took back alone or edited since.`,
  body: z
    .strictObject({
      alias: z.boolean().default(true).meta({ description: "Whether the wrong words are an alias of the entity." }),
      video_ids: z
        .array(z.string().regex(/^[A-Za-z0-9_-]{11}$/, "must be the 11-character id of a video"))
        .max(mostVideos)
        .optional()
        .meta({
          description:
            "The videos to correct, beside those that are corrected already; left out: all; those that have no transcript are passed over. None: only the alias.",
        }),
    })
    .optional()
    .meta({ id: "TaughtNameAcceptance" }),
  async handle({ transaction, caller, params, body }) {
    const acceptance = { withAlias: body?.alias ?? true, videoIds: body?.video_ids ?? null };
    return { status: 200, json: shapeTaughtName(await acceptName(transaction, params.id, acceptance, caller.keyId)) };
  },
});

export const dismissTaughtName = operation({
  ...decision,
  method: "post",
  id: "dismissTaughtName",
  path: "/internal/taught-names/{id}/dismiss",
  summary: "Dismiss a taught name",
  description: `It stays dismissed when corrections teach it again. ${repeats}`,
  body: noBody,
  async handle({ transaction, caller, params }) {
    return { status: 200, json: shapeTaughtName(await dismissName(transaction, params.id, caller.keyId)) };
  },
});

export const undoTaughtName = operation({
  ...decision,
  method: "post",
  id: "undoTaughtName",
  path: "/internal/taught-names/{id}/undo",
  summary: "Take a decision on a taught name back",
  description: `What was accepted: the alias is gone at once, no more is corrected, and the workflow takes back each correction that was made, but for those that later edits sit on: they stay, are counted as \`kept\`, and can be undone alone when nothing sits on them any more. What was dismissed is offered again. ${repeats}`,
  body: noBody,
  responses: { 200: { description: "The name as it is now, and what the undo leaves.", json: undoneName } },
  async handle({ transaction, params }) {
    return { status: 200, json: shapeUndone(await undoName(transaction, params.id)) };
  },
});
