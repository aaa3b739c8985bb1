import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * The text of a file that only its owner may read; where there is none, `make` says what it holds from now on. Of several processes
 * that start at once, the first to link its whole file wins, and all read that one.
 */
export async function readOrMakeSecretFile(file: string, make: () => string): Promise<string> {
  return (await read(file)) ?? create(file, make());
}

async function create(file: string, text: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, text, { flag: "wx", mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
  const kept = await read(file);
  if (kept === null) throw new Error(`${file} disappeared while it was being made`);
  return kept;
}

async function read(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}
