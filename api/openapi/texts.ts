/** Groups of operations, in the order the reference shows them. */
export const tags = [
  { name: "Entities", description: "People, organizations, products, topics and channels that the index knows." },
  { name: "Transcriptions", description: "Have a video transcribed, follow the job, cancel it." },
  { name: "Transcripts", description: "Read what was said, as JSON, subtitles or plain text." },
  { name: "Account", description: "Who the key belongs to, and what is left of its pool." },
  { name: "Meta", description: "The service itself." },
] as const;

/** What a newcomer should know before the first call. */
export function introduction(publicUrl: string): string {
  return `
Index of spoken media: what was said, who was there, and what was sold.

**Keys.** Send \`Authorization: Bearer svc_sk_…\` or \`x-api-key: svc_sk_…\`; the latter wins. Keys are for servers, never for browsers or apps.

**Errors.** Every failure carries \`error.code\`, which is stable, and \`error.doc_url\`; all are on [one page](${publicUrl}/docs/errors). A path that
does not exist answers 404 \`not_found\`, a method that a path does not take 405 \`method_not_allowed\` with \`Allow\`. Unknown parameters and fields are
refused, so that a misspelt one is never silently ignored.

**Rows.** Calls are paid in rows from a monthly pool (UTC calendar months); \`GET /v1/me\` shows what is left, and
\`dry_run=true\` on a metered read what the call would cost.

**Limits.** Each key has a number of requests a minute: see the \`RateLimit-*\` headers, and wait for \`Retry-After\` after a 429.

**Retries.** Send an \`Idempotency-Key\` with every POST, PATCH and DELETE; a retry with the same key never acts twice.

**Ids of requests.** Every response has \`X-Request-Id\`; quote it when you report a problem.
`.trim();
}

/** The groups of `/internal`. */
export const internalTags = [
  { name: "Accounts", description: "Create, change and read accounts, and what they have used." },
  { name: "Keys", description: "Give accounts keys, and take them away." },
  { name: "Media", description: "What becomes of videos." },
  { name: "Meta", description: "This API itself." },
] as const;

/** What an operator's program should know before the first call. */
export const internalIntroduction = `
For operators' programs. Every path needs an internal key (\`svc_int_…\`, made with \`keys create --internal\`); keys of accounts open nothing here,
and internal keys nothing under \`/v1\`. Internal keys have no rate limit and pay no rows.

Errors, \`Idempotency-Key\`, paging and \`X-Request-Id\` are as under \`/v1\`; each internal key has Idempotency-Keys of its own.
`.trim();
