import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Holder, waitForLock } from "./folderLock.ts";
import { createEnvironment } from "./pythonEnvironment.ts";
import { findExecutables, firstLineOf } from "./executables.ts";
import { gentleEnding } from "./processIdentity.ts";
import { endOrphan, recordProcess } from "./processes.ts";

export interface Tools {
  python: string;
  temporalCli: string;
  temporalTestServer: string;
}

export interface InstallOptions {
  /** Python 3.10 or later to build with. Default: the first on PATH. */
  python?: string | undefined;
  /** Told what is going on, a line at a time. */
  log: (line: string) => void;
  /** Called once when there is really something to install. */
  onInstall?: () => void;
  signal?: AbortSignal | undefined;
}

export interface ToolsOptions extends InstallOptions {
  requirementsFile?: string;
}

/** A virtual environment of pinned tools. */
interface ToolSet {
  /** Of its folder under the home, its lock, its log and its processes. */
  name: string;
  /** What messages call it. */
  title: string;
  requirementsFile: string;
  /** What must be in its `bin` after the installation. */
  executables: readonly string[];
}

const oldestPython = [3, 10] as const;
const pythonNames = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"];

/**
 * The runtime tools of `requirements.txt` in a virtual environment under `<home>/tools`, installed when they are not there yet.
 * Safe to call from several processes at once. A Temporal CLI on PATH is preferred over the installed one.
 * Throws when no Python fits or the installation fails; the reason names what to do.
 */
export async function ensureTools(home: string, options: ToolsOptions): Promise<Tools> {
  const toolSet = {
    name: "tools",
    title: "the runtime tools",
    requirementsFile: options.requirementsFile ?? path.resolve(import.meta.dirname, "../../requirements.txt"),
    executables: ["python", "temporal", "temporal-test-server"],
  };
  const folder = await ensureToolSet(home, toolSet, options);
  return {
    python: executable(folder, "python"),
    temporalCli: (await temporalOnPath(folder)) ?? executable(folder, "temporal"),
    temporalTestServer: executable(folder, "temporal-test-server"),
  };
}

/** The folder of a tool set, installed when it is not there yet or was made for other requirements or another place. */
export async function ensureToolSet(home: string, toolSet: ToolSet, options: InstallOptions): Promise<string> {
  const folder = path.join(home, toolSet.name);
  const requirements = readFileSync(toolSet.requirementsFile, "utf8");
  // A virtual environment does not survive a move, so its real place is part of what the stamp stands for.
  const place = existsSync(folder) ? realpathSync(folder) : path.join(realPlaceOf(home), toolSet.name);
  const fingerprint = createHash("sha256").update(`${place}\n${requirements}`).digest("hex");
  if (isInstalled(folder, fingerprint)) return folder;
  mkdirSync(home, { recursive: true });
  const sayWhy = ({ pid }: Holder) => options.log(`waiting for process ${pid}, which is installing ${toolSet.title}`);
  const lock = await waitForLock(home, toolSet.name, sayWhy, options.signal);
  try {
    if (!isInstalled(folder, fingerprint)) {
      options.onInstall?.();
      await install(home, toolSet, fingerprint, options);
    }
  } finally {
    await lock.release();
  }
  return folder;
}

function realPlaceOf(home: string): string {
  return existsSync(home) ? realpathSync(home) : path.resolve(home);
}

const executable = (folder: string, name: string) => path.join(folder, "bin", name);
const stampFile = (folder: string) => path.join(folder, "installed");

function isInstalled(folder: string, fingerprint: string): boolean {
  return (
    existsSync(stampFile(folder)) &&
    readFileSync(stampFile(folder), "utf8") === fingerprint &&
    existsSync(executable(folder, "python"))
  );
}

async function install(home: string, toolSet: ToolSet, fingerprint: string, options: InstallOptions): Promise<void> {
  const { name, title, requirementsFile, executables } = toolSet;
  const folder = path.join(home, name);
  const python = await findPython(options.python);
  await endOrphan(home, name, gentleEnding(5));
  rmSync(folder, { recursive: true, force: true });
  const logFile = path.join(home, "logs", `${name}.log`);
  mkdirSync(path.dirname(logFile), { recursive: true });
  await createEnvironment({
    python,
    folder,
    requirementsFile,
    logFile,
    log: options.log,
    record: (child) => recordProcess(home, name, child),
    signal: options.signal,
  });
  for (const needed of executables) {
    if (!existsSync(executable(folder, needed)))
      throw new Error(`${title} lack ${needed} after their installation; see ${logFile}`);
  }
  // Written last: without it the folder counts as half-built and is made anew.
  writeFileSync(stampFile(folder), fingerprint);
}

async function findPython(configured: string | undefined): Promise<string> {
  const wanted = oldestPython.join(".");
  const candidates = configured ? [configured] : findExecutables(pythonNames);
  for (const candidate of candidates) {
    const answer = await firstLineOf(candidate, ["-c", "import sys; print(*sys.version_info[:2])"]);
    const [major = 0, minor = 0] = answer?.split(" ").map(Number) ?? [];
    if (major > oldestPython[0] || (major === oldestPython[0] && minor >= oldestPython[1])) return candidate;
    if (configured)
      throw new Error(
        answer ? `PYTHON is ${major}.${minor}; ${wanted} or later is needed` : `PYTHON (${configured}) does not run`,
      );
  }
  throw new Error(`no Python ${wanted} or later on PATH: install python3, or name one in PYTHON`);
}

async function temporalOnPath(folder: string): Promise<string | undefined> {
  for (const candidate of findExecutables(["temporal"])) {
    if (path.dirname(candidate) === path.join(folder, "bin")) continue;
    const answer = await firstLineOf(candidate, ["--version"]);
    if (answer && /^temporal version [1-9]/.test(answer)) return candidate;
  }
  return undefined;
}
