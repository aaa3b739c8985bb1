import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { DecodedAudio } from "../../domain/media.ts";
import { parseHeader, parseProgressSeconds, type MediaHeader } from "./ffmpegReport.ts";
import { findFfmpeg } from "./findFfmpeg.ts";
import { bytesPerSample, sampleRate } from "./pcm.ts";

/**
 * Containers that hold their media themselves. A playlist (HLS, DASH, concat) under a media file's name could name other files or
 * the network, so ffmpeg is not even allowed to recognise one.
 */
const containers =
  "wav,w64,aiff,mp3,aac,flac,ogg,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,flv,mpeg,mpegts,asf,amr,caf,au,g722";
const bytesPerSecond = sampleRate * bytesPerSample;
const keptReportCharacters = 16_384;
/** A file shorter than its header says by more than this part, and this many seconds, was cut off. */
const toleratedShortfall = { part: 0.05, seconds: 2 };

interface DecodeOptions {
  maxDurationSeconds: number;
  signal: AbortSignal;
}

/** Reads any media file that ffmpeg knows. Missing, empty, corrupt, silent-by-design and endless files throw `MediaFailure`. */
export interface AudioDecoder {
  /**
   * Writes the first audio track of `mediaPath` to `pcmPath` (see `DecodedAudio`), which appears only when complete. Stops as soon
   * as the track exceeds `maxDurationSeconds`. Memory does not grow with the file. Throws `MediaFailure` with `not_found`,
   * `download_failed` (empty, corrupt, cut off, not media), `no_audio` or `too_long`, and the signal's reason when it aborts.
   */
  decode(mediaPath: string, pcmPath: string, options: DecodeOptions): Promise<DecodedAudio>;
  /** Length of a media file by its header, or by reading through it without decoding where the header does not tell. Throws as `decode`. */
  probeDurationSeconds(mediaPath: string, signal: AbortSignal): Promise<number>;
}

