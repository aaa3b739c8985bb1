/** Which proxies may name the client's address: none, the nearest so many, or those at certain addresses. */
export type TrustedProxies = number | readonly string[];

const named = new Set(["loopback", "linklocal", "uniquelocal"]);
const ipv4 = /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/;
const ipv6 = /^(?=.*:)[0-9a-f:.]{2,45}(\/\d{1,3})?$/i;

/** Reads `2`, or `10.0.0.0/8, loopback`. Null for anything else. */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (/^\d{1,2}$/.test(text.trim())) return Number(text);
  const places = text.split(",").map((place) => place.trim());
  return places.every((place) => named.has(place) || ipv4.test(place) || ipv6.test(place)) ? places : null;
}
