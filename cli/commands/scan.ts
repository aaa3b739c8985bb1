import type { Command } from "commander";
import { requestScans } from "../../services/scans/requestScans.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";
import { parseVideoIds } from "../options.ts";

export function addScanCommand(program: Command, answer: Answer): void {
  program
    .command("scan")
    .description("scan videos for who and what is spoken of, without a transcript")
    .argument("<videoIds...>", "ids of the videos", parseVideoIds)
    .action(answer((videoIds: string[]) => withContext((context) => requestScans(context, videoIds))));
}
