import type { Pool } from "../database/pool.ts";
import type { Settings } from "../domain/configuration.ts";
import type { KeyVault } from "../domain/keyVault.ts";
import type { OutboundPolicy } from "../domain/outboundAddresses.ts";
import type { Scope, Tier } from "../domain/plans.ts";
import type { RowAllowance, RowUse } from "../domain/rowPool.ts";

/** What every use case is handed: the truth, the installation's numbers, the time, a place for secrets, and where users' addresses may lead. */
export interface ServiceContext {
  pool: Pool;
  settings: Settings;
  clock: () => Date;
  vault: KeyVault;
  outbound: OutboundPolicy;
}

/** On whose behalf a use case runs. */
export interface Caller {
  accountId: string;
  keyId: string;
  tier: Tier;
  scopes: readonly Scope[];
  requestId: string;
}

/** A caller with what its account may use this month and had used when the request was admitted. */
export interface MeteredCaller extends Caller {
  allowance: RowAllowance;
  use: RowUse;
}
