import type { Gazetteer } from "../domain/detection/gazetteer.ts";
import type { ServiceContext } from "../services/context.ts";
import { cancelRunningTranscription, failTranscription } from "../services/transcriptions/end.ts";
import { publishTranscript } from "../services/transcriptions/publish.ts";
import { enterStage } from "../services/transcriptions/stage.ts";
import type { FailureReason } from "../domain/failureReasons.ts";
import { withTypedFailures } from "./failures.ts";
import { withHeartbeats } from "./heartbeats.ts";

export interface TranscriptionJobParts {
  context: ServiceContext;
  /** The names to look for, as of now. */
  names: () => Promise<Gazetteer>;
}

export type TranscriptionJobActivities = ReturnType<typeof createTranscriptionJobActivities>;

/** The steps that decide how a transcription ends; each is one transaction. */
export function createTranscriptionJobActivities({ context, names }: TranscriptionJobParts) {
  return {
    publishTranscript: (jobId: string): Promise<void> =>
      withTypedFailures(() =>
        withHeartbeats(async () => {
          await enterStage(context, jobId, "publishing");
          await publishTranscript(context, await names(), jobId);
        }),
      ),
    failTranscription: (jobId: string, reason: FailureReason): Promise<void> =>
      withHeartbeats(() => failTranscription(context, jobId, reason)),
    cancelTranscription: (jobId: string): Promise<void> =>
      withHeartbeats(() => cancelRunningTranscription(context, jobId)),
  };
}
