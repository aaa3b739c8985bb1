import { afterEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { parseTrustedProxies, type TrustedProxies } from "../../domain/trustedProxies.ts";
import { type Edge, startEdge } from "./edge.ts";

let edge: Edge | undefined;
afterEach(() => edge?.close());

/** Where a key was last used from, when requests come with this X-Forwarded-For. */
async function lastUsedFrom(trustedProxies: TrustedProxies | undefined, forwardedFor: string): Promise<unknown> {
  edge = await startEdge(trustedProxies === undefined ? {} : { trustedProxies });
  const { key, keyId } = await edge.newKey();
  const { status } = await edge.call("GET", "/v1/me", { key, headers: { "x-forwarded-for": forwardedFor } });
  await edge.keyUses.flush();
  const row = sql.type(z.object({ ip: z.string() }));
  return [
    status,
    await edge.context.pool.oneFirst(row`select host(last_used_ip) as ip from api_key where id = ${keyId}`),
  ];
}

describe("the address a key was last used from", () => {
  it.each([
    ["nobody is trusted", undefined, "203.0.113.7", "127.0.0.1"],
    ["one proxy stands before it", 1, "198.51.100.9, 203.0.113.7", "203.0.113.7"],
    ["two proxies do", 2, "198.51.100.9, 203.0.113.7", "198.51.100.9"],
    ["the proxies are named", ["loopback", "203.0.113.0/24"], "198.51.100.9, 203.0.113.7", "198.51.100.9"],
    ["the request comes from elsewhere", ["10.0.0.0/8"], "203.0.113.7", "127.0.0.1"],
    ["the proxy says nonsense", 1, "unknown'; --", "127.0.0.1"],
    ["the client has a mapped IPv4 address", 1, "::ffff:203.0.113.7", "203.0.113.7"],
    ["the client has an IPv6 address", 1, "2001:db8::1", "2001:db8::1"],
  ] as const)("when %s", async (_, trusted, forwardedFor, expected) => {
    expect(await lastUsedFrom(trusted, forwardedFor)).toEqual([200, expected]);
  });

  it.each([
    ["2", 2],
    ["loopback, 10.0.0.0/8,fd00::/8", ["loopback", "10.0.0.0/8", "fd00::/8"]],
    ["true", null],
    ["example.com", null],
    ["", null],
  ])("TRUST_PROXY=%s is understood", (text, expected) => expect(parseTrustedProxies(text)).toEqual(expected));
});
