import { Command, Option } from "commander";
import { benchDetection } from "./detection.ts";
import { benchDetectionSpeed, type DetectionSpeedOptions } from "./detectionSpeed.ts";
import { benchEdge, type EdgeBenchOptions } from "./edge.ts";
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

program
  .command("edge")
  .description(
    "metered reads and /v1/me through the API process against bare Express handlers with the same single read",
  )
  .option("--rounds <n>", "turns that each takes", Number, 5)
  .option("--seconds <n>", "length of a turn", Number, 5)
  .option("--connections <n>", "clients at once", Number, 64)
  .option("--pool-size <n>", "database connections of each server", Number, 10)
  .action((options: EdgeBenchOptions) => benchEdge(options));

program
  .command("detection")
  .description("precision, recall and F1 of the detector over the labelled passages, by kind")
  .option("--faults", "also print what was wrong in the part for development", false)
  .action((options: { faults: boolean }) => benchDetection(options));

program
  .command("detection-speed")
  .description("matching of a million names against pyahocorasick and flashtext, with memory and time to be ready")
  .option("--names <n>", "names in the index", Number, 1_000_000)
  .option("--words <n>", "words of the text", Number, 10_000)
  .option("--rounds <n>", "warm rounds that each takes", Number, 30)
  .action((options: DetectionSpeedOptions) => benchDetectionSpeed(options));

await program.parseAsync();
