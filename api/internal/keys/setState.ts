import { z } from "zod";
import { setKeyState } from "../../../services/keys/setKeyState.ts";
import { internalAccess } from "../../http/access.ts";
import { noBody, none, operation, type Operation } from "../../http/operation.ts";
import { keyId, shapeKey, wrappedKey } from "./schema.ts";

const takesEffect = "Every API process heeds it from the next request on.";

export const disableApiKey = setStateOperation(
  "disable",
  "disabled",
  "Stop a key until it is enabled again",
  `${takesEffect} A repeat changes nothing.`,
);

export const enableApiKey = setStateOperation(
  "enable",
  "active",
  "Let a disabled key work again",
  `${takesEffect} A repeat changes nothing; a deleted key stays deleted (404), an expired one expired.`,
);

function setStateOperation(
  verb: "disable" | "enable",
  state: "disabled" | "active",
  summary: string,
  description: string,
): Operation {
  return operation({
    id: `${verb}ApiKey`,
    method: "post",
    path: `/internal/keys/{key_id}/${verb}`,
    tag: "Keys",
    summary,
    description,
    access: internalAccess,
    params: z.strictObject({ key_id: keyId }),
    query: none,
    body: noBody,
    errors: ["key_not_found"],
    responses: { 200: { description: "The key as it is now.", json: wrappedKey } },
    async handle({ context, transaction, params }) {
      const key = await setKeyState(context, params.key_id, state, transaction);
      return { status: 200, json: { api_key: shapeKey(key, context.clock()) } };
    },
  });
}

export const deleteApiKey = operation({
  id: "deleteApiKey",
  method: "delete",
  path: "/internal/keys/{key_id}",
  tag: "Keys",
  summary: "Stop a key for ever",
  description: `${takesEffect} It stays in the account's list, as \`deleted\`; a repeat changes nothing.`,
  access: internalAccess,
  params: z.strictObject({ key_id: keyId }),
  query: none,
  body: noBody,
  errors: ["key_not_found"],
  responses: {
    200: { description: "It is deleted.", json: z.object({ id: z.string(), deleted: z.literal(true) }) },
  },
  async handle({ context, transaction, params }) {
    const key = await setKeyState(context, params.key_id, "deleted", transaction);
    return { status: 200, json: { id: key.keyId, deleted: true as const } };
  },
});
