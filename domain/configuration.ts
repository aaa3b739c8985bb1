import path from "node:path";
import { z } from "zod";
import { splitCommandWords } from "./commandWords.ts";
import { defaultMailbox, isMailbox } from "./mailbox.ts";
import { parseMasterKeys } from "./masterKeys.ts";
import { type OutboundPolicy, parseAddressRanges } from "./outboundAddresses.ts";
import { tiers, type Tier } from "./plans.ts";
import { parseTrustedProxies } from "./trustedProxies.ts";

/**
 * The one configuration of an installation. Where an embedded part is replaced (`DATABASE_URL`, `TEMPORAL_ADDRESS`, `SMTP_URL`,
 * `SPEECH_URL`), only that part is; README lists every variable. Numbers that a site tunes are in `Settings`, overridable by the
 * JSON file that `MEDIA_INDEX_SETTINGS` names.
 */
const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(["true", "false"]).transform((value) => value === "true");

const environmentSchema = z.object({
  PORT: port.default(8080).describe("Port of the HTTP API, on 127.0.0.1 unless HOST says otherwise."),
  HOST: z.string().default("127.0.0.1").describe("Address the API listens on."),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address that clients see; used in links, those in mails too. Default: http://HOST:PORT."),
  MEDIA_INDEX_HOME: z.string().default(".media-index").describe("Folder of all data that npm start keeps."),
  MEDIA_DIR: z.string().optional().describe("Folder of the `folder` media source. Default: MEDIA_INDEX_HOME/media."),
  MEDIA_SOURCE: z
    .enum(["folder", "yt-dlp"])
    .default("folder")
    .describe("Where videos come from: `folder`, or `yt-dlp` for the video platform itself."),
  YT_DLP_OPTIONS: z
    .string()
    .refine((text) => splitCommandWords(text) !== null, "must close its quotes")
    .optional()
    .describe(
      "Further options of yt-dlp, such as `--proxy URL` or `--plugin-dirs FOLDER`; quotes keep words together.",
    ),
  MEDIA_INDEX_SETTINGS: z
    .string()
    .optional()
    .describe("JSON file with business numbers that differ from the defaults."),
  DATABASE_URL: z
    .url()
    .optional()
    .describe("Postgres 15 or later. Unset: an embedded Postgres 18 under MEDIA_INDEX_HOME."),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10).describe("Connections of each process."),
  TEMPORAL_ADDRESS: z.string().optional().describe("host:port of a Temporal server. Unset: a local dev server."),
  TEMPORAL_NAMESPACE: z.string().default("default").describe("Temporal namespace."),
  TEMPORAL_API_KEY: z.string().optional().describe("API key of the Temporal server; turns TLS on."),
  TEMPORAL_TLS: flag.default(false).describe("true: use TLS to the Temporal server."),
  TEMPORAL_PORT: port.default(7233).describe("Port of the local Temporal server; another is taken when it is in use."),
  TEMPORAL_UI_PORT: port.default(8233).describe("Port of the local Temporal UI; another is taken when it is in use."),
  POSTGRES_PORT: port.default(5433).describe("Port of the embedded Postgres; another is taken when it is in use."),
  SMTP_URL: z.string().optional().describe("Mail server. Unset: mail goes to MEDIA_INDEX_HOME/mail."),
  MAIL_FROM: z
    .string()
    .refine(isMailbox, "must be an address, or a name and an address in angle brackets")
    .optional()
    .describe(
      "Sender of mail: `alerts@example.com` or `Media Index <alerts@example.com>`. Default: media-index at the host of PUBLIC_URL.",
    ),
  SPEECH_URL: z.url().optional().describe("Base URL of an OpenAI-compatible server. Unset: the local engine."),
  SPEECH_API_KEY: z.string().optional().describe("API key of the speech server."),
  SPEECH_MODEL: z
    .string()
    .optional()
    .describe("Model of the speech server, or a Whisper model for the local engine. Default: bundled tiny.en."),
  SPEECH_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe("Engine processes, or requests at once. Default: one per core."),
  SPEECH_ENGINE: z
    .enum(["local", "none"])
    .default("local")
    .describe("none: no local engine; jobs fail with engine_unavailable unless SPEECH_URL is set."),
  FFMPEG: z.string().optional().describe("Path of ffmpeg. Default: the one on PATH, else the installed package."),
  PYTHON: z.string().optional().describe("Python 3.10 or later for the runtime tools. Default: python3 on PATH."),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("Least level of log lines."),
  CURSOR_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe("Signs page cursors. Unset: a key kept under MEDIA_INDEX_HOME."),
  MASTER_KEYS: z
    .string()
    .refine((text) => parseMasterKeys(text) !== null, "must be id:base64 of 32 bytes, several separated by commas")
    .optional()
    .describe(
      "Encrypts secrets at rest: `id:base64` of 32 random bytes each, separated by commas; the first encrypts, all decrypt. Unset: MEDIA_INDEX_HOME/master.key, made at first start.",
    ),
  TRUST_PROXY: z
    .string()
    .refine(
      (text) => parseTrustedProxies(text) !== null,
      "must be a number of proxies, or addresses and subnets separated by commas",
    )
    .optional()
    .describe(
      "Proxies whose X-Forwarded-For names the client: how many stand before the API, or their addresses and subnets (also `loopback`, `linklocal`, `uniquelocal`), separated by commas. Unset: none, the connection's own address counts.",
    ),
  OUTBOUND_ALLOWED_CIDRS: z
    .string()
    .refine((text) => parseAddressRanges(text) !== null, "must be subnets such as 10.1.0.0/16, separated by commas")
    .optional()
    .describe(
      "Subnets that webhooks and other addresses given by users may reach although they are not public, separated by commas. Unset: none.",
    ),
  WEBHOOK_REQUIRE_HTTPS: flag.default(false).describe("true: addresses given by users must be https."),
  METRICS_HOST: z.string().default("127.0.0.1").describe("Address that metrics are served on."),
  METRICS_PORT: port
    .default(9464)
    .describe(
      "Port of the API's Prometheus metrics; workers take the next one, speech workers the one after. Any free port is taken instead of one in use, and for 0.",
    ),
});

