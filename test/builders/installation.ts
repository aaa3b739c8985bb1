import { copyFile, mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { RunState } from "../../cli/start/runState.ts";
import { openPool, type Pool } from "../../database/pool.ts";
import type { Tier } from "../../domain/plans.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import type { ServiceContext } from "../../services/context.ts";
import { createKey } from "../../services/keys/createKey.ts";
import { createHome, realStart, startSystem, type StartedSystem, type TestHome } from "../environment/startedSystem.ts";
import { publicOnly, testVault } from "./context.ts";
import { testSettings } from "./settings.ts";

const repository = path.resolve(import.meta.dirname, "../..");

const jobSchema = z.object({
  status: z.string(),
  stage: z.string(),
  progress: z.number(),
  etaSeconds: z.number(),
  rowsCharged: z.number(),
  failureReason: z.string().nullable(),
});
export type PolledJob = z.infer<typeof jobSchema>;
const transcriptSchema = z.object({
  access: z.string(),
  segments: z.array(z.object({ id: z.string(), startSeconds: z.number(), endSeconds: z.number(), text: z.string() })),
});

/** The whole product under `npm start`, in a home of its own that is removed at the end. */
export class Installation {
  readonly where: TestHome;
  system: StartedSystem;
  running: RunState;
  context: ServiceContext;

  private constructor(where: TestHome, system: StartedSystem, running: RunState, pool: Pool) {
    this.where = where;
    this.system = system;
    this.running = running;
    this.context = {
      pool,
      settings: testSettings(),
      clock: () => new Date(),
      vault: testVault(),
      outbound: publicOnly,
    };
  }

  /** Starts it with the tools that the tests share. */
  static async start(environment: Record<string, string> = {}): Promise<Installation> {
    const home = await createHome();
    const where = { ...home, environment: { ...home.environment, ...environment } };
    await mkdir(where.home, { recursive: true });
    await symlink(path.join(repository, ".media-index/tools"), path.join(where.home, "tools"));
    const system = startSystem(where, [], realStart);
    const running = await system.ready;
    return new Installation(where, system, running, await openPool(running.databaseUrl, { maxConnections: 4 }));
  }

  /** Starts it again on the same home, after all of it has been killed. */
  async startAgain(): Promise<void> {
    await this.context.pool.end();
    this.system = startSystem(this.where, [], realStart);
    this.running = await this.system.ready;
    this.context = { ...this.context, pool: await openPool(this.running.databaseUrl, { maxConnections: 4 }) };
  }

  /** An account of the tier and a key of it. */
  async createKey(tier: Tier = "ultra"): Promise<{ accountId: string; key: string }> {
    const { accountId } = await createAccount(this.context, { email: "test@example.com", tier });
    const { key } = await createKey(this.context, { accountId });
    return { accountId, key };
  }

  async addMedia(videoId: string, file: string): Promise<void> {
    await mkdir(path.join(this.where.home, "media"), { recursive: true });
    await copyFile(file, path.join(this.where.home, "media", `${videoId}${path.extname(file)}`));
  }

  /** Calls the API as a client; throws on any answer but 2xx. */
  async call(key: string, route: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.running.apiUrl}${route}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async submit(key: string, videoId: string): Promise<PolledJob> {
    return jobSchema.parse(await this.call(key, "/v1/transcriptions", { videoId }));
  }

  async poll(key: string, videoId: string): Promise<PolledJob> {
    return jobSchema.parse(await this.call(key, `/v1/transcriptions/${videoId}`));
  }

  async readTranscript(key: string, videoId: string): Promise<z.infer<typeof transcriptSchema>> {
    return transcriptSchema.parse(await this.call(key, `/v1/transcripts/${videoId}`));
  }

  /** Polls Postgres' view of the job until it is as wanted. */
  async waitFor(
    key: string,
    videoId: string,
    wanted: (job: PolledJob) => boolean,
    everyMilliseconds = 250,
  ): Promise<PolledJob> {
    for (;;) {
      const job = await this.poll(key, videoId);
      if (wanted(job)) return job;
      await sleep(everyMilliseconds);
    }
  }

  async stop(): Promise<void> {
    await this.context.pool.end();
    this.system.child.kill("SIGTERM");
    await this.system.exit;
    await rm(this.where.home, { recursive: true, force: true });
  }
}

export const hasEnded = (job: PolledJob): boolean => ["completed", "failed", "canceled"].includes(job.status);
