import { type ChatIntegration, listChatIntegrations as selectIntegrations } from "../../database/chatIntegrations.ts";
import type { Caller, ServiceContext } from "../context.ts";

/** A page of the account's chat integrations, newest first. */
export async function listChatIntegrations(
  { pool }: ServiceContext,
  { accountId }: Caller,
  page: { limit: number; beforeId: string | null },
): Promise<{ integrations: readonly ChatIntegration[]; hasMore: boolean }> {
  const found = await selectIntegrations(pool, accountId, { ...page, limit: page.limit + 1 });
  return { integrations: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
