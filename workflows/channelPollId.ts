/** Of a followed channel's schedule; each of its runs has the time of its start behind it. */
export function channelScheduleId(channelId: string): string {
  return `channel-poll-${channelId}`;
}
