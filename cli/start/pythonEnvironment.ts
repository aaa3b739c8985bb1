import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { firstLineOf } from "./executables.ts";

export interface PythonEnvironmentOptions {
  python: string;
  folder: string;
  requirementsFile: string;
  /** Takes everything that the commands print. */
  logFile: string;
  /** Told of every process, to be found by a later start if this one is killed. */
  record: (child: ChildProcess) => void;
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** Makes a virtual environment and installs the requirements into it. Throws with the end of the output when that fails. */
export async function createEnvironment(options: PythonEnvironmentOptions): Promise<void> {
  const output = createWriteStream(options.logFile);
  const run = (command: string, args: string[], onLine: (line: string) => void = () => undefined) =>
    runLogged(command, args, output, onLine, options);
  try {
    options.log("making a Python environment");
    const pip = await findPip(options, run);
    await run(
      pip.command,
      [
        ...pip.args,
        "install",
        "--no-input",
        "--disable-pip-version-check",
        "--progress-bar",
        "off",
        "--requirement",
        options.requirementsFile,
      ],
      describePipLines(options.log),
    );
  } finally {
    output.end();
  }
}

// As in fetchPip.py. A wheel is an archive that Python runs from.
const pipWheel = "pip-26.3-py3-none-any.whl";

interface Pip {
  command: string;
  args: string[];
}

type Run = (command: string, args: string[]) => Promise<void>;

/** Debian leaves `ensurepip` to python3-venv. Without it, the system's pip fills the environment, or one from the package index. */
async function findPip({ python, folder, log, signal }: PythonEnvironmentOptions, run: Run): Promise<Pip> {
  const environmentPython = path.join(folder, "bin", "python");
  try {
    await run(python, ["-m", "venv", folder]);
    return { command: environmentPython, args: ["-m", "pip"] };
  } catch (error) {
    signal?.throwIfAborted();
    try {
      await run(python, ["-m", "venv", "--clear", "--without-pip", folder]);
      if (await hasPipForOthers(python)) {
        log("no ensurepip here; using the system's pip");
        return { command: python, args: ["-m", "pip", "--python", environmentPython] };
      }
      log("no pip here; fetching it from the package index");
      await run(environmentPython, [path.join(import.meta.dirname, "fetchPip.py"), folder]);
      return { command: environmentPython, args: [path.join(folder, pipWheel, "pip")] };
    } catch {
      signal?.throwIfAborted();
      throw new Error(`${python} cannot make virtual environments: install python3-venv, then start again`, {
        cause: error,
      });
    }
  }
}

/** `pip --python` came with pip 22.3. */
async function hasPipForOthers(python: string): Promise<boolean> {
  const version = /^pip (\d+)\./.exec((await firstLineOf(python, ["-m", "pip", "--version"])) ?? "")?.[1];
  return Number(version ?? 0) >= 23;
}

/** Turns pip's chatter into one short line per package. */
function describePipLines(log: (line: string) => void): (line: string) => void {
  let packages = 0;
  return (line) => {
    const collecting = /^Collecting ([^\s;=<>~]+)/.exec(line);
    const download = /^\s+Downloading (\S+?)-\S+ \(([^)]+)\)/.exec(line);
    if (collecting) log(`package ${++packages}: ${collecting[1]}`);
    else if (download && download[2]?.includes("MB"))
      log(`package ${packages}: ${download[1]}, downloading ${download[2]}`);
    else if (line.startsWith("Installing collected packages")) log(`unpacking ${packages} packages`);
  };
}

async function runLogged(
  command: string,
  args: string[],
  output: NodeJS.WritableStream,
  onLine: (line: string) => void,
  { record, signal }: PythonEnvironmentOptions,
): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const last: string[] = [];
    // In a group of its own, which is ended as a whole: making an environment runs further processes.
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    record(child);
    const abort = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    };
    signal?.addEventListener("abort", abort, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        output.write(`${line}\n`);
        last.push(line);
        if (last.length > 12) last.shift();
        onLine(line);
      });
    }
    child.once("error", reject);
    child.once("exit", () => signal?.removeEventListener("abort", abort));
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${path.basename(command)} ${args.slice(0, 3).join(" ")} failed:\n${last.join("\n")}`));
    });
  });
}
