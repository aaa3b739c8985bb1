import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { type ChatKind, chatKinds } from "../../domain/chat.ts";
import { connectChat } from "../../services/chat/connect.ts";
import { disconnectChat } from "../../services/chat/disconnect.ts";
import type { Answer } from "../answer.ts";
import { CommandError, withContext } from "../context.ts";

interface ConnectOptions {
  account: string;
  kind: ChatKind;
  name: string;
  url?: string;
  tokenFile?: string;
}

export function addChatCommands(program: Command, answer: Answer): void {
  const chat = program.command("chat").description("connect and disconnect the chats that alerts can go to");
  const connect = chat
    .command("connect")
    .description("let an account's alerts go to a chat")
    .requiredOption("--account <id>", "account whose alerts go there")
    .addOption(new Option("--kind <kind>", "an incoming webhook, or a bot").choices(chatKinds).makeOptionMandatory())
    .requiredOption("--name <name>", "what the account's lists call it")
    .option("--url <url>", "address of the incoming webhook")
    .option("--token-file <file>", "file that holds the bot's token");
  connect.action(
    answer(async ({ account, kind, name, url, tokenFile }: ConnectOptions) => {
      if ((kind === "slack-webhook" ? url : tokenFile) === undefined || (url !== undefined && tokenFile !== undefined))
        connect.error("error: a slack-webhook needs --url, a slack-bot --token-file, and neither takes the other", {
          exitCode: 2,
        });
      const secret = url ?? (await readToken(tokenFile ?? ""));
      const input = { accountId: account, kind, name, secret };
      const { chatIntegrationId } = await withContext((context) => connectChat(context, input));
      return { chatIntegrationId };
    }),
  );
  chat
    .command("disconnect")
    .description("disconnect a chat and erase its address or token")
    .argument("<id>", "id of the integration")
    .action(
      answer(async (chatIntegrationId: string) => {
        await withContext((context) => disconnectChat(context, chatIntegrationId));
        return { chatIntegrationId };
      }),
    );
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    throw new CommandError(`The token file ${file} cannot be read.`);
  }
}
