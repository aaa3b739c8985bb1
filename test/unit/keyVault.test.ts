import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import { makeMasterKey, readMasterKeys } from "../../adapters/vault/masterKeys.ts";
import type { SecretPlace } from "../../domain/keyVault.ts";
import { parseMasterKeys } from "../../domain/masterKeys.ts";

const place: SecretPlace = { purpose: "idempotent_response", owner: "key_one", record: "retry me" };
const secret = Buffer.from("svc_sk_0123456789abcdef");
const vaultOf = (...keys: string[]) => createKeyVault(() => readMasterKeys({ MASTER_KEYS: keys.join(), home: "/" }));
const refusal = /sealed|master key/;
const [first, second] = [makeMasterKey(), makeMasterKey()];

describe("the key vault", () => {
  it("gives back what it sealed, of any length", async () => {
    const vault = vaultOf(first);
    for (const bytes of [secret, Buffer.alloc(0), Buffer.alloc(100_000, 7)])
      expect(await vault.open(place, await vault.seal(place, bytes))).toEqual(bytes);
  });

  it("hides the secret, and seals it differently every time", async () => {
    const vault = vaultOf(first);
    const [one, other] = [await vault.seal(place, secret), await vault.seal(place, secret)];
    expect(one.includes(secret)).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it("opens nothing at another place, and nothing that was altered", async () => {
    const vault = vaultOf(first);
    const sealed = await vault.seal(place, secret);
    for (const other of [
      { ...place, owner: "key_two" },
      { ...place, record: "other" },
    ])
      await expect(vault.open(other, sealed)).rejects.toThrow(refusal);
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      await expect(vault.open(place, altered)).rejects.toThrow(refusal);
    }
    for (const length of [0, 1, 5, sealed.length - 1])
      await expect(vault.open(place, sealed.subarray(0, length))).rejects.toThrow(refusal);
  });

  it("after a rotation seals with the new key and still opens what the old one sealed", async () => {
    const sealed = await vaultOf(first).seal(place, secret);
    const rotated = vaultOf(second, first);
    expect(await rotated.open(place, sealed)).toEqual(secret);
    const resealed = await rotated.seal(place, secret);
    expect(await vaultOf(second).open(place, resealed)).toEqual(secret);
    await expect(vaultOf(first).open(place, resealed)).rejects.toThrow("MASTER_KEYS");
  });
});

describe("master keys", () => {
  it.each([
    "",
    "id",
    `id:${"a".repeat(44)}`,
    "id:c2hvcnQ=",
    `a b:${first.split(":")[1]}`,
    `${first},${first}`,
    `${first},`,
  ])("%j are refused", (text) => expect(parseMasterKeys(text)).toBeNull());

  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), "media-index-vault-"));
  });
  afterEach(() => rm(home, { recursive: true }));

  it("are made once for all who start at the same time, in a file for its owner alone", async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => readMasterKeys({ home })));
    const texts = all.map((keys) => [...keys].map(([id, key]) => `${id}:${key.toString("base64")}`).join());
    expect(new Set(texts)).toEqual(new Set([await readFile(path.join(home, "master.key"), "utf8")]));
    expect((await stat(path.join(home, "master.key"))).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(["master.key"]);
  });

  it("are never shown by a refusal", async () => {
    const broken = `${first},broken`;
    await expect(readMasterKeys({ MASTER_KEYS: broken, home })).rejects.toThrow(/master keys/);
    await expect(readMasterKeys({ MASTER_KEYS: broken, home })).rejects.not.toThrow(first.slice(-20, -1));
  });
});
