import { z } from "zod";
import { type Scope, scopes } from "../domain/plans.ts";
import { type Queryable, sql, timestamp } from "./pool.ts";

const keyStates = ["active", "disabled", "deleted"] as const;
export type KeyState = (typeof keyStates)[number];

const keyRow = z
  .object({
    id: z.string(),
    account_id: z.string().nullable(),
    name: z.string(),
    secret_prefix: z.string(),
    secret_last4: z.string(),
    scopes: z.array(z.enum(scopes)),
    state: z.enum(keyStates),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    last_used_ip: z.string().nullable(),
    created_at: timestamp,
  })
  .transform((row) => ({
    keyId: row.id,
    accountId: row.account_id,
    name: row.name,
    secretPrefix: row.secret_prefix,
    secretLast4: row.secret_last4,
    scopes: row.scopes,
    state: row.state,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedIp: row.last_used_ip,
    createdAt: row.created_at,
  }));
export type ApiKey = z.infer<typeof keyRow>;

const columns = sql.fragment`id, account_id, name, secret_prefix, secret_last4, scopes, state, expires_at, last_used_at,
  host(last_used_ip) as last_used_ip, created_at`;

export interface NewApiKey {
  keyId: string;
  /** null for an internal key. */
  accountId: string | null;
  name: string;
  secretSha256: Buffer;
  secretPrefix: string;
  secretLast4: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

export async function insertKey(db: Queryable, key: NewApiKey): Promise<ApiKey> {
  return db.one(sql.type(keyRow)`
    insert into api_key (id, account_id, name, secret_sha256, secret_prefix, secret_last4, scopes, expires_at)
    values (${key.keyId}, ${key.accountId}, ${key.name}, ${sql.binary(key.secretSha256)}, ${key.secretPrefix}, ${key.secretLast4},
      ${sql.array([...key.scopes], "text")}, ${key.expiresAt?.toISOString() ?? null})
    returning ${columns}`);
}

/** Changes the state of a key that is not deleted; returns null where there is none. A deleted key stays deleted. */
export async function updateKeyState(db: Queryable, keyId: string, state: KeyState): Promise<ApiKey | null> {
  return db.maybeOne(sql.type(keyRow)`
    update api_key set state = ${state} where id = ${keyId} and (state <> 'deleted' or ${state} = 'deleted') returning ${columns}`);
}

/** An account's keys, newest first, deleted ones too; `beforeId` starts behind that key. */
export async function listKeys(
  db: Queryable,
  accountId: string,
  page: { limit: number; beforeId: string | null },
): Promise<readonly ApiKey[]> {
  return db.any(sql.type(keyRow)`
    select ${columns} from api_key where account_id = ${accountId} and (${page.beforeId}::text is null or id < ${page.beforeId})
    order by id desc limit ${page.limit}`);
}
