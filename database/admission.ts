import { z } from "zod";
import { scopes, tiers } from "../domain/plans.ts";
import { count, type Queryable, sql } from "./pool.ts";

const admissionRow = z
  .object({
    n: z.number(),
    key_id: z.string(),
    scopes: z.array(z.enum(scopes)),
    account_id: z.string().nullable(),
    tier: z.enum(tiers).nullable(),
    api_enabled: z.boolean().nullable(),
    monthly_rows: count.nullable(),
    on_demand: z.boolean().nullable(),
    spend_cap_cents: z.number().nullable(),
    rows_used: count,
    on_demand_rows: count,
    requests: z.number().nullable(),
    reset_seconds: z.number().nullable(),
  })
  .transform((row) => ({
    n: row.n,
    admission: {
      keyId: row.key_id,
      scopes: row.scopes,
      account:
        row.account_id === null || row.tier === null || row.requests === null || row.reset_seconds === null
          ? null
          : {
              accountId: row.account_id,
              apiEnabled: row.api_enabled === true,
              plan: {
                tier: row.tier,
                monthlyRows: row.monthly_rows,
                onDemand: row.on_demand === true,
                spendCapCents: row.spend_cap_cents,
              },
              use: { rowsUsed: row.rows_used, onDemandRows: row.on_demand_rows },
              window: { requests: row.requests, resetSeconds: row.reset_seconds },
            },
    },
  }));
/** A live key. `account` is null for an internal key, which has no rate window either. */
export type AdmissionRow = z.infer<typeof admissionRow>["admission"];

/** Requests to count against one key in one statement. */
export interface AskedAdmission {
  /** SHA-256 of the key. */
  secretSha256: Buffer;
  requests: number;
}

/**
 * Finds live keys by the hashes of their secrets and counts requests against their windows of 60 seconds, all in one statement: key,
 * account, the month's use, and the window as it stands with these requests counted, in the order asked. Null for unknown, disabled,
 * deleted and expired keys alike. The windows' clock is the database's, so every process sees the same one.
 */
export async function admitRequests(
  db: Queryable,
  asked: readonly AskedAdmission[],
  period: string,
): Promise<(AdmissionRow | null)[]> {
  const secretHashes = sql.array(
    asked.map(({ secretSha256 }) => secretSha256),
    "bytea",
  );
  const requestCounts = sql.array(
    asked.map(({ requests }) => requests),
    "int4",
  );
  const admitted = await db.any(sql.type(admissionRow)`
    select * from admit_requests(${secretHashes}, ${requestCounts}, ${period}::date)`);
  const admissions = Array.from(asked, (): AdmissionRow | null => null);
  for (const { n, admission } of admitted) admissions[n - 1] = admission;
  return admissions;
}

export interface KeyUse {
  keyId: string;
  at: Date;
  ip: string | null;
}

/** Writes when and from where keys were last used, many at once; an older use never overwrites a newer one. */
export async function recordKeyUses(db: Queryable, uses: readonly KeyUse[]): Promise<void> {
  const rows = uses.map((use) => [use.keyId, use.at.toISOString(), use.ip]);
  await db.query(sql.typeAlias("void")`
    update api_key set last_used_at = used.at, last_used_ip = used.ip::inet
    from ${sql.unnest(rows, ["text", "timestamptz", "text"])} as used (key_id, at, ip)
    where api_key.id = used.key_id and (api_key.last_used_at is null or api_key.last_used_at < used.at)`);
}