/** A number for each tier; a site names only those that it changes. */
const perTier = (defaults: Record<Tier, number>) =>
  z
    .partialRecord(z.enum(tiers), z.number().int().min(0))
    .default({})
    .transform((changed): Record<Tier, number> => ({ ...defaults, ...changed }));

const settingsSchema = z.strictObject({
  rateLimitPerMinute: perTier({ free: 10, pro: 60, pro_plus: 120, ultra: 300, teams: 600, enterprise: 1200 }),
  monthlyRows: perTier({
    free: 500,
    pro: 10_000,
    pro_plus: 50_000,
    ultra: 200_000,
    teams: 500_000,
    enterprise: 2_000_000,
  }),
  prices: z
    .strictObject({
      entityReadRows: z.number().int().min(0).default(1),
      evidenceRowRows: z.number().int().min(0).default(1),
      commercialRowRows: z.number().int().min(0).default(10),
      alertOccurrenceRows: z.number().int().min(0).default(100),
      unlockBlockRows: z.number().int().min(0).default(50),
      generationBlockRows: z.number().int().min(0).default(100),
      blockSeconds: z.number().int().min(1).default(900),
    })
    .prefault({}),
  onDemandTenthCentsPerRow: z.number().int().min(1).default(1),
  console: z
    .strictObject({
      // A session ends after so long, and when nothing was looked at for so long. An address that failed too often waits.
      sessionSeconds: z.number().int().min(60).default(43_200),
      idleSeconds: z.number().int().min(60).default(7200),
      failedSignInsPerMinute: z.number().int().min(1).default(10),
    })
    .prefault({}),
  idempotencyRetentionSeconds: z.number().int().min(60).default(86_400),
  maxBodyBytes: z.number().int().min(1024).default(1_048_576),
  bodyTimeoutSeconds: z.number().min(0.1).max(3600).default(30),
  alerts: z
    .strictObject({
      retryDelaysSeconds: z
        .array(z.number().min(1))
        .default([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]),
      jitterShare: z.number().min(0).max(1).default(0.2),
      attemptTimeoutSeconds: z.number().min(0.1).default(15),
      responseBytes: z.number().int().min(0).default(16_384),
      // The longest span that one call may have delivered again.
      redeliverMaxDays: z.number().min(1).default(31),
      autoDisable: z
        .strictObject({
          failures: z.number().int().min(1).default(20),
          spanSeconds: z.number().min(0).default(3600),
          warnAtFailures: z.number().int().min(1).default(10),
        })
        .prefault({}),
    })
    .prefault({}),
  // Where chat bots write: Slack, or what speaks its Web API.
  slackApiUrl: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ""))
    .default("https://slack.com/api"),
  // Addresses on the video platform; {video_id}, {channel_id} and {seconds} are filled in.
  videoUrl: z.string().default("https://www.youtube.com/watch?v={video_id}"),
  channelUrl: z.string().default("https://www.youtube.com/channel/{channel_id}"),
  videoMomentUrl: z.string().default("https://www.youtube.com/watch?v={video_id}&t={seconds}s"),
  images: z
    .strictObject({
      recheckDays: z.number().min(1).default(30),
      timeoutSeconds: z.number().min(1).max(60).default(10),
      maxPageBytes: z.number().int().min(1024).default(524_288),
    })
    .prefault({}),
  // A channel's feed, newest first; {channel_id} is filled in.
  channelFeedUrl: z.string().default("https://www.youtube.com/channel/{channel_id}/videos"),
  channels: z
    .strictObject({
      // How many of a channel's newest videos a poll looks at, and how many of them are scanned when it is first followed.
      videosPerPoll: z.number().int().min(1).max(1000).default(30),
      scannedWhenFollowed: z.number().int().min(0).max(1000).default(5),
    })
    .prefault({}),
  scan: z
    .strictObject({
      // A scan without captions listens to no more than this much of a recording.
      maxSpeechSeconds: z.number().min(1).default(36_000),
      chunksInFlight: z.number().int().min(1).max(100).default(2),
      engineOutageLimitSeconds: z.number().min(0).default(86_400),
      // A broadcast that is coming or under way is looked at again so often, and for so long.
      broadcastRetrySeconds: z.number().min(1).default(1800),
      broadcastWaitLimitSeconds: z.number().min(0).default(1_209_600),
    })
    .prefault({}),
  relatedLists: z
    .strictObject({
      // From so many mentions on, an entity's related list is kept counted; below, each read counts.
      heavyMentions: z.number().int().min(1).default(1000),
      videosPerStep: z.number().int().min(1).max(1000).default(100),
    })
    .prefault({}),
  // What entities of channels that videos bring along name as their platform.
  platform: z.string().min(1).default("youtube"),
  transcripts: z
    .strictObject({
      // What an API process may keep of texts that are ready to be sent.
      readyBytes: z.number().int().min(1).default(67_108_864),
    })
    .prefault({}),
  transcription: z
    .strictObject({
      maxDurationSeconds: z.number().min(1).default(36_000),
      chunkMaxSeconds: z.number().min(5).max(600).default(60),
      chunkMinSeconds: z.number().min(5).max(600).default(20),
      chunksInFlight: z.number().int().min(1).max(100).default(8),
      engineOutageLimitSeconds: z.number().min(0).default(7200),
      assumedDurationSeconds: z.number().min(1).default(600),
      assumedSecondsPerAudioSecond: z.number().min(0.0001).default(0.05),
      minPollSeconds: z.number().int().min(1).default(2),
      maxPollSeconds: z.number().int().min(1).default(60),
    })
    .prefault({}),
});

