import type { Command } from "commander";
import { readLedger } from "../../services/usage/readLedger.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";

export function addUsageCommand(program: Command, answer: Answer): void {
  program
    .command("usage")
    .description("what an account has used this month")
    .argument("<account>", "account id")
    .option("--ledger", "list every entry instead")
    .action(
      answer(async (accountId: string, options: { ledger?: boolean }): Promise<unknown> =>
        withContext<unknown>((context) =>
          options.ledger ? readLedger(context, accountId) : readUsage(context, accountId),
        ),
      ),
    );
}
