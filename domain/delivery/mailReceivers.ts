/** What a monitor says about mail. */
export interface MonitorMail {
  notifyEmail: boolean;
  /** Empty: the account's own address. */
  emailAddresses: readonly string[];
}

/** Where a monitor's mails go when they are switched on, by itself or by a tracker. */
export function mailReceivers({ emailAddresses }: MonitorMail, accountEmail: string): readonly string[] {
  return emailAddresses.length === 0 ? [accountEmail] : emailAddresses;
}

/** Two ways to write one address: nobody tells receivers apart by upper and lower case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * A monitor's mail without one of its receivers; as it was where that is none. The last one switches it off, and for its trackers too
 * (`isOver`): an empty list would mean the account's own address, which nobody asked to be told.
 */
export function withoutReceiver(
  mail: MonitorMail,
  address: string,
  accountEmail: string,
): { mail: MonitorMail; isOver: boolean } {
  const receivers = mailReceivers(mail, accountEmail);
  const left = receivers.filter((receiver) => !isSameAddress(receiver, address));
  if (left.length === receivers.length) return { mail, isOver: false };
  const isOver = left.length === 0;
  return { mail: { notifyEmail: mail.notifyEmail && !isOver, emailAddresses: left }, isOver };
}
