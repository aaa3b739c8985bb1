import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Registry } from "prom-client";

export interface MetricsServer {
  url: string;
  stop(): Promise<void>;
}

/** Serves the registry at `/metrics`, on the port or, where that is in use, any free one. */
export async function serveMetrics(
  registry: Registry,
  address: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "Content-Type": registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  try {
    await listen(server, address);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    await listen(server, { ...address, port: 0 });
  }
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("metrics are served on no TCP port");
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${bound.port}/metrics`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.listen(port, host);
  await once(server, "listening");
}