export type Settings = z.infer<typeof settingsSchema>;
type Environment = z.infer<typeof environmentSchema>;

export interface Configuration extends Environment {
  /** Absolute form of MEDIA_INDEX_HOME. */
  home: string;
  mediaFolder: string;
  /** YT_DLP_OPTIONS as words. */
  ytDlpOptions: string[];
  /** Without a slash at its end. */
  publicUrl: string;
  mailFrom: string;
  speechProcesses: number;
  outbound: OutboundPolicy;
  settings: Settings;
}

/** What README prints: every variable with its meaning and default. */
export const environmentVariables = environmentSchema.shape;

/** What the configuration takes from the machine it is read on. */
export interface Machine {
  cores: number;
  currentFolder: string;
  /** Handed the path in MEDIA_INDEX_SETTINGS; returns the parsed JSON. */
  readSettings: (file: string) => unknown;
}

/** Reads the environment. Throws one error that names every variable that does not fit, never its value. */
export function parseConfiguration(environment: Record<string, string | undefined>, machine: Machine): Configuration {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) throw new Error(`configuration: ${problems(parsed.error)}`);
  const env = parsed.data;
  const settings = settingsSchema.safeParse(
    env.MEDIA_INDEX_SETTINGS ? machine.readSettings(env.MEDIA_INDEX_SETTINGS) : {},
  );
  if (!settings.success) throw new Error(`settings in ${env.MEDIA_INDEX_SETTINGS}: ${problems(settings.error)}`);
  const home = path.resolve(machine.currentFolder, env.MEDIA_INDEX_HOME);
  const publicUrl = (
    env.PUBLIC_URL ?? `http://${env.HOST.includes(":") ? `[${env.HOST}]` : env.HOST}:${env.PORT}`
  ).replace(/\/+$/, "");
  return {
    ...env,
    home,
    mediaFolder: path.resolve(machine.currentFolder, env.MEDIA_DIR ?? path.join(home, "media")),
    ytDlpOptions: splitCommandWords(env.YT_DLP_OPTIONS ?? "") ?? [],
    publicUrl,
    mailFrom: env.MAIL_FROM ?? defaultMailbox(publicUrl),
    speechProcesses: env.SPEECH_PROCESSES ?? machine.cores,
    outbound: {
      allowedRanges: parseAddressRanges(env.OUTBOUND_ALLOWED_CIDRS ?? "") ?? [],
      requireHttps: env.WEBHOOK_REQUIRE_HTTPS,
    },
    settings: settings.data,
  };
}

function problems(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
}
