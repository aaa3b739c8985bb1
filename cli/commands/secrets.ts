import type { Command } from "commander";
import { resealSecrets } from "../../services/secrets/reseal.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";

export function addSecretCommands(program: Command, answer: Answer): void {
  program
    .command("secrets")
    .description("tend the secrets that are kept encrypted")
    .command("reseal")
    .description("encrypt them under the first master key, before an older one is taken away")
    .action(answer(async () => ({ resealed: await withContext(resealSecrets) })));
}
