import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSpeechEngine } from "../../adapters/speech/createSpeechEngine.ts";
import { createOpenAiEngine, type OpenAiEngineOptions } from "../../adapters/speech/openAiEngine.ts";
import type { RecognitionRequest } from "../../domain/speech.ts";

const apiKey = "sk-secret-0123456789";
const unaborted = new AbortController().signal;

interface Received {
  method: string;
  url: string;
  authorization: string | undefined;
  body: Buffer;
}
interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

let folder: string;
let server: http.Server;
let received: Received[];
let replies: (Reply | "hang" | "drop")[];
let request: RecognitionRequest;

const json = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) });
const origin = () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return `http://127.0.0.1:${address.port}`;
};
const arrived = async (requests: number) => {
  while (received.length < requests) await new Promise((resolve) => setTimeout(resolve, 5));
};
const engineWith = (options: Partial<OpenAiEngineOptions> = {}) =>
  createOpenAiEngine({ url: origin(), apiKey, model: "whisper-1", parallelism: 2, ...options });
const recognise = (options: Partial<OpenAiEngineOptions> = {}) => engineWith(options).recognise(request, unaborted);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "media-index-openai-"));
  const pcmPath = path.join(folder, "audio.pcm");
  await writeFile(
    pcmPath,
    Int16Array.from({ length: 20 * 16_000 }, (_, index) => index % 1000),
  );
  request = { pcmPath, span: { startSeconds: 10, endSeconds: 15 }, language: "en-GB" };
  server = http.createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      received.push({ method, url, authorization: headers.authorization, body: Buffer.concat(pieces) });
      const reply = replies.shift() ?? json({ text: "" });
      if (reply === "drop") outgoing.destroy();
      if (reply === "hang" || reply === "drop") return;
      outgoing.writeHead(reply.status, { "content-type": "application/json", ...reply.headers }).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
