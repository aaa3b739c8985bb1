import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector, Client } from "undici";
import {
  OutboundFailure,
  type OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
  RefusedTarget,
} from "../../domain/outbound.ts";
import { isAddressAllowed, outboundFault, type OutboundPolicy } from "../../domain/outboundAddresses.ts";

/** Resolves a name to all of its addresses. */
export type ResolveName = (
  name: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface SafeFetchOptions {
  policy: OutboundPolicy;
  resolveName?: ResolveName;
}

/**
 * `OutboundHttp` on undici. Literal addresses are checked first, because no look-up is made for them; the addresses of a name are checked
 * inside the connection's own look-up, so that what was checked is what is connected to; and the connected peer is checked once more. Each
 * request has a connection of its own. Proxies from the environment are not used.
 */
export function createSafeFetch({ policy, resolveName = systemLookup }: SafeFetchOptions): OutboundHttp {
  const lookup: LookupFunction = (name, options, done) => {
    resolveName(name, { all: true }, (error, addresses) => {
      if (error !== null) return done(error, "");
      if (!addresses.every(({ address }) => isAddressAllowed(address, policy))) return done(notPublic(), "");
      const fitting = addresses.filter(({ family }) => !options.family || options.family === family);
      const [first] = fitting;
      if (first === undefined) return done(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "");
      if (options.all) done(null, fitting);
      else done(null, first.address, first.family);
    });
  };

  function connectorWithin(timeoutMilliseconds: number): buildConnector.connector {
    const connect = buildConnector({ lookup, allowH2: false, timeout: timeoutMilliseconds });
    return (options, done) => {
      const host = options.hostname.replaceAll(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && !isAddressAllowed(host, policy)) return done(notPublic(), null);
      connect(options, (...[error, socket]) => {
        if (error !== null) return done(error, null);
        if (isAddressAllowed(socket.remoteAddress ?? "", policy)) return done(null, socket);
        socket.destroy();
        done(notPublic(), null);
      });
    };
  }

  return {
    async request(asked) {
      asked.signal?.throwIfAborted();
      const fault = outboundFault(asked.url, policy);
      if (fault !== null) throw new RefusedTarget(fault);
      const url = new URL(asked.url);
      const timeoutMilliseconds = Math.ceil(asked.timeoutSeconds * 1000);
      const timeout = AbortSignal.timeout(timeoutMilliseconds);
      const signal = asked.signal === undefined ? timeout : AbortSignal.any([asked.signal, timeout]);
      const client = new Client(url.origin, {
        connect: connectorWithin(timeoutMilliseconds),
        allowH2: false,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      // By itself undici notices an abort only once it is connected.
      const stop = () => void client.destroy(new Error("stopped")).catch(() => undefined);
      signal.addEventListener("abort", stop, { once: true });
      try {
        return await exchange(client, url, asked, signal);
      } catch (error) {
        asked.signal?.throwIfAborted();
        if (timeout.aborted) throw new OutboundFailure("timeout", `no whole answer within ${asked.timeoutSeconds} s`);
        throw failureOf(error);
      } finally {
        signal.removeEventListener("abort", stop);
        stop();
      }
    },
  };
}

function notPublic(): RefusedTarget {
  return new RefusedTarget("must not lead to a private or reserved address");
}

async function exchange(
  client: Client,
  url: URL,
  asked: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const answer = await client.request({
    path: `${url.pathname}${url.search}`,
    method: asked.method,
    headers: { ...asked.headers },
    body: asked.body ?? null,
    signal,
    reset: true,
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer.body) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > asked.maxBodyBytes) break;
  }
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).subarray(0, asked.maxBodyBytes),
    isCut: length > asked.maxBodyBytes,
  };
}

/** Codes that the system, TLS and undici give to failures. */
function failureOf(error: unknown): Error {
  const refusal = causes(error).find((cause) => cause instanceof RefusedTarget);
  if (refusal !== undefined) return refusal;
  const code = causes(error)
    .map((cause) => ("code" in cause && typeof cause.code === "string" ? cause.code : null))
    .find((found) => found !== null);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new OutboundFailure("unknown_host", "the name has no address", { cause: error });
  if (code === "ECONNREFUSED" || code === "EHOSTUNREACH" || code === "ENETUNREACH" || code === "ETIMEDOUT")
    return new OutboundFailure("unreachable", `no connection (${code})`, { cause: error });
  if (code !== undefined && /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code))
    return new OutboundFailure("tls", `no secure connection (${code})`, { cause: error });
  return new OutboundFailure("broken", `the connection broke${code === undefined ? "" : ` (${code})`}`, {
    cause: error,
  });
}

function causes(error: unknown): Error[] {
  if (!isErrorLike(error)) return [];
  const inner = "errors" in error && Array.isArray(error.errors) ? error.errors : [];
  return [error, ...causes(error.cause), ...inner.flatMap(causes)];
}

/** Errors of Node's core are not `instanceof Error` in every realm. */
function isErrorLike(value: unknown): value is Error {
  return typeof value === "object" && value !== null && "message" in value;
}
