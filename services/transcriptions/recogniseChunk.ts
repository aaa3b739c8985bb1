import { type ChunkToDo, readChunkToDo, storeChunk } from "../../database/transcriptionChunks.ts";
import type { Recognition } from "../../domain/speech.ts";
import type { ServiceContext } from "../context.ts";

/**
 * Has one chunk recognised and keeps the result. Does nothing for a chunk that is done or whose job has ended, so that a retry redoes
 * one chunk and never the film.
 */
export async function recogniseChunk(
  context: ServiceContext,
  chunk: { jobId: string; index: number; engine: string },
  recognise: (chunk: ChunkToDo) => Promise<Recognition>,
): Promise<void> {
  const toDo = await readChunkToDo(context.pool, chunk.jobId, chunk.index);
  if (toDo === null || toDo.recognised || !toDo.running) return;
  const { segments, engineSeconds } = await recognise(toDo);
  await storeChunk(context.pool, {
    jobId: chunk.jobId,
    index: chunk.index,
    segments,
    engineSeconds,
    engine: chunk.engine,
  });
}