beforeEach(() => {
  received = [];
  replies = [];
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

describe("the request", () => {
  test("is a form with a WAV of the span, the model, the language and both granularities", async () => {
    await recognise();
    const [call] = received;
    expect(call).toMatchObject({ method: "POST", url: "/v1/audio/transcriptions", authorization: `Bearer ${apiKey}` });
    const form = call?.body.toString("latin1") ?? "";
    const field = (name: string, value: string) => expect(form).toContain(`name="${name}"\r\n\r\n${value}\r\n`);
    field("model", "whisper-1");
    field("language", "en");
    field("response_format", "verbose_json");
    field("timestamp_granularities[]", "word");
    field("timestamp_granularities[]", "segment");
    const wave = call?.body.subarray(call.body.indexOf("RIFF")) ?? Buffer.alloc(0);
    expect(wave.subarray(8, 16).toString()).toBe("WAVEfmt ");
    expect([wave.readUInt16LE(20), wave.readUInt16LE(22), wave.readUInt32LE(24), wave.readUInt16LE(34)]).toEqual([
      1, 1, 16_000, 16,
    ]);
    expect(wave.readUInt32LE(40)).toBe(5 * 32_000);
    expect(wave.readInt16LE(44)).toBe((10 * 16_000) % 1000);
    expect(wave.readInt16LE(44 + 5 * 32_000 - 2)).toBe((15 * 16_000 - 1) % 1000);
  });

  test.each(["", "/", "/v1", "/v1/", "/v1/audio/transcriptions"])(
    "goes to the right address for the base %j",
    async (suffix) => {
      await recognise({ url: `${origin()}${suffix}` });
      expect(received[0]?.url).toBe("/v1/audio/transcriptions");
    },
  );

  test("keeps a prefix of the base, and has no key and no language where there is none", async () => {
    await engineWith({ url: `${origin()}/speech`, apiKey: undefined }).recognise(
      { ...request, language: null },
      unaborted,
    );
    expect(received[0]).toMatchObject({ url: "/speech/v1/audio/transcriptions", authorization: undefined });
    expect(received[0]?.body.toString("latin1")).not.toContain('name="language"');
  });
});

describe("the answer", () => {
  const segment = {
    id: 0,
    start: 0.5,
    end: 2.5,
    text: " Hello there. How are you?",
    avg_logprob: Math.log(0.8),
    no_speech_prob: 0.01,
  };
  const words = [
    ["Hello", 0.5],
    ["there", 0.9],
    ["How", 1.5],
    ["are", 1.8],
    ["you", 2],
  ].map(([word, start]) => ({ word, start, end: Number(start) + 0.3 }));

  test("with words becomes sentences with absolute times and the segments' punctuation", async () => {
    replies = [json({ text: "Hello there. How are you?", language: "english", segments: [segment], words })];
    const { segments, language } = await recognise();
    expect(language).toBe("en-GB");
    expect(
      segments.map(({ text, startSeconds, endSeconds, confidence }) => ({
        text,
        startSeconds,
        endSeconds,
        confidence,
      })),
    ).toEqual([
      { text: "Hello there.", startSeconds: 10.5, endSeconds: 11.2, confidence: 0.8 },
      { text: "How are you?", startSeconds: 11.5, endSeconds: 12.3, confidence: 0.8 },
    ]);
    expect(segments[0]?.words[1]).toEqual({ text: "there.", startSeconds: 10.9, endSeconds: 11.2, confidence: 0.8 });
  });

  test("with words inside the segments uses them and their own probabilities", async () => {
    const inside = words.map(({ word, start, end }) => ({ word: ` ${word}`, start, end, probability: 0.9 }));
    replies = [json({ text: "…", language: "en", segments: [{ ...segment, words: inside }] })];
    const { segments, language } = await recognise();
    expect(language).toBe("en");
    expect(segments.map(({ text, confidence }) => [text, confidence])).toEqual([
      ["Hello there.", 0.9],
      ["How are you?", 0.9],
    ]);
  });

  test("with segments alone keeps them, within the span", async () => {
    replies = [json({ text: "…", segments: [{ ...segment, end: 99 }] })];
    expect((await recognise()).segments).toEqual([
      {
        text: "Hello there. How are you?",
        startSeconds: 10.5,
        endSeconds: 15,
        confidence: expect.closeTo(0.8),
        words: [],
      },
    ]);
  });

  test("with text alone is one segment over the span; with none, nothing was said", async () => {
    replies = [json({ text: " Hello. " }), json({ text: " " }), json({ text: "", segments: [], words: [] })];
    expect((await recognise()).segments).toEqual([
      { text: "Hello.", startSeconds: 10, endSeconds: 15, confidence: 0.5, words: [] },
    ]);
    expect((await recognise()).segments).toEqual([]);
    expect((await recognise()).segments).toEqual([]);
  });

  test("leaves out what was invented over noise", async () => {
    replies = [
      json({
        text: "Thank you.",
        segments: [{ ...segment, text: "Thank you.", avg_logprob: -0.9, no_speech_prob: 0.9 }],
      }),
    ];
    expect((await recognise()).segments).toEqual([]);
  });
});

describe("a failure", () => {
  test.each([401, 403, 404])("%d is for the operator to mend", async (status) => {
    replies = [json({ error: { message: `bad ${apiKey}` } }, status)];
    const failure = await recognise().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      reason: "engine_unavailable",
      permanent: true,
      message: expect.stringContaining("SPEECH_"),
    });
    expect(String(failure)).not.toContain(apiKey);
  });

  test.each([408, 429, 500, 502, 503])("%d is temporary", async (status) => {
    replies = [json({ error: `overloaded, ${apiKey}` }, status)];
    const failure = await recognise().catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "engine_unavailable", permanent: false });
    expect(String(failure)).not.toContain(apiKey);
    expect(received).toHaveLength(1);
  });

  test("400 is about this request, not the server", async () => {
    replies = [json({ error: "file too odd" }, 400)];
    await expect(recognise()).rejects.toMatchObject({
      reason: "internal",
      message: expect.stringContaining("file too odd"),
    });
  });

  test.each(["drop", "hang"] as const)("a server that lets the request %s is temporary", async (reply) => {
    replies = [reply];
    await expect(recognise({ timeoutSeconds: 0.2 })).rejects.toMatchObject({
      reason: "engine_unavailable",
      permanent: false,
    });
  });

  test("a server that is not there is temporary", async () => {
    const engine = engineWith({ url: "http://127.0.0.1:1" });
    await expect(engine.ready()).rejects.toMatchObject({ reason: "engine_unavailable", permanent: false });
    await expect(engine.recognise(request, unaborted)).rejects.toMatchObject({
      reason: "engine_unavailable",
      permanent: false,
    });
  });

  test("something else than a transcription, or an answer that leads elsewhere, is refused", async () => {
    replies = [
      json({ hello: 1 }),
      { status: 200, body: "<html>" },
      { status: 307, body: "", headers: { location: "http://127.0.0.1:1/" } },
    ];
    for (let count = 0; count < 3; count += 1) {
      await expect(recognise()).rejects.toMatchObject({ reason: "engine_unavailable" });
    }
  });

  test("a short Retry-After is honoured, once", async () => {
    const busy: Reply = { ...json({}, 429), headers: { "retry-after": "0" } };
    replies = [busy, json({ text: "Hello." })];
    expect((await recognise()).segments).toHaveLength(1);
    replies = [busy, busy];
    await expect(recognise()).rejects.toMatchObject({ reason: "engine_unavailable" });
    replies = [{ ...json({}, 429), headers: { "retry-after": "3600" } }];
    await expect(recognise()).rejects.toMatchObject({ reason: "engine_unavailable" });
    expect(received).toHaveLength(5);
  });
});

