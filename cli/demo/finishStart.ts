import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import { readMasterKeys } from "../../adapters/vault/masterKeys.ts";
import { openPool } from "../../database/pool.ts";
import type { Configuration } from "../../domain/configuration.ts";
import type { ServiceContext } from "../../services/context.ts";
import type { Progress } from "../start/progress.ts";
import type { RunState } from "../start/runState.ts";
import { runDemo } from "./demo.ts";
import { isDemoFinished, markDemoFinished } from "./demoState.ts";

export interface FinishStartParts {
  configuration: Configuration;
  running: RunState;
  progress: Progress;
  stop: AbortSignal;
  /** Whether the demo is wanted the first time. */
  demo: boolean;
}

/** The end of a start: the demo job the first time, and always where to find things. */
export async function finishStart(parts: FinishStartParts): Promise<void> {
  const { configuration, running } = parts;
  const wanted = parts.demo && configuration.MEDIA_DIR === undefined && !isDemoFinished(configuration.home);
  const demo = wanted ? await runFirstDemo(parts) : null;
  const lines = [
    "",
    `  API            ${running.apiUrl}/v1`,
    `  API reference  ${running.apiUrl}/docs`,
    ...(running.uiUrl === null ? [] : [`  Temporal UI    ${running.uiUrl}`]),
    "",
    ...(demo === null
      ? ["  A key: npm run -s media-index -- keys create --account ID  (accounts create makes the account)"]
      : [
          "  Try it:",
          `    curl -H 'x-api-key: ${demo.key}' '${running.apiUrl}/v1/transcripts/${demo.videoId}'`,
          "  The key is shown this once. It is the demo account's; more come from `npm run -s media-index -- keys create`.",
        ]),
    "  Stop with Ctrl-C; data stays.",
    "",
  ];
  console.log(lines.join("\n"));
}

async function runFirstDemo({
  configuration,
  running,
  progress,
  stop,
}: FinishStartParts): Promise<{ key: string; videoId: string }> {
  const pool = await openPool(running.databaseUrl, { maxConnections: 2 });
  try {
    const vault = createKeyVault(() => readMasterKeys(configuration));
    const context: ServiceContext = {
      pool,
      settings: configuration.settings,
      clock: () => new Date(),
      vault,
      outbound: configuration.outbound,
    };
    const demo = await runDemo({ context, configuration, apiUrl: running.apiUrl, progress, stop });
    markDemoFinished(configuration.home);
    return demo;
  } finally {
    await pool.end();
  }
}
