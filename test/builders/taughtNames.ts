import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { contentHash } from "../../domain/contentHash.ts";
import type { TaughtNameStatus } from "../../domain/teaching/states.ts";
import type { Caller, ServiceContext } from "../../services/context.ts";
import { correctTranscript } from "../../services/corrections/correct.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";
import { carryName } from "../../services/teaching/carry.ts";
import { listOffers } from "../../services/teaching/read.ts";
import { createEntity } from "./context.ts";
import { createTranscript } from "./finishedTranscript.ts";

let scenes = 0;

/** A person whose name is misheard in some videos, of which the first is put right. */
export async function createMisheardName(context: ServiceContext, caller: Caller, videos: number) {
  scenes += 1;
  const letters = `${String.fromCodePoint(97 + (scenes % 26))}${String.fromCodePoint(97 + Math.floor(scenes / 26))}`;
  const right = `Ada Quillfeather${letters}`;
  const wrong = `Ada Quilfedder${letters}`;
  const entityId = await createEntity(context, { name: right });
  const other = `Osric Vandermeer${letters}`;
  await createEntity(context, { name: other });
  const names = new NameIndex(context);
  await names.load();
  const said = [
    "Welcome to the show.",
    `We talk with ${wrong} and ${other} today.`,
    "They were built by hand.",
    `This is ${wrong}'s work. ${wrong.toUpperCase()}, thank you.`,
  ];
  const videoIds: string[] = [];

  /** One more video that says the same; returns its id. */
  async function publish(): Promise<string> {
    const videoId = `${letters}-each-${String(videoIds.length).padStart(3, "0")}`;
    const segments = said.map((text, index) => ({
      text,
      startSeconds: index * 5,
      endSeconds: index * 5 + 4,
      confidence: 0.9,
      words: [],
    }));
    await createTranscript(context, caller, { videoId, names: names.gazetteer, durationSeconds: 20, segments });
    videoIds.push(videoId);
    return videoId;
  }
  for (let n = 0; n < videos; n += 1) await publish();

  const read = (videoId: string) => readAllSegments(context.pool, videoId);
  const texts = async (videoId: string) => (await read(videoId)).map(({ text }) => text);

  /** Edits a line as a person does; returns the correction's id. */
  async function edit(videoId: string, at: number, text: string): Promise<string> {
    const segment = (await read(videoId))[at];
    if (segment === undefined) throw new Error("no such segment");
    const anchor = { segmentId: segment.id, contentHash: contentHash(segment.text) };
    const correction = { kind: "line_edit", revision: 1, anchor, text } as const;
    const order = { correction, seq: null, note: null, asked: JSON.stringify(correction) };
    return (await context.pool.transaction((tx) => correctTranscript(tx, caller, videoId, order))).id;
  }

  /** Puts a name right in the first video, or another one; returns the correction's id. */
  const teach = (videoId = videoIds[0] ?? "") => edit(videoId, 1, said[1]?.replace(wrong, right) ?? "");

  /** The number of the name that was taught, as it stands among those of a status. */
  async function taughtId(status: TaughtNameStatus = "offered"): Promise<number> {
    const { names: offers } = await listOffers(context, [status], { limit: 1000, after: null });
    const found = offers.find(({ name }) => name.entity.numericId === entityId);
    if (found === undefined) throw new Error(`nothing is ${status}`);
    return found.name.id;
  }

  return { entityId, right, wrong, other, said, videoIds, publish, texts, edit, teach, taughtId };
}

export type MisheardName = Awaited<ReturnType<typeof createMisheardName>>;

/** Does all that was decided on a name, as its workflow would. */
export async function carryAll(context: ServiceContext, id: number) {
  for (;;) {
    const progress = await carryName(context, id);
    if (!progress.hasMore) return progress;
  }
}

/** How many corrections reviewers' decisions made in each video of a scene, of how many segments, and how many of them are taken back. */
export function correctionsMade({ pool }: ServiceContext, { videoIds }: MisheardName) {
  return pool.any(sql.type(z.object({ positions: count, corrections: count, withdrawn: count }))`
    select count(distinct entry.from_position) as positions, count(*) as corrections, count(undone.id) as withdrawn
    from transcript_correction as entry left join transcript_correction as undone on undone.withdraws_id = entry.id
    where entry.account_id is null and entry.kind = 'line_edit' and entry.video_id = any(${sql.array(videoIds, "text")})
    group by entry.video_id order by entry.video_id`);
}
