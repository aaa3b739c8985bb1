import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { readRunningJob, updateStage } from "../../database/transcriptionJobs.ts";
import { alertMail } from "../../domain/delivery/alertMail.ts";
import type { Mailer } from "../../domain/delivery/mail.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createKey } from "../../services/keys/createKey.ts";
import { failTranscription } from "../../services/transcriptions/end.ts";
import { fireAlerts } from "../builders/alerts.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import type { Edge } from "../api/edge.ts";

const long = "Averylongnamewithoutanyplacetobreakitatwhichnoscreenisevergoingtobewideenough";
const hostile = `<script>alert("mail")</script>`;

/** An installation with something of everything that operators look at, long and hostile names among it. */
export async function createOperationsScene(edge: Edge, mailer: Mailer) {
  const { context } = edge;
  const write = (statement: ReturnType<typeof sql.fragment>) => context.pool.query(sql.typeAlias("void")`${statement}`);
  const account = await edge.newKey({ tier: "pro", rows: 6000, onDemand: true, spendCapCents: 5000 });
  const { accountId } = account;
  await createKey(context, { accountId, name: `${hostile} ${long}`, scopes: ["read"] });
  const unused = await createAccount(context, { email: `${long}@example.com`, tier: "free" });

  const submit = async (videoId: string) => {
    await edge.call("POST", "/v1/transcriptions", { key: account.key, body: { videoId } });
    return (await readRunningJob(context.pool, videoId))?.jobId ?? "";
  };
  const failedJobId = await submit("failedvid00");
  await write(sql.fragment`update video set title = ${`${hostile} ${long}`} where id = 'failedvid00'`);
  await failTranscription(context, failedJobId, "engine_unavailable");
  const runningJobId = await submit("runningvid0");
  await updateStage(context.pool, runningJobId, "recognising");

  const call = async (path: string, body: unknown) => (await edge.call("POST", path, { key: account.key, body })).json;
  const disabled = await call("/v1/monitors", {
    name: `${hostile} ${long}`,
    notifyWebhook: true,
    webhookUrl: "https://hooks.example.com/off",
  });
  await write(sql.fragment`
    update monitor set webhook_disabled_at = now(), webhook_disabled_reason = 'the answer was 410', webhook_failure_count = 20
    where id = ${disabled.monitor.id}`);
  const { monitor } = await call("/v1/monitors", {
    name: "Press watch",
    notifyWebhook: true,
    webhookUrl: `https://hooks.example.com/${long}?token=secret`,
    emailAddresses: ["press@example.com"],
  });
  const monitorId: string = monitor.id;
  const entityName = `Ada ${long}`;
  const entityId = await createNamedEntity(context, entityName);
  const { tracker } = await call("/v1/trackers", {
    entityName,
    entityType: "person",
    filters: { kinds: ["mention"], includeAds: false },
  });
  await call(`/v1/monitors/${monitorId}/trackers`, { trackerIds: [tracker.id] });
  const alertIds = await fireAlerts(context, { entityId }, 12);
  await write(sql.fragment`
    update alert_occurrence set begun_at = now(), rows_billed = 100, quote = ${`She said ${hostile} and ${long}.`},
      status = (array['delivered', 'failed', 'pending', 'suppressed'])[1 + ('x' || right(md5(id), 6))::bit(24)::int % 4]
    where monitor_id = ${monitorId}`);
  await write(sql.fragment`update alert_occurrence set status = 'delivered' where id = ${alertIds.at(-1) ?? ""}`);
  await write(sql.fragment`
    insert into alert_delivery (id, account_id, occurrence_id, monitor_id, channel, purpose, event_id, status, attempts, response_status, next_attempt_at)
    select 'dlv_' || channel || right(alert.id, 8), account_id, alert.id, monitor_id, channel, 'alert', event_id,
      case channel when 'webhook' then 'pending' when 'email' then 'succeeded' else 'skipped' end, 3, case channel when 'webhook' then 503 end,
      case channel when 'webhook' then now() + interval '5 minutes' end
    from alert_occurrence as alert, unnest(array['webhook', 'email', 'chat']) as channel where monitor_id = ${monitorId}`);
  await write(sql.fragment`
    insert into delivery_attempt (delivery_id, monitor_id, channel, number, outcome, at, latency_milliseconds, response_status, response_excerpt, error_kind)
    select id, monitor_id, channel, n, case when n = 3 and channel = 'email' then 'succeeded' else 'failed' end, now() - n * interval '1 minute', 150 * n,
      case when n < 3 then 503 end, case when n < 3 then repeat(${`<html>${long}</html> `}, n) end, case when n = 3 then 'unknown_host' end
    from alert_delivery, generate_series(1, 3) as n where monitor_id = ${monitorId}`);

  await write(sql.fragment`
    insert into ledger_entry (account_id, period, rows, kind, reason, request_id, created_at)
    select ${accountId}, date_trunc('month', now() at time zone 'UTC')::date, case when n % 9 = 0 then -100 else 20 * (n % 13) end,
      case when n % 9 = 0 then 'refund' else 'debit' end, (array['mentions', 'alert', 'recommendations', 'transcription failed: engine_unavailable'])[case when n % 9 = 0 then 4 else 1 + n % 3 end],
      'req_01k4z8m3v9f0k8xqj7t2w5n6cd', date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + n * interval '4 hours'
    from generate_series(1, 150) as n`);
  await write(sql.fragment`
    insert into usage_counter (account_id, period, rows_used, on_demand_rows)
    select ${accountId}, (date_trunc('month', now() at time zone 'UTC') - n * interval '1 month')::date, 700 * (n + 1), greatest(0, 700 * (n + 1) - 6000)
    from generate_series(1, 11) as n`);

  const mail = alertMail(
    {
      eventId: "evt_1",
      kind: "mention",
      entityName: hostile,
      label: hostile,
      monitorName: "Press watch",
      videoTitle: long,
      channelName: "A channel",
      momentUrl: `https://video.example/watch?v=${long}`,
      startSeconds: 65,
      quote: `She said ${long}.`,
      mentionCount: 3,
    },
    "ada@example.com",
    `https://api.example/unsubscribe/${long}`,
  );
  await mailer.send(mail, new AbortController().signal);

  return {
    accountId,
    unusedAccountId: unused.accountId,
    failedJobId,
    runningJobId,
    monitorId,
    mailName: `${mail.messageId.slice(1, -1)}.eml`,
    sentAgain: () =>
      context.pool.oneFirst(sql.type(z.object({ count }))`
        select count(*) from alert_delivery where monitor_id = ${monitorId} and purpose = 'redelivery'`),
  };
}

export type OperationsScene = Awaited<ReturnType<typeof createOperationsScene>>;
