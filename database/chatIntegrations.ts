import { z } from "zod";
import { type ChatKind, chatKinds } from "../domain/chat.ts";
import { type Queryable, sql, timestamp } from "./pool.ts";

const integrationRow = z
  .object({
    id: z.string(),
    account_id: z.string(),
    kind: z.enum(chatKinds),
    name: z.string(),
    created_at: timestamp,
  })
  .transform((row) => ({
    chatIntegrationId: row.id,
    accountId: row.account_id,
    kind: row.kind,
    name: row.name,
    createdAt: row.created_at,
  }));
/** Where chat messages can go; its address or token is read on its own. */
export type ChatIntegration = z.output<typeof integrationRow>;

const columns = sql.fragment`id, account_id, kind, name, created_at`;

export async function insertChatIntegration(
  db: Queryable,
  integration: { chatIntegrationId: string; accountId: string; kind: ChatKind; name: string; sealedSecret: Buffer },
): Promise<ChatIntegration> {
  return db.one(sql.type(integrationRow)`
    insert into chat_integration (id, account_id, kind, name, sealed_secret)
    values (${integration.chatIntegrationId}, ${integration.accountId}, ${integration.kind}, ${integration.name},
      ${sql.binary(integration.sealedSecret)})
    returning ${columns}`);
}

/** Erases it; monitors and trackers that used it have none then. False where there is none. */
export async function deleteChatIntegration(db: Queryable, chatIntegrationId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    delete from chat_integration where id = ${chatIntegrationId}`);
  return rowCount > 0;
}

/** An account's, newest first; `beforeId` starts behind that one. */
export async function listChatIntegrations(
  db: Queryable,
  accountId: string,
  page: { limit: number; beforeId: string | null },
): Promise<readonly ChatIntegration[]> {
  const before = page.beforeId === null ? sql.fragment`` : sql.fragment`and id < ${page.beforeId}`;
  return db.any(sql.type(integrationRow)`
    select ${columns} from chat_integration where account_id = ${accountId} ${before} order by id desc limit ${page.limit}`);
}

export async function readChatIntegration(
  db: Queryable,
  accountId: string,
  chatIntegrationId: string,
): Promise<ChatIntegration | null> {
  return db.maybeOne(sql.type(integrationRow)`
    select ${columns} from chat_integration where id = ${chatIntegrationId} and account_id = ${accountId}`);
}

/** Its address or token as the vault sealed it. */
export async function readSealedChatSecret(db: Queryable, chatIntegrationId: string): Promise<Buffer | null> {
  return db.maybeOneFirst(sql.type(z.object({ sealed_secret: z.instanceof(Buffer) }))`
    select sealed_secret from chat_integration where id = ${chatIntegrationId}`);
}

const sealedRow = z
  .object({ id: z.string(), account_id: z.string(), sealed_secret: z.instanceof(Buffer) })
  .transform((row) => ({ chatIntegrationId: row.id, accountId: row.account_id, sealed: row.sealed_secret }));

/** All integrations as the vault sealed them, by id; `afterId` starts behind that one. */
export async function listSealedChats(
  db: Queryable,
  afterId: string,
  limit: number,
): Promise<readonly z.output<typeof sealedRow>[]> {
  return db.any(sql.type(sealedRow)`
    select id, account_id, sealed_secret from chat_integration where id > ${afterId} order by id limit ${limit}`);
}

/** Puts the same address or token in place as it was sealed anew; it never changes otherwise. */
export async function replaceSealedChat(db: Queryable, chatIntegrationId: string, sealed: Buffer): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update chat_integration set sealed_secret = ${sql.binary(sealed)} where id = ${chatIntegrationId}`);
}
