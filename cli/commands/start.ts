import type { Command } from "commander";
import { readConfiguration } from "../../adapters/configuration.ts";
import { finishStart } from "../demo/finishStart.ts";
import { start } from "../start/start.ts";

export function addStartCommand(program: Command): void {
  program
    .command("start")
    .description("bring up everything that is not configured elsewhere, and the API and the workers")
    .option("--no-demo", "do not run the demo job the first time")
    .action(async (options: { demo: boolean }) => {
      const configuration = readConfiguration();
      const status = await start(configuration, {
        afterReady: (running, progress, stop) =>
          finishStart({ configuration, running, progress, stop, demo: options.demo }),
      });
      process.exit(status);
    });
}
