/** A request to an address that somebody else chose. */
export interface OutboundRequest {
  url: string;
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** For the whole exchange, from the look-up of the name to the last byte. */
  timeoutSeconds: number;
  /** What is read of the answer's body; then the connection is closed. */
  maxBodyBytes: number;
  signal?: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case; a header that came several times as its values with commas between them. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The body was longer than `maxBodyBytes`. */
  isCut: boolean;
}

/** A URL that the service does not call. `message` says why to whoever gave it, as the end of a sentence about it, and never repeats it. */
export class RefusedTarget extends Error {
  override readonly name = "RefusedTarget";
}

export type OutboundFailureReason = "timeout" | "unknown_host" | "unreachable" | "tls" | "broken";

/** A request that got no whole answer. `message` is for operators and for the owner of the URL; it holds neither the URL nor a secret. */
export class OutboundFailure extends Error {
  override readonly name = "OutboundFailure";
  readonly reason: OutboundFailureReason;

  constructor(reason: OutboundFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Calls URLs that users give, without ever reaching what is not public (decisions.md "Targets"). Redirects are answers, not followed.
 * Throws `RefusedTarget` and `OutboundFailure`, and the reason of `signal` once that aborts.
 */
export interface OutboundHttp {
  request(request: OutboundRequest): Promise<OutboundResponse>;
}
