import { Command, Option } from "commander";
import { benchTranscription } from "./transcription.ts";

const program = new Command("bench").description(
  "Measures what the README claims; each bench runs its floor in the same run.",
);

program
  .command("transcription")
  .description("the whole job through the API against the bare engine on the same audio with the same processes")
  .addOption(new Option("--minutes <list>", "lengths of the recordings").default("10,60"))
  .option("--no-floor", "only the job and its memory")
  .action(({ minutes, floor }: { minutes: string; floor: boolean }) =>
    benchTranscription({ minutes: minutes.split(",").map(Number), floor }),
  );

await program.parseAsync();
