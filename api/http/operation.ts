import { z } from "zod";
import type { Transaction } from "../../database/pool.ts";
import type { ErrorCode } from "../../domain/errors.ts";
import type { IdKind } from "../../domain/ids.ts";
import type { ReviewCarrier } from "../../domain/review/carrying.ts";
import type { ServiceContext } from "../../services/context.ts";
import type { Access, AccessRule, Principal } from "./access.ts";
import type { Answer, AnswerOf, ReadAnswer, ReadAnswerOf, ResponseSpecs } from "./answers.ts";
import type { Cursors } from "./paging.ts";
import { parseBody, parsePath, parseQuery } from "./validation.ts";

/** For operations that take no path parameters, or no query. */
export const none = z.strictObject({});
/** For writes that take no body; an empty object is let through, since many clients cannot send nothing. */
export const noBody = z.strictObject({}).optional();

/** What every handler is given. `context.pool` is for reads; writes use their `transaction`. */
interface Input<C, P extends z.ZodType, Q extends z.ZodType> {
  context: ServiceContext;
  /** Has steps of reviews carried by their workflows; null where there is none. */
  carrier: ReviewCarrier | null;
  cursors: Cursors;
  requestId: string;
  caller: C;
  params: z.output<P>;
  query: z.output<Q>;
}

interface Declared<C, P extends z.ZodType, Q extends z.ZodType, R extends ResponseSpecs> {
  /** Name of the operation in the document, generated clients and logs. */
  id: string;
  /** In OpenAPI's notation: `/v1/transcriptions/{video_id}`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access<C>;
  params: P;
  query: Q;
  responses: R;
  /** Codes beyond those that follow from access and method. */
  errors?: readonly ErrorCode[];
  /** Bodies beside the envelope, by status (specification, "Errors", exceptions). */
  bareBodies?: Readonly<Record<number, z.ZodType>>;
}

/** A GET. */
export interface ReadDeclaration<C, P extends z.ZodType, Q extends z.ZodType, R extends ResponseSpecs> extends Declared<
  C,
  P,
  Q,
  R
> {
  method: "get";
  /** It can charge rows for what it returns; HEAD, which returns nothing, is then not taken. */
  charges?: boolean;
  handle: (input: Input<C, P, Q> & { ifNoneMatch: string | undefined }) => Promise<ReadAnswerOf<R>> | ReadAnswerOf<R>;
}

/** A POST, PATCH or DELETE: its handler runs inside the one transaction that also keeps its Idempotency-Key. */
export interface WriteDeclaration<
  C,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends ResponseSpecs,
> extends Declared<C, P, Q, R> {
  method: "post" | "patch" | "delete";
  body: B;
  /** Code for a body whose fields do not fit; default: `invalid_body`. */
  bodyMisfit?: ErrorCode;
  /** The answer carries a secret: what is stored of it for a replay is encrypted. */
  answersSecret?: boolean;
  handle: (input: Input<C, P, Q> & { body: z.output<B>; transaction: Transaction }) => Promise<AnswerOf<R>>;
}

/**
 * A POST whose effect a workflow commits: no transaction is open while it is waited for. It is carried out once for its `effectId`, which is
 * kept under the Idempotency-Key before it: a repeat comes with the same one.
 */
export interface CarriedDeclaration<
  C,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends ResponseSpecs,
> extends Declared<C, P, Q, R> {
  method: "post";
  body: B;
  /** What effects are kept as: the kind of their ids. */
  effect: IdKind;
  handle: (input: Input<C, P, Q> & { body: z.output<B>; effectId: string }) => Promise<AnswerOf<R>>;
}

/** A request as it came, before validation. */
export interface RawCall {
  context: ServiceContext;
  carrier: ReviewCarrier | null;
  cursors: Cursors;
  requestId: string;
  principal: Principal;
  params: Readonly<Record<string, string | string[] | undefined>>;
  /** What follows `?` in the URL, not decoded. */
  queryString: string;
  /** Empty where there is none. */
  body: Buffer;
  ifNoneMatch: string | undefined;
}

interface Described {
  id: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  access: AccessRule;
  params: z.ZodType;
  query: z.ZodType;
  responses: ResponseSpecs;
  errors: readonly ErrorCode[];
  bareBodies: Readonly<Record<number, z.ZodType>>;
}

interface ReadOperation extends Described {
  method: "get";
  charges: boolean;
  prepare: (raw: RawCall) => () => Promise<ReadAnswer> | ReadAnswer;
}

interface Written extends Described {
  method: "post" | "patch" | "delete";
  body: z.ZodType;
  answersSecret: boolean;
}

/** `carried`: its effect is committed elsewhere, under an id of the kind that is given, and no transaction is open for it. */
export type WriteOperation = Written &
  (
    | { carried: null; prepare: (raw: RawCall) => (transaction: Transaction) => Promise<Answer> }
    | { carried: IdKind; prepare: (raw: RawCall) => (effectId: string) => Promise<Answer> }
  );

/** A compiled operation. `prepare` validates (400) and returns the call, ready to run. */
export type Operation = ReadOperation | WriteOperation;

/** The one way to declare an operation: routing, permission, validation, documentation and handler, with every type inferred. */
export function operation<
  C,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  const R extends ResponseSpecs,
>(declared: ReadDeclaration<C, P, Q, R> | WriteDeclaration<C, P, Q, B, R>): Operation {
  const described = describedBy(declared);
  if (declared.method === "get") {
    return {
      ...described,
      method: "get",
      charges: declared.charges ?? false,
      prepare: (raw) => {
        const input = inputOf(declared, raw);
        return () => declared.handle({ ...input, ifNoneMatch: raw.ifNoneMatch });
      },
    };
  }
  return {
    ...described,
    method: declared.method,
    body: declared.body,
    answersSecret: declared.answersSecret ?? false,
    carried: null,
    prepare: (raw) => {
      const input = inputOf(declared, raw);
      const body = parseBody(declared.body, raw.body, declared.bodyMisfit);
      return (transaction) => declared.handle({ ...input, body, transaction });
    },
  };
}

/** The same for a POST whose effect a workflow commits. */
export function carriedOperation<
  C,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  const R extends ResponseSpecs,
>(declared: CarriedDeclaration<C, P, Q, B, R>): Operation {
  return {
    ...describedBy(declared),
    method: declared.method,
    body: declared.body,
    answersSecret: false,
    carried: declared.effect,
    prepare: (raw) => {
      const input = inputOf(declared, raw);
      const body = parseBody(declared.body, raw.body);
      return (effectId) => declared.handle({ ...input, body, effectId });
    },
  };
}

function describedBy<D extends Declared<unknown, z.ZodType, z.ZodType, ResponseSpecs>>(declared: D) {
  return {
    ...declared,
    description: declared.description ?? "",
    errors: declared.errors ?? [],
    bareBodies: declared.bareBodies ?? {},
  };
}

function inputOf<C, P extends z.ZodType, Q extends z.ZodType>(
  declared: Pick<Declared<C, P, Q, ResponseSpecs>, "access" | "params" | "query">,
  raw: RawCall,
): Input<C, P, Q> {
  return {
    context: raw.context,
    carrier: raw.carrier,
    cursors: raw.cursors,
    requestId: raw.requestId,
    caller: declared.access.callerOf(raw.principal),
    params: parsePath(declared.params, raw.params),
    query: parseQuery(declared.query, raw.queryString),
  };
}
