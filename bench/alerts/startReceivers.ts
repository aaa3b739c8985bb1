import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { z } from "zod";
import { hasExited } from "../../cli/start/processes.ts";

const receiverAddresses = z.object({ http: z.number(), smtp: z.number() });
/** Their ports on loopback. */
export type ReceiverAddresses = z.infer<typeof receiverAddresses>;

const arrivalsSchema = z.object({
  /** By event id. The time is that of `process.hrtime`, which all processes of a machine share. */
  webhooks: z.record(
    z.string(),
    z.object({ alertIds: z.array(z.string()), times: z.number(), firstAtNanoseconds: z.string() }),
  ),
  /** How often each message came, by where it was posted and what it says. */
  chats: z.record(z.string(), z.number()),
  /** How often each mail came, by its Message-ID. */
  mails: z.record(z.string(), z.number()),
});
export type Arrivals = z.infer<typeof arrivalsSchema>;

/** Customers' servers on loopback, in a process of their own. */
export interface Receivers {
  process: ChildProcess;
  /** Throws when they have ended, after which nothing arrives any more. */
  requireRunning(): void;
  webhookUrl: string;
  /** An address for each chat. */
  chatUrl(name: string): string;
  smtpUrl: string;
  arrivals(): Promise<Arrivals>;
  /** Different webhooks, chat messages and mails that have arrived. */
  counts(): Promise<readonly number[]>;
  forget(): Promise<void>;
  stop(): Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork(path.join(import.meta.dirname, "receivers.ts"), {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const [told] = await once(child, "message");
  const ports = receiverAddresses.parse(told);
  // One question after the other, so that each has its own answer.
  let last: Promise<unknown> = Promise.resolve();
  const ask = (question: "arrivals" | "forget" | "counts"): Promise<unknown> => {
    const answer = last.then(async () => {
      const answered = once(child, "message");
      child.send({ ask: question });
      return (await answered)[0];
    });
    last = answer;
    return answer;
  };
  return {
    process: child,
    requireRunning: () => {
      if (hasExited(child)) throw new Error(`the receivers have ended (${String(child.signalCode ?? child.exitCode)})`);
    },
    webhookUrl: `http://127.0.0.1:${ports.http}/hook`,
    chatUrl: (name) => `http://127.0.0.1:${ports.http}/chat/${name}`,
    smtpUrl: `smtp://127.0.0.1:${ports.smtp}`,
    arrivals: async () => arrivalsSchema.parse(await ask("arrivals")),
    counts: async () => z.array(z.number()).parse(await ask("counts")),
    forget: async () => {
      await ask("forget");
    },
    stop: async () => {
      if (hasExited(child)) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
