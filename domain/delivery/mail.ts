/** A message as it is handed to a mail server. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same on every attempt, so that a mail server that took one twice can tell: `<evt_….…@media-index>`. */
  messageId: string;
  /** Where one click ends these mails (RFC 8058); null for mails about the account itself. */
  unsubscribeUrl: string | null;
}

/** Sends mail. Throws `MailFailure`. */
export interface Mailer {
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** A mail that was not taken: `refused` by the server for good (a 5xx reply), else worth another attempt. */
export class MailFailure extends Error {
  readonly refused: boolean;
  /** The server's reply code (RFC 5321), where it got that far. */
  readonly replyCode: number | null;
  /** Why there is no reply. */
  readonly silence: "timeout" | "unreachable" | null;

  constructor(
    message: string,
    options: Pick<MailFailure, "refused" | "replyCode" | "silence"> & {
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = "MailFailure";
    this.refused = options.refused;
    this.replyCode = options.replyCode;
    this.silence = options.silence;
  }
}
