/**
 * The closed catalog of everything the API can refuse: it drives the envelope, the page behind `doc_url` and the OpenAPI
 * document (specification, "Errors"; decisions.md, "Statuses of the further codes").
 */
export const errorCatalog = {
  invalid_query: {
    status: 400,
    type: "invalid_request_error",
    cause: "A query or path parameter is unknown, malformed or out of range.",
    fix: "Correct the parameter that the message names.",
  },
  invalid_body: {
    status: 400,
    type: "invalid_request_error",
    cause: "The body is not valid JSON, or a field is unknown, missing or of the wrong type.",
    fix: "Correct the field that the message names.",
  },
  invalid_video_id: {
    status: 400,
    type: "invalid_request_error",
    cause: "The video id is not the 11-character id of the video platform.",
    fix: "Pass the id itself, not a URL or a slug.",
  },
  appearances_person_only: {
    status: 400,
    type: "invalid_request_error",
    cause: "Only person entities have appearances.",
    fix: "Ask for mentions of this entity, or name a person.",
  },
  invalid_feedback_request: {
    status: 400,
    type: "invalid_request_error",
    cause: "The feedback lacks a type or a query, or a correction does not fit its type.",
    fix: "Correct the part that the message names.",
  },
  invalid_api_key: {
    status: 401,
    type: "authentication_error",
    cause: "The key is missing, malformed, unknown, disabled, expired or deleted.",
    fix: "Send a live key as `Authorization: Bearer` or `x-api-key`.",
  },
  quota_exceeded: {
    status: 402,
    type: "quota_exceeded",
    cause: "The monthly row pool is used up and on-demand rows are off or capped.",
    fix: "Turn on-demand on, raise its cap, or wait for the next UTC month.",
  },
  api_not_enabled: {
    status: 403,
    type: "permission_error",
    cause: "The plan has no API access.",
    fix: "Ask for API access, or change plan.",
  },
  insufficient_scope: {
    status: 403,
    type: "permission_error",
    cause: "The key lacks the scope that the message names.",
    fix: "Use a key with that scope.",
  },
  recommendations_not_enabled: {
    status: 403,
    type: "permission_error",
    cause: "Commercial data needs the tier pro_plus or higher.",
    fix: "Change plan.",
  },
  transcript_locked: {
    status: 403,
    type: "permission_error",
    cause: "The account has not unlocked this transcript.",
    fix: "Read the transcript with `unlock=true` first.",
  },
  not_found: {
    status: 404,
    type: "not_found",
    cause: "No endpoint has this path.",
    fix: "Check the path against the API reference.",
  },
  entity_not_found: {
    status: 404,
    type: "not_found",
    cause: "No entity has this id or name.",
    fix: "Resolve the name with the entity lookup.",
  },
  channel_not_found: {
    status: 404,
    type: "not_found",
    cause: "The channel has no media in the index.",
    fix: "Pass the platform's channel id, not a slug.",
  },
  alert_not_found: {
    status: 404,
    type: "not_found",
    cause: "The alert row does not exist or belongs to another account.",
    fix: "Use the row's id as the alert list gives it.",
  },
  mention_not_found: {
    status: 404,
    type: "not_found",
    cause: "No mention has this id.",
    fix: "Use the id as a mention list gives it.",
  },
  monitor_not_found: {
    status: 404,
    type: "not_found",
    cause: "The monitor does not exist or belongs to another account.",
    fix: "List your monitors for their ids.",
  },
  tracker_not_found: {
    status: 404,
    type: "not_found",
    cause: "The tracker does not exist or belongs to another account.",
    fix: "List your trackers for their ids.",
  },
  recommendation_not_found: {
    status: 404,
    type: "not_found",
    cause: "No commercial row has this id.",
    fix: "Use the id as a recommendation list gives it.",
  },
  feedback_not_found: {
    status: 404,
    type: "not_found",
    cause: "The feedback does not exist or belongs to another account.",
    fix: "Use the id that the submission answered with.",
  },
  transcript_not_found: {
    status: 404,
    type: "not_found",
    cause: "This account has no transcription or transcript of the video.",
    fix: "Submit the video first.",
  },
  correction_not_found: {
    status: 404,
    type: "not_found",
    cause: "No correction has this id.",
    fix: "List the video's corrections for their ids.",
  },
  taught_name_not_found: {
    status: 404,
    type: "not_found",
    cause: "No taught name has this number.",
    fix: "List the taught names for their numbers.",
  },
  account_not_found: {
    status: 404,
    type: "not_found",
    cause: "No account has this id.",
    fix: "Use the id that the account's creation answered with.",
  },
  key_not_found: {
    status: 404,
    type: "not_found",
    cause: "No key has this id.",
    fix: "Use the id that the key's creation answered with.",
  },
  chat_integration_not_found: {
    status: 404,
    type: "not_found",
    cause: "No chat integration has this id.",
    fix: "Use the id that its connection answered with.",
  },
  method_not_allowed: {
    status: 405,
    type: "invalid_request_error",
    cause: "The path exists, but not with this method.",
    fix: "Use a method from the `Allow` header.",
  },
  idempotency_conflict: {
    status: 409,
    type: "conflict_error",
    cause: "The Idempotency-Key was used before with a different request.",
    fix: "Use a new key for each new operation.",
  },
  idempotency_in_progress: {
    status: 409,
    type: "conflict_error",
    cause: "A request with this Idempotency-Key is still being carried out.",
    fix: "Wait as `Retry-After` says and send the same request again.",
  },
  illegal_transition: {
    status: 409,
    type: "conflict_error",
    cause: "The resource is in a state that does not allow this.",
    fix: "Read the resource's status first.",
  },
  duplicate_tracker: {
    status: 409,
    type: "conflict_error",
    cause: "A tracker with this name and type exists.",
    fix: "Use the tracker named by `existingId`.",
  },
  webhook_not_configured: {
    status: 409,
    type: "conflict_error",
    cause: "The monitor has no webhook.",
    fix: "PATCH the monitor with `notifyWebhook: true` and a `webhookUrl` first.",
  },
  request_timeout: {
    status: 408,
    type: "invalid_request_error",
    cause: "The request did not arrive whole in time.",
    fix: "Send it again; if it keeps happening, send less in one request.",
  },
  body_too_large: {
    status: 413,
    type: "invalid_request_error",
    cause: "The body is larger than the API takes.",
    fix: "Send less in one request.",
  },
  unsupported_media_type: {
    status: 415,
    type: "invalid_request_error",
    cause: "The body is not `application/json`.",
    fix: "Send JSON with `Content-Type: application/json`.",
  },
  rate_limit_exceeded: {
    status: 429,
    type: "rate_limit_error",
    cause: "The key has used up its requests for this minute.",
    fix: "Wait as `Retry-After` says.",
  },
  internal_error: {
    status: 500,
    type: "server_error",
    cause: "An unexpected failure on our side.",
    fix: "Retry with exponential back-off; report the `X-Request-Id` if it stays.",
  },
} as const satisfies Record<string, ErrorDescription>;

export interface ErrorDescription {
  status: number;
  type: ErrorType;
  cause: string;
  fix: string;
}

type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "quota_exceeded"
  | "permission_error"
  | "not_found"
  | "conflict_error"
  | "rate_limit_error"
  | "server_error";

export type ErrorCode = keyof typeof errorCatalog;

/** Every code, in the order of the catalog. */
export const errorCodes = Object.keys(errorCatalog).filter(isErrorCode);

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalog, text);
}

/**
 * A refusal with a code from the catalog. `message` is read by API clients: it names the field and the fix, never inside detail.
 * `headers` and `extra` (top-level members beside `error`, such as `existingId`) go out with it.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;

  constructor(
    code: ErrorCode,
    message?: string,
    more: { headers?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(message ?? `${errorCatalog[code].cause} ${errorCatalog[code].fix}`);
    this.code = code;
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }
}
