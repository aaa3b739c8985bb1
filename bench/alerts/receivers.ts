import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { z } from "zod";
import type { Arrivals, ReceiverAddresses } from "./startReceivers.ts";

/**
 * Customers' servers in a process of their own: webhooks at /hook, chats below /chat/, mail. Told `{ ask: "arrivals" }`, it answers with all
 * that has arrived since it was last told `{ ask: "forget" }`.
 */
const asked = z.object({ ask: z.enum(["arrivals", "forget", "counts"]) });
const event = z.object({ id: z.string(), alert: z.object({ id: z.string() }) });

let arrivals = none();

function none(): Arrivals {
  return { webhooks: {}, chats: {}, mails: {} };
}

function count(of: Record<string, number>, key: string): void {
  of[key] = (of[key] ?? 0) + 1;
}

function received(path: string, body: string): void {
  if (path !== "/hook") return count(arrivals.chats, `${path} ${body}`);
  const { id, alert } = event.parse(JSON.parse(body));
  const known = (arrivals.webhooks[id] ??= {
    alertIds: [],
    times: 0,
    firstAtNanoseconds: String(process.hrtime.bigint()),
  });
  known.times += 1;
  if (!known.alertIds.includes(alert.id)) known.alertIds.push(alert.id);
}

const http = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    received(request.url ?? "", Buffer.concat(parts).toString());
    response.writeHead(200, { "content-length": 2 }).end("ok");
  });
});

const smtp = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    const parts: Buffer[] = [];
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("end", () => {
      count(arrivals.mails, /^Message-ID: (.+)$/im.exec(Buffer.concat(parts).toString())?.[1]?.trim() ?? "");
      done();
    });
  },
});

// Whoever sends is killed in the middle of it at times, which resets the connection and is no fault of this server.
smtp.on("error", () => undefined);

process.on("message", (message) => {
  const { ask } = asked.parse(message);
  if (ask === "forget") arrivals = none();
  const { webhooks, chats, mails } = arrivals;
  const counts = [webhooks, chats, mails].map((of) => Object.keys(of).length);
  process.send?.(ask === "arrivals" ? arrivals : counts);
});
process.on("disconnect", () => process.exit());

http.listen(0, "127.0.0.1");
await once(http, "listening");
const mailServer = smtp.listen(0, "127.0.0.1");
await once(mailServer, "listening");
process.send?.({ http: portOf(http.address()), smtp: portOf(mailServer.address()) } satisfies ReceiverAddresses);

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("a receiver listens on no TCP port");
  return address.port;
}
