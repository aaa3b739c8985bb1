import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createInboxFolder } from "../../adapters/mail/inboxFolder.ts";
import { openInbox, openInboxFolder } from "../../adapters/mail/openInbox.ts";
import type { Mail } from "../../domain/delivery/mail.ts";

const mail: Mail = {
  to: "Ada <ada@example.com>",
  subject: "Grüße <script>alert(1)</script>",
  text: "Hello.\nA “quote”.",
  html: "<p>Never <b>shown</b></p>",
  messageId: "<evt_1.abc@media-index>",
  unsubscribeUrl: null,
};
let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "media-index-inbox-"));
  folder = path.join(home, "mail");
});
afterEach(() => rm(home, { recursive: true }));

async function receive(name: string, second: number, more: Partial<Mail> = {}): Promise<void> {
  const inbox = createInboxFolder({ folder, from: "alerts@example.com", clock: () => new Date(0) });
  await inbox.send({ ...mail, messageId: `<${name}@media-index>`, ...more }, new AbortController().signal);
  await utimes(path.join(folder, `${name}@media-index.eml`), second, second);
}
const namesOf = ({ mails }: { mails: { name: string }[] }) => mails.map(({ name }) => name.split("@")[0]);

describe("an inbox folder", () => {
  it("is there where no mail server is, and empty until the first mail", async () => {
    expect(openInbox({ home, SMTP_URL: "smtp://mail.example.com" })).toBeNull();
    expect(await openInbox({ home, SMTP_URL: undefined })?.list({ limit: 10, after: null })).toEqual({
      mails: [],
      hasMore: false,
    });
  });

  it("shows a mail as its plain text", async () => {
    await receive("evt_1.abc", 1000);
    expect(await openInboxFolder(folder).read("evt_1.abc@media-index.eml")).toEqual({
      name: "evt_1.abc@media-index.eml",
      receivedAt: new Date(1_000_000),
      from: "alerts@example.com",
      to: "ada@example.com",
      subject: mail.subject,
      text: mail.text,
    });
  });

  it("lists newest first, page by page, whatever arrives meanwhile", async () => {
    for (const [name, second] of [
      ["a", 10],
      ["b", 30],
      ["c", 20],
      ["d", 20],
    ] as const)
      await receive(name, second);
    const inbox = openInboxFolder(folder);
    const first = await inbox.list({ limit: 2, after: null });
    expect([namesOf(first), first.hasMore]).toEqual([["b", "d"], true]);
    await receive("e", 40);
    const second = await inbox.list({ limit: 2, after: first.mails.at(-1) ?? null });
    expect([namesOf(second), second.hasMore]).toEqual([["c", "a"], false]);
  });

  it("has no mail outside of it, no link, no folder and nothing that is half written", async () => {
    await receive("evt_1.abc", 1000);
    await writeFile(path.join(home, "master.key"), "a secret");
    await writeFile(path.join(home, "other.eml"), "Subject: a secret\r\n\r\na secret");
    await symlink(path.join(home, "master.key"), path.join(folder, "link.eml"));
    await mkdir(path.join(folder, "folder.eml"));
    await writeFile(path.join(folder, "evt_2.eml.0011.part"), "half");
    await writeFile(path.join(folder, ".hidden.eml"), "hidden");
    const inbox = openInboxFolder(folder);
    expect(namesOf(await inbox.list({ limit: 10, after: null }))).toEqual(["evt_1.abc"]);
    const others = [
      "../other.eml",
      "..%2Fother.eml",
      "..",
      ".",
      "",
      "../master.key",
      path.join(home, "other.eml"),
      "link.eml",
      "folder.eml",
      ".hidden.eml",
      "evt_2.eml.0011.part",
      "evt_1.abc@media-index.eml\0",
      "evt_1.abc@media-index.eml/",
      "missing.eml",
    ];
    for (const name of others) expect([name, await inbox.read(name)]).toEqual([name, null]);
  });

  it("shows what is no mail of ours without failing, and nothing of a mail's HTML", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "html.eml"), "Subject: x\r\nContent-Type: text/html\r\n\r\n<b>only this</b>");
    await writeFile(
      path.join(folder, "noise.eml"),
      Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)),
    );
    await writeFile(path.join(folder, "empty.eml"), "");
    const inbox = openInboxFolder(folder);
    expect((await inbox.list({ limit: 10, after: null })).mails).toHaveLength(3);
    expect(await inbox.read("html.eml")).toMatchObject({ subject: "x", text: null });
    expect(await inbox.read("empty.eml")).toMatchObject({ subject: "", from: "", to: "", text: null });
  });
});