/** A decoder over the ffmpeg that `findFfmpeg` finds on first use. */
export function createAudioDecoder(configuredFfmpeg?: string): AudioDecoder {
  let found: Promise<string> | undefined;
  const ffmpeg = (): Promise<string> => {
    found ??= findFfmpeg(configuredFfmpeg).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
  return {
    decode: async (mediaPath, pcmPath, options) => decode(await ffmpeg(), mediaPath, pcmPath, options),
    probeDurationSeconds: async (mediaPath, signal) => {
      const executable = await ffmpeg();
      const header = await readHeader(executable, mediaPath, signal);
      if (header.durationSeconds !== null && header.durationIsExact) return header.durationSeconds;
      return readThrough(executable, mediaPath, signal);
    },
  };
}

async function decode(
  ffmpeg: string,
  mediaPath: string,
  pcmPath: string,
  { maxDurationSeconds, signal }: DecodeOptions,
): Promise<DecodedAudio> {
  const header = await readHeader(ffmpeg, mediaPath, signal);
  if (header.durationIsExact && (header.durationSeconds ?? 0) > maxDurationSeconds)
    throw tooLong(mediaPath, maxDurationSeconds);
  const partial = `${pcmPath}.${randomUUID()}.part`;
  try {
    let sizeBytes = 0;
    const limiter = new Transform({
      transform(piece: Buffer, _encoding, done) {
        sizeBytes += piece.length;
        if (sizeBytes > maxDurationSeconds * bytesPerSecond) done(tooLong(mediaPath, maxDurationSeconds));
        else done(null, piece);
      },
    });
    const args = [
      ...input(mediaPath),
      "-map",
      "0:a:0",
      "-vn",
      "-sn",
      "-dn",
      "-ac",
      "1",
      "-ar",
      String(sampleRate),
      "-f",
      "s16le",
      "pipe:1",
    ];
    const { exitCode, report } = await run(ffmpeg, ["-v", "error", ...args], signal, (stdout) =>
      pipeline(stdout, limiter, createWriteStream(partial)),
    );
    const durationSeconds = Math.floor(sizeBytes / bytesPerSample) / sampleRate;
    if (exitCode !== 0) throw corrupt(mediaPath, report);
    if (durationSeconds === 0 && (header.durationSeconds ?? 0) === 0)
      throw new MediaFailure("no_audio", `${name(mediaPath)}: the audio track is empty`);
    if (wasCutOff(header, durationSeconds, report))
      throw corrupt(mediaPath, `${durationSeconds} s of ${header.durationSeconds} s can be read. ${report}`);
    await rename(partial, pcmPath);
    return { pcmPath, durationSeconds };
  } finally {
    await rm(partial, { force: true });
  }
}

/** A film's sound may end before its picture, so a shortfall there counts only when ffmpeg complained too. */
function wasCutOff(header: MediaHeader, decodedSeconds: number, report: string): boolean {
  if (decodedSeconds === 0) return true;
  if (header.durationSeconds === null || !header.durationIsExact) return false;
  const shortfall = header.durationSeconds - decodedSeconds;
  const notable =
    shortfall > toleratedShortfall.seconds && shortfall > header.durationSeconds * toleratedShortfall.part;
  return notable && (!header.hasVideo || report !== "");
}

async function readHeader(ffmpeg: string, mediaPath: string, signal: AbortSignal): Promise<MediaHeader> {
  const file = await stat(mediaPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (file === null || !file.isFile()) throw new MediaFailure("not_found", `${name(mediaPath)}: no such media file`);
  if (file.size === 0) throw new MediaFailure("download_failed", `${name(mediaPath)}: the file is empty`);
  const { report } = await run(ffmpeg, input(mediaPath), signal);
  const header = parseHeader(report);
  if (header === null) throw corrupt(mediaPath, report);
  if (!header.hasAudio) throw new MediaFailure("no_audio", `${name(mediaPath)}: no audio track`);
  return header;
}

async function readThrough(ffmpeg: string, mediaPath: string, signal: AbortSignal): Promise<number> {
  const args = [
    "-v",
    "error",
    "-nostats",
    "-progress",
    "pipe:1",
    ...input(mediaPath),
    "-map",
    "0:a:0",
    "-c",
    "copy",
    "-f",
    "null",
    "-",
  ];
  let durationSeconds: number | null = null;
  const { report } = await run(ffmpeg, args, signal, async (stdout) => {
    let rest = "";
    for await (const piece of stdout.setEncoding("utf8")) {
      rest = (rest + String(piece)).slice(-4096);
      durationSeconds = parseProgressSeconds(rest) ?? durationSeconds;
    }
  });
  if (durationSeconds === null) throw corrupt(mediaPath, report);
  return durationSeconds;
}

/** The `file:` prefix keeps ffmpeg from reading a protocol or an option into a path. */
function input(mediaPath: string): string[] {
  return [
    "-nostdin",
    "-hide_banner",
    "-protocol_whitelist",
    "file",
    "-format_whitelist",
    containers,
    "-i",
    `file:${path.resolve(mediaPath)}`,
  ];
}

interface Outcome {
  exitCode: number | null;
  /** The last part of what ffmpeg wrote to standard error. */
  report: string;
}

/** Runs ffmpeg to its end; kills it when the signal aborts or `consume` fails. Its output goes through a pipe, so it cannot outlive this process for long. */
async function run(
  ffmpeg: string,
  args: string[],
  signal: AbortSignal,
  consume?: (stdout: Readable) => Promise<void>,
): Promise<Outcome> {
  signal.throwIfAborted();
  const child = spawn(ffmpeg, args, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  signal.addEventListener("abort", kill, { once: true });
  let report = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    report = (report + text).slice(-keptReportCharacters);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (!consume) child.stdout.resume();
  const consumed = (consume?.(child.stdout) ?? Promise.resolve()).catch((error: unknown) => {
    kill();
    throw error;
  });
  try {
    const [exit, consumption] = await Promise.allSettled([ended, consumed]);
    signal.throwIfAborted();
    if (exit.status === "rejected") throw exit.reason;
    if (consumption.status === "rejected") throw consumption.reason;
    return { exitCode: exit.value, report: report.trim() };
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

function tooLong(mediaPath: string, maxDurationSeconds: number): MediaFailure {
  return new MediaFailure("too_long", `${name(mediaPath)}: longer than ${maxDurationSeconds} s`);
}

function corrupt(mediaPath: string, report: string): MediaFailure {
  return new MediaFailure(
    "download_failed",
    `${name(mediaPath)}: not readable as media: ${report.split("\n").slice(-3).join(" | ")}`,
  );
}

function name(mediaPath: string): string {
  return path.basename(mediaPath);
}
