import { listSealedChats, replaceSealedChat } from "../../database/chatIntegrations.ts";
import { listSecretOwners, lockWebhookSecrets, replaceSealedSecrets } from "../../database/webhookSecrets.ts";
import { chatSecretPlace } from "../chat/connect.ts";
import type { ServiceContext } from "../context.ts";
import { webhookSecretPlace } from "../monitors/secrets.ts";

const batchSize = 500;

/**
 * Seals what has to last, webhook secrets and the addresses and tokens of chats, under the first master key, so that older ones can be taken
 * away; returns how many secrets were sealed under another. Safe beside a running system, and to be run again. Throws where a secret's
 * master key is gone already.
 */
export async function resealSecrets(context: ServiceContext): Promise<number> {
  return (await resealWebhooks(context)) + (await resealChats(context));
}

async function resealWebhooks({ pool, vault }: ServiceContext): Promise<number> {
  let resealed = 0;
  for (let afterId = ""; ;) {
    const monitorIds = await listSecretOwners(pool, afterId, batchSize);
    for (const monitorId of monitorIds)
      resealed += await pool.transaction(async (transaction) => {
        const stored = await lockWebhookSecrets(transaction, monitorId);
        if (stored === null) return 0;
        const place = webhookSecretPlace(monitorId);
        const current = await vault.reseal(place, stored.sealed);
        const previous = stored.previous && (await vault.reseal(place, stored.previous.sealed));
        const changed = [current, previous].filter((sealed) => sealed !== null).length;
        if (changed > 0) await replaceSealedSecrets(transaction, monitorId, { current, previous });
        return changed;
      });
    afterId = monitorIds.at(-1) ?? afterId;
    if (monitorIds.length < batchSize) return resealed;
  }
}

async function resealChats({ pool, vault }: ServiceContext): Promise<number> {
  let resealed = 0;
  for (let afterId = ""; ;) {
    const chats = await listSealedChats(pool, afterId, batchSize);
    for (const { chatIntegrationId, accountId, sealed } of chats) {
      const anew = await vault.reseal(chatSecretPlace(accountId, chatIntegrationId), sealed);
      if (anew === null) continue;
      await replaceSealedChat(pool, chatIntegrationId, anew);
      resealed += 1;
    }
    afterId = chats.at(-1)?.chatIntegrationId ?? afterId;
    if (chats.length < batchSize) return resealed;
  }
}
