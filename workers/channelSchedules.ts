import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from "@temporalio/client";
import {
  type FollowedChannel,
  listFollowedChannels,
  lockChannelSchedule,
  readFollowedChannel,
} from "../database/followedChannels.ts";
import type { Pool, Transaction } from "../database/pool.ts";
import { channelScheduleId } from "../workflows/channelPollId.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";

/** Polls of many channels do not start at one moment: this part of the interval is left to chance. */
const jitterShare = 0.1;
const mostJitterSeconds = 60;

/** Makes Temporal's schedule of a channel what Postgres says: there and up to date while it is followed, gone when it is not. */
export async function applyChannelSchedule(
  transaction: Transaction,
  client: Client,
  channelId: string,
): Promise<boolean> {
  await lockChannelSchedule(transaction, channelId);
  const channel = await readFollowedChannel(transaction, channelId);
  if (channel === null) await deleteSchedule(client, channelId);
  else await ensureSchedule(client, channel);
  return true;
}

/** Does so for every followed channel: the schedules of a Temporal whose data was lost come back. */
export async function ensureChannelSchedules(pool: Pool, client: Client): Promise<void> {
  for (const { channelId } of await listFollowedChannels(pool))
    await pool.transaction((transaction) => applyChannelSchedule(transaction, client, channelId));
}

/** A new schedule polls at once. Whether an operator has paused an existing one stays as it is. */
async function ensureSchedule(client: Client, channel: FollowedChannel): Promise<void> {
  const definition = schedule(channel);
  try {
    await client.schedule.create({ ...definition, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId, ...today } = definition;
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...today, state }));
  }
}

async function deleteSchedule(client: Client, channelId: string): Promise<void> {
  try {
    await client.schedule.getHandle(channelScheduleId(channelId)).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

function schedule({ channelId, everySeconds }: FollowedChannel): ScheduleOptions {
  return {
    scheduleId: channelScheduleId(channelId),
    spec: {
      intervals: [{ every: everySeconds * 1000 }],
      jitter: Math.round(Math.min(everySeconds * jitterShare, mostJitterSeconds) * 1000),
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "1 minute", pauseOnFailure: false },
    action: {
      type: "startWorkflow",
      workflowType: "channelPoll",
      workflowId: channelScheduleId(channelId),
      taskQueue: taskQueues.workflows,
      args: [channelId],
      staticSummary: `Looks for new videos of channel ${channelId}`,
      staticDetails: `Each new video is scanned once. \`media-index channels unfollow ${channelId}\` ends this for good; a pause of the schedule, for a while.`,
      typedSearchAttributes: [{ key: searchAttributes.stage, value: "scheduled" }],
    },
  };
}
