import { readMonitorMail, readTrackerMail } from "../../database/mailSubscriptions.ts";
import type { Queryable } from "../../database/pool.ts";
import { isSameAddress, mailReceivers } from "../../domain/delivery/mailReceivers.ts";
import type { MailSubscription } from "./link.ts";

/** A link as things stand now. */
export interface MailState {
  /** Where its mails come from today. */
  source: Pick<MailSubscription, "of" | "id">;
  /** What the mails are about: the name of the monitor or the tracker. */
  name: string;
  /** Whether the address gets them. */
  isOn: boolean;
}

/** How things stand with a link's mails; null where their monitor or tracker is gone. A tracker that was put under a monitor mails through that one. */
export async function readMailState(db: Queryable, { of, id, address }: MailSubscription): Promise<MailState | null> {
  switch (of) {
    case "monitor": {
      const monitor = await readMonitorMail(db, id);
      if (monitor === null) return null;
      const isReceiver = mailReceivers(monitor, monitor.accountEmail).some((each) => isSameAddress(each, address));
      const isOn = isReceiver && (monitor.notifyEmail || monitor.trackerMails);
      return { source: { of, id }, name: monitor.name, isOn };
    }
    case "tracker": {
      const tracker = await readTrackerMail(db, id);
      if (tracker === null) return null;
      if (tracker.monitorId !== null) return readMailState(db, { of: "monitor", id: tracker.monitorId, address });
      const isOn = (tracker.notifyEmail ?? true) && isSameAddress(tracker.accountEmail, address);
      return { source: { of, id }, name: tracker.name, isOn };
    }
  }
}
