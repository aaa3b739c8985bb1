import { MediaFailure } from "../../domain/failureReasons.ts";
import type { Recognition, RecognitionRequest, SpeechEngine } from "../../domain/speech.ts";

/** An engine whose outages are decided by the test; what it "hears" is the span itself. For faults that a real engine cannot be made to have. */
export class ScriptedEngine implements SpeechEngine {
  readonly name = "scripted";
  readonly parallelism = 2;
  /** What the next calls do: answer, or fail as told. */
  outage: () => "up" | "down" | "not configured" = () => "up";
  onRecognise: (request: RecognitionRequest, signal: AbortSignal) => Promise<void> = async () => undefined;
  calls = 0;

  async ready(): Promise<void> {
    this.#check();
  }

  async recognise(request: RecognitionRequest, signal: AbortSignal): Promise<Recognition> {
    this.calls += 1;
    this.#check();
    await this.onRecognise(request, signal);
    const { startSeconds, endSeconds } = request.span;
    const text = `Heard from ${startSeconds.toFixed(2)} on.`;
    return {
      segments: [{ text, startSeconds, endSeconds, confidence: 0.9, words: [] }],
      language: "en",
      engineSeconds: 0.01,
    };
  }

  async close(): Promise<void> {}

  #check(): void {
    const state = this.outage();
    if (state !== "up")
      throw new MediaFailure("engine_unavailable", "scripted outage", { permanent: state === "not configured" });
  }
}
