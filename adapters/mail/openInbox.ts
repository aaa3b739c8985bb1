import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import path from "node:path";
import PostalMime, { type Email } from "postal-mime";
import type { Configuration } from "../../domain/configuration.ts";
import type { Inbox, InboxPosition, ReceivedMail } from "../../domain/delivery/inbox.ts";
import { inboxFolderOf } from "./inboxFolder.ts";

/** Mail of ours is far smaller; what somebody else put there is not worth more memory. */
const mostBytes = 1_048_576;

/** What `createInboxFolder` names mails: no separators, and never a hidden file. */
const fileName = /^[\w@-][\w.@-]*\.eml$/;

/** The inbox that this installation mails into; null where it has a mail server. */
export function openInbox(configuration: Pick<Configuration, "SMTP_URL" | "home">): Inbox | null {
  return configuration.SMTP_URL === undefined ? openInboxFolder(inboxFolderOf(configuration.home)) : null;
}

/** An inbox in a folder of `.eml` files; a folder that is not there yet is an empty one. Only plain files right in it are mails. */
export function openInboxFolder(folder: string): Inbox {
  async function positions(): Promise<InboxPosition[]> {
    const names = await readdir(folder).catch(emptyWhereMissing);
    const found = await Promise.all(
      names.filter((name) => fileName.test(name)).map(async (name) => positionOf(path.join(folder, name), name)),
    );
    return found.filter((position) => position !== null).sort(newestFirst);
  }

  async function read(name: string) {
    if (!fileName.test(name)) return null;
    const file = path.join(folder, name);
    const position = await positionOf(file, name);
    const bytes = position === null ? null : await beginningOf(file);
    if (position === null || bytes === null) return null;
    const email = await PostalMime.parse(bytes);
    return { ...position, ...headersOf(email), text: email.text?.trimEnd() ?? null };
  }

  return {
    async list({ limit, after }) {
      const all = await positions();
      const rest = after === null ? all : all.filter((position) => newestFirst(position, after) > 0);
      const mails: ReceivedMail[] = [];
      for (const { name } of rest.slice(0, limit)) {
        const mail = await read(name);
        if (mail !== null) mails.push(withoutText(mail));
      }
      return { mails, hasMore: rest.length > limit };
    },
    read,
  };
}

function withoutText({ name, receivedAt, from, to, subject }: ReceivedMail): ReceivedMail {
  return { name, receivedAt, from, to, subject };
}

/** Null for what is no plain file, a link to one included, or is gone. */
async function positionOf(file: string, name: string): Promise<InboxPosition | null> {
  const stats = await lstat(file).catch(() => null);
  return stats?.isFile() === true ? { name, receivedAt: new Date(Math.trunc(stats.mtimeMs)) } : null;
}

function newestFirst(a: InboxPosition, b: InboxPosition): number {
  return b.receivedAt.getTime() - a.receivedAt.getTime() || (a.name < b.name ? 1 : a.name > b.name ? -1 : 0);
}

/** Null where it is gone. */
async function beginningOf(file: string): Promise<Buffer | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, mostBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function headersOf({ from, to, subject }: Email): Pick<ReceivedMail, "from" | "to" | "subject"> {
  return {
    from: from?.address ?? "",
    to: (to ?? []).map(({ address }) => address ?? "").join(", "),
    subject: subject ?? "",
  };
}

function emptyWhereMissing(error: unknown): string[] {
  if (typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT") return [];
  throw error;
}
