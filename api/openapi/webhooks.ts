import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { appearanceEvent, mentionEvent, testEvent } from "../v1/monitors/eventSchema.ts";

const signature = "t=1795000000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd";

/** The headers that sign an event (decisions.md "Signature"). */
const signatureHeaders = z.object({
  "X-Service-Signature": z.string().meta({
    description:
      "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under the characters of the whole secret, `whsec_` included. Stripe's libraries verify it.",
    example: signature,
  }),
  "X-Service-Signature-Previous": z
    .string()
    .optional()
    .meta({ description: "For 24 hours after a rotation: the same under the secret before.", example: signature }),
  "webhook-id": z.string().meta({ description: "Equals `id` of the body.", example: "evt_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
  "webhook-timestamp": z.string().meta({ description: "Equals `t`.", example: "1795000000" }),
  "webhook-signature": z.string().meta({
    description:
      "`v1,<base64>`, for 24 hours after a rotation two of them with a space between: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` under the bytes that the secret holds in base64 behind `whsec_`. The libraries of standardwebhooks.com verify it.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
});

const handling = `Verify the signature over the bytes as they came, before reading them, and refuse a timestamp more than five minutes from now. Answer 2xx within
15 seconds and do the work afterwards: any other answer is tried again, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, or later where
\`Retry-After\` asks for it. 410 switches the webhook off at once; 20 failures in a row over more than an hour do so too. Events may come twice and
in any order; \`id\` tells.`;

/** What the service posts to webhooks, for the document's `webhooks`. */
export const describedWebhooks: ZodOpenApiPathsObject = {
  "alert.mention": {
    post: event({
      operationId: "onAlertMention",
      summary: "A tracker's entity was spoken of",
      schema: mentionEvent,
    }),
  },
  "alert.appearance": {
    post: event({ operationId: "onAlertAppearance", summary: "A tracker's person appeared", schema: appearanceEvent }),
  },
  "webhook.test": {
    post: event({
      operationId: "onWebhookTest",
      summary: "A test was asked for",
      schema: testEvent,
    }),
  },
};

function event(about: { operationId: string; summary: string; schema: z.ZodType }): ZodOpenApiOperationObject {
  return {
    operationId: about.operationId,
    summary: about.summary,
    description: handling,
    tags: ["Webhook events"],
    security: [],
    requestParams: { header: signatureHeaders },
    requestBody: { required: true, content: { "application/json": { schema: about.schema } } },
    responses: {
      "2XX": { description: "Taken. The body is not looked at." },
      "410": { description: "The receiver is gone for good: the webhook is switched off." },
      "4XX": { description: "Not taken: tried again." },
      "5XX": { description: "Not taken: tried again." },
    },
  };
}
