import { z } from "zod";
import { type ImportKind, rowSchemas } from "../../domain/imports/rows.ts";
import { type Read, readRow } from "../../domain/imports/readRow.ts";
import { readSponsorBlockRecord, sponsorBlockColumns } from "../../domain/imports/sponsorBlock.ts";
import { readWikidataItem, withoutArray } from "../../domain/imports/wikidata.ts";
import type { ServiceContext } from "../context.ts";
import { entityWriter } from "./entities.ts";
import { adPassageWriter, mentionWriter, recommendationWriter, sponsorWriter } from "./evidence.ts";
import { type ImportOptions, type ImportReport, importRows } from "./importRows.ts";
import { readCsv } from "./readCsv.ts";
import { readLines } from "./readLines.ts";
import { videoWriter } from "./videos.ts";

/** What a stream holds: lines of our own JSON, or what others publish. */
export type ImportFormat =
  | { kind: ImportKind; format: "jsonl" }
  | { kind: "entities"; format: "wikidata"; language: string }
  | { kind: "sponsors"; format: "sponsorblock" };

const maxLineBytes = 1024 * 1024;
/** Items of countries are that long. */
const maxWikidataLineBytes = 4 * maxLineBytes;

/**
 * Imports a stream of any length in bounded memory; lines that do not fit are in the report, by number and with the reason, and all others
 * are stored. Safe to repeat and to resume. Throws `ImportStopped`.
 */
export async function importStream(
  context: Pick<ServiceContext, "pool" | "settings">,
  source: ImportFormat,
  chunks: AsyncIterable<Uint8Array>,
  { fromLine = 1, ...options }: ImportOptions & { fromLine?: number | undefined } = {},
): Promise<ImportReport> {
  const lines = <Row>(read: (text: string) => Read<Row> | null, longest = maxLineBytes) =>
    readLines(chunks, { read, maxLineBytes: longest, fromLine });
  const jsonLines = <Row>(schema: z.ZodType<Row>) => lines((text) => readRow(schema, text));

  switch (source.format) {
    case "wikidata": {
      const items = lines((text) => {
        const item = withoutArray(text);
        if (item === null) return null;
        const read = readRow(z.unknown(), item);
        return "reason" in read ? read : readWikidataItem(read.row, source.language);
      }, maxWikidataLineBytes);
      return importRows(context, entityWriter, items, options);
    }
    case "sponsorblock": {
      const records = readCsv(chunks, {
        read: readSponsorBlockRecord,
        columns: sponsorBlockColumns,
        maxRecordBytes: maxLineBytes,
        fromLine,
      });
      return importRows(context, adPassageWriter, records, options);
    }
    case "jsonl":
      switch (source.kind) {
        case "entities":
          return importRows(context, entityWriter, jsonLines(rowSchemas.entities), options);
        case "videos":
          return importRows(context, videoWriter(context.settings.platform), jsonLines(rowSchemas.videos), options);
        case "mentions":
          return importRows(context, mentionWriter, jsonLines(rowSchemas.mentions), options);
        case "recommendations":
          return importRows(context, recommendationWriter, jsonLines(rowSchemas.recommendations), options);
        case "sponsors":
          return importRows(context, sponsorWriter, jsonLines(rowSchemas.sponsors), options);
      }
  }
}
