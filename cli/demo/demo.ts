import { copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { demoClip } from "../../adapters/media/demo/demoClip.ts";
import { readAccount } from "../../database/accounts.ts";
import type { Configuration } from "../../domain/configuration.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import type { ServiceContext } from "../../services/context.ts";
import { createKey } from "../../services/keys/createKey.ts";
import type { Progress } from "../start/progress.ts";
import { readDemoAccount, writeDemoAccount } from "./demoState.ts";

const demoVideoId = "jfk-inaugur";

export interface DemoParts {
  context: ServiceContext;
  configuration: Configuration;
  apiUrl: string;
  progress: Progress;
  stop: AbortSignal;
}

const transcriptionSchema = z.object({
  status: z.string(),
  stage: z.string(),
  progress: z.number(),
  etaSeconds: z.number(),
  failureReason: z.string().nullable(),
});
type Transcription = z.infer<typeof transcriptionSchema>;
const transcriptSchema = z.object({ segments: z.array(z.object({ startSeconds: z.number(), text: z.string() })) });

/** Puts a clip of real speech through the whole job by the public API, as a client would, and shows each stage. */
export async function runDemo(parts: DemoParts): Promise<{ key: string; videoId: string }> {
  const { context, configuration, progress } = parts;
  progress.step("demo: a clip of real speech through the whole job");
  await copyClip(configuration.mediaFolder);
  const accountId = await demoAccount(context, configuration.home);
  const { key } = await createKey(context, { accountId, name: "demo" });
  const call = apiCaller(parts, key);

  progress.detail("POST /v1/transcriptions");
  let job = transcriptionSchema.parse(await call("/v1/transcriptions", { videoId: demoVideoId }));
  let shown = "";
  while (isRunning(job)) {
    const state = `${job.stage}, ${Math.round(job.progress * 100)} %, about ${job.etaSeconds} s left`;
    if (state !== shown) progress.detail(state);
    shown = state;
    await sleep(500, undefined, { signal: parts.stop });
    job = transcriptionSchema.parse(await call(`/v1/transcriptions/${demoVideoId}`));
  }
  if (job.status !== "completed")
    throw new Error(
      `demo: the transcription ${job.status} (${job.failureReason ?? "no reason given"}); see ${configuration.home}/logs`,
    );
  const transcript = transcriptSchema.parse(await call(`/v1/transcripts/${demoVideoId}`));
  progress.done();
  for (const segment of transcript.segments)
    progress.note(`    ${segment.startSeconds.toFixed(1).padStart(6)} s  ${segment.text}`);
  return { key, videoId: demoVideoId };
}

function isRunning(job: Transcription): boolean {
  return job.status === "queued" || job.status === "processing";
}

async function copyClip(mediaFolder: string): Promise<void> {
  const { file, title, channel, publishedAt, language } = demoClip;
  await mkdir(mediaFolder, { recursive: true });
  await copyFile(file, path.join(mediaFolder, `${demoVideoId}${path.extname(file)}`));
  const companion = JSON.stringify({ title, channel, publishedAt, language }, null, 2);
  await writeFile(path.join(mediaFolder, `${demoVideoId}.json`), `${companion}\n`);
}

async function demoAccount(context: ServiceContext, home: string): Promise<string> {
  const earlier = readDemoAccount(home);
  if (earlier !== null && (await readAccount(context.pool, earlier)) !== null) return earlier;
  const { accountId } = await createAccount(context, { email: "demo@example.com", tier: "ultra" });
  writeDemoAccount(home, accountId);
  return accountId;
}

function apiCaller({ apiUrl, stop }: DemoParts, key: string) {
  return async (route: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${apiUrl}${route}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: stop,
    });
    if (!response.ok) throw new Error(`demo: ${route} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
}
