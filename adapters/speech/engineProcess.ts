import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { MediaFailure } from "../../domain/failureReasons.ts";
import { childEnvironment } from "../childEnvironment.ts";

const script = fileURLToPath(new URL("engine.py", import.meta.url));
const keptErrorCharacters = 4096;

const wordSchema = z.object({
  text: z.string(),
  startSeconds: z.number(),
  endSeconds: z.number(),
  confidence: z.number(),
});
const messageSchema = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ unavailable: z.string(), permanent: z.boolean() }),
  z.object({ id: z.number(), result: z.object({ language: z.string().nullable(), words: z.array(wordSchema) }) }),
  z.object({ id: z.number(), refused: z.string() }),
  z.object({ id: z.number(), failed: z.string() }),
]);

export interface EngineRequest {
  pcmPath: string;
  startSeconds: number;
  endSeconds: number;
  language: string | null;
}

export type EngineAnswer = Extract<z.infer<typeof messageSchema>, { result: unknown }>["result"];

interface Waiting {
  resolve: (answer: EngineAnswer) => void;
  reject: (error: Error) => void;
}

export interface EngineProcessOptions {
  pythonPath: string;
  /** Name or path of a Whisper model, or "bundled". */
  model: string;
}

/** One Python process that serves one request at a time. It rejects everything with `engine_unavailable` once it has ended. */
export class EngineProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #waiting: { id: number; waiting: Waiting } | undefined;
  #lastId = 0;
  #errors = "";
  #failure: MediaFailure | undefined;

  constructor({ pythonPath, model }: EngineProcessOptions) {
    const offline = model === "bundled" ? { HF_HUB_OFFLINE: "1" } : {};
    this.#child = spawn(pythonPath, ["-I", script, model, String(process.pid)], {
      stdio: "pipe",
      env: {
        ...childEnvironment(),
        ...offline,
        OMP_NUM_THREADS: "1",
        // glibc's own thresholds move with use, and memory creeps up; lower ones than these cost time (8 MB: 7 %).
        MALLOC_ARENA_MAX: "1",
        MALLOC_TRIM_THRESHOLD_: "67108864",
        MALLOC_MMAP_THRESHOLD_: "33554432",
        HF_HUB_DISABLE_TELEMETRY: "1",
        PYTHONIOENCODING: "utf-8",
      },
    });
    this.#ready.promise.catch(() => undefined);
    this.#child.stdin.on("error", () => undefined);
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-keptErrorCharacters);
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#receive(line));
    this.#child.once("error", (error) => this.#fail(`Python does not start (${pythonPath}): ${error.message}`, true));
    this.#child.once("close", (code, signal) => {
      this.#fail(
        `the speech process ended (${signal ?? `exit status ${code}`}). ${this.#errors.trim().split("\n").at(-1) ?? ""}`,
        false,
      );
      this.#ended.resolve();
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return this.#failure === undefined;
  }

  /** How many recognitions it was asked for. */
  get asked(): number {
    return this.#lastId;
  }

  /** Resolves when the model is loaded. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Recognises one stretch of audio. Not to be called before the answer to the last call. */
  async ask(request: EngineRequest): Promise<EngineAnswer> {
    await this.ready();
    if (this.#failure) throw this.#failure;
    const { promise, resolve, reject } = Promise.withResolvers<EngineAnswer>();
    const id = (this.#lastId += 1);
    this.#waiting = { id, waiting: { resolve, reject } };
    this.#child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    return promise;
  }

  /** Ends the process at once, also in the middle of a recognition. Resolves when it is gone. */
  kill(): Promise<void> {
    this.#fail("the speech process was stopped", false);
    return this.#child.pid === undefined ? Promise.resolve() : this.#ended.promise;
  }

  #receive(line: string): void {
    const message = parseMessage(line);
    if (message === null)
      return this.#fail(`the speech process wrote something else than an answer: ${line.slice(0, 200)}`, false);
    if ("ready" in message) return this.#ready.resolve();
    if ("unavailable" in message)
      return this.#fail(`the speech model does not load: ${message.unavailable}`, message.permanent);
    const current = this.#waiting;
    if (current?.id !== message.id) return;
    this.#waiting = undefined;
    if ("result" in message) current.waiting.resolve(message.result);
    else if ("refused" in message)
      current.waiting.reject(new MediaFailure("engine_unavailable", message.refused, { permanent: true }));
    else current.waiting.reject(new MediaFailure("internal", `speech recognition failed: ${message.failed}`));
  }

  #fail(message: string, permanent: boolean): void {
    if (this.#failure) return;
    const failure = new MediaFailure("engine_unavailable", message.trim(), { permanent });
    this.#failure = failure;
    this.#ready.reject(failure);
    this.#waiting?.waiting.reject(failure);
    this.#waiting = undefined;
    this.#child.kill("SIGKILL");
  }
}

function parseMessage(line: string): z.infer<typeof messageSchema> | null {
  try {
    return messageSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
