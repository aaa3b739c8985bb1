import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createInboxFolder } from "../../adapters/mail/inboxFolder.ts";
import { openInboxFolder } from "../../adapters/mail/openInbox.ts";
import { allPages, factsOf, rowsOf } from "./consoleReading.ts";
import { createVisitor, type Visitor } from "./consoleVisitor.ts";
import { type Edge, startEdge } from "./edge.ts";

let home: string;
let folder: string;
let edge: Edge;
let visitor: Visitor;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "media-index-console-mail-"));
  folder = path.join(home, "mail");
  edge = await startEdge({ inbox: openInboxFolder(folder) });
  visitor = createVisitor(edge);
  await visitor.signIn();
});
afterAll(async () => {
  await edge.close();
  await rm(home, { recursive: true });
});

async function receive(name: string, second: number, subject = name): Promise<void> {
  const inbox = createInboxFolder({ folder, from: "alerts@example.com", clock: () => new Date() });
  await inbox.send(
    {
      to: "ada@example.com",
      subject,
      text: `Text of ${subject}`,
      html: "<p>Markup <script>alert(2)</script></p>",
      messageId: `<${name}@media-index>`,
      unsubscribeUrl: null,
    },
    new AbortController().signal,
  );
  await utimes(path.join(folder, `${name}@media-index.eml`), second, second);
}

describe("the mail of an installation without a mail server", () => {
  it("is empty at first, and then lists the newest first, page by page", async () => {
    expect((await visitor.get("/console/mail")).texts(".empty")).toEqual(["Nothing was mailed yet."]);
    for (let mail = 0; mail < 55; mail += 1) await receive(`evt_${mail}`, 1000 + mail);
    const pages = await allPages(visitor.get, "/console/mail", () => receive("evt_later", 5000));
    expect(pages.map((rows) => rows.length)).toEqual([50, 5]);
    expect(pages.flat().map((row) => row["Subject"])).toEqual(
      Array.from({ length: 55 }, (_, index) => `evt_${54 - index}`),
    );
    expect(rowsOf(await visitor.get("/console/mail"))[0]).toMatchObject({
      Subject: "evt_later",
      To: "ada@example.com",
    });
  });

  it("shows a mail as its plain text, and nothing of it as markup", async () => {
    const hostile = `<script>alert(1)</script>`;
    await receive("evt_hostile", 9000, hostile);
    const list = await visitor.get("/console/mail");
    const page = await visitor.get(list.links.get(hostile) ?? "");
    expect(page.title).toBe(hostile);
    expect(factsOf(page)).toMatchObject({ From: "alerts@example.com", To: "ada@example.com" });
    expect(page.texts("pre")).toEqual([`Text of ${hostile}`]);
    expect(page.text).not.toContain("Markup");
    for (const { text } of [list, page]) expect(text).not.toContain("<script>alert");
  });

  it("knows no file but the mails of its folder", async () => {
    await writeFile(path.join(home, "outside.eml"), "Subject: outside\r\n\r\nkept to ourselves");
    for (const name of ["..%2Foutside.eml", "%2e%2e%2foutside.eml", "..%5Coutside.eml", "missing.eml", "x%00.eml"]) {
      const page = await visitor.get(`/console/mail/${name}`);
      expect([name, page.text.includes("kept to ourselves")]).toEqual([name, false]);
      expect([name, page.title]).toEqual([name, "Not found"]);
    }
  });

  it("is for nobody who is not signed in", async () => {
    expect((await createVisitor(edge).get("/console/mail")).title).toBe("Sign in");
  });
});

it("where mail goes to a server, there is none to be read and no way to it", async () => {
  const other = await startEdge();
  try {
    const elsewhere = createVisitor(other);
    const home = await elsewhere.signIn();
    expect([...home.links.keys()]).not.toContain("Mail");
    expect((await visitor.get("/console/jobs")).links.get("Mail")).toBe("/console/mail");
    expect((await elsewhere.get("/console/mail")).status).toBe(404);
    expect((await elsewhere.get("/console/mail/evt_1.eml")).status).toBe(404);
  } finally {
    await other.close();
  }
});
