import { z } from "zod";
import type { ChatMessage } from "../../domain/delivery/alertChat.ts";
import { retryAfterSeconds } from "../../domain/delivery/attempts.ts";
import type { ChatOutcome, ChatSender, ChatTarget } from "../../domain/delivery/chat.ts";
import { OutboundFailure, type OutboundHttp, type OutboundResponse, RefusedTarget } from "../../domain/outbound.ts";

export interface SlackChatOptions {
  /** The guard under which everything goes out that users can aim. */
  http: OutboundHttp;
  /** Base address of the Web API that bots write through, without a slash at its end. */
  apiUrl: string;
  /** For a whole exchange. */
  timeoutSeconds: number;
  clock: () => Date;
}

/** An answer of the Web API repeats the message, escaped; nothing honest comes near this. */
const maxBodyBytes = 1_048_576;

/**
 * Sends to Slack and to what speaks like it: incoming webhooks, and bots through `chat.postMessage` (api.slack.com, "Sending messages using
 * incoming webhooks", "chat.postMessage", "Rate limits"). Of an answer only a code of the shape of Slack's is kept, so that nothing that
 * was sent along, a token or a secret address, comes back into the log of attempts.
 */
export function createSlackChat({ http, apiUrl, timeoutSeconds, clock }: SlackChatOptions): ChatSender {
  return {
    async send(target, message) {
      let answer: OutboundResponse;
      try {
        answer = await http.request({
          ...requestOf(target, message, apiUrl),
          method: "POST",
          timeoutSeconds,
          maxBodyBytes,
        });
      } catch (error) {
        return unanswered(error);
      }
      const retryAfter = retryAfterSeconds(answer.headers["retry-after"] ?? null, clock());
      switch (target.kind) {
        case "slack-webhook":
          return webhookOutcome(answer, retryAfter);
        case "slack-bot":
          return botOutcome(answer, retryAfter);
      }
    },
  };
}

function requestOf(target: ChatTarget, message: ChatMessage, apiUrl: string) {
  const json = { "content-type": "application/json; charset=utf-8" };
  switch (target.kind) {
    case "slack-webhook":
      return { url: target.url, headers: json, body: JSON.stringify(message) };
    case "slack-bot":
      return {
        url: `${apiUrl}/chat.postMessage`,
        headers: { ...json, authorization: `Bearer ${target.token}` },
        body: JSON.stringify({ channel: target.channelId, ...message, unfurl_links: false }),
      };
  }
}

/** Statuses with which a webhook says that this address, or this message, will never do; all others pass. */
const lastingStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 413]);

/** A webhook answers 2xx and `ok`, or a status and a code. Some that speak like it answer as the Web API does. */
function webhookOutcome(answer: OutboundResponse, retryAfter: number | null): ChatOutcome {
  const { status } = answer;
  const told = readApiAnswer(answer);
  if (told !== null && !told.ok) return refusedByApi(told.error, status, retryAfter);
  const text = Buffer.from(answer.body).toString().trim();
  const seen = { responseStatus: status, responseExcerpt: isCode(text) ? text : null, error: null };
  if (status >= 200 && status < 300) return { ...seen, outcome: { kind: "succeeded" } };
  if (lastingStatuses.has(status)) return { ...seen, outcome: { kind: "refused" } };
  return { ...seen, outcome: { kind: "failed", retryAfterSeconds: retryAfter } };
}

/** The Web API answers 200 to nearly everything, and says in the body what it did. */
function botOutcome(answer: OutboundResponse, retryAfter: number | null): ChatOutcome {
  const { status: responseStatus } = answer;
  const told = readApiAnswer(answer);
  if (told?.ok) return { outcome: { kind: "succeeded" }, responseStatus, responseExcerpt: "ok", error: null };
  if (told !== null) return refusedByApi(told.error, responseStatus, retryAfter);
  const error = responseStatus >= 200 && responseStatus < 300 ? "broken" : null;
  return { outcome: { kind: "failed", retryAfterSeconds: retryAfter }, responseStatus, responseExcerpt: null, error };
}

/**
 * Codes of `chat.postMessage` after which no further attempt makes sense: the token is no good, or the message is not. Everything else may
 * pass, or somebody may mend it meanwhile: invite the bot, reopen the channel.
 */
const lastingCodes: ReadonlySet<string> = new Set([
  "account_inactive",
  "ekm_access_denied",
  "enterprise_is_restricted",
  "invalid_auth",
  "invalid_blocks",
  "invalid_blocks_format",
  "invalid_charset",
  "invalid_json",
  "json_not_object",
  "missing_scope",
  "msg_blocks_too_long",
  "msg_too_long",
  "no_permission",
  "no_text",
  "not_allowed_token_type",
  "not_authed",
  "org_login_required",
  "token_expired",
  "token_revoked",
  "two_factor_setup_required",
]);

function refusedByApi(code: string, responseStatus: number, retryAfter: number | null): ChatOutcome {
  const outcome = lastingCodes.has(code)
    ? ({ kind: "refused" } as const)
    : ({ kind: "failed", retryAfterSeconds: retryAfter } as const);
  return { outcome, responseStatus, responseExcerpt: isCode(code) ? code : null, error: "refused" };
}

const apiAnswer = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), error: z.string().default("") }),
]);

function readApiAnswer({ body }: OutboundResponse): z.output<typeof apiAnswer> | null {
  try {
    return apiAnswer.safeParse(JSON.parse(Buffer.from(body).toString())).data ?? null;
  } catch {
    return null;
  }
}

/** `ok`, `channel_not_found`: words, too short and too plain to be a secret. */
function isCode(text: string): boolean {
  return /^[a-z]+(_[a-z]+){0,6}$/.test(text) && text.length <= 60;
}

function unanswered(error: unknown): ChatOutcome {
  const failed = {
    outcome: { kind: "failed", retryAfterSeconds: null },
    responseStatus: null,
    responseExcerpt: null,
  } as const;
  if (error instanceof RefusedTarget) return { ...failed, error: "refused_target" };
  if (error instanceof OutboundFailure) return { ...failed, error: error.reason };
  throw error;
}
