import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyVault, SecretPlace } from "../../domain/keyVault.ts";
import type { MasterKeys } from "./masterKeys.ts";

const algorithm = "aes-256-gcm";
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * A vault over AES-256-GCM. Sealed bytes are: version, length of the key's id, the id, nonce, ciphertext, tag; all before the nonce and
 * the secret's place are authenticated with it. The keys are asked for at the first use and then kept.
 */
export function createKeyVault(readKeys: () => Promise<MasterKeys>): KeyVault {
  let reading: Promise<MasterKeys> | null = null;
  const masterKeys = () =>
    (reading ??= readKeys().catch((error: unknown) => {
      reading = null;
      throw error;
    }));

  const vault: KeyVault = {
    async seal(place, secret) {
      const [first] = await masterKeys();
      if (first === undefined) throw new Error("there is no master key");
      const [id, key] = first;
      const header = Buffer.concat([Buffer.from([version, id.length]), Buffer.from(id)]);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(authenticated(header, place));
      return Buffer.concat([header, nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    async open(place, sealed) {
      if (sealed[0] !== version) throw new Error("these bytes were not sealed by this vault");
      const header = headerOf(sealed);
      const id = header.subarray(2).toString();
      const key = (await masterKeys()).get(id);
      if (key === undefined)
        throw new Error(`the master key ${JSON.stringify(id)} is not there; add it to MASTER_KEYS again`);
      const nonce = sealed.subarray(header.length, header.length + nonceBytes);
      const ciphertext = sealed.subarray(header.length + nonceBytes, -tagBytes);
      try {
        const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
          .setAAD(authenticated(header, place))
          .setAuthTag(sealed.subarray(-tagBytes));
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
      } catch (error) {
        throw new Error("the sealed bytes were altered, or are of another secret", { cause: error });
      }
    },
    async reseal(place, sealed) {
      const secret = await vault.open(place, sealed);
      const [firstId] = (await masterKeys()).keys();
      return headerOf(sealed).subarray(2).toString() === firstId ? null : vault.seal(place, secret);
    },
  };
  return vault;
}

/** Version, length of the key's id, and the id. */
function headerOf(sealed: Buffer): Buffer {
  return sealed.subarray(0, 2 + (sealed[1] ?? 0));
}

function authenticated(header: Buffer, { purpose, owner, record }: SecretPlace): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify([purpose, owner, record]))]);
}
