import { describe, expect, it } from "@jest/globals";
import { parseConfiguration } from "../../domain/configuration.ts";
import { defaultMailbox, isMailbox } from "../../domain/mailbox.ts";

const machine = { cores: 1, currentFolder: "/", readSettings: () => ({}) };

describe("the sender of mail", () => {
  it.each([
    "alerts@example.com",
    "alerts@localhost",
    "Media Index <alerts@example.com>",
    "Mediathek Köln <alerts@xn--kln-sna.example>",
    '"Acme, Inc." <alerts@example.com>',
  ])("%s is one", (text) => expect(isMailbox(text)).toBe(true));

  it.each([
    "",
    "alerts",
    "Media Index",
    "alerts@",
    "Acme, Inc. <alerts@example.com>",
    "a@example.com, b@example.com",
    "A <a@example.com> <b@example.com>",
    "Media Index <alerts@example.com>\r\nBcc: x@example.com",
    "Media\nIndex <alerts@example.com>",
    '"A" B" <alerts@example.com>',
  ])("%j is none", (text) => expect(isMailbox(text)).toBe(false));

  it.each([
    ["https://index.example.com/base", "Media Index <media-index@index.example.com>"],
    ["http://127.0.0.1:8080", "Media Index <media-index@localhost>"],
    ["http://[::1]:8080", "Media Index <media-index@localhost>"],
  ])("of an installation at %s is %s unless it is named", (url, sender) => {
    expect(defaultMailbox(url)).toBe(sender);
    expect(isMailbox(sender)).toBe(true);
  });

  it("is what MAIL_FROM names; one that is no address stops the start without being shown", () => {
    expect(parseConfiguration({ MAIL_FROM: "Alerts <a@example.com>" }, machine).mailFrom).toBe(
      "Alerts <a@example.com>",
    );
    expect(parseConfiguration({ PUBLIC_URL: "https://x.example//" }, machine)).toMatchObject({
      publicUrl: "https://x.example",
      mailFrom: "Media Index <media-index@x.example>",
    });
    const parse = () => parseConfiguration({ MAIL_FROM: "nobody" }, machine);
    expect(parse).toThrow(/MAIL_FROM/);
    expect(parse).not.toThrow(/nobody/);
  });
});
