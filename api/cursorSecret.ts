import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** The key that signs cursors: the configured one, else one made once and kept, readable by its owner alone, in the data folder. */
export async function readCursorSecret(configuration: {
  CURSOR_SECRET?: string | undefined;
  home: string;
}): Promise<string> {
  if (configuration.CURSOR_SECRET !== undefined) return configuration.CURSOR_SECRET;
  const file = path.join(configuration.home, "cursor.key");
  return (await readKey(file)) ?? makeKey(file);
}

/** Of several processes that start at once, the first to link its whole file wins, and all read that one. */
async function makeKey(file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
  const key = await readKey(file);
  if (key === null) throw new Error(`${file} disappeared while it was being made`);
  return key;
}

async function readKey(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
