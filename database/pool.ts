import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  type CommonQueryMethods,
  ConnectionError,
  createPool,
  createSqlTag,
  type DatabasePool,
  type DatabaseTransactionConnection,
  type Interceptor,
  type QuerySqlToken,
  SchemaValidationError,
} from "slonik";
import { z } from "zod";

export type Pool = DatabasePool;
export type Transaction = DatabaseTransactionConnection;
/** Either of the two: for statements that stand alone as well as inside a transaction. */
export type Queryable = CommonQueryMethods;

export const sql = createSqlTag({ typeAliases: { void: z.object({}).strict() } });

export type SqlFragment = ReturnType<typeof sql.fragment>;

/** Every row is checked against its query's schema where it enters. */
const validateRows: Interceptor = {
  name: "validate-rows",
  transformRow: (context, query, row) => {
    const { resultParser } = context;
    if (!resultParser) return row;
    const validation = resultParser["~standard"].validate(row);
    if (validation instanceof Promise) throw new TypeError("row schemas are synchronous");
    if (validation.issues) throw new SchemaValidationError(query, row, validation.issues);
    // slonik types rows as they come from the driver; what a schema makes of them is typed by the query.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return validation.value as typeof row;
  },
};

function watchStatements(onStatement: () => void): Interceptor {
  return {
    name: "watch-statements",
    beforeQueryExecution: () => {
      onStatement();
      return null;
    },
  };
}

export interface PoolOptions {
  maxConnections: number;
  statementTimeoutMilliseconds?: number;
  /** Told of each statement before it is sent. */
  onStatement?: (() => void) | undefined;
}

/** Opens a pool. Connections keep no session state, so nothing is reset between uses; transactions are retried only by their callers. */
export async function openPool(databaseUrl: string, options: PoolOptions): Promise<Pool> {
  return createPool(databaseUrl, {
    maxPoolSize: options.maxConnections,
    idleTimeout: 60_000,
    connectionTimeout: 10_000,
    statementTimeout: options.statementTimeoutMilliseconds ?? 30_000,
    queryRetryLimit: 0,
    transactionRetryLimit: 5,
    resetConnection: async () => undefined,
    interceptors:
      options.onStatement === undefined ? [validateRows] : [validateRows, watchStatements(options.onStatement)],
  });
}

/** Runs reads that all see one state of the database, whatever commits meanwhile. Never retried. */
export async function readSnapshot<T>(pool: Pool, read: (transaction: Transaction) => Promise<T>): Promise<T> {
  return pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias("void")`set transaction isolation level repeatable read, read only`);
    return read(transaction);
  }, 0);
}

type RowOf<S extends z.ZodType> = NonNullable<S["~standard"]["types"]>["output"];

/** Hands over a statement's rows as they come, a hundred at a time, so that a large result neither piles up nor holds up the process. */
export async function eachRow<S extends z.ZodType>(
  db: Queryable,
  query: QuerySqlToken<S>,
  take: (row: RowOf<S>) => void,
): Promise<void> {
  const { promise: taken, resolve, reject } = Promise.withResolvers<void>();
  const streamed = db.stream(query, (stream) => {
    takeAll(stream, take).then(resolve, reject);
  });
  await Promise.all([streamed, taken]);
}

/** All of a statement's rows, which come as by `eachRow`. */
export async function allRows<S extends z.ZodType>(
  db: Queryable,
  query: QuerySqlToken<S>,
): Promise<readonly RowOf<S>[]> {
  const rows: RowOf<S>[] = [];
  await eachRow(db, query, (row) => rows.push(row));
  return rows;
}

async function takeAll<T>(rows: AsyncIterable<{ data: T }>, take: (row: T) => void): Promise<void> {
  for await (const { data } of rows) take(data);
}

/** `timestamptz` as slonik delivers it (epoch milliseconds), turned into a Date. */
export const timestamp = z.number().transform((milliseconds) => new Date(milliseconds));
/** `int8` as slonik delivers it (bigint), for counts that are far below 2^53. */
export const count = z.bigint().transform(Number);

/** A moment as an argument. */
export function momentOf(moment: Date): SqlFragment {
  return sql.fragment`${moment.toISOString()}::timestamptz`;
}
/** A `timestamptz` as epoch milliseconds, of any year: the driver takes the year 1 for 2001. Read with `z.number()`. */
export function millisecondsOf(column: SqlFragment): SqlFragment {
  return sql.fragment`(extract(epoch from ${column}) * 1000)::float8`;
}

/** Whether a failure says that the database is away or restarting, so that trying later can help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof BackendTerminatedError ||
    error instanceof BackendTerminatedUnexpectedlyError
  );
}
