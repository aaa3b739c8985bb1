import { randomBytes } from "node:crypto";
import path from "node:path";
import { readOrMakeSecretFile } from "../adapters/secretFile.ts";

/** The key that signs cursors: the configured one, else one made once and kept, readable by its owner alone, in the data folder. */
export async function readCursorSecret(configuration: {
  CURSOR_SECRET?: string | undefined;
  home: string;
}): Promise<string> {
  if (configuration.CURSOR_SECRET !== undefined) return configuration.CURSOR_SECRET;
  return readOrMakeSecretFile(path.join(configuration.home, "cursor.key"), () => randomBytes(32).toString("hex"));
}
