import { z } from "zod";
import type { Account } from "../../../database/accounts.ts";
import { listKeys } from "../../../services/keys/listKeys.ts";
import { type AccountUse, readAccountUse } from "../../../services/operations/readAccountUse.ts";
import { amount, centsOf } from "../components/amounts.ts";
import { facts, type Shown } from "../components/facts.ts";
import { accountPath, code } from "../components/links.ts";
import { at } from "../components/moment.ts";
import { status } from "../components/status.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { keyTable } from "./keyTable.ts";
import { monthField } from "./monthField.ts";
import { dayFigure, monthFigure, reasonFigure } from "./useFigures.ts";

const keysShown = 10;
const fields = z.strictObject({ month: monthField });

/** An account with its plan, what it has used, and its keys. */
export async function accountPage({ context, params, query }: ConsoleAsked): Promise<ConsoleAnswer> {
  const accountId = params["account_id"] ?? "";
  const { month } = readFields(fields, query);
  const use = await readAccountUse(context, accountId, month ?? null);
  const { keys, hasMore } = await listKeys(context, accountId, { limit: keysShown, beforeId: null });
  const { account } = use;
  const path = accountPath(accountId);
  const shownMonth = use.period.slice(0, 7);
  const about = new URLSearchParams({ account: accountId });
  const content = html`
    <p><a href="/console/accounts" data-key="b">All accounts</a></p>
    <section aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      ${facts(planFacts(account))}
      <p><a href=${`/console/jobs?${about}`}>Its jobs</a> · <a href=${`/console/monitors?${about}`}>Its monitors</a></p>
    </section>
    <section aria-labelledby="use">
      <h2 id="use">Use of ${use.presentPeriod.slice(0, 7)}</h2>
      ${facts(useFacts(use))}
    </section>
    <section aria-labelledby="plots">
      <h2 id="plots">Where the rows of ${shownMonth} went</h2>
      <div class="figures">${dayFigure(use)} ${reasonFigure(use)} ${monthFigure(use)}</div>
      <nav aria-label="Months">
        <ul class="months">
          ${use.months.map(({ period }) => {
            const name = period.slice(0, 7);
            const isCurrent = name === shownMonth ? "page" : undefined;
            return html`<li><a href=${`${path}?month=${name}`} aria-current=${isCurrent}>${name}</a></li>`;
          })}
        </ul>
      </nav>
      <p><a href=${`${path}/ledger?month=${shownMonth}`}>The ledger of ${shownMonth}</a></p>
    </section>
    <section aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      ${keyTable(keys, context.clock())} ${hasMore ? html`<p><a href=${`${path}/keys`}>All keys</a></p>` : null}
    </section>
  `;
  return { page: { title: `Account: ${account.email}`, section: "accounts", content } };
}

function planFacts(account: Account): (readonly [string, Shown])[] {
  return [
    ["Id", code(account.accountId)],
    ["Tier", account.tier],
    ["API", account.apiEnabled ? status("on", "good") : status("off", "bad")],
    [
      "Rows a month",
      account.monthlyRows === null ? "as the tier has them" : `${amount(account.monthlyRows)}, of its own`,
    ],
    ["On demand", account.onDemand ? status("on", "good") : status("off", "neutral")],
    ["Spend cap", account.spendCapCents === null ? null : centsOf(account.spendCapCents)],
    ["Made", at(account.createdAt)],
  ];
}

function useFacts({ usage }: AccountUse): (readonly [string, Shown])[] {
  return [
    ["Pool", amount(usage.monthlyRows)],
    ["Used", amount(usage.rowsUsed)],
    ["Remaining", amount(usage.rowsRemaining)],
    ["On-demand spend", centsOf(usage.currentSpendCents)],
  ];
}
