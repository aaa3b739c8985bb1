import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";

export interface EndedCommand {
  status: number;
  json: unknown;
  stderr: string;
}

/** Runs `media-index … --json` as an operator does, on the test's database; `input` is what it reads from standard input. */
export function runCommand(databaseUrl: string, words: readonly string[], input = ""): Promise<EndedCommand> {
  const env = {
    ...process.env,
    NODE_OPTIONS: "",
    DATABASE_URL: databaseUrl,
    MEDIA_INDEX_HOME: path.join(tmpdir(), "media-index-no-such-home"),
  };
  const command = [path.resolve(import.meta.dirname, "../../cli/main.ts"), ...words, "--json"];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      const status = typeof error?.code === "number" ? error.code : 0;
      resolve({ status, json: stdout === "" ? null : JSON.parse(stdout), stderr });
    });
    child.stdin?.end(input);
  });
}
