import type { Configuration } from "../../domain/configuration.ts";
import type { Mailer } from "../../domain/delivery/mail.ts";
import { createInboxFolder, inboxFolderOf } from "./inboxFolder.ts";
import { createSmtpMailer } from "./smtpMailer.ts";

/** The mailer that the configuration asks for: the mail server of SMTP_URL, or a folder. */
export function createMailer(
  { SMTP_URL: url, mailFrom: from, home }: Pick<Configuration, "SMTP_URL" | "mailFrom" | "home">,
  clock: () => Date,
): Mailer {
  return url === undefined
    ? createInboxFolder({ folder: inboxFolderOf(home), from, clock })
    : createSmtpMailer({ url, from });
}
