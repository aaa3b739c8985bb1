import { readConfiguration } from "../adapters/configuration.ts";
import { createKeyVault } from "../adapters/vault/keyVault.ts";
import { readMasterKeys } from "../adapters/vault/masterKeys.ts";
import { openPool } from "../database/pool.ts";
import type { ServiceContext } from "../services/context.ts";
import { readRunState } from "./start/runState.ts";

/** What a person can mend: printed as it is, without a stack, and the command exits with 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Runs a command's work on the installation's database: the configured one, or that of the running `npm start`. */
export async function withContext<T>(work: (context: ServiceContext) => Promise<T>): Promise<T> {
  const configuration = readConfiguration();
  const databaseUrl = configuration.DATABASE_URL ?? readRunState(configuration.home)?.databaseUrl;
  if (databaseUrl === undefined) {
    throw new CommandError(
      `Media Index is not running on ${configuration.home}: start it with \`npm start\`, or set DATABASE_URL.`,
    );
  }
  const pool = await openPool(databaseUrl, { maxConnections: 2 });
  try {
    const vault = createKeyVault(() => readMasterKeys(configuration));
    return await work({
      pool,
      settings: configuration.settings,
      clock: () => new Date(),
      vault,
      outbound: configuration.outbound,
    });
  } finally {
    await pool.end();
  }
}