describe("the engine", () => {
  test("aborts a request on the wire", async () => {
    replies = ["hang"];
    const controller = new AbortController();
    const recognition = engineWith().recognise(request, controller.signal);
    await arrived(1);
    controller.abort(new Error("cancelled"));
    await expect(recognition).rejects.toThrow("cancelled");
  });

  test("has as many requests under way as it was told", async () => {
    replies = ["hang", "hang", "hang"];
    const controller = new AbortController();
    const engine = engineWith({ parallelism: 2 });
    const all = Promise.allSettled(Array.from({ length: 3 }, () => engine.recognise(request, controller.signal)));
    await arrived(2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(received).toHaveLength(2);
    controller.abort();
    await all;
  });

  test("is ready when the server answers, even one without a list of models, and not when the key is wrong", async () => {
    replies = [json({ data: [] }), json({}, 404), json({}, 401)];
    await engineWith().ready();
    await engineWith().ready();
    await expect(engineWith().ready()).rejects.toMatchObject({ reason: "engine_unavailable", permanent: true });
    expect(received[0]).toMatchObject({ method: "GET", url: "/v1/models" });
  });

  test("is the one that SPEECH_URL names", async () => {
    const engine = createSpeechEngine(
      {
        SPEECH_URL: origin(),
        SPEECH_API_KEY: apiKey,
        SPEECH_MODEL: undefined,
        SPEECH_ENGINE: "none",
        speechProcesses: 3,
      },
      "python3",
    );
    expect(engine).toMatchObject({ name: "openai-compatible/whisper-1", parallelism: 3 });
    await engine.recognise(request, unaborted);
    expect(received).toHaveLength(1);
    await engine.close();
    await expect(engine.recognise(request, unaborted)).rejects.toMatchObject({ reason: "engine_unavailable" });
  });

  test("takes no credentials in the address", () => {
    expect(() => engineWith({ url: "http://user:secret@127.0.0.1" })).toThrow(/^SPEECH_URL holds credentials/);
  });
});
