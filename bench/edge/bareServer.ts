import { once } from "node:events";
import express from "express";
import { shapeEntity } from "../../api/v1/entities/schema.ts";
import { readAccount } from "../../database/accounts.ts";
import { readEntity } from "../../database/entities.ts";
import { openPool } from "../../database/pool.ts";

/**
 * The floor: Express handlers that do the one read through slonik and answer with the same JSON, without key, limit, quota, debit, ids,
 * headers or log. The database's address and the size of its pool come in the environment, the account of `/v1/me` with the request.
 */
const pool = await openPool(process.env["DATABASE_URL"] ?? "", {
  maxConnections: Number(process.env["DATABASE_POOL_SIZE"]),
});
const accountId = process.env["BENCH_ACCOUNT"] ?? "";

const app = express();
/* oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 takes care of rejections */
app.get("/v1/entities/:id", async (request, response) => {
  const id = Number(request.params.id.replace("ent_", ""));
  const entity = await readEntity(pool, id);
  if (entity === null) response.status(404).json({ error: "not found" });
  else response.json({ entity: shapeEntity(entity, id) });
});
app.get("/v1/me", async (_request, response) => {
  const account = await readAccount(pool, accountId);
  response.json({
    user_id: accountId,
    tier: account?.tier,
    scopes: ["read"],
    rate_limit: 1200,
    recommendations_api_enabled: true,
    usage: { rows_used: 0, rows_remaining: 0, monthly_rows: account?.monthlyRows, current_spend_cents: 0 },
  });
});

const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("the server listens on no TCP port");
process.send?.({ url: `http://127.0.0.1:${address.port}` });
process.once("disconnect", () => process.exit());
