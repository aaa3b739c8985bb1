import { Readable } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import { z } from "zod";
import type { Read } from "../../domain/imports/readRow.ts";
import type { Entry } from "./importRows.ts";

export interface CsvReading<Row> {
  /** A record by its column names as a row; null where it holds none and is nothing to complain of. */
  read: (record: unknown) => Read<Row> | null;
  columns: readonly string[];
  maxRecordBytes: number;
  fromLine: number;
}

const parsed = z.object({ record: z.record(z.string(), z.string().optional()), info: z.object({ lines: z.number() }) });
const recordsAtOnce = 500;

/**
 * The rows of a CSV file with a header (RFC 4180), piece by piece as its bytes come; a record's line is its last. Throws when a column is
 * missing, and at a record over `maxRecordBytes`, behind which no other can be told.
 */
export async function* readCsv<Row>(
  chunks: AsyncIterable<Uint8Array>,
  { read, columns, maxRecordBytes, fromLine }: CsvReading<Row>,
): AsyncGenerator<Entry<Row>[]> {
  let entries: Entry<Row>[] = [];
  const parser = parse({
    columns: (header: string[]) => {
      const missing = columns.filter((name) => !header.includes(name));
      if (missing.length > 0) throw new Error(`the first line lacks the columns ${missing.join(", ")}`);
      return header;
    },
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxRecordBytes,
    on_skip: (error: CsvError | undefined) => {
      const line = Number(error?.["lines"] ?? 0);
      if (error?.code === "CSV_MAX_RECORD_SIZE")
        parser.destroy(
          new Error(`the record at line ${line} is longer than ${maxRecordBytes} bytes: look for an open quote`),
        );
      else
        entries.push({
          line,
          sizeBytes: 0,
          reason: "is not valid CSV: put quotes around the whole field and double those in it",
        });
      return undefined;
    },
  });
  const source = Readable.from(chunks, { objectMode: false });
  source.on("error", (error) => parser.destroy(error));
  for await (const value of source.pipe(parser)) {
    const { record, info } = parsed.parse(value);
    if (info.lines < fromLine) continue;
    const result = read(record);
    if (result !== null) entries.push({ line: info.lines, sizeBytes: 64, ...result });
    if (entries.length < recordsAtOnce) continue;
    yield entries;
    entries = [];
  }
  yield entries;
}
