import { expect, it, jest } from "@jest/globals";
import { runAlertFaults } from "../../bench/alerts/faults.ts";

jest.setTimeout(400_000);

it("alerts among kills of worker, API, Temporal and Postgres: each delivered on every channel, billed once, under one event id", async () => {
  const report = await runAlertFaults({ accounts: 5, entities: 4, videos: 10, kills: 2, seed: 7 });
  expect(report).toEqual({
    killed: { workers: 2, api: 2, temporal: 2, postgres: 2 },
    occurrences: 200,
    delivered: 200,
    billedOnce: 200,
    ledgerRows: 20_000,
    usedRows: 20_000,
    webhooks: 200,
    chats: 200,
    mails: 200,
    repeats: expect.any(Number),
  });
});
