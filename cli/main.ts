import { Command, CommanderError } from "commander";
import { ApiError } from "../domain/errors.ts";
import type { Answer } from "./answer.ts";
import { addAccountCommands } from "./commands/accounts.ts";
import { addChatCommands } from "./commands/chat.ts";
import { addChannelCommands } from "./commands/channels.ts";
import { addEntityCommands } from "./commands/entities.ts";
import { addImportCommand } from "./commands/import.ts";
import { addKeyCommands } from "./commands/keys.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addReviewCommands } from "./commands/reviews.ts";
import { addScanCommand } from "./commands/scan.ts";
import { addSecretCommands } from "./commands/secrets.ts";
import { addStartCommand } from "./commands/start.ts";
import { addTaughtNameCommands } from "./commands/taughtNames.ts";
import { addUsageCommand } from "./commands/usage.ts";
import { CommandError } from "./context.ts";
import { printAnswer } from "./output.ts";

const program = new Command("media-index")
  .description("Runs and tends a Media Index installation.")
  .option("--json", "print one JSON value")
  .exitOverride();

const answer: Answer =
  (work, tableOf) =>
  async (...args) => {
    const given = await work(...args);
    const json = process.argv.includes("--json");
    printAnswer(json || tableOf === undefined ? given : tableOf(given), { json });
  };

addStartCommand(program);
addMigrateCommand(program);
addAccountCommands(program, answer);
addKeyCommands(program, answer);
addUsageCommand(program, answer);
addChatCommands(program, answer);
addSecretCommands(program, answer);
addScanCommand(program, answer);
addChannelCommands(program, answer);
addImportCommand(program, answer);
addEntityCommands(program, answer);
addReviewCommands(program, answer);
addTaughtNameCommands(program, answer);
acceptJsonEverywhere(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** `--json` may stand before or behind the command's name. */
function acceptJsonEverywhere(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride();
    if (child.commands.length === 0) child.option("--json", "print one JSON value");
    acceptJsonEverywhere(child);
  }
}

/** Says why on standard error, in a line and without a stack; returns the exit status: 2 for wrong usage, 1 for a failure. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known = error instanceof ApiError || error instanceof CommandError;
  console.error(known ? error.message : `error: ${error instanceof Error ? error.message : "unknown failure"}`);
  return 1;
}
