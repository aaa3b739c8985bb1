import { randomBytes } from "node:crypto";
import path from "node:path";
import { parseMasterKeys } from "../../domain/masterKeys.ts";
import { readOrMakeSecretFile } from "../secretFile.ts";

/** Master keys by id, in the order they were named: the first one encrypts, all decrypt. */
export type MasterKeys = ReadonlyMap<string, Buffer>;

/**
 * The installation's master keys: the configured ones, else those in `master.key` of the data folder, made at first use. That file has
 * the form of MASTER_KEYS too, so a key is rotated by putting a new one before it. Throws, without showing any, where they are malformed.
 */
export async function readMasterKeys(configuration: {
  MASTER_KEYS?: string | undefined;
  home: string;
}): Promise<MasterKeys> {
  const file = path.join(configuration.home, "master.key");
  const text = configuration.MASTER_KEYS ?? (await readOrMakeSecretFile(file, makeMasterKey));
  const named = parseMasterKeys(text.trim());
  if (named === null) throw new Error(`${file} does not hold master keys as id:base64, separated by commas`);
  return new Map(named.map(({ id, base64 }) => [id, Buffer.from(base64, "base64")]));
}

/** A new key as it stands in MASTER_KEYS. */
export function makeMasterKey(): string {
  return `k${randomBytes(4).toString("hex")}:${randomBytes(32).toString("base64")}`;
}
