import * as wf from "@temporalio/workflow";
import type { ScanMediaActivities } from "../activities/scanMedia.ts";
import type { FailureReason } from "../domain/failureReasons.ts";
import { failureReason } from "./failures.ts";
import { report } from "./report.ts";
import { taskQueues } from "./taskQueues.ts";

const { pollChannel } = wf.proxyActivities<ScanMediaActivities>({
  taskQueue: taskQueues.media,
  startToCloseTimeout: "10 minutes",
  heartbeatTimeout: "15 seconds",
  retry: { initialInterval: "10 seconds", backoffCoefficient: 3, maximumInterval: "10 minutes" },
  priority: { priorityKey: 4 },
  summary: "read the channel's feed and ask for scans of what is new",
});

export type ChannelPollOutcome =
  | { outcome: "polled"; newVideos: number; scansStarted: number }
  | { outcome: "unfollowed" }
  | { outcome: "failed"; reason: FailureReason };

/** Looks once for new videos of a channel. A feed that cannot be read is an outcome: the schedule tries again at its next time. */
export async function channelPoll(channelId: string): Promise<ChannelPollOutcome> {
  report("polling", `Reading the feed of channel ${channelId}. A feed that fails is tried again with growing pauses.`);
  try {
    const poll = await pollChannel(channelId);
    if (poll === null) {
      report("done", "The channel is not followed any more.");
      return { outcome: "unfollowed" };
    }
    report("done", `${poll.newVideos} new videos, ${poll.scansStarted} scans asked for.`);
    return { outcome: "polled", ...poll };
  } catch (error) {
    if (wf.isCancellation(error)) throw error;
    const reason = failureReason(error);
    report(
      "failed",
      `Failed: ${reason}. The schedule tries again at its next time; nothing needs a human unless it goes on.`,
    );
    if (reason === "internal") throw error;
    return { outcome: "failed", reason };
  }
}
