import { setTimeout as sleep } from "node:timers/promises";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { Recognition, RecognitionRequest, SpeechEngine } from "../../domain/speech.ts";
import { openAiAnswerSchema, recognitionFromAnswer } from "./openAiAnswer.ts";
import { createTurns } from "./turns.ts";
import { waveOf } from "./wave.ts";

export interface OpenAiEngineOptions {
  /** Base URL of the server, with or without `/v1`. */
  url: string;
  apiKey?: string | undefined;
  model: string;
  /** Requests at once. */
  parallelism: number;
  /** How long one request may take before the server counts as gone. */
  timeoutSeconds?: number;
}

const defaultTimeoutSeconds = 240;
const longestRetryAfterSeconds = 10;
const longestAnswerCharacters = 8_000_000;

/**
 * Any server with OpenAI's `POST /v1/audio/transcriptions`. A server that is down, overloaded, slow or refuses the key or model
 * gives `MediaFailure("engine_unavailable")`, permanent in the last two cases; no message ever holds the key.
 */
export function createOpenAiEngine(options: OpenAiEngineOptions): SpeechEngine {
  const server = serverOf(options.url);
  const turns = createTurns(Array.from({ length: options.parallelism }, (_, index) => index));
  const headers: Record<string, string> = options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {};
  const closing = new AbortController();

  async function call(path: string, signal: AbortSignal, form?: EncodedForm): Promise<Response> {
    const timeout = AbortSignal.timeout((options.timeoutSeconds ?? defaultTimeoutSeconds) * 1000);
    try {
      return await fetch(`${server.base}${path}`, {
        ...(form ? { method: "POST", body: form.body } : {}),
        headers: form ? { ...headers, "content-type": form.contentType } : headers,
        redirect: "error",
        signal: AbortSignal.any([signal, timeout, closing.signal]),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw unreachable(server.origin, error);
    }
  }

  async function transcribe(request: RecognitionRequest, signal: AbortSignal): Promise<Recognition> {
    const form = await encodeForm(options.model, request);
    const startedAt = performance.now();
    let response = await call("/audio/transcriptions", signal, form);
    const pauseSeconds = retryAfterSeconds(response);
    if (pauseSeconds !== null) {
      await response.body?.cancel();
      await sleep(pauseSeconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
      response = await call("/audio/transcriptions", signal, form);
    }
    const text = await readText(response).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unreachable(server.origin, error);
    });
    if (!response.ok) throw refusal(response.status, text, server.origin, options);
    const recognition = recognitionFromAnswer(parseAnswer(text, server.origin), request.span, request.language);
    return { ...recognition, engineSeconds: (performance.now() - startedAt) / 1000 };
  }

  return {
    name: `openai-compatible/${options.model}`,
    parallelism: options.parallelism,
    async ready() {
      const response = await call("/models", closing.signal);
      const text = await readText(response);
      // Many servers have no list of models; what matters is that one answers and takes the key.
      if (response.status >= 500 || [401, 403, 429].includes(response.status))
        throw refusal(response.status, text, server.origin, options);
    },
    recognise: (request, signal) => turns.take(signal, () => transcribe(request, signal)),
    async close() {
      closing.abort(new MediaFailure("engine_unavailable", "the speech engine is closed"));
    },
  };
}

function serverOf(url: string): { base: string; origin: string } {
  const parsed = new URL(url);
  if (parsed.username || parsed.password)
    throw new MediaFailure("engine_unavailable", "SPEECH_URL holds credentials: use SPEECH_API_KEY", {
      permanent: true,
    });
  const path = parsed.pathname.replace(/\/+$/, "").replace(/\/audio\/transcriptions$/, "");
  return { base: `${parsed.origin}${path.endsWith("/v1") ? path : `${path}/v1`}`, origin: parsed.origin };
}

interface EncodedForm {
  body: ArrayBuffer;
  contentType: string;
}

/**
 * The form of a request, encoded in one piece: it is as small as its span, and a stream of it that is aborted on the wire fails
 * outside of every promise.
 */
async function encodeForm(model: string, request: RecognitionRequest): Promise<EncodedForm> {
  const body = new FormData();
  body.set("file", await waveOf(request.pcmPath, request.span), "audio.wav");
  body.set("model", model);
  body.set("response_format", "verbose_json");
  body.append("timestamp_granularities[]", "word");
  body.append("timestamp_granularities[]", "segment");
  const language = request.language?.split(/[-_]/)[0]?.toLowerCase();
  if (language && language !== "und") body.set("language", language);
  const encoded = new Response(body);
  return { body: await encoded.arrayBuffer(), contentType: encoded.headers.get("content-type") ?? "" };
}

/** How long to wait before asking once more; null where that is not asked for, or is longer than a slot should be kept. */
function retryAfterSeconds(response: Response): number | null {
  if (response.status !== 429 && response.status !== 503) return null;
  const header = response.headers.get("retry-after");
  const seconds = header === null || header.trim() === "" ? Number.NaN : Number(header);
  return seconds >= 0 && seconds <= longestRetryAfterSeconds ? seconds : null;
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > longestAnswerCharacters) throw new Error("the answer does not end");
  }
  return text;
}

function parseAnswer(text: string, origin: string): ReturnType<typeof openAiAnswerSchema.parse> {
  try {
    return openAiAnswerSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new MediaFailure(
      "engine_unavailable",
      `the speech server at ${origin} answers something else than a transcription`,
      { cause: error },
    );
  }
}

function refusal(status: number, body: string, origin: string, { apiKey, model }: OpenAiEngineOptions): MediaFailure {
  const server = `the speech server at ${origin}`;
  if (status === 401 || status === 403) {
    return new MediaFailure("engine_unavailable", `${server} refuses the key (${status}): check SPEECH_API_KEY`, {
      permanent: true,
    });
  }
  if (status === 404) {
    return new MediaFailure(
      "engine_unavailable",
      `${server} has no transcription endpoint or no model ${model} (404): check SPEECH_URL and SPEECH_MODEL`,
      { permanent: true },
    );
  }
  const said = (apiKey ? body.replaceAll(apiKey, "[key]") : body).slice(0, 300);
  if (status === 408 || status === 429 || status >= 500)
    return new MediaFailure("engine_unavailable", `${server} answers ${status}: ${said}`);
  return new MediaFailure("internal", `${server} refuses the request (${status}): ${said}`);
}

function unreachable(origin: string, error: unknown): MediaFailure {
  if (error instanceof MediaFailure) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why =
    cause instanceof Error ? ("code" in cause && typeof cause.code === "string" ? cause.code : cause.name) : "unknown";
  return new MediaFailure("engine_unavailable", `the speech server at ${origin} does not answer (${why})`);
}
