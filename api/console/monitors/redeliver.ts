import { randomUUID } from "node:crypto";
import type { VNode } from "preact";
import { z } from "zod";
import { ApiError } from "../../../domain/errors.ts";
import type { ConsoleSession } from "../../../services/console/sessions.ts";
import { redeliver, type RedeliveryRequest } from "../../../services/operations/redeliver.ts";
import { counted } from "../components/amounts.ts";
import { monitorPath } from "../components/links.ts";
import { postForm } from "../components/postForm.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";

/** What tells one press of a button from the next: a form that is sent twice does one thing. */
const once = z.string().regex(/^[\w-]{1,100}$/, "reload the page and try again");
const alertFields = z.strictObject({ once });
const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, "write it as 2026-11-21T08:00, in UTC")
  .transform((text) => new Date(`${text}Z`))
  .refine((at) => at.getTime() >= 0 && at.getUTCFullYear() <= 9999, "there is no such time");
const spanFields = z.strictObject({ once, from: moment, to: moment });

export async function redeliverAlert(asked: ConsoleAsked): Promise<ConsoleAnswer> {
  const { once } = readFields(alertFields, asked.form);
  const { monitor_id: monitorId = "", alert_id: alertId = "" } = asked.params;
  return sendAgain(asked, once, { kind: "alert", monitorId, alertId });
}

export async function redeliverSpan(asked: ConsoleAsked): Promise<ConsoleAnswer> {
  const { once, from, to } = readFields(spanFields, asked.form);
  return sendAgain(asked, once, { kind: "span", monitorId: asked.params["monitor_id"] ?? "", from, to });
}

async function sendAgain(
  { context, session }: ConsoleAsked,
  once: string,
  request: RedeliveryRequest,
): Promise<ConsoleAnswer> {
  const redirect = monitorPath(request.monitorId);
  try {
    const { count, isRepeat } = await redeliver(context, { keyId: session.keyId, once }, request);
    return { redirect, flash: isRepeat ? "That was asked for already; nothing was doubled." : outcome(count) };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "idempotency_in_progress")) throw error;
    return { redirect, flash: "That is being done already." };
  }
}

function outcome(count: number): string {
  if (count === 0) return "There is nothing of that time that could be sent again.";
  return `${counted(count, "alert is", "alerts are")} on the way again. It costs no rows.`;
}

/** The button of one alert. */
export function redeliverAlertForm(session: ConsoleSession, monitorId: string, alertId: string): VNode {
  return postForm(
    session,
    `${monitorPath(monitorId)}/alerts/${encodeURIComponent(alertId)}/redeliver`,
    html`
      <input type="hidden" name="once" value=${randomUUID()} />
      <button type="submit">Send again<span class="unseen"> alert ${alertId}</span></button>
    `,
  );
}

/** The form for what fired between two moments; it proposes the last day. */
export function redeliverSpanForm(session: ConsoleSession, monitorId: string, now: Date): VNode {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  return postForm(
    session,
    `${monitorPath(monitorId)}/redeliver`,
    html`
      <input type="hidden" name="once" value=${randomUUID()} />
      ${momentField("from", "Fired from (UTC)", dayAgo)} ${momentField("to", "Fired until (UTC)", now)}
      <button type="submit">Send these again</button>
    `,
    "filters",
  );
}

function momentField(name: string, label: string, value: Date): VNode {
  const id = `span-${name}`;
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <input id=${id} name=${name} type="datetime-local" step="1" required value=${value.toISOString().slice(0, 19)} />
    </div>
  `;
}
