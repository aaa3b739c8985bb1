import type { z } from "zod";
import type { SharedBytes } from "./sharedBytes.ts";

/** One response that an operation declares: what the OpenAPI document says and what the handler must return. */
export interface ResponseSpec {
  description: string;
  /** Body sent as `application/json`. */
  json?: z.ZodType;
  /** Other bodies by media type, each described for the document. */
  texts?: Readonly<Record<string, z.ZodType<string>>>;
  headers?: Readonly<Record<string, z.ZodType>>;
}

export type ResponseSpecs = Readonly<Record<number, ResponseSpec>>;

type HeaderValues<S> = S extends { headers: infer H } ? { [name in keyof H]?: string } : Record<never, string>;

type Body<S> =
  | (S extends { json: infer J extends z.ZodType } ? { json: z.input<J> } : never)
  | (S extends { texts: infer T } ? { text: string; mediaType: Extract<keyof T, string> } : never);

/** What a handler returns: one of its declared statuses, with the body and headers declared for it. */
export type AnswerOf<R extends ResponseSpecs> = {
  [status in Extract<keyof R, number>]: {
    status: status;
    headers?: HeaderValues<R[status]>;
    /** Rows that the call charged, for the log. */
    rows?: number;
  } & Body<R[status]>;
}[Extract<keyof R, number>];

/** What the handler of a read may return beside: ready bytes, or that the caller has it already. */
export type ReadAnswerOf<R extends ResponseSpecs> =
  | AnswerOf<R>
  | {
      [status in Extract<keyof R, number>]: {
        status: status;
        headers?: HeaderValues<R[status]>;
        rows?: number;
        mediaType: MediaType<R[status]>;
        head: string;
        shared: SharedBytes;
      };
    }[Extract<keyof R, number>]
  | { status: 304; headers: HeaderValues<R[Extract<keyof R, number>]>; rows?: number };

type MediaType<S> =
  | (S extends { json: z.ZodType } ? "application/json" : never)
  | (S extends { texts: infer T } ? Extract<keyof T, string> : never);

/** Any answer to a read, for the edge. */
export type ReadAnswer = Answer | ReadyAnswer | NotModified;

/** `head` and behind it the shared bytes are the body, compressed as the caller asks; its headers have `Vary: Accept-Encoding`. */
export interface ReadyAnswer {
  status: number;
  headers?: Readonly<Record<string, string | undefined>>;
  rows?: number;
  mediaType: string;
  head: string;
  shared: SharedBytes;
}

/** The caller has it already (RFC 9110, 15.4.5). */
export interface NotModified {
  status: 304;
  headers: Readonly<Record<string, string | undefined>>;
  rows?: number;
}

/** Any handler's answer, for the edge. */
export type Answer = {
  status: number;
  headers?: Readonly<Record<string, string | undefined>>;
  rows?: number;
} & ({ json: unknown } | { text: string; mediaType: string });

/** An answer as bytes: what is sent, and what is stored for a replay. */
export interface RenderedAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export function renderAnswer(answer: Answer): RenderedAnswer {
  const headers = givenHeaders(answer.headers);
  if ("json" in answer) {
    headers["Content-Type"] = "application/json; charset=utf-8";
    return { status: answer.status, headers, body: Buffer.from(JSON.stringify(answer.json)) };
  }
  headers["Content-Type"] = `${answer.mediaType}; charset=utf-8`;
  return { status: answer.status, headers, body: Buffer.from(answer.text) };
}

/** Those that have a value. */
export function givenHeaders(named: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(named)) if (value !== undefined) headers[name] = value;
  return headers;
}
