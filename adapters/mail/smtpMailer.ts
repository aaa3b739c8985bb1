import { createTransport, type SendMailOptions } from "nodemailer";
import { type Mail, type Mailer, MailFailure } from "../../domain/delivery/mail.ts";

const timeoutMilliseconds = 15_000;

/** What nodemailer is handed for a mail. */
export function messageOf(mail: Mail, from: string): SendMailOptions {
  const { unsubscribeUrl } = mail;
  return {
    from,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(unsubscribeUrl !== null && {
        "List-Unsubscribe": `<${unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Sends through the mail server of `SMTP_URL`, over a few kept connections. Throws `MailFailure`, whose message holds no address or password. */
export function createSmtpMailer(options: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url: options.url,
    pool: true,
    maxConnections: 5,
    connectionTimeout: timeoutMilliseconds,
    greetingTimeout: timeoutMilliseconds,
    socketTimeout: timeoutMilliseconds,
  });
  return {
    async send(mail, signal) {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(timedOut()), { once: true });
      });
      try {
        signal.throwIfAborted();
        await Promise.race([transport.sendMail(messageOf(mail, options.from)), aborted]);
      } catch (error) {
        throw error instanceof MailFailure ? error : mailFailure(error);
      }
    },
    close: () => transport.close(),
  };
}

function timedOut(): MailFailure {
  return new MailFailure("the mail server did not answer in time", {
    refused: false,
    replyCode: null,
    silence: "timeout",
  });
}

function mailFailure(error: unknown): MailFailure {
  const replyCode =
    typeof error === "object" && error !== null && "responseCode" in error && typeof error.responseCode === "number"
      ? error.responseCode
      : null;
  const code =
    typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
      ? error.code
      : "unknown";
  // A server that refuses our name and password may be given better ones; the mail itself is not at fault.
  const refused = replyCode !== null && replyCode >= 500 && code !== "EAUTH";
  const message = replyCode === null ? `no mail server: ${code}` : `the mail server answered ${replyCode}`;
  const silence = replyCode !== null ? null : code === "ETIMEDOUT" ? "timeout" : "unreachable";
  return new MailFailure(message, { refused, replyCode, silence, cause: error });
}
