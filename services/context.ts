import type { Pool } from "../database/pool.ts";
import type { Settings } from "../domain/configuration.ts";
import type { KeyVault } from "../domain/keyVault.ts";
import type { Scope, Tier } from "../domain/plans.ts";

/** What every use case is handed: the truth, the installation's numbers, the time, and a place for secrets. */
export interface ServiceContext {
  pool: Pool;
  settings: Settings;
  clock: () => Date;
  vault: KeyVault;
}

/** On whose behalf a use case runs. */
export interface Caller {
  accountId: string;
  keyId: string;
  tier: Tier;
  scopes: readonly Scope[];
  requestId: string;
}
