import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { connectChat } from "../../services/chat/connect.ts";
import { disconnectChat } from "../../services/chat/disconnect.ts";
import { openChatIntegration } from "../../services/chat/open.ts";
import { WatchScene } from "./watchScene.ts";

const scene = new WatchScene();
const { patch, get, createMonitor: create } = scene;

describe("chat integrations", () => {
  it("are connected by the operator, listed without their secret, used by a monitor, and erased", async () => {
    const secret = "https://hooks.example.com/services/T0/B0/very-secret";
    const connected = await scene.edge.call("POST", `/internal/accounts/${scene.caller.accountId}/chat-integrations`, {
      key: scene.edge.internalKey,
      body: { kind: "slack-webhook", name: "Newsroom", secret },
    });
    expect(connected.status).toBe(201);
    const integration = connected.json.chat_integration;
    expect(connected.text).not.toContain("very-secret");
    expect((await get("/v1/chat-integrations")).json.data).toEqual([
      { id: integration.id, kind: "slack-webhook", name: "Newsroom", createdAt: expect.any(String) },
    ]);
    expect((await get("/v1/chat-integrations", await scene.edge.newKey())).json.data).toEqual([]);
    const stored = await scene.edge.context.pool.oneFirst(sql.type(z.object({ sealed_secret: z.instanceof(Buffer) }))`
      select sealed_secret from chat_integration where id = ${integration.id}`);
    expect(stored.toString("latin1")).not.toContain("very-secret");
    expect(await openChatIntegration(scene.edge.context, scene.caller.accountId, integration.id)).toEqual({
      kind: "slack-webhook",
      secret,
    });
    const { id } = await create({ notifyChat: true, chatIntegrationId: integration.id });
    const gone = await scene.edge.call("DELETE", `/internal/chat-integrations/${integration.id}`, {
      key: scene.edge.internalKey,
    });
    expect(gone.json).toEqual({ id: integration.id, deleted: true });
    expect((await patch(`/v1/monitors/${id}`, { name: "Still changeable" })).json.monitor).toMatchObject({
      chatIntegrationId: null,
    });
    expect(await openChatIntegration(scene.edge.context, scene.caller.accountId, integration.id)).toBeNull();
    await expect(disconnectChat(scene.edge.context, integration.id)).rejects.toMatchObject({
      code: "chat_integration_not_found",
    });
  });

  it("refuses a private address, a token with spaces, and an account that is not there", async () => {
    const { accountId } = scene.caller;
    const input = { accountId, kind: "slack-webhook" as const, name: "Newsroom", secret: "http://127.0.0.1/" };
    await expect(connectChat(scene.edge.context, input)).rejects.toMatchObject({ code: "invalid_body" });
    await expect(connectChat(scene.edge.context, { ...input, kind: "slack-bot", secret: "a b" })).rejects.toMatchObject(
      {
        code: "invalid_body",
      },
    );
    await expect(connectChat(scene.edge.context, { ...input, accountId: "usr_0" })).rejects.toMatchObject({
      code: "account_not_found",
    });
  });
});
