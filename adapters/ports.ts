import net from "node:net";

/** Whether a server can listen there now. */
export function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export function anyFreePort(host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen({ port: 0, host }, () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no free port")),
      );
    });
  });
}

/** The port if a server can listen there, else any free one; 0 means any. */
export async function portOrAnyFree(port: number, host: string): Promise<number> {
  return port !== 0 && port <= 65_535 && (await isFree(port, host)) ? port : anyFreePort(host);
}
