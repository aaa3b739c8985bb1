import { randomBytes } from "node:crypto";
import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import { insertEntity, type NewEntity } from "../../database/entities.ts";
import { openPool, type Pool } from "../../database/pool.ts";
import type { Tier } from "../../domain/plans.ts";
import type { KeyVault } from "../../domain/keyVault.ts";
import type { OutboundPolicy } from "../../domain/outboundAddresses.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import type { Caller, ServiceContext } from "../../services/context.ts";
import { createTestDatabase } from "../environment/database.ts";
import { testSettings } from "./settings.ts";

export interface TestContext extends ServiceContext {
  databaseUrl: string;
  close(): Promise<void>;
}

/** A service context over a database of its own. */
export async function createTestContext(
  options: {
    settings?: unknown;
    clock?: () => Date;
    connections?: number;
    vault?: KeyVault;
    outbound?: OutboundPolicy;
    onStatement?: () => void;
  } = {},
): Promise<TestContext> {
  const database = await createTestDatabase();
  const pool: Pool = await openPool(database.url, {
    maxConnections: options.connections ?? 10,
    onStatement: options.onStatement,
  });
  return {
    pool,
    settings: testSettings(options.settings),
    clock: options.clock ?? (() => new Date()),
    vault: options.vault ?? testVault(),
    outbound: options.outbound ?? publicOnly,
    databaseUrl: database.url,
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

/** What a site lets its users' addresses lead to unless it says otherwise. */
export const publicOnly: OutboundPolicy = { allowedRanges: [], requireHttps: false };

/** A vault with a master key of its own. */
export function testVault(): KeyVault {
  const keys = new Map([["test", randomBytes(32)]]);
  return createKeyVault(async () => keys);
}

let accountNumber = 0;

/** A new account and the caller that its key would make. */
export async function createCaller(
  context: ServiceContext,
  plan: { tier?: Tier; rows?: number; onDemand?: boolean; spendCapCents?: number } = {},
): Promise<Caller> {
  accountNumber += 1;
  const { tier = "pro", rows, onDemand, spendCapCents } = plan;
  const account = await createAccount(context, {
    email: `account${accountNumber}@example.com`,
    tier,
    monthlyRows: rows,
    onDemand,
    spendCapCents,
  });
  return { accountId: account.accountId, keyId: "key_test", tier, scopes: ["read"], requestId: "req_test" };
}

let entityNumber = 0;

/** A new entity; returns its number. */
export async function createEntity(context: ServiceContext, more: Partial<NewEntity> = {}): Promise<number> {
  entityNumber += 1;
  return insertEntity(context.pool, {
    name: `Entity ${entityNumber}`,
    type: "person",
    slug: `entity-${entityNumber}`,
    ...more,
  });
}
