import { isRunning, transcriptionWorkflowId } from "../../../domain/transcriptionJob.ts";
import { type JobReport, readJob } from "../../../services/operations/readJob.ts";
import { amount, duration } from "../components/amounts.ts";
import { facts } from "../components/facts.ts";
import { accountLink, code } from "../components/links.ts";
import { inWords } from "../components/status.ts";
import { table } from "../components/table.ts";
import { at } from "../components/moment.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { jobStatus } from "./jobStatus.ts";

/** A job, with how far it is, what it has cost, and where Temporal UI shows it. */
export async function jobPage({ context, params }: ConsoleAsked): Promise<ConsoleAnswer> {
  const report = await readJob(context, params["job_id"] ?? "");
  const { job, rows, entries } = report;
  const content = html`
    <p><a href="/console/jobs" data-key="b">All jobs</a></p>
    <section aria-labelledby="progress">
      <h2 id="progress">Progress</h2>
      ${progress(report)}
    </section>
    <section aria-labelledby="rows">
      <h2 id="rows">Rows</h2>
      ${facts([
        ["Held", amount(rows.held)],
        ["Refunded", amount(rows.refunded)],
        [isRunning(job.status) ? "Held now" : "Charged", amount(rows.charged)],
        ["Paid by", accountLink(job)],
        ["Of the month", job.heldPeriod.slice(0, 7)],
      ])}
      ${table(
        "Ledger entries of the job",
        [
          { title: "Entry", cell: ({ reason }) => reason },
          { title: "Kind", cell: ({ kind }) => kind },
          { title: "Rows", align: "end", cell: (entry) => amount(entry.rows) },
          { title: "At", cell: (entry) => at(entry.at) },
        ],
        entries,
        "The ledger has no entry of this job.",
      )}
    </section>
    <section aria-labelledby="names">
      <h2 id="names">Names</h2>
      ${facts([
        ["Job", code(job.jobId)],
        ["Video", code(job.videoId)],
        ["Workflow in Temporal UI", code(transcriptionWorkflowId(job.videoId))],
        ["Request", job.requestId === null ? null : code(job.requestId)],
      ])}
    </section>
  `;
  return { page: { title: `Job: ${job.videoTitle ?? job.videoId}`, section: "jobs", content } };
}

function progress({ job, progress, etaSeconds }: JobReport) {
  const percent = Math.round(progress * 100);
  return html`
    <p>
      <progress max="100" value=${percent} aria-label="Share that is done">${percent} %</progress> ${`${percent} %`}
    </p>
    ${facts([
      ["Status", jobStatus(job.status)],
      ["Stage", job.stage],
      ["Left", etaSeconds === null ? null : `about ${duration(etaSeconds)}`],
      ["Failed because", job.failureReason === null ? null : inWords(job.failureReason)],
      ["Canceled because", job.cancelReason === null ? null : inWords(job.cancelReason)],
      ["Priority", job.priority],
      ["Language", job.language],
      ["Length", job.durationSeconds === null ? "not known yet" : duration(job.durationSeconds)],
      ["Pieces", pieces({ job })],
      ["Engine time", job.engineSeconds === null ? null : duration(job.engineSeconds)],
      ["Asked for", at(job.createdAt)],
      ["Begun", job.startedAt === null ? null : at(job.startedAt)],
      ["Ended", job.completedAt === null ? null : at(job.completedAt)],
    ])}
  `;
}

function pieces({ job }: Pick<JobReport, "job">): string | null {
  if (job.chunkCount === null) return null;
  return isRunning(job.status)
    ? `${amount(job.chunksRecognised)} of ${amount(job.chunkCount)} recognised`
    : amount(job.chunkCount);
}
