import { Presets, SingleBar } from "cli-progress";

export interface ImportProgress {
  /** Counts bytes as they pass through. */
  watch(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  stop(): void;
}

const megabyte = 1_000_000;

/** A bar on standard error where that is a terminal, else nothing. `totalBytes`: null where it is unknown. */
export function importProgress(totalBytes: number | null): ImportProgress {
  if (!process.stderr.isTTY) return { watch: (chunks) => chunks, stop: () => undefined };
  const format =
    totalBytes === null
      ? "{value} MB read, {duration_formatted}"
      : "{bar} {percentage} % of {total} MB, {eta_formatted} left";
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  bar.start(totalBytes === null ? 0 : Math.ceil(totalBytes / megabyte), 0);
  let readBytes = 0;
  return {
    async *watch(chunks) {
      for await (const chunk of chunks) {
        yield chunk;
        readBytes += chunk.length;
        bar.update(Math.floor(readBytes / megabyte));
      }
    },
    stop: () => bar.stop(),
  };
}
