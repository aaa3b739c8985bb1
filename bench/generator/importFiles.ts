import { once } from "node:events";
import { createWriteStream } from "node:fs";
import path from "node:path";

const words = 20_000;
const wordsOfQuote = 15;
const mentionsOfVideo = 20;
const days = 15 * 365;

export interface ImportFiles {
  entities: string;
  videos: string;
  mentions: string;
}

/**
 * Writes entities, videos and mentions as files that `import` reads: names of Zipf's distribution, 20 mentions a video and video after
 * video, as a detector yields them, quotes of 15 words, 15 years. The same rows in each run.
 */
export async function writeImportFiles(folder: string, mentions: number): Promise<ImportFiles> {
  const random = seeded(mentions);
  const entities = Math.min(50_000, Math.max(1000, Math.ceil(mentions / 20)));
  const videos = Math.ceil(mentions / mentionsOfVideo);
  const channels = Math.max(10, Math.ceil(videos / 500));
  const rank = (ranks: number) => Math.floor(Math.exp(random() * Math.log(ranks + 1)));
  const types = ["person", "organization", "person", "product", "topic"];
  const files = {
    entities: path.join(folder, "entities.jsonl"),
    videos: path.join(folder, "videos.jsonl"),
    mentions: path.join(folder, "mentions.jsonl"),
  };
  await writeLines(files.entities, entities, (n) => ({
    numeric_id: n + 1,
    name: `${wordOfRank(rank(words))} ${wordOfRank(rank(words))} ${n + 1}`,
    type: types[n % types.length],
  }));
  await writeLines(files.videos, videos, (n) => {
    const channel = rank(channels);
    return {
      video_id: videoId(n),
      title: `Video ${n}`,
      channel: { id: `channel-${channel}`, name: `Channel ${channel}` },
      published_at: new Date(Date.UTC(2011, 0, 1) + Math.floor(random() * days * 86_400) * 1000).toISOString(),
      duration_seconds: 3600,
    };
  });
  await writeLines(files.mentions, mentions, (n) => {
    const entity = rank(entities);
    const start = (n % mentionsOfVideo) * 180 + Math.floor(random() * 1700) / 10;
    const isAppearance = types[(entity - 1) % types.length] === "person" && random() < 0.05;
    return {
      video_id: videoId(Math.floor(n / mentionsOfVideo)),
      entity: `ent_${entity}`,
      start_seconds: start,
      end_seconds: start + 5,
      quote: Array.from({ length: wordsOfQuote }, () => wordOfRank(rank(words))).join(" "),
      ...(isAppearance && { is_appearance: true, appearance_role: "guest" }),
      ...(random() < 0.6 && { sentiment_score: Math.round(random() * 200 - 100) / 100 }),
      confidence: 0.5 + Math.round(random() * 50) / 100,
    };
  });
  return files;
}

function videoId(n: number): string {
  return `v${String(n).padStart(10, "0")}`;
}

async function writeLines(file: string, count: number, lineOf: (n: number) => unknown): Promise<void> {
  const stream = createWriteStream(file);
  for (let n = 0; n < count;) {
    const lines: string[] = [];
    for (const end = Math.min(count, n + 5000); n < end; n += 1) lines.push(`${JSON.stringify(lineOf(n))}\n`);
    if (!stream.write(lines.join(""))) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
}

/** A word that only this rank has; frequent ones are short. */
function wordOfRank(rank: number): string {
  return String(rank).replaceAll(/\d/g, (digit) => "etaoinshrd"[Number(digit)] ?? "");
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
