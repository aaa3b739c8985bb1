import { z } from "zod";
import type { KeyVault, SecretPlace } from "../../domain/keyVault.ts";

/** What a link in a mail ends: the mails of a monitor, or of a tracker without one, to one address. */
export interface MailSubscription {
  of: "monitor" | "tracker";
  /** Of the monitor or the tracker. */
  id: string;
  address: string;
}

const place: SecretPlace = { purpose: "unsubscribe_link", owner: "installation", record: "link" };
const content = z.tuple([z.enum(["monitor", "tracker"]), z.string(), z.string()]);
const maxCharacters = 2000;

/**
 * The address at which one click ends what a mail is one of: those of its monitor, or of its tracker where that is under none (RFC
 * 8058). It authenticates itself under the installation's master keys and, as addresses of the Web end up in logs, does not show whom it was
 * sent to. Two links to the same differ.
 */
export async function unsubscribeLink(
  vault: KeyVault,
  publicUrl: string,
  { trackerId, monitorId, address }: { trackerId: string; monitorId: string | null; address: string },
): Promise<string> {
  const mails = monitorId === null ? ["tracker", trackerId, address] : ["monitor", monitorId, address];
  const sealed = await vault.seal(place, Buffer.from(JSON.stringify(mails)));
  return `${publicUrl}/unsubscribe/${sealed.toString("base64url")}`;
}

/** What a link's last part was made for; null where this installation did not make it, or has lost the master key it was made under. */
export async function readUnsubscribeToken(vault: KeyVault, token: string): Promise<MailSubscription | null> {
  if (token.length > maxCharacters) return null;
  const opened = await vault.open(place, Buffer.from(token, "base64url")).catch(() => null);
  if (opened === null) return null;
  const [of, id, address] = content.parse(JSON.parse(opened.toString()));
  return { of, id, address };
}
