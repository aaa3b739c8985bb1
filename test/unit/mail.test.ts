import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { createInboxFolder } from "../../adapters/mail/inboxFolder.ts";
import { createSmtpMailer } from "../../adapters/mail/smtpMailer.ts";
import { type AlertText, alertMail, webhookNoticeMail } from "../../domain/delivery/alertMail.ts";
import { anyFreePort } from "../../adapters/ports.ts";

const alert: AlertText = {
  eventId: "evt_1",
  kind: "mention",
  entityName: "Ada <b>",
  label: "Ada <b>",
  monitorName: "Pioneers & co",
  videoTitle: 'A "talk"\r\nBcc: x@example.com',
  channelName: "Some Channel",
  momentUrl: "https://video.example/watch?v=1&t=65s",
  startSeconds: 65,
  quote: "Ada <script>alert(1)</script> wrote it.",
  mentionCount: 3,
};
const mail = alertMail(alert, "you@example.com", "https://api.example/unsubscribe/token");
const idOf = (to: string) => alertMail(alert, to, "https://api.example/unsubscribe/token").messageId;
const signal = () => new AbortController().signal;

describe("the mail of an alert", () => {
  it("says what, where and how to end it, as text and as HTML, with nothing of it taken as markup", () => {
    expect(mail.subject).toBe("Ada <b> was mentioned 3 times on Some Channel");
    expect(mail.text).toContain("at 01:05\nhttps://video.example/watch?v=1&t=65s");
    expect(mail.text).toContain("“Ada <script>alert(1)</script> wrote it.”");
    expect(mail.html).not.toContain("<script>");
    expect(mail.html).toContain('href="https://video.example/watch?v=1&amp;t=65s"');
    expect(mail.html).toContain("prefers-color-scheme: dark");
  });

  it.each([
    [{ kind: "appearance" as const }, "Ada <b> appeared on Some Channel"],
    [{ mentionCount: 1 }, "Ada <b> was mentioned on Some Channel"],
  ])("%j → %s", (more, subject) =>
    expect(alertMail({ ...alert, ...more }, "you@example.com", "https://x.example").subject).toBe(subject),
  );

  it("is one mail to each address, however often it is sent", () => {
    expect(idOf("you@example.com")).toBe(mail.messageId);
    expect(idOf("you@example.com")).toMatch(/^<evt_1\.[0-9a-f]{12}@media-index>$/);
    expect(idOf("other@example.com")).not.toBe(mail.messageId);
  });

  it("a notice says why and how to switch the webhook on again", () => {
    const notice = { monitorId: "mon_1", monitorName: "M", failures: 20, lastError: "status 500", at: new Date(0) };
    const rule = { failures: 20, spanSeconds: 3600 };
    const off = webhookNoticeMail({ ...notice, consequence: "disable" }, "you@example.com", rule);
    expect(off.text).toContain('PATCH /v1/monitors/mon_1 {"notifyWebhook": true}');
    expect(off.text).toContain("/v1/monitors/mon_1/redeliver");
    const warning = webhookNoticeMail({ ...notice, consequence: "warn" }, "you@example.com", rule);
    expect(warning.text).toContain("After 20, over 60 minutes or more");
    expect(warning.text).not.toContain("PATCH");
  });
});

describe("SMTP", () => {
  let server: SMTPServer;
  let received: string[] = [];
  let mailer: ReturnType<typeof createSmtpMailer>;
  const start = async (options: SMTPServerOptions = {}) => {
    received = [];
    const port = await anyFreePort();
    server = new SMTPServer({
      disabledCommands: ["AUTH", "STARTTLS"],
      onData(stream, _session, done) {
        let text = "";
        stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
        stream.on("end", () => {
          received.push(text);
          done();
        });
      },
      ...options,
    });
    // A sender that gives up may reset its connection.
    server.on("error", () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(port, "127.0.0.1", resolve);
    });
    mailer = createSmtpMailer({
      url: `smtp://user:secret@127.0.0.1:${port}`,
      from: "Media Index <alerts@example.com>",
    });
  };
  afterEach(async () => {
    mailer.close();
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
  });

  it("delivers the mail with its headers for one-click unsubscribing", async () => {
    await start({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onAuth: (_auth, _session, done) => done(null, { user: "user" }),
    });
    await mailer.send(mail, signal());
    const parsed = await PostalMime.parse(received[0] ?? "");
    expect([parsed.subject, parsed.messageId, parsed.from]).toEqual([
      mail.subject,
      mail.messageId,
      { name: "Media Index", address: "alerts@example.com" },
    ]);
    expect(parsed.text?.trim()).toBe(mail.text.trim());
    expect(parsed.html).toContain("<blockquote>");
    expect(received[0]).toContain("List-Unsubscribe: <https://api.example/unsubscribe/token>");
    expect(received[0]).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(received[0]).not.toMatch(/^Bcc:/m);
  });

  it.each([
    [550, true],
    [451, false],
  ])("a reply of %i is refused for good: %s", async (responseCode, refused) => {
    await start({
      onAuth: (_auth, _session, done) => done(null, { user: "user" }),
      disabledCommands: ["STARTTLS"],
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error("no"), { responseCode })),
    });
    await expect(mailer.send(mail, signal())).rejects.toMatchObject({
      name: "MailFailure",
      refused,
      replyCode: responseCode,
    });
  });

  it("a server that is away, and one that wants another password, are worth another attempt, and no secret is told", async () => {
    await start({ onAuth: (_auth, _session, done) => done(new Error("wrong")), disabledCommands: ["STARTTLS"] });
    const refused = await mailer.send(mail, signal()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ refused: false });
    expect(String(refused)).not.toContain("secret");
    const away = createSmtpMailer({ url: `smtp://127.0.0.1:${await anyFreePort()}`, from: "a@example.com" });
    await expect(away.send(mail, signal())).rejects.toMatchObject({ refused: false, replyCode: null });
    away.close();
  });

  it("gives up on a server that says nothing when told to", async () => {
    await start({ onConnect: () => undefined });
    const giveUp = AbortSignal.timeout(100);
    await expect(mailer.send(mail, giveUp)).rejects.toMatchObject({
      message: "the mail server did not answer in time",
    });
  });
});

describe("the inbox folder", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "media-index-mail-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("keeps each mail whole, once, however often it is sent", async () => {
    const inbox = createInboxFolder({ folder, from: "alerts@example.com", clock: () => new Date(0) });
    await inbox.send(mail, signal());
    await inbox.send(mail, signal());
    const file = `${mail.messageId.slice(1, -1)}.eml`;
    expect(await readdir(folder)).toEqual([file]);
    const parsed = await PostalMime.parse(await readFile(path.join(folder, file)));
    expect([parsed.subject, parsed.date]).toEqual([mail.subject, "1970-01-01T00:00:00.000Z"]);
  });
});
