import { z } from "zod";
import { createSafeFetch } from "../../adapters/http/safeFetch.ts";
import { sql } from "../../database/pool.ts";
import type { ChatMessage } from "../../domain/delivery/alertChat.ts";
import type { ChatOutcome, ChatTarget } from "../../domain/delivery/chat.ts";
import type { Mail } from "../../domain/delivery/mail.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import type { DeliveryParts } from "../../services/alerts/parts.ts";
import { ReceiverTurns } from "../../services/alerts/receiverTurns.ts";
import type { Caller, ServiceContext } from "../../services/context.ts";
import type { CreateMonitorInput, WrittenMonitor } from "../../services/monitors/create.ts";
import { createMention, createVideo } from "./evidence.ts";
import { createNamedEntity, createTestMonitor, createTestTracker } from "./monitors.ts";

/** Ways out of the product that keep what goes through them; webhooks are really sent. */
export interface TestParts extends DeliveryParts {
  mails: Mail[];
  chats: { target: ChatTarget; message: ChatMessage }[];
  defects: unknown[];
}

export interface PartsBehaviour {
  /** Throws what the mail server does. */
  onMail?: (mail: Mail) => void | Promise<void>;
  onChat?: (target: ChatTarget) => ChatOutcome | Promise<ChatOutcome>;
}

const chatTaken: ChatOutcome = {
  outcome: { kind: "succeeded" },
  responseStatus: 200,
  responseExcerpt: "ok",
  error: null,
};

export function createTestParts({ outbound }: ServiceContext, behaviour: PartsBehaviour = {}): TestParts {
  const mails: Mail[] = [];
  const chats: TestParts["chats"] = [];
  const defects: unknown[] = [];
  return {
    mails,
    chats,
    defects,
    http: createSafeFetch({ policy: outbound }),
    mailer: {
      async send(mail) {
        await behaviour.onMail?.(mail);
        mails.push(mail);
      },
      close: () => undefined,
    },
    chat: {
      async send(target, message) {
        const outcome = (await behaviour.onChat?.(target)) ?? chatTaken;
        chats.push({ target, message });
        return outcome;
      },
    },
    turns: new ReceiverTurns(100),
    unsubscribeUrl: async ({ address }) => `https://api.example/unsubscribe/${encodeURIComponent(address)}`,
    random: () => 0.5,
    onDefect: (error) => defects.push(error),
  };
}

export interface Watch {
  monitorId: string;
  trackerId: string;
  entityId: number;
}

let watches = 0;

/** A monitor as told, with one tracker. */
export async function createWatch(
  context: ServiceContext,
  caller: Caller,
  monitor: Partial<CreateMonitorInput> = {},
): Promise<Watch & Pick<WrittenMonitor, "webhookSecret">> {
  watches += 1;
  const entityName = `Watched person ${watches}`;
  const entityId = await createNamedEntity(context, entityName);
  const written = await createTestMonitor(context, caller, monitor);
  const { monitorId } = written.monitor;
  const trackerId = await createTestTracker(context, caller, { entityName, monitorId });
  return { monitorId, trackerId, entityId, webhookSecret: written.webhookSecret };
}

/** Speaks of a watched entity in so many new videos; returns the occurrences that fired, oldest first. */
export async function fireAlerts(
  context: ServiceContext,
  { entityId }: Pick<Watch, "entityId">,
  videos = 1,
): Promise<string[]> {
  const fired: string[] = [];
  for (let video = 0; video < videos; video += 1) {
    const videoId = await createVideo(context);
    await createMention(context, { videoId, entityId });
    await context.pool.transaction((transaction) => matchTrackers(transaction, videoId, new Map()));
    const ids = await context.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
      select id from alert_occurrence where video_id = ${videoId} order by id`);
    fired.push(...ids);
  }
  return fired;
}

/** Speaks of a watched entity in a new video, once; returns the occurrence that fired. */
export async function fireAlert(context: ServiceContext, watch: Pick<Watch, "entityId">): Promise<string> {
  const [alertId] = await fireAlerts(context, watch);
  if (alertId === undefined) throw new Error("nothing fired");
  return alertId;
}
