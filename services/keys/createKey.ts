import { createHash, randomBytes } from "node:crypto";
import { readAccount } from "../../database/accounts.ts";
import { type ApiKey, insertKey } from "../../database/keys.ts";
import type { Queryable } from "../../database/pool.ts";
import { keyPrefixes, type KeyKind } from "../../domain/apiKeys.ts";
import { ApiError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { type Scope, scopes, tierAllowsScope } from "../../domain/plans.ts";
import type { ServiceContext } from "../context.ts";

export interface CreateKeyInput {
  accountId: string;
  /** Unset: every scope that the account's tier allows. `read` is on every key. */
  scopes?: readonly Scope[] | undefined;
  name?: string | undefined;
  expiresAt?: Date | undefined;
}

/** The secret is in `key` this once; only its SHA-256 is kept. */
export interface CreatedKey {
  keyId: string;
  key: string;
  record: ApiKey;
}

/** Creates a key for `/v1`. Throws `account_not_found`, or `invalid_body` for a scope that the tier does not allow. */
export async function createKey(
  context: ServiceContext,
  input: CreateKeyInput,
  db: Queryable = context.pool,
): Promise<CreatedKey> {
  const account = await readAccount(db, input.accountId);
  if (account === null) throw new ApiError("account_not_found");
  const allowed = scopes.filter((scope) => tierAllowsScope(account.tier, scope));
  const refused = input.scopes?.find((scope) => !allowed.includes(scope));
  if (refused !== undefined) {
    throw new ApiError(
      "invalid_body",
      `scopes: the tier ${account.tier} does not allow ${refused}; it allows ${allowed.join(", ")}.`,
    );
  }
  const granted = input.scopes === undefined ? allowed : [...new Set<Scope>(["read", ...input.scopes])];
  return insertNewKey(db, "secret", {
    accountId: account.accountId,
    name: input.name ?? "default",
    scopes: granted,
    expiresAt: input.expiresAt ?? null,
  });
}

/** Creates a key for `/internal`, which belongs to the installation and opens nothing under `/v1`. */
export async function createInternalKey(context: ServiceContext, name: string): Promise<CreatedKey> {
  return insertNewKey(context.pool, "internal", { accountId: null, name, scopes: [], expiresAt: null });
}

async function insertNewKey(
  db: Queryable,
  kind: KeyKind,
  grant: { accountId: string | null; name: string; scopes: readonly Scope[]; expiresAt: Date | null },
): Promise<CreatedKey> {
  const secret = randomBytes(32).toString("hex");
  const key = `${keyPrefixes[kind]}${secret}`;
  const record = await insertKey(db, {
    keyId: newId("apiKey"),
    ...grant,
    secretSha256: createHash("sha256").update(key).digest(),
    secretPrefix: secret.slice(0, 4),
    secretLast4: secret.slice(-4),
  });
  return { keyId: record.keyId, key, record };
}
