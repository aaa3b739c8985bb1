import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { createTestContext, type TestContext } from "./context.ts";

export interface Ended {
  status: number | null;
  json: unknown;
  stderr: string;
}

const root = path.resolve(import.meta.dirname, "../..");
const { scripts } = z
  .object({ scripts: z.object({ "media-index": z.string() }) })
  .parse(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));

/** The command line over a database of its own or one that is given and stays its giver's to close, and a folder for its files. */
export class CommandLine {
  static async open(given?: TestContext): Promise<CommandLine> {
    const context = given ?? (await createTestContext());
    const folder = await mkdtemp(path.join(tmpdir(), "media-index-cli-"));
    return new CommandLine(context, folder, given === undefined ? () => context.close() : async () => undefined);
  }

  readonly context: TestContext;
  readonly folder: string;
  readonly #closeContext: () => Promise<void>;
  private constructor(context: TestContext, folder: string, closeContext: () => Promise<void>) {
    this.context = context;
    this.folder = folder;
    this.#closeContext = closeContext;
  }

  async close(): Promise<void> {
    await this.#closeContext();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Starts `media-index … --json` as npm does. */
  start(...words: string[]): ChildProcess {
    return this.#spawn([...words, "--json"]);
  }

  #spawn(words: readonly string[]): ChildProcess {
    const [, ...script] = scripts["media-index"].split(" ");
    return spawn(process.execPath, [...script, ...words], {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: "",
        DATABASE_URL: this.context.databaseUrl,
        MEDIA_INDEX_HOME: path.join(this.folder, "none"),
      },
    });
  }

  run(...words: string[]): Promise<Ended> {
    return ended(this.start(...words));
  }

  /** What a person is shown. */
  async shown(...words: string[]): Promise<string> {
    const { status, stdout, stderr } = await outputOf(this.#spawn(words));
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  /** Imports rows, or lines as they are, through standard input. */
  import(kind: string, rows: readonly unknown[], ...options: string[]): Promise<Ended> {
    const child = this.start("import", kind, "-", ...options);
    child.stdin?.end(rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join(""));
    return ended(child);
  }

  /** Two entities, a person and a company, and two videos on one channel. */
  async importBeginnings(): Promise<void> {
    const answers = [
      await this.import("entities", [
        { numeric_id: 1, name: "Ada Lovelace", type: "person" },
        { numeric_id: 2, name: "Acme", type: "company" },
      ]),
      await this.import("videos", [videoLine("aaaaaaaaaaa"), videoLine("bbbbbbbbbbb")]),
    ];
    for (const { status, stderr } of answers) if (status !== 0) throw new Error(stderr);
  }

  fileOf(name: string, lines: readonly string[]): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    return file;
  }
}

/** How a command ended and what it printed. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const { status, stdout, stderr } = await outputOf(child);
  return { status, json: stdout === "" ? null : JSON.parse(stdout), stderr };
}

async function outputOf(child: ChildProcess): Promise<{ status: number | null; stdout: string; stderr: string }> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (part: Buffer) => (stdout += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (stderr += part.toString()));
  const [status] = await once(child, "close");
  return { status: z.number().nullable().parse(status), stdout, stderr };
}

/** What an import without rejects ends with. */
export const done = (imported: number, updated = 0): Ended => ({
  status: 0,
  json: { imported, updated, settled: 0, rejected: 0, rejects: [] },
  stderr: "",
});

export const videoLine = (id: string, more: Record<string, unknown> = {}) => ({
  video_id: id,
  title: `Video ${id}`,
  channel: { id: "UC-one", name: "Channel One" },
  published_at: "2026-01-02T03:04:05Z",
  duration_seconds: 600,
  ...more,
});

export const mentionLine = (startSeconds: number, more: Record<string, unknown> = {}) => ({
  video_id: "aaaaaaaaaaa",
  entity: "ent_1",
  start_seconds: startSeconds,
  end_seconds: startSeconds + 5,
  quote: `At ${startSeconds}.`,
  ...more,
});
