import { createLineSplitter, type LineFault } from "../../domain/imports/lines.ts";
import type { Read } from "../../domain/imports/readRow.ts";
import type { Entry } from "./importRows.ts";

export interface LineReading<Row> {
  /** A line as a row; null where it holds none and is nothing to complain of. */
  read: (text: string) => Read<Row> | null;
  maxLineBytes: number;
  /** Lines before it are counted and passed over. */
  fromLine: number;
}

/** The rows of a file of lines, piece by piece as its bytes come. */
export async function* readLines<Row>(
  chunks: AsyncIterable<Uint8Array>,
  { read, maxLineBytes, fromLine }: LineReading<Row>,
): AsyncGenerator<Entry<Row>[]> {
  const splitter = createLineSplitter(maxLineBytes);
  const entriesOf = (lines: ReturnType<typeof splitter.push>): Entry<Row>[] => {
    const entries: Entry<Row>[] = [];
    for (const line of lines) {
      if (line.number < fromLine) continue;
      const sizeBytes = "text" in line ? line.text.length : 0;
      const result = "text" in line ? read(line.text) : { reason: reasonOf(line.fault, maxLineBytes) };
      if (result !== null) entries.push({ line: line.number, sizeBytes, ...result });
    }
    return entries;
  };
  for await (const chunk of chunks) yield entriesOf(splitter.push(chunk));
  yield entriesOf(splitter.end());
}

function reasonOf(fault: LineFault, maxLineBytes: number): string {
  switch (fault) {
    case "too_long":
      return `is longer than ${maxLineBytes} bytes: write one object on each line, and shorter texts`;
    case "not_utf8":
      return "is not UTF-8: convert the file";
  }
}
