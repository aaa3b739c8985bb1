import type { Configuration } from "../../domain/configuration.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { SpeechEngine } from "../../domain/speech.ts";
import { createLocalEngine } from "./localEngine.ts";
import { createOpenAiEngine } from "./openAiEngine.ts";

export type SpeechConfiguration = Pick<
  Configuration,
  "SPEECH_URL" | "SPEECH_API_KEY" | "SPEECH_MODEL" | "SPEECH_ENGINE" | "speechProcesses"
>;

const defaultServerModel = "whisper-1";

/**
 * The engine that the configuration names: a server where SPEECH_URL is set, else the local one over `pythonPath` (a Python that
 * has the packages of requirements.txt), else one that fails every request.
 */
export function createSpeechEngine(configuration: SpeechConfiguration, pythonPath: string): SpeechEngine {
  const { SPEECH_URL: url, SPEECH_API_KEY: apiKey, SPEECH_MODEL: model, speechProcesses } = configuration;
  if (url !== undefined)
    return createOpenAiEngine({ url, apiKey, model: model ?? defaultServerModel, parallelism: speechProcesses });
  switch (configuration.SPEECH_ENGINE) {
    case "local":
      return createLocalEngine({ pythonPath, model: model ?? "bundled", processes: speechProcesses });
    case "none":
      return createAbsentEngine();
  }
}

function refuse(): Promise<never> {
  const reason = "no speech engine is configured: SPEECH_ENGINE is none and SPEECH_URL is not set";
  return Promise.reject(new MediaFailure("engine_unavailable", reason, { permanent: true }));
}

function createAbsentEngine(): SpeechEngine {
  return { name: "none", parallelism: 1, ready: refuse, recognise: refuse, close: () => Promise.resolve() };
}
