import type { Command } from "commander";
import type { KeyState } from "../../database/keys.ts";
import type { Scope } from "../../domain/plans.ts";
import { type CreatedKey, createInternalKey, createKey } from "../../services/keys/createKey.ts";
import { setKeyState } from "../../services/keys/setKeyState.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";
import { parseScopes, parseTime } from "../options.ts";

interface CreateOptions {
  account?: string;
  internal?: boolean;
  scopes?: Scope[];
  name?: string;
  expiresAt?: Date;
}

const verbs: readonly { name: string; state: KeyState; description: string }[] = [
  { name: "disable", state: "disabled", description: "stop a key until it is enabled again" },
  { name: "enable", state: "active", description: "let a disabled key work again" },
  { name: "delete", state: "deleted", description: "stop a key for ever" },
];

export function addKeyCommands(program: Command, answer: Answer): void {
  const keys = program.command("keys").description("create, disable, enable and delete API keys");
  const create = keys
    .command("create")
    .description("create a key and show its secret, this once")
    .option("--account <id>", "account the key belongs to")
    .option("--internal", "make a key for /internal instead")
    .option("--scopes <a,b>", "scopes; unset: all that the tier allows", parseScopes)
    .option("--name <name>", "a name to tell keys apart")
    .option("--expires-at <time>", "when the key stops working", parseTime);
  create.action(
    answer(async (options: CreateOptions) => {
      if (options.internal) {
        if (options.account !== undefined || options.scopes !== undefined)
          create.error("error: --internal takes neither --account nor --scopes", { exitCode: 2 });
        return shown(await withContext((context) => createInternalKey(context, options.name ?? "internal")));
      }
      const accountId =
        options.account ??
        create.error("error: name the account with --account ID, or make an --internal key", { exitCode: 2 });
      const { scopes, name, expiresAt } = options;
      return shown(await withContext((context) => createKey(context, { accountId, scopes, name, expiresAt })));
    }),
  );
  for (const verb of verbs) {
    keys
      .command(verb.name)
      .description(verb.description)
      .argument("<keyId>", "key id")
      .action(
        answer(async (keyId: string) => {
          const key = await withContext((context) => setKeyState(context, keyId, verb.state));
          return { keyId: key.keyId, state: key.state };
        }),
      );
  }
}

function shown({ keyId, key }: CreatedKey): { keyId: string; key: string } {
  return { keyId, key };
}
