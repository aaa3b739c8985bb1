import ipaddr from "ipaddr.js";

/** Subnets, parsed. */
export type Subnets = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

/** Reads `127.0.0.0/8, fd00::/8`; an address alone is a subnet of one. Null for anything else. */
export function parseSubnets(text: string): Subnets | null {
  const subnets: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const place of text.split(",").map((part) => part.trim())) {
    if (ipaddr.isValidCIDR(place)) subnets.push(ipaddr.parseCIDR(place));
    else if (ipaddr.IPv6.isValid(place)) subnets.push([ipaddr.parse(place), 128]);
    else if (ipaddr.IPv4.isValidFourPartDecimal(place)) subnets.push([ipaddr.parse(place), 32]);
    else return null;
  }
  return subnets;
}

export type TargetFault = "not_a_url" | "not_http" | "has_credentials" | "private_address";

/** A URL or an address that the service does not call; `message` says why to whoever gave the URL, and never repeats it. */
export class RefusedTarget extends Error {
  override readonly name = "RefusedTarget";
  readonly fault: TargetFault;

  constructor(fault: TargetFault) {
    super(faultMessages[fault]);
    this.fault = fault;
  }
}

const faultMessages: Record<TargetFault, string> = {
  not_a_url: "The URL cannot be read.",
  not_http: "The URL must begin with http:// or https://.",
  has_credentials: "The URL must not carry a user name or password.",
  private_address: "The URL must lead to a public address.",
};

/**
 * Reads a URL that somebody else chose (decisions.md "Targets"). Throws `RefusedTarget` for one that is not plain http or https, and for a
 * literal address, in whatever spelling, that is neither public nor in `opened`. What a name resolves to can only be checked as it is called.
 */
export function readTarget(text: string, opened: Subnets): URL {
  if (!URL.canParse(text)) throw new RefusedTarget("not_a_url");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new RefusedTarget("not_http");
  if (url.username !== "" || url.password !== "") throw new RefusedTarget("has_credentials");
  // The parser has turned 2130706433, 0x7f.1 and 0177.0.0.1 into 127.0.0.1 (WHATWG URL, "IPv4 parser").
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  if (ipaddr.isValid(host) && !isCallable(host, opened)) throw new RefusedTarget("private_address");
  return url;
}

/** Whether the service may connect to an address: it is public, or in a subnet that the operator opened. */
export function isCallable(address: string, opened: Subnets): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const inner = embedded(parsed);
  return isIn(parsed, opened) || (inner !== null && isIn(inner, opened)) || isPublic(inner ?? parsed);
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, subnets: Subnets): boolean {
  return subnets.some(([subnet, bits]) => subnet.kind() === address.kind() && address.match(subnet, bits));
}

/** IPv6 addresses in use on the Internet; all others are special (IANA IPv6 address space registry). */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isIn(address, [globalUnicast]);
}

/** The IPv4 address that packets to this IPv6 address end at: mapped (RFC 4291), NAT64 (RFC 6052) and 6to4 (RFC 3056); null for others. */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | null {
  if (!(address instanceof ipaddr.IPv6)) return null;
  const bytes = address.toByteArray();
  if (isIn(address, lastBytesForms)) return new ipaddr.IPv4(bytes.slice(12));
  if (isIn(address, [sixToFour])) return new ipaddr.IPv4(bytes.slice(2, 6));
  return null;
}

const lastBytesForms = [ipaddr.parseCIDR("::ffff:0:0/96"), ipaddr.parseCIDR("64:ff9b::/96")];
const sixToFour = ipaddr.parseCIDR("2002::/16");
