import { expect } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { undoCorrection } from "../../services/corrections/withdraw.ts";
import { carryName } from "../../services/teaching/carry.ts";
import { carryAll, createMisheardName } from "../builders/taughtNames.ts";
import type { Edge, NewKey } from "./edge.ts";

export const videos = 4;

/** A name that was misheard in so many videos and put right in the first, and a reviewer of what that teaches. */
export async function createTaughtName(edge: Edge, owner: NewKey) {
  const { pool } = edge.context;
  const caller = { ...owner, tier: "enterprise", scopes: ["read"], requestId: "req_test" } as const;
  const scene = await createMisheardName(edge.context, caller, videos);
  await scene.teach();
  const id = await scene.taughtId();
  const get = (path: string) => edge.call("GET", `/internal/taught-names${path}`, { key: edge.internalKey });

  return {
    ...scene,
    id,
    get,
    post: (step: string, body?: unknown, asked = id) =>
      edge.call("POST", `/internal/taught-names/${asked}/${step}`, { key: edge.internalKey, body }),
    read: async () => (await get(`/${id}`)).json,
    places: async () => (await get(`/${id}/places?limit=100`)).json.data,
    async placesOf(videoId: string) {
      const { data } = (await get(`/${id}/places?limit=100`)).json;
      return data.filter((each: { media: { video_id: string } }) => each.media.video_id === videoId);
    },
    /** All rows of a list, page by page. */
    async pages(path: string, limit: number) {
      const rows: Record<string, unknown>[] = [];
      for (let cursor: string | null = null; ;) {
        const { json } = await get(`${path}?limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`);
        rows.push(...json.data);
        cursor = json.next_cursor;
        if (cursor === null) return rows;
      }
    },
    carry: (asked = id) => carryAll(edge.context, asked),
    /** Until the places are known and none is corrected. */
    async carryUntilPlanned() {
      while ((await carryName(edge.context, id)).counts.pending === 0);
    },
    undoOne: (correctionId: string) =>
      pool.transaction((transaction) => undoCorrection(transaction, correctionId, null)),
    aliases: () =>
      pool.anyFirst(sql.type(z.object({ name: z.string() }))`
        select name from entity_name where entity_id = ${scene.entityId} and is_alias`),
    mentioned: (videoId: string) =>
      pool.oneFirst(sql.type(z.object({ n: count }))`
        select count(*) as n from mention where video_id = ${videoId} and entity_id = ${scene.entityId} and not is_appearance`),
    /** Tags words of a segment, as a person does; returns the correction's id. */
    async tag(videoId: string, at: number, words: string, entityId: string): Promise<string> {
      const { segments, revision } = (await edge.call("GET", `/v1/transcripts/${videoId}`, owner)).json;
      const { id: segmentId, contentHash, text } = segments[at];
      const charStart = text.indexOf(words);
      const place = { entityId, charStart, charEnd: charStart + words.length, action: "add" };
      const body = { kind: "entity_tag", revision, anchor: { segmentId, contentHash }, ...place };
      const { status, json } = await edge.call("POST", `/v1/videos/${videoId}/corrections`, { key: owner.key, body });
      expect(status).toBe(201);
      return json.id;
    },
    /** The lines of a video when its name is right everywhere. */
    corrected: [
      scene.said[0],
      `We talk with ${scene.right} and ${scene.other} today.`,
      scene.said[2],
      `This is ${scene.right}'s work. ${scene.right}, thank you.`,
    ],
  };
}

export type TaughtNameScene = Awaited<ReturnType<typeof createTaughtName>>;

/** Evidence that is detected anew says in which revision, so that of a transcript that was changed and changed back differs. */
export function withoutRevisions(state: readonly string[][]): string[][] {
  return state.map((rows) =>
    rows.map((row) => row.replaceAll(/"transcript_revision": \d+/g, '"transcript_revision": 0')),
  );
}

/** The same without how sure mentions are, which depends on what else the channel speaks of by now. */
export function withoutSureness(state: readonly string[][]): string[][] {
  return withoutRevisions(state).map((rows) =>
    rows.map((row) => row.replace(/"confidence": [\d.]+/, '"confidence": 0')),
  );
}
