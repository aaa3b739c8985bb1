import { connect, type Socket } from "node:net";
import { z } from "zod";

/**
 * A load generator in a process of its own: keep-alive connections, each with one request under way, written as bytes made beforehand, so
 * that it takes little of the machine and the same from whatever is measured. Its parent sends a job and gets what was seen.
 */
const jobSchema = z.object({
  host: z.string(),
  port: z.number(),
  connections: z.number(),
  seconds: z.number(),
  warmupSeconds: z.number(),
  requests: z.array(z.object({ path: z.string(), key: z.string() })),
  acceptEncoding: z.string().default("identity"),
});
export type LoadJob = z.input<typeof jobSchema>;

export const loadSeenSchema = z.object({
  requestsPerSecond: z.number(),
  p50Milliseconds: z.number(),
  p95Milliseconds: z.number(),
  p99Milliseconds: z.number(),
  /** Of the whole run, warming up included. */
  answers: z.number(),
  failures: z.number(),
});
export type LoadSeen = z.infer<typeof loadSeenSchema>;

process.once("message", (message) => {
  void run(jobSchema.parse(message)).then((seen) => process.send?.(seen, undefined, undefined, () => process.exit()));
});

async function run(job: z.output<typeof jobSchema>): Promise<LoadSeen> {
  const shared = `Host: ${job.host}\r\nAccept-Encoding: ${job.acceptEncoding}\r\n`;
  const requests = job.requests.map(({ path, key }) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\n${shared}x-api-key: ${key}\r\n\r\n`),
  );
  const from = performance.now() + job.warmupSeconds * 1000;
  const until = from + job.seconds * 1000;
  const latencies: number[] = [];
  let [next, answers, failures] = [0, 0, 0];

  async function drive(): Promise<void> {
    const socket = connect({ host: job.host, port: job.port, noDelay: true });
    while (performance.now() < until) {
      const sentAt = performance.now();
      const request = requests[next++ % requests.length] ?? Buffer.alloc(0);
      const ok = await exchange(socket, request);
      const answeredAt = performance.now();
      answers += 1;
      if (!ok) failures += 1;
      if (sentAt >= from && answeredAt <= until) latencies.push(answeredAt - sentAt);
    }
    socket.destroy();
  }

  await Promise.all(Array.from({ length: job.connections }, drive));
  const sorted = Float64Array.from(latencies).toSorted();
  const quantile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    requestsPerSecond: latencies.length / job.seconds,
    p50Milliseconds: quantile(0.5),
    p95Milliseconds: quantile(0.95),
    p99Milliseconds: quantile(0.99),
    answers,
    failures,
  };
}

/** Sends one request and reads its answer to the end, of which only the head is kept; whether it was 200. */
function exchange(socket: Socket, request: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0);
    let received = 0;
    let wanted = Infinity;
    const onData = (part: Buffer) => {
      received += part.length;
      if (wanted === Infinity) {
        head = head.length === 0 ? part : Buffer.concat([head, part]);
        wanted = answerLength(head);
      }
      if (received < wanted) return;
      socket.off("data", onData).off("error", reject);
      resolve(head.toString("latin1", 9, 12) === "200");
    };
    socket.on("data", onData).on("error", reject);
    socket.write(request);
  });
}

function answerLength(received: Buffer): number {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return Infinity;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString("latin1", 0, end))?.[1];
  return end + 4 + Number(length ?? 0);
}
