import { insertChunks } from "../../database/transcriptionChunks.ts";
import type { AudioSpan } from "../../domain/media.ts";
import type { ServiceContext } from "../context.ts";

/** Fixes how the recording is split, once; a repeated split keeps the first plan. Returns the number of chunks. */
export async function planChunks(context: ServiceContext, jobId: string, spans: readonly AudioSpan[]): Promise<number> {
  return context.pool.transaction((transaction) => insertChunks(transaction, jobId, spans));
}
