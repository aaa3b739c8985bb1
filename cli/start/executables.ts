import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** Full paths of the executables with these names on PATH, in the order of the names, then of PATH. */
export function findExecutables(names: readonly string[], searchPath = process.env["PATH"] ?? ""): string[] {
  const folders = searchPath.split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter(isExecutable);
}

/** First line that a command prints; undefined when it fails or takes too long. */
export function firstLineOf(
  command: string,
  args: readonly string[],
  timeoutSeconds = 20,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: timeoutSeconds * 1000, encoding: "utf8" }, (error, stdout) =>
      resolve(error ? undefined : stdout.split("\n")[0]?.trim()),
    );
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
