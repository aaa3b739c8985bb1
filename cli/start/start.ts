import type { Configuration } from "../../domain/configuration.ts";
import { anyFreePort, isFree } from "../../adapters/ports.ts";
import { migrate } from "../../database/migrate.ts";
import { searchAttributeNames } from "../../workflows/searchAttributes.ts";
import {
  applicationPlans,
  type ApplicationPlan,
  endOrphanedApplications,
  startApplication,
  waitUntilHealthy,
} from "./applications.ts";
import { startEmbeddedPostgres } from "./embeddedPostgres.ts";
import { prepareExternalTemporal } from "./externalTemporal.ts";
import { type FolderLock, tryLock } from "./folderLock.ts";
import { consoleProgress, type Progress, secondsSince } from "./progress.ts";
import { removeRunState, type RunState, writeRunState } from "./runState.ts";
import { listenForStop, type StopSignals } from "./stopSignals.ts";
import { startTemporalServer } from "./temporalServer.ts";
import { ensureTools, type Tools } from "./tools.ts";

export interface StartOptions {
  progress?: Progress;
  /** The processes of the product itself. Default: API, workers, speech workers. */
  applications?: readonly ApplicationPlan[];
  /** Runs once everything answers, before the start counts as finished. */
  afterReady?: (running: RunState, progress: Progress, stop: AbortSignal) => Promise<void>;
  /** Where the line `ready <url>` goes. Default: standard output. */
  print?: (line: string) => void;
  /** Folder with the runtime tools' `tools`. Default: the home of the configuration. */
  toolsHome?: string;
}

/** Something that was started and has to be stopped. */
interface Part {
  name: string;
  stop(force?: boolean): Promise<void>;
}

interface TemporalPlace {
  address: string;
  uiUrl: string | null;
}

interface Undertaking {
  configuration: Configuration;
  options: StartOptions;
  progress: Progress;
  signals: StopSignals;
  /** In the order of their start; parts of one group stop side by side. */
  started: Part[][];
}

const howLongToWaitForStopping = 90;

/**
 * Brings up the whole installation, prints `ready <url>`, and takes it down again on SIGTERM, SIGINT or SIGHUP.
 * Returns the exit status once everything that it started has ended: 0 after a wish to stop, 1 when it could not start.
 */
