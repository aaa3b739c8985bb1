/** A mail in a local inbox, as a list shows it. */
export interface ReceivedMail {
  /** Names it in its inbox. */
  name: string;
  receivedAt: Date;
  from: string;
  to: string;
  subject: string;
}

/** Where a page of an inbox ends. */
export type InboxPosition = Pick<ReceivedMail, "name" | "receivedAt">;

/** Where mail is kept while there is no mail server to hand it to. */
export interface Inbox {
  /** Newest first, after a position. */
  list(page: { limit: number; after: InboxPosition | null }): Promise<{ mails: ReceivedMail[]; hasMore: boolean }>;
  /** A mail with its plain text, null where it has none; null where there is no such mail. */
  read(name: string): Promise<(ReceivedMail & { text: string | null }) | null>;
}
