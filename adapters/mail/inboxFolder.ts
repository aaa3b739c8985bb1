import { randomBytes } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import { z } from "zod";
import type { Mailer } from "../../domain/delivery/mail.ts";
import { messageOf } from "./smtpMailer.ts";

const composedSchema = z.object({ message: z.instanceof(Buffer) });

/** The folder of an installation's own inbox. */
export function inboxFolderOf(home: string): string {
  return path.join(home, "mail");
}

/** Keeps mail as `.eml` files in a folder, whole or not at all; a mail that is sent again replaces itself. */
export function createInboxFolder(options: { folder: string; from: string; clock: () => Date }): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async send(mail) {
      const { message } = composedSchema.parse(
        await composer.sendMail({ ...messageOf(mail, options.from), date: options.clock() }),
      );
      await mkdir(options.folder, { recursive: true });
      const file = path.join(options.folder, `${mail.messageId.replaceAll(/[^\w.@-]/g, "")}.eml`);
      const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
      await writeFile(draft, message, { flag: "wx" });
      await rename(draft, file);
    },
    close: () => composer.close(),
  };
}
