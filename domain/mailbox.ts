import ipaddr from "ipaddr.js";
import { z } from "zod";

/** A name with one of these signs has to stand in double quotes (RFC 5322, 3.2.3 and 3.4). */
const form =
  /^(?:(?:"[^"\\\p{Cc}]+"|[^\s"<>()[\]:;@\\,\p{Cc}][^"<>()[\]:;@\\,\p{Cc}]*) *<(?<named>[^<>\s]+)>|(?<alone>[^<>\s]+))$/u;
/** `localhost` is a domain too. */
const address = z.email({ pattern: z.regexes.html5Email }).max(320);

/** Whether a text is one sender of mail: `alerts@example.com` or `Media Index <alerts@example.com>`. */
export function isMailbox(text: string): boolean {
  const groups = form.exec(text)?.groups;
  return groups !== undefined && address.safeParse(groups["named"] ?? groups["alone"]).success;
}

/** The sender of an installation that names none: at the host of its address, at `localhost` where that is a number. */
export function defaultMailbox(publicUrl: string): string {
  const host = (URL.parse(publicUrl)?.hostname ?? "").replaceAll(/^\[|\]$/g, "");
  return `Media Index <media-index@${host === "" || ipaddr.isValid(host) ? "localhost" : host}>`;
}
