import { z } from "zod";
import { jobStatuses } from "../../../domain/transcriptionJob.ts";
import { listJobs } from "../../../services/transcriptions/listJobs.ts";
import { amount } from "../components/amounts.ts";
import { filters } from "../components/filters.ts";
import { accountLink, jobPath } from "../components/links.ts";
import { table } from "../components/table.ts";
import { ago } from "../components/moment.ts";
import { nextPage } from "../components/nextPage.ts";
import { inWords } from "../components/status.ts";
import { cursorField } from "../cursorField.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { jobStatus } from "./jobStatus.ts";

const path = "/console/jobs";
const limit = 50;
const fields = z.strictObject({
  status: z.enum(jobStatuses).optional(),
  account: z.string().trim().max(200).optional(),
  cursor: cursorField,
});
const position = z.tuple([z.string()]).transform(([beforeId]) => beforeId);

/** Transcription jobs of all accounts, newest first. */
export async function jobsPage({ context, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const { status, account, cursor } = readFields(fields, query);
  const binding = { operation: "consoleJobs", status, account };
  const filter = { status: status ?? null, accountId: account ?? null };
  const beforeId = cursors.open(binding, cursor, position);
  const { jobs, hasMore } = await listJobs(context, filter, { limit, beforeId });
  const last = jobs.at(-1);
  const now = context.clock();
  const content = html`
    ${filters(path, [
      {
        kind: "choice",
        name: "status",
        label: "Status",
        value: status ?? "",
        options: [{ value: "", label: "any" }, ...jobStatuses.map((value) => ({ value, label: value }))],
      },
      { kind: "text", name: "account", label: "Account", hint: "usr_…", value: account ?? "" },
    ])}
    ${table(
      "Transcription jobs, newest first",
      [
        {
          title: "Video",
          cell: (job) => html`<a href=${jobPath(job.jobId)} data-row>${job.videoTitle ?? job.videoId}</a>`,
        },
        { title: "Status", cell: ({ status }) => jobStatus(status) },
        { title: "Stage", cell: ({ stage }) => stage },
        {
          title: "Ended because",
          cell: ({ failureReason, cancelReason }) => inWords(failureReason ?? cancelReason ?? "–"),
        },
        { title: "Account", cell: accountLink },
        { title: "Rows held", align: "end", cell: ({ heldRows }) => amount(heldRows) },
        { title: "Asked for", cell: ({ createdAt }) => ago(createdAt, now) },
      ],
      jobs,
      "No job fits.",
    )}
    ${nextPage(path, query, hasMore && last !== undefined ? cursors.seal(binding, [last.jobId]) : null)}
  `;
  return { page: { title: "Jobs", section: "jobs", content } };
}