export async function start(configuration: Configuration, options: StartOptions = {}): Promise<number> {
  const progress = options.progress ?? consoleProgress();
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const signals = listenForStop();
  const undertaking: Undertaking = { configuration, options, progress, signals, started: [] };
  let lock: FolderLock | undefined;
  try {
    lock = await lockHome(configuration.home, signals, progress);
    await bringUp(undertaking);
    await aborted(signals.wish);
    return 0;
  } catch (error) {
    progress.abandon();
    if (signals.wish.aborted) return 0;
    progress.note(`media-index: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    if (lock) await takeDown(undertaking);
    await lock?.release();
    signals.release();
  }
}

async function lockHome(home: string, signals: StopSignals, progress: Progress): Promise<FolderLock> {
  const state = () => {
    signals.checkLauncher();
    return signals.wish.aborted ? "stopping" : "running";
  };
  for (let waitedSeconds = 0; ; waitedSeconds += 0.25) {
    const result = await tryLock(home, "start", state);
    if ("release" in result) return result;
    signals.wish.throwIfAborted();
    if (result.state === "running" || waitedSeconds > howLongToWaitForStopping) {
      throw new Error(
        `already running on ${home} (process ${result.pid}); stop that one, or name another folder in MEDIA_INDEX_HOME`,
      );
    }
    if (waitedSeconds === 0) progress.note(`waiting for process ${result.pid}, which is stopping on ${home}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function bringUp(undertaking: Undertaking): Promise<void> {
  const { configuration, options, progress, signals, started } = undertaking;
  const { home } = configuration;
  const startedAt = performance.now();
  const plans = options.applications ?? applicationPlans;

  await endOrphanedApplications(home, plans);
  const port = await apiPort(configuration);
  const tools = await prepareTools(undertaking);
  const databaseUrl = configuration.DATABASE_URL ?? (await postgres(undertaking));
  progress.step("database schema");
  await migrate(databaseUrl);
  signals.wish.throwIfAborted();
  const temporal = configuration.TEMPORAL_ADDRESS
    ? await externalTemporal(undertaking, configuration.TEMPORAL_ADDRESS)
    : await temporalServer(undertaking, tools?.temporalCli ?? "temporal");

  progress.step("API and workers");
  const apiUrl = `http://${reachableHost(configuration.HOST)}:${port}`;
  const environment = {
    ...process.env,
    MEDIA_INDEX_HOME: home,
    HOST: configuration.HOST,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: configuration.TEMPORAL_NAMESPACE,
    ...(temporal.uiUrl && { TEMPORAL_UI_URL: temporal.uiUrl }),
    ...(tools && { PYTHON: tools.python }),
  };
  const note = (text: string) => progress.note(text);
  const applications = plans.map((plan) => ({
    plan,
    service: startApplication({ home, plan, environment, note }),
  }));
  started.push(applications.filter(({ plan }) => !plan.servesApi).map(({ service }) => service));
  const api = applications.filter(({ plan }) => plan.servesApi).map(({ service }) => service);
  started.push(api);
  await waitUntilHealthy({ home, url: `${apiUrl}/v1/health`, services: api, signal: signals.wish });

  const running: RunState = {
    databaseUrl,
    temporalAddress: temporal.address,
    uiUrl: temporal.uiUrl,
    apiUrl,
  };
  writeRunState(home, running);
  progress.done();
  (options.print ?? console.log)(`ready ${apiUrl}`);
  progress.note(`started in ${secondsSince(startedAt)}`);
  await afterReady(undertaking, running);
}

/** What fails here leaves a running system running. */
async function afterReady({ options, progress, signals }: Undertaking, running: RunState): Promise<void> {
  const work = async () => {
    try {
      await options.afterReady?.(running, progress, signals.wish);
    } catch (error) {
      if (!signals.wish.aborted) progress.note(error instanceof Error ? error.message : String(error));
    }
  };
  await Promise.race([work(), aborted(signals.wish)]);
}

async function apiPort({ HOST, PORT }: Configuration): Promise<number> {
  if (PORT === 0) return anyFreePort(HOST);
  if (!(await isFree(PORT, HOST)))
    throw new Error(`port ${PORT} on ${HOST} is in use: stop what listens there, or set PORT to another one`);
  return PORT;
}

/** Installs the runtime tools where an embedded part needs them. */
async function prepareTools({ configuration, options, progress, signals }: Undertaking): Promise<Tools | undefined> {
  const localEngine = configuration.SPEECH_ENGINE === "local" && configuration.SPEECH_URL === undefined;
  const needsNone =
    configuration.TEMPORAL_ADDRESS !== undefined && !localEngine && configuration.MEDIA_SOURCE === "folder";
  if (needsNone) return undefined;
  return ensureTools(options.toolsHome ?? configuration.home, {
    python: configuration.PYTHON,
    log: (line) => progress.detail(line),
    onInstall: () => {
      progress.note("installing the runtime tools, this first time only (about 250 MB)");
      progress.step("runtime tools");
    },
    signal: signals.wish,
  });
}

async function postgres({ configuration, progress, signals, started }: Undertaking): Promise<string> {
  progress.step("Postgres");
  const server = await startEmbeddedPostgres({
    home: configuration.home,
    port: configuration.POSTGRES_PORT,
    note: (text) => progress.note(text),
    signal: signals.wish,
  });
  started.push([{ name: "Postgres", stop: (force) => server.stop(force) }]);
  return server.url;
}

async function temporalServer(
  { configuration, progress, signals, started }: Undertaking,
  cli: string,
): Promise<TemporalPlace> {
  progress.step("Temporal");
  const server = await startTemporalServer({
    home: configuration.home,
    cli,
    port: configuration.TEMPORAL_PORT,
    uiPort: configuration.TEMPORAL_UI_PORT,
    namespace: configuration.TEMPORAL_NAMESPACE,
    keywordSearchAttributes: searchAttributeNames,
    note: (text) => progress.note(text),
    signal: signals.wish,
  });
  started.push([{ name: "Temporal", stop: (force) => server.stop(force) }]);
  return { address: server.address, uiUrl: server.uiUrl ?? null };
}

async function externalTemporal({ configuration, progress }: Undertaking, address: string): Promise<TemporalPlace> {
  progress.step(`Temporal at ${address}`);
  await prepareExternalTemporal(configuration, searchAttributeNames, (text) => progress.note(text));
  return { address, uiUrl: null };
}

/** Stops everything in the reverse order of its start. One part that does not stop never keeps the others from it. */
async function takeDown({ configuration, progress, signals, started }: Undertaking): Promise<void> {
  removeRunState(configuration.home);
  if (started.length === 0) return;
  progress.step("stopping");
  const stop = async (part: Part, force: boolean) => {
    try {
      await part.stop(force);
    } catch (error) {
      progress.note(`${part.name} does not stop: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const insist = () => void Promise.all(started.flat().map((part) => stop(part, true)));
  signals.force.addEventListener("abort", insist, { once: true });
  for (const group of started.toReversed()) await Promise.all(group.map((part) => stop(part, signals.force.aborted)));
  progress.done();
}

function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
