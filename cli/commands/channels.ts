import type { Command } from "commander";
import { followChannel, unfollowChannel } from "../../services/channels/follow.ts";
import { channelScheduleId } from "../../workflows/channelPollId.ts";
import type { Answer } from "../answer.ts";
import { CommandError, withContext } from "../context.ts";
import { parseChannelId, parseDuration } from "../options.ts";

const defaultEverySeconds = 900;

export function addChannelCommands(program: Command, answer: Answer): void {
  const channels = program.command("channels").description("follow channels, and scan what they publish");
  channels
    .command("follow")
    .description("look for new videos of a channel now and then, and scan each once")
    .argument("<channelId>", "id of the channel", parseChannelId)
    .option("--every <time>", "how often, such as 90s, 15m, 2h or 1d", parseDuration, defaultEverySeconds)
    .action(
      answer(async (channelId: string, { every }: { every: number }) => {
        await withContext((context) => followChannel(context, channelId, every));
        return { channelId, schedule: channelScheduleId(channelId) };
      }),
    );
  channels
    .command("unfollow")
    .description("stop looking for new videos of a channel; what was found stays")
    .argument("<channelId>", "id of the channel", parseChannelId)
    .action(
      answer(async (channelId: string) => {
        const wasFollowed = await withContext((context) => unfollowChannel(context, channelId));
        if (!wasFollowed) throw new CommandError(`Channel ${channelId} is not followed.`);
        return { channelId, schedule: null };
      }),
    );
}
