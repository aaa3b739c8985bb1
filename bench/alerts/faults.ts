import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { Installation } from "../../test/builders/installation.ts";
import { seededRandom } from "../../test/builders/seededRandom.ts";
import { eventually, type PartName, runningParts } from "../../test/environment/startedSystem.ts";
import { type Receivers, startReceivers } from "./startReceivers.ts";
import { addVideo, createWatchers, speakOf, type Watchers } from "./watchers.ts";

export interface AlertFaultOptions {
  accounts: number;
  /** That each of them watches, and each video speaks of. */
  entities: number;
  videos: number;
  /** Of each part that is killed. */
  kills: number;
  seed: number;
}

const killed = ["workers", "api", "temporal", "postgres"] as const satisfies readonly PartName[];
const longestPauseMilliseconds = 4000;

/** What has become of the occurrences whose deliveries were disturbed. */
export interface AlertFaultReport {
  killed: Record<(typeof killed)[number], number>;
  occurrences: number;
  delivered: number;
  /** Occurrences that have exactly one debit, of their price. */
  billedOnce: number;
  /** Rows that the ledger and the pools of the accounts say were spent. */
  ledgerRows: number;
  usedRows: number;
  /** Occurrences whose event arrived, under their own event id and no other. */
  webhooks: number;
  chats: number;
  mails: number;
  /** Arrivals beyond the first, of all three: an attempt whose end could not be written down is made again. */
  repeats: number;
}

/**
 * Fires occurrences into an installation under `npm start` while its parts are killed with -9, each so often, in random order and at random
 * moments; waits until nothing is pending, and reports. The receivers stay up.
 */
export async function runAlertFaults(options: AlertFaultOptions): Promise<AlertFaultReport> {
  const receivers = await startReceivers();
  const installation = await Installation.start({
    SMTP_URL: receivers.smtpUrl,
    OUTBOUND_ALLOWED_CIDRS: "127.0.0.0/8",
    SPEECH_ENGINE: "none",
    LOG_LEVEL: "warn",
  });
  try {
    const watchers = await createWatchers(installation, receivers, options);
    const ending = new AbortController();
    const killing = killParts(installation, options, ending.signal);
    try {
      await Promise.all([killing, fire(watchers, options)]);
    } finally {
      ending.abort();
    }
    await eventually(async () => {
      receivers.requireRunning();
      return (await countPending(watchers).catch(() => null)) === 0 || undefined;
    });
    return await examine(watchers, receivers, await killing);
  } finally {
    await installation.stop();
    await receivers.stop();
  }
}

/** Videos come in as long as parts are killed. */
async function fire({ context, entityIds }: Watchers, { videos, kills }: AlertFaultOptions): Promise<void> {
  const pauseMilliseconds = (kills * killed.length * longestPauseMilliseconds) / 2 / videos;
  for (let video = 0; video < videos; video += 1) {
    const videoId = `faults-${video}`;
    await persistently(() => addVideo(context, videoId));
    await persistently(() => speakOf(context, videoId, entityIds));
    await sleep(pauseMilliseconds);
  }
}

/** Repeats what does no harm when it is done twice, until the database is there to do it. */
async function persistently(write: () => Promise<unknown>): Promise<void> {
  await eventually(() =>
    write().then(
      () => true as const,
      () => undefined,
    ),
  );
}

async function killParts(
  { where }: Installation,
  { kills, seed }: AlertFaultOptions,
  signal: AbortSignal,
): Promise<AlertFaultReport["killed"]> {
  const random = seededRandom(seed);
  const done = { workers: 0, api: 0, temporal: 0, postgres: 0 };
  const order = Array.from({ length: kills }, () => killed)
    .flat()
    .map((name) => ({ name, place: random() }))
    .toSorted((a, b) => a.place - b.place);
  for (const { name } of order) {
    await sleep(random() * longestPauseMilliseconds);
    const pid = await eventually(() => (signal.aborted ? 0 : runningParts(where.home)[name]?.pid));
    if (signal.aborted) break;
    process.kill(pid, "SIGKILL");
    done[name] += 1;
  }
  return done;
}

async function countPending({ context }: Watchers): Promise<number> {
  return context.pool.oneFirst(sql.type(z.object({ count }))`
    select (select count(*) from alert_occurrence where status = 'pending')
      + (select count(*) from alert_delivery where status = 'pending') + (select count(*) from outbox) as count`);
}

const occurrenceRow = z.object({
  id: z.string(),
  event_id: z.string(),
  status: z.string(),
  rows_billed: count,
  debits: count,
  debited: count,
});

async function examine(
  { context, accountIds }: Watchers,
  receivers: Receivers,
  kills: AlertFaultReport["killed"],
): Promise<AlertFaultReport> {
  const occurrences = await context.pool.any(sql.type(occurrenceRow)`
    select alert.id, event_id, status, rows_billed, count(entry.id) as debits, coalesce(sum(entry.rows), 0)::int8 as debited
    from alert_occurrence as alert left join ledger_entry as entry on entry.subject = alert.id and entry.kind = 'debit'
    group by alert.id`);
  const price = context.settings.prices.alertOccurrenceRows;
  const ledgerRows = await context.pool.oneFirst(sql.type(z.object({ rows: count }))`
    select coalesce(sum(rows), 0)::int8 as rows from ledger_entry`);
  const usages = await Promise.all(accountIds.map((accountId) => readUsage(context, accountId)));
  const { webhooks, chats, mails } = await receivers.arrivals();
  const times = [Object.values(webhooks).map(({ times }) => times), Object.values(chats), Object.values(mails)].flat();
  return {
    killed: kills,
    occurrences: occurrences.length,
    delivered: occurrences.filter(({ status }) => status === "delivered").length,
    billedOnce: occurrences.filter((row) => row.debits === 1 && row.debited === price && row.rows_billed === price)
      .length,
    ledgerRows,
    usedRows: usages.reduce((sum, { rows_used }) => sum + rows_used, 0),
    webhooks: occurrences.filter(({ id, event_id }) => webhooks[event_id]?.alertIds.join() === id).length,
    chats: Object.keys(chats).length,
    mails: Object.keys(mails).length,
    repeats: times.reduce((sum, of) => sum + of - 1, 0),
  };
}
