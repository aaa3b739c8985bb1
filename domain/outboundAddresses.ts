import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRanges = readonly (readonly [Address, number])[];

/** What a site lets requests to addresses of its users' choice reach. */
export interface OutboundPolicy {
  /** Ranges that are open although they are not public. */
  allowedRanges: AddressRanges;
  /** Whether http is refused. */
  requireHttps: boolean;
}

/** Reads `127.0.0.0/8, fd00::/8`. Null where a part is no subnet. */
export function parseAddressRanges(text: string): AddressRanges | null {
  const parts = text.split(",").map((part) => part.trim());
  if (!parts.every((part) => ipaddr.isValidCIDR(part))) return null;
  return parts.map((part) => ipaddr.parseCIDR(part));
}

/**
 * Whether a request may go to this IP address: a public one, or one of a range that is open (decisions.md "Targets"; IANA special-purpose
 * registries). An IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4) is judged itself. Text that is no address is refused.
 */
export function isAddressAllowed(address: string, { allowedRanges }: OutboundPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const told = ipaddr.parse(address);
  const meant = unwrapped(told);
  const isOpen = (each: Address) =>
    allowedRanges.some(([base, bits]) => each.kind() === base.kind() && each.match(base, bits));
  return isOpen(told) || isOpen(meant) || meant.range() === "unicast";
}

/**
 * Why a request may not go to a URL that a user gave, as the end of a sentence about it; null when nothing in its text forbids it. What its
 * name resolves to is for the connection to check. The URL parser has already turned every numeric spelling into an address.
 */
export function outboundFault(target: string, policy: OutboundPolicy): string | null {
  const url = URL.parse(target);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return "must be an http or https URL";
  if (policy.requireHttps && url.protocol !== "https:") return "must be an https URL";
  if (url.username !== "" || url.password !== "") return "must not carry a user name or password";
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const addresses = /(^|\.)localhost$/.test(host) ? ["127.0.0.1"] : ipaddr.isValid(host) ? [host] : [];
  return addresses.every((address) => isAddressAllowed(address, policy))
    ? null
    : "must not lead to a private or reserved address";
}

/** The IPv4 address that an IPv6 address stands for, where it does. */
function unwrapped(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const bytes = address.toByteArray();
  const embedded = (from: number) => new ipaddr.IPv4(bytes.slice(from, from + 4));
  switch (address.range()) {
    case "ipv4Mapped":
    case "rfc6145":
      return embedded(12);
    case "rfc6052":
      // 64:ff9b::/96 leads to the public address inside; 64:ff9b:1::/48 to whatever the site wants, which is no public place.
      return bytes[5] === 0 ? embedded(12) : address;
    case "6to4":
      return embedded(2);
    default:
      // `::a.b.c.d`, the deprecated compatible form; `::` and `::1` are themselves.
      return bytes.slice(0, 12).every((byte) => byte === 0) && address.range() === "unicast" ? embedded(12) : address;
  }
}
