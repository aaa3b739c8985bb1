import {
  type EvidenceFault,
  markAds,
  type StoredRows,
  storeMentions,
  storeRecommendations,
  storeSponsors,
} from "../../database/imports/evidence.ts";
import { shareForEvidence } from "../../database/imports/locks.ts";
import type { Transaction } from "../../database/pool.ts";
import type { MentionRow, RecommendationRow, SponsorRow } from "../../domain/imports/rows.ts";
import type { AdPassage } from "../../domain/imports/sponsorBlock.ts";
import { firing } from "../alerts/firing.ts";
import type { RowWriter } from "./importRows.ts";
import { markSettled } from "./markSettled.ts";

/** Mentions and appearances, which fire trackers; one is known by its video, entity, times and kind. */
export const mentionWriter: RowWriter<MentionRow> = evidenceWriter(
  async (transaction, rows) => {
    const marked = await markSettled(transaction, rows, (row) =>
      row.is_appearance === true ? "appearance" : "mention",
    );
    const told = rows.map((row) => ({ entityId: row.entity, videoId: row.video_id }));
    return firing(transaction, told, () => storeMentions(transaction, marked));
  },
  (row) => `${row.video_id} ${row.entity} ${row.start_seconds} ${row.end_seconds} ${row.is_appearance === true}`,
);

/** Commercial rows; one is known by its video, entity, class and times. */
export const recommendationWriter: RowWriter<RecommendationRow> = evidenceWriter(
  async (transaction, rows) =>
    storeRecommendations(transaction, await markSettled(transaction, rows, () => "commercial")),
  (row) => `${row.video_id} ${row.entity} ${row.mention_class} ${row.start_seconds} ${row.end_seconds}`,
);

/** Known advertisers of channels. */
export const sponsorWriter: RowWriter<SponsorRow> = evidenceWriter(
  storeSponsors,
  (row) => `${row.entity} ${row.channel_id}`,
);

/** Passages that are ads: marks the mentions in them; `updated` counts those. */
export const adPassageWriter: RowWriter<AdPassage> = evidenceWriter(
  markAds,
  (row) => `${row.video_id} ${row.start_seconds} ${row.end_seconds}`,
);

function evidenceWriter<Row>(
  store: (transaction: Transaction, rows: readonly Row[]) => Promise<StoredRows>,
  keyOf: (row: Row) => string,
): RowWriter<Row> {
  return {
    // One for each of the command's connections; no row needs another.
    batchesAtOnce: 2,
    keysOf: (row) => {
      const keys = [keyOf(row)];
      return { needs: keys, claims: keys };
    },
    write: async (transaction, rows) => {
      await shareForEvidence(transaction);
      const { imported, updated, faults } = await store(transaction, rows);
      const refused = faults.flatMap(({ index, fault }) =>
        fault === "settled" ? [] : [{ index, reason: reasonOf(fault) }],
      );
      return { imported, updated, settled: faults.length - refused.length, refused };
    },
  };
}

function reasonOf(fault: EvidenceFault): string {
  switch (fault) {
    case "unknown_video":
      return "video_id: no such video; import it with `import videos` first";
    case "video_without_channel":
      return "video_id: the video has no channel yet; import it with `import videos` first";
    case "unknown_entity":
      return "entity: no such entity; import it with `import entities` first";
    case "unknown_channel":
      return "channel_id: no such channel; import a video of it with `import videos` first";
    case "appearances_person_only":
      return "is_appearance: appearances_person_only; leave it out for an entity that is no person";
  }
}
