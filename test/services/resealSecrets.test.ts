import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import { makeMasterKey, readMasterKeys } from "../../adapters/vault/masterKeys.ts";
import { connectChat } from "../../services/chat/connect.ts";
import { openChatIntegration } from "../../services/chat/open.ts";
import { rotateSecret } from "../../services/monitors/rotateSecret.ts";
import { signDelivery } from "../../services/monitors/signDelivery.ts";
import { resealSecrets } from "../../services/secrets/reseal.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { createTestMonitor } from "../builders/monitors.ts";

const [older, newer] = [makeMasterKey(), makeMasterKey()];
const vaultOf = (...keys: string[]) => createKeyVault(() => readMasterKeys({ MASTER_KEYS: keys.join(), home: "/" }));
const now = new Date("2026-03-01T00:00:00Z");

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext({ vault: vaultOf(older), clock: () => now });
});
afterAll(() => context.close());

it("after `secrets reseal` the older master key can go: webhooks sign as before, with both secrets, and chats open", async () => {
  const caller = await createCaller(context);
  const { accountId } = caller;
  const hook = { notifyWebhook: true, webhookUrl: "https://hooks.example.com/in" };
  const { monitorId } = (await createTestMonitor(context, caller, hook)).monitor;
  await context.pool.transaction((transaction) => rotateSecret(context, transaction, caller, monitorId));
  await createTestMonitor(context, caller, hook);
  const { chatIntegrationId } = await connectChat(context, {
    accountId,
    kind: "slack-bot",
    name: "N",
    secret: "xoxb-1",
  });
  const sign = (keys: TestContext) => signDelivery(keys, { monitorId, eventId: "evt_1", body: "{}" });
  const before = await sign(context);
  expect(before).toHaveProperty("X-Service-Signature-Previous");

  const both = { ...context, vault: vaultOf(newer, older) };
  expect([await resealSecrets(both), await resealSecrets(both)]).toEqual([4, 0]);
  const alone = { ...context, vault: vaultOf(newer) };
  expect(await sign(alone)).toEqual(before);
  expect(await openChatIntegration(alone, accountId, chatIntegrationId)).toEqual({
    kind: "slack-bot",
    secret: "xoxb-1",
  });
  await expect(sign(context)).rejects.toThrow("master key");
  await expect(resealSecrets({ ...context, vault: vaultOf(older) })).rejects.toThrow("master key");
});
