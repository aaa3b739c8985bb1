import type { ChatSender } from "../../domain/delivery/chat.ts";
import type { Mailer } from "../../domain/delivery/mail.ts";
import type { OutboundHttp } from "../../domain/outbound.ts";
import type { ReceiverTurns } from "./receiverTurns.ts";

/** What alerts go out through. */
export interface DeliveryParts {
  http: OutboundHttp;
  mailer: Mailer;
  chat: ChatSender;
  /** Keeps a slow receiver from taking all the room. */
  turns: ReceiverTurns;
  /** The page where one click ends these mails to that address. */
  unsubscribeUrl: (mails: { trackerId: string; monitorId: string | null; address: string }) => Promise<string>;
  /** From 0 to 1: what spreads retries. */
  random: () => number;
  /** Told of what an attempt failed of that is no fault of its receiver. */
  onDefect: (error: unknown) => void;
}
