import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { MediaFailure } from "../../domain/failureReasons.ts";
import { childEnvironment } from "../childEnvironment.ts";

/** Descriptions with hundreds of formats and translated captions are some megabytes. */
const mostOutputCharacters = 64_000_000;
const keptReportCharacters = 16_384;
/** Longer than all its own tries of one request together. */
const silenceSeconds = 180;

export interface YtDlp {
  /** A Python that has yt-dlp. */
  pythonPath: string;
  /** The operator's own options, such as `--plugin-dirs`. */
  options: readonly string[];
}

export interface YtDlpRun {
  args: readonly string[];
  /** Where it writes files. */
  folder?: string;
  signal: AbortSignal;
  /** Told of each line instead of keeping it. */
  onLine?: (line: string) => void;
}

export interface YtDlpOutcome {
  exitCode: number | null;
  stdout: string;
  /** The last part of what it wrote to standard error. */
  report: string;
}

const ownOptions = [
  "--ignore-config",
  "--color",
  "never",
  "--socket-timeout",
  "20",
  "--retries",
  "3",
  "--extractor-retries",
  "2",
  // The largest platform needs a JavaScript engine; the one that runs this is at hand.
  "--js-runtimes",
  `node:${process.execPath}`,
];

/**
 * Runs yt-dlp to its end, without a shell. It leads a process group of its own, which is killed as a whole when the signal aborts, when it
 * says nothing for three minutes, or when its output has no end. Throws `MediaFailure`, or the signal's reason.
 */
export async function runYtDlp(ytDlp: YtDlp, { args, folder, signal, onLine }: YtDlpRun): Promise<YtDlpOutcome> {
  signal.throwIfAborted();
  const child = spawn(ytDlp.pythonPath, ["-I", "-m", "yt_dlp", ...ownOptions, ...ytDlp.options, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { ...childEnvironment(), PYTHONIOENCODING: "utf-8" },
    ...(folder !== undefined && { cwd: folder }),
  });
  let failure: MediaFailure | null = null;
  const kill = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const giveUp = (why: string) => {
    failure ??= new MediaFailure("download_failed", `yt-dlp ${why}`);
    kill();
  };
  const silence = setTimeout(() => giveUp(`said nothing for ${silenceSeconds} s`), silenceSeconds * 1000);
  signal.addEventListener("abort", kill, { once: true });
  let stdout = "";
  let report = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    silence.refresh();
    report = (report + text).slice(-keptReportCharacters);
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    silence.refresh();
    if (onLine !== undefined) return;
    stdout += text;
    if (stdout.length > mostOutputCharacters) giveUp("answers without end");
  });
  if (onLine !== undefined) createInterface({ input: child.stdout }).on("line", onLine);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    }).catch((error: Error) => {
      throw new MediaFailure("internal", `Python does not start (${ytDlp.pythonPath}): ${error.message}`, {
        permanent: true,
      });
    });
    signal.throwIfAborted();
    if (failure !== null) throw failure;
    return { exitCode, stdout, report };
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", kill);
  }
}
