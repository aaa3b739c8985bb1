/** Groups of operations, in the order the reference shows them. */
export const tags = [
  { name: "Entities", description: "People, organizations, products, topics and channels that the index knows." },
  { name: "Trackers", description: "Watch an entity: each new video that speaks of it fires an alert." },
  { name: "Monitors", description: "Groups of trackers with shared delivery, and the alerts that they fired." },
  { name: "Webhook events", description: "What is posted to a monitor's webhook, and how to tell that it is genuine." },
  { name: "Recommendations", description: "Ad reads, endorsements and other commercial rows." },
  { name: "Channels", description: "Channels and who sponsors them." },
  { name: "Related lists", description: "Entities that share videos with an entity." },
  { name: "Mentions", description: "Where an entity is spoken of, and where a person appears." },
  { name: "Transcriptions", description: "Have a video transcribed, follow the job, cancel it." },
  { name: "Transcripts", description: "Read what was said, as JSON, subtitles or plain text, and search it." },
  { name: "Corrections", description: "Put transcripts right, together, and take it back." },
  { name: "Community Review", description: "Report what is wrong, and see what became of it. Free." },
  { name: "Account", description: "Who the key belongs to, and what is left of its pool." },
  { name: "Meta", description: "The service itself." },
] as const;

/** What a newcomer should know before the first call. */
export function introduction(publicUrl: string): string {
  return `
Index of spoken media: what was said, who was there, and what was sold.

## Authentication

Send \`Authorization: Bearer svc_sk_…\` or \`x-api-key: svc_sk_…\`; where both are sent, \`x-api-key\` wins. Keys are for servers, never for browsers or
apps. Each operation names the scope, and where it needs one the tier, that it asks for; the tier is checked before the scope.

## Billing

Calls are paid in rows from a pool that is filled anew every UTC calendar month; \`GET /v1/me\` shows what is left, and costs nothing. An empty
pool answers 402 \`quota_exceeded\` to every call unless on-demand rows are on. A purchase that the rest of the pool cannot pay in full answers 402
with \`{"error": "insufficient_rows", "quote"}\` and costs nothing. \`dry_run=true\` on a metered read says what the call would cost, for nothing.

## Rate limits

Each key may make a number of requests a minute. Every response to a valid key counts down: \`RateLimit-Limit\`, \`RateLimit-Remaining\`,
\`RateLimit-Reset\` (seconds) and \`RateLimit-Policy\`. After a 429 wait as \`Retry-After\` says.

## Errors

Every failure carries \`error.code\`, which is stable, and \`error.doc_url\`; all are on [one page](${publicUrl}/docs/errors). The few bare bodies, whose
\`error\` is a string, are described where they occur. A path that does not exist answers 404 \`not_found\`, a method that a path does not take 405
\`method_not_allowed\` with \`Allow\`. Every response has \`X-Request-Id\`; quote it when you report a problem.

## Requests

Bodies are JSON in UTF-8, sent as \`application/json\`, and may be compressed (\`Content-Encoding\` gzip, deflate or br); transcripts are sent compressed
where \`Accept-Encoding\` takes gzip or br. Unknown parameters and fields, and any that is given twice, are refused, so that a misspelt one is never
silently ignored. What is no well-formed HTTP, or has more than 64 KiB of URL and headers, is answered 400 before its key is looked at, without
\`RateLimit-*\` headers; what stops being HTTP in its body, and \`CONNECT\`, is answered by closing the connection.

## Idempotency

Send an \`Idempotency-Key\` of your own making with every POST, PATCH and DELETE. For 24 hours a repeat of the same request with the same key gets the
first response again, byte for byte and with \`Idempotency-Replayed: true\`, and never acts twice; another request with that key is refused with 409.
Failures are not kept: after one, the same key may be used again.

## Paging

Lists take \`limit\` and answer \`{data, has_more, next_cursor}\`. Pass \`next_cursor\` as \`cursor\`, with all other parameters as they were, until it is
null. Rows that arrive meanwhile make no page repeat or skip one.

## Webhooks

A monitor posts its alerts to your server; what is posted, how it is signed and what to answer is under "Webhook events" here and under \`webhooks\` in
the document. The secret is shown once, by the call that makes it. Try your receiver out with \`POST /v1/monitors/{id}/webhook/test\`.

## Versioning

The path carries the version. Within \`v1\` fields, values and operations may be added: ignore what you do not know. Nothing is removed without twelve
months' notice in the headers \`Deprecation\` and \`Sunset\`. \`X-Service-Version\` names the release that answered.
`.trim();
}

/** The groups of `/internal`. */
export const internalTags = [
  { name: "Accounts", description: "Create, change and read accounts, and what they have used." },
  { name: "Keys", description: "Give accounts keys, and take them away." },
  { name: "Chat", description: "Connect the chats that accounts' alerts can go to." },
  { name: "Entities", description: "Add, change and merge what the index knows of." },
  { name: "Corrections", description: "What people put right in transcripts." },
  { name: "Media", description: "What becomes of videos." },
  { name: "Reviews", description: "Decide on feedback, apply what is right, and take it back." },
  {
    name: "Taught names",
    description: "Names that corrections of transcripts taught, to be corrected wherever else they stand.",
  },
  { name: "Meta", description: "This API itself." },
] as const;

/** What an operator's program should know before the first call. */
export const internalIntroduction = `
For operators' programs. Every path needs an internal key (\`svc_int_…\`, made with \`keys create --internal\`); keys of accounts open nothing here,
and internal keys nothing under \`/v1\`. Internal keys have no rate limit and pay no rows.

Errors, \`Idempotency-Key\`, paging and \`X-Request-Id\` are as under \`/v1\`; each internal key has Idempotency-Keys of its own.
`.trim();
