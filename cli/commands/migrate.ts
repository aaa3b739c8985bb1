import type { Command } from "commander";
import { readConfiguration } from "../../adapters/configuration.ts";
import { migrate } from "../../database/migrate.ts";
import { CommandError } from "../context.ts";
import { readRunState } from "../start/runState.ts";

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("bring the database to the newest schema (npm start does it by itself)")
    .action(async () => {
      const configuration = readConfiguration();
      const databaseUrl = configuration.DATABASE_URL ?? readRunState(configuration.home)?.databaseUrl;
      if (databaseUrl === undefined) throw new CommandError("Set DATABASE_URL to the database to migrate.");
      await migrate(databaseUrl, (line) => console.error(line));
    });
}
