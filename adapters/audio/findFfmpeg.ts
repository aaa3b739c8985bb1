import { execFile } from "node:child_process";
import { access, chmod, constants } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { MediaFailure } from "../../domain/failureReasons.ts";

/** Major version of the installed package's ffmpeg; an older one on the path is left alone. */
const oldestMajor = 4;

/**
 * Path of the ffmpeg to use: `configured` where given, else a recent one on `searchPath`, else that of the installed package.
 * Throws `MediaFailure("internal")`, permanent, where none of them runs.
 */
export async function findFfmpeg(configured: string | undefined, searchPath = process.env.PATH ?? ""): Promise<string> {
  if (configured !== undefined) {
    if ((await majorVersion(configured)) !== null) return configured;
    throw new MediaFailure("internal", `FFMPEG names ${configured}, which does not run as ffmpeg`, { permanent: true });
  }
  for (const folder of searchPath.split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    const candidate = path.join(folder, "ffmpeg");
    if (((await majorVersion(candidate)) ?? 0) >= oldestMajor) return candidate;
  }
  const installed = await installedFfmpeg();
  if (installed !== null && (await majorVersion(installed)) !== null) return installed;
  throw new MediaFailure("internal", "no ffmpeg on PATH, and the installed one does not run: name one in FFMPEG", {
    permanent: true,
  });
}

/** Makes the packaged binary executable: its install script does that, but may have been blocked. */
async function installedFfmpeg(): Promise<string | null> {
  const found = await import("@ffmpeg-installer/ffmpeg").catch(() => null);
  if (found === null) return null;
  const file = found.default.path;
  const executable = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!executable) await chmod(file, 0o755).catch(() => undefined);
  return file;
}

/** Null where the file does not run. Builds from a repository have no number in their name and count as recent. */
async function majorVersion(file: string): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)(file, ["-version"], { timeout: 20_000, encoding: "utf8" });
    const version = /^ffmpeg version n?(\S+)/.exec(stdout)?.[1];
    if (version === undefined) return null;
    const major = /^(\d+)\./.exec(version)?.[1];
    return major === undefined ? Number.POSITIVE_INFINITY : Number(major);
  } catch {
    return null;
  }
}
