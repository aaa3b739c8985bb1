/** What a sealed secret is of and whose it is; sealed bytes open nowhere else. */
export interface SecretPlace {
  purpose: "idempotent_response" | "webhook_secret" | "chat_integration" | "unsubscribe_link";
  /** Account, internal key, monitor, or the installation itself. */
  owner: string;
  /** Which secret of the owner's. */
  record: string;
}

/** Keeps secrets that have to be read again encrypted at rest. */
export interface KeyVault {
  /** Encrypts under the installation's first master key. Two seals of the same bytes differ. */
  seal(place: SecretPlace, secret: Buffer): Promise<Buffer>;
  /** The bytes as they were sealed. Throws when the master key is gone, the place is another one, or a bit was changed. */
  open(place: SecretPlace, sealed: Buffer): Promise<Buffer>;
  /** The same secret under the first master key; null where it is sealed under that already. Throws as `open` does. */
  reseal(place: SecretPlace, sealed: Buffer): Promise<Buffer | null>;
}
