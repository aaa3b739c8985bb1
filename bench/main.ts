import { Command, Option } from "commander";
import { type AlertBenchOptions, benchAlerts } from "./alerts.ts";
import { type AlertFaultOptions, runAlertFaults } from "./alerts/faults.ts";
import { benchDetection } from "./detection.ts";
import { benchDetectionSpeed, type DetectionSpeedOptions } from "./detectionSpeed.ts";
import { benchEdge, type EdgeBenchOptions } from "./edge.ts";
import { benchMerge, type MergeBenchOptions } from "./merge.ts";
import { benchImport, type ImportBenchOptions } from "./import.ts";
import { benchLists } from "./lists.ts";
import { benchReview, type ReviewBenchOptions } from "./review.ts";
import { benchSearch, type SearchBenchOptions } from "./search.ts";
import { benchMatching, type MatchingBenchOptions } from "./matching.ts";
import { benchTranscription } from "./transcription.ts";
import { benchTranscripts, type TranscriptBenchOptions } from "./transcripts.ts";

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
  .command("matching")
  .description(
    "new evidence of one video against few and many trackers of which the same number match, and a burst that all match",
  )
  .option("--few <n>", "trackers at first", Number, 10_000)
  .option("--many <n>", "trackers at last", Number, 1_000_000)
  .option("--burst <n>", "trackers that all match one video", Number, 10_000)
  .option("--rounds <n>", "videos of each", Number, 100)
  .action((options: MatchingBenchOptions) => benchMatching(options));

program
  .command("alerts")
  .description(
    "occurrences through mail, chat and webhook against bare workflows of one activity, and the time from evidence to webhook",
  )
  .option("--occurrences <n>", "of one video", Number, 2000)
  .option("--accounts <n>", "that they are of", Number, 20)
  .option("--rounds <n>", "turns that each takes", Number, 3)
  .option("--single <n>", "that come one at a time", Number, 300)
  .action((options: AlertBenchOptions) => benchAlerts(options));

program
  .command("alert-faults")
  .description(
    "occurrences while worker, API, Temporal and Postgres are killed with -9: deliveries, debits and event ids",
  )
  .option("--accounts <n>", "that watch the same entities", Number, 10)
  .option("--entities <n>", "that each watches", Number, 10)
  .option("--videos <n>", "that speak of all of them", Number, 10)
  .option("--kills <n>", "of each part", Number, 5)
  .option("--seed <n>", "of the moments", Number, 1)
  .action(async (options: AlertFaultOptions) => console.table(await runAlertFaults(options)));

program
  .command("merge")
  .description(
    "a merge of an entity with a million mentions: how long it takes to commit, and the first reads after it",
  )
  .option("--mentions <n>", "mentions of the entity", Number, 1_000_000)
  .option("--others <n>", "mentions of others in each video", Number, 10)
  .action((options: MergeBenchOptions) => benchMerge(options));

program
  .command("import")
  .description(
    "import of mentions through the real command against a bare COPY of the same rows into the same indexed table",
  )
  .option("--rows <n>", "mentions in the bigger of the two files", Number, 1_000_000)
  .action((options: ImportBenchOptions) => benchImport(options));

program
  .command("lists")
  .description("the first and the 500th page of every list, in a large index against a small one")
  .addOption(new Option("--mentions <list>", "sizes of the indexes").default("10000000,100000"))
  .option("--rounds <n>", "reads of each page", Number, 41)
  .option("--only <text>", "only lists whose name holds this", "")
  .option("--keep <folder>", "keep the loaded databases there, and use those that are there")
  .action(({ mentions, keep, ...options }: { mentions: string; keep?: string; rounds: number; only: string }) =>
    benchLists({ ...options, keep: keep ?? null, mentions: mentions.split(",").map(Number) }),
  );

program
  .command("search")
  .description(
    "fuzzy search and lookup through the API process against the plain trigram query, and how well typing errors are forgiven",
  )
  .option("--entities <n>", "entities in the index", Number, 1_000_000)
  .option("--queries <n>", "different queries of each kind", Number, 20_000)
  .option("--clients <n>", "clients at once", Number, 8)
  .option("--seconds <n>", "length of each measurement", Number, 15)
  .action((options: SearchBenchOptions) => benchSearch(options));

program
  .command("review")
  .description(
    "the reviewers' queue through the running product with thousands of open reviews, and what idle ones cost the worker",
  )
  .option("--open <n>", "reviews that are open, each with its workflow", Number, 10_000)
  .option("--over <n>", "reviews that are over, beside them", Number, 90_000)
  .option("--rounds <n>", "reads of each page", Number, 300)
  .action((options: ReviewBenchOptions) => benchReview(options));

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

program
  .command("transcripts")
  .description(
    "reading a corrected transcript through the API process against a bare handler that sends the same bytes; corrections of a 10-hour transcript against those of a 10-minute one",
  )
  .option("--rounds <n>", "turns that each takes", Number, 5)
  .option("--seconds <n>", "length of a turn", Number, 5)
  .option("--connections <n>", "clients at once", Number, 64)
  .option("--minutes <n>", "length of the recording", Number, 60)
  .option("--corrections <n>", "lines edited before", Number, 200)
  .option("--edits <n>", "corrections of each kind that are timed", Number, 150)
  .addOption(new Option("--part <part>", "only this part").choices(["reading", "corrections", "all"]).default("all"))
  .action((options: TranscriptBenchOptions) => benchTranscripts(options));

await program.parseAsync();
