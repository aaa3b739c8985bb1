import type { Command } from "commander";
import type { Tier } from "../../domain/plans.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { updateAccount } from "../../services/accounts/updateAccount.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";
import { parseCount, parseEmail, parseFlag, tierOption } from "../options.ts";

interface CreateOptions {
  email: string;
  tier: Tier;
  rows?: number;
  onDemand?: boolean;
  spendCapCents?: number;
}

interface UpdateOptions {
  tier?: Tier;
  rows?: number;
  onDemand?: boolean;
  spendCapCents?: number;
  apiEnabled?: boolean;
}

export function addAccountCommands(program: Command, answer: Answer): void {
  const accounts = program.command("accounts").description("create and change accounts");
  accounts
    .command("create")
    .description("create an account")
    .requiredOption("--email <email>", "where the account is reached", parseEmail)
    .addOption(tierOption().makeOptionMandatory())
    .option("--rows <n>", "rows a month, in place of the tier's", parseCount)
    .option("--on-demand", "go on past the pool, at a price a row")
    .option("--spend-cap-cents <n>", "most cents a month for rows past the pool", parseCount)
    .action(
      answer(async (options: CreateOptions) => {
        const { rows, ...input } = options;
        const account = await withContext((context) => createAccount(context, { ...input, monthlyRows: rows }));
        return { accountId: account.accountId };
      }),
    );
  accounts
    .command("update")
    .description("change an account")
    .argument("<id>", "account id")
    .addOption(tierOption())
    .option("--rows <n>", "rows a month, in place of the tier's", parseCount)
    .option("--on-demand <true|false>", "go on past the pool", parseFlag)
    .option("--spend-cap-cents <n>", "most cents a month for rows past the pool", parseCount)
    .option("--api-enabled <true|false>", "whether the account may use the API", parseFlag)
    .action(
      answer(async (accountId: string, options: UpdateOptions) => {
        const { rows, ...change } = options;
        return withContext((context) => updateAccount(context, accountId, { ...change, monthlyRows: rows }));
      }),
    );
}
