import { z } from "zod";
import type { QueuedFeedback } from "../../../database/reviewQueue.ts";
import { feedbackTypes } from "../../../domain/review/issues.ts";
import { openStatuses, reviewStatuses } from "../../../domain/review/states.ts";
import { listReviews } from "../../../services/feedback/listReviews.ts";
import { filters } from "../components/filters.ts";
import { ago } from "../components/moment.ts";
import { nextPage } from "../components/nextPage.ts";
import { inWords } from "../components/status.ts";
import { type Column, table } from "../components/table.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleRoute } from "../route.ts";
import { reviewStatus } from "./tones.ts";

const path = "/console/reviews";
const pageRows = 50;
const id = z.string().trim().max(100);

const asked = z.strictObject({
  status: z.enum(["open", "any", ...reviewStatuses]).default("open"),
  type: z.enum(feedbackTypes).optional(),
  account: id.optional(),
  key: id.optional(),
  order: z.enum(["oldest", "newest"]).default("oldest"),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,512}$/, "must be of the page before")
    .optional(),
});

const position = z.tuple([z.int()]).transform(([after]) => after);

/** The reviewers' queue: what waits, oldest first, unless it is asked otherwise. */
export const queueRoute: ConsoleRoute = {
  id: "consoleReviews",
  method: "get",
  path: "/reviews",
  async answer({ context, cursors, query }) {
    const { status, type, account, key, order, cursor } = readFields(asked, query);
    const binding = { operation: "consoleReviews", status, type, account, key, order };
    const after = cursors.open(binding, cursor, position);
    const statuses = status === "any" ? reviewStatuses : status === "open" ? openStatuses : [status];
    const filter = { statuses, type: type ?? null, accountId: account ?? null, keyId: key ?? null };
    const { reviews, hasMore } = await listReviews(context, filter, { order, limit: pageRows, after });
    const last = reviews.at(-1);
    const nextCursor = hasMore && last !== undefined ? cursors.seal(binding, [last.feedbackId]) : null;
    const content = html`
      ${filters(path, [
        {
          kind: "choice",
          name: "status",
          label: "Status",
          value: status,
          options: [
            { value: "open", label: "open: something to do" },
            { value: "any", label: "any" },
            ...reviewStatuses.map(option),
          ],
        },
        {
          kind: "choice",
          name: "type",
          label: "Type",
          value: type ?? "",
          options: [{ value: "", label: "any" }, ...feedbackTypes.map(option)],
        },
        { kind: "text", name: "account", label: "Account", hint: "usr_…", value: account ?? "" },
        { kind: "text", name: "key", label: "Key", hint: "key_…", value: key ?? "" },
        {
          kind: "choice",
          name: "order",
          label: "Order",
          value: order,
          options: [
            { value: "oldest", label: "oldest first" },
            { value: "newest", label: "newest first" },
          ],
        },
      ])}
      ${table("Feedback", columns(context.clock()), reviews, "No feedback is like this.")}
      ${nextPage(path, query, nextCursor)}
    `;
    return { page: { title: "Reviews", section: "reviews", content } };
  },
};

const option = (value: string) => ({ value, label: inWords(value) });

function columns(now: Date): readonly Column<QueuedFeedback>[] {
  return [
    {
      title: "Feedback",
      cell: ({ feedbackId }) => html`<a href=${`${path}/${feedbackId}`} data-row>#${feedbackId}</a>`,
    },
    { title: "Status", cell: ({ status }) => reviewStatus(status) },
    { title: "Type", cell: ({ type }) => html`<span class="short">${inWords(type)}</span>` },
    { title: "Says", cell: ({ corrections }) => issuesOf(corrections) },
    { title: "Corrections", align: "end", cell: ({ corrections }) => corrections.length },
    { title: "Account", cell: ({ accountId }) => html`<span class="id">${accountId}</span>` },
    { title: "Submitted", cell: ({ createdAt }) => ago(createdAt, now) },
  ];
}

/** What is said to be wrong, each once. */
function issuesOf(corrections: QueuedFeedback["corrections"]): string {
  return [...new Set(corrections.map(({ issueType }) => inWords(issueType)))].join(", ");
}
