import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedPostgres } from "../../cli/start/embeddedPostgres.ts";
import { migrate } from "../../database/migrate.ts";
import { openPool, sql, type Transaction } from "../../database/pool.ts";
import { readAllSegments, readPresent } from "../../database/transcriptParts.ts";
import type { Segment } from "../../domain/corrections/types.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import type { Caller, ServiceContext } from "../../services/context.ts";
import { correctTranscript } from "../../services/corrections/correct.ts";
import type { CorrectionRequest } from "../../services/corrections/request.ts";
import { withdrawRewrite } from "../../services/corrections/withdraw.ts";
import { createEntity, publicOnly, testVault } from "../../test/builders/context.ts";
import { createTranscript } from "../../test/builders/finishedTranscript.ts";
import { testSettings } from "../../test/builders/settings.ts";
import { talk } from "../../test/builders/speech.ts";

export interface CorrectionBenchOptions {
  /** Corrections of each kind, of each transcript, that are timed. */
  edits: number;
}

/** The first of each kind pay for plans and for code that is not compiled yet. */
const untimed = 10;

const lengths = { short: 10, long: 600 } as const;
type Length = keyof typeof lengths;
const people = ["Ada Quillfeather", "Bruno Castellane", "Imogen Thackeray", "Osric Vandermeer", "Petra Lindqvist"];
const bar = 1.3;

/**
 * Corrections of a 10-hour transcript against the same corrections of a 10-minute one, in turns, at places all over each: the whole use case
 * in its transaction, evidence included. Both transcripts name somebody in every fifth segment.
 */
export async function benchCorrections({ edits }: CorrectionBenchOptions): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  await chmod(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, port: 0 });
  try {
    await migrate(postgres.url);
    const pool = await openPool(postgres.url, { maxConnections: 2, statementTimeoutMilliseconds: 600_000 });
    const context = {
      pool,
      settings: testSettings(),
      clock: () => new Date(),
      vault: testVault(),
      outbound: publicOnly,
    };
    const { accountId } = await createAccount(context, { email: "bench@example.com", tier: "enterprise" });
    const caller: Caller = {
      accountId,
      keyId: "key_bench",
      tier: "enterprise",
      scopes: ["read"],
      requestId: "req_bench",
    };
    const names = new Gazetteer();
    for (const name of people) names.add(await createEntity(context, { name, type: "person" }), name, false);
    for (const [length, minutes] of Object.entries(lengths))
      await createTranscript(context, caller, {
        ...talk(minutes * 60, { names: people }),
        videoId: videoOf(length),
        names,
      });
    await pool.query(sql.typeAlias("void")`vacuum analyze transcript_segment`);
    await pool.query(sql.typeAlias("void")`vacuum analyze mention`);
    const idsOf = async (length: Length) => (await readAllSegments(pool, videoOf(length))).map(({ id }) => id);
    const segmentIds = { short: await idsOf("short"), long: await idsOf("long") };
    // Each correction has a place of its own: a text edited twice would be another one in the short transcript than in the long one.
    if (edits + untimed > segmentIds.short.length - 2)
      throw new RangeError("the short transcript has not as many places");
    const milliseconds = await measure(context, caller, segmentIds, edits + untimed);
    const rows = Object.entries(milliseconds).map(([kind, taken]) => {
      const [short, long] = [median(taken.short.slice(untimed)), median(taken.long.slice(untimed))];
      return [
        kind,
        {
          "10 min, ms": short.toFixed(2),
          "10 h, ms": long.toFixed(2),
          [`ratio (bar: ${bar})`]: (long / short).toFixed(2),
        },
      ] as const;
    });
    console.log(`\nmedians of ${edits} corrections of each kind`);
    console.table(Object.fromEntries(rows));
    await pool.end();
  } finally {
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}

const kinds = ["line_edit", "speaker_reassign", "entity_tag", "segment_rewrite", "withdrawal"] as const;
type Measured = Record<(typeof kinds)[number], Record<Length, number[]>>;

async function measure(
  context: ServiceContext,
  caller: Caller,
  segmentIds: Record<Length, readonly string[]>,
  edits: number,
): Promise<Measured> {
  const measured: Measured = {
    line_edit: { short: [], long: [] },
    speaker_reassign: { short: [], long: [] },
    entity_tag: { short: [], long: [] },
    segment_rewrite: { short: [], long: [] },
    withdrawal: { short: [], long: [] },
  };
  for (let n = 0; n < edits; n += 1) {
    for (const length of n % 2 === 0 ? (["short", "long"] as const) : (["long", "short"] as const)) {
      const videoId = videoOf(length);
      for (const kind of kinds.slice(0, 4)) {
        const ids = segmentIds[length];
        const at = Math.floor(((n + 0.5) / edits) * (ids.length - 2));
        const [segment, next] = await readPresent(context.pool, videoId, ids.slice(at, at + 2));
        if (segment === undefined || next === undefined) throw new Error("the transcript is too short");
        const order = { correction: correctionOf(kind, segment, next, n), seq: null, note: null, asked: "{}" };
        const work = (transaction: Transaction) => correctTranscript(transaction, caller, videoId, order);
        const { id, taken } = await timed(context, work);
        measured[kind][length].push(taken);
        if (kind !== "segment_rewrite") continue;
        const withdrawal = await timed(context, (transaction) => withdrawRewrite(transaction, caller, id));
        measured.withdrawal[length].push(withdrawal.taken);
      }
    }
  }
  return measured;
}

async function timed<T>(
  context: ServiceContext,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T & { taken: number }> {
  const start = performance.now();
  const done = await context.pool.transaction(work);
  return { ...done, taken: performance.now() - start };
}

function correctionOf(kind: (typeof kinds)[number], segment: Segment, next: Segment, n: number): CorrectionRequest {
  const anchorOf = (text: string) => ({
    revision: 1,
    anchor: { segmentId: segment.id, contentHash: contentHash(text) },
  });
  const name = people[n % people.length] ?? "";
  switch (kind) {
    case "line_edit":
      return { kind, ...anchorOf(segment.text), text: `${name} said ${n}: ${segment.text}` };
    case "speaker_reassign":
      return { kind, ...anchorOf(segment.text), to: { newSpeakerLabel: `Speaker ${n % 7}` } };
    case "entity_tag":
      return {
        kind,
        ...anchorOf(segment.text),
        tag: {
          entityId: (n % people.length) + 1,
          charStart: segment.text.length - 4,
          charEnd: segment.text.length,
          action: "add",
        },
      };
    case "segment_rewrite":
    case "withdrawal":
      return {
        kind: "segment_rewrite",
        ...anchorOf(`${segment.text}\n${next.text}`),
        range: { fromSegmentId: segment.id, toSegmentId: next.id },
        replacements: [`Once more ${n}.`, segment.text, next.text].map((text) => ({
          text,
          speakerId: null,
          startSeconds: null,
          endSeconds: null,
        })),
      };
  }
}

function videoOf(length: string): string {
  return `bench-${length}`.padEnd(11, "0");
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}
