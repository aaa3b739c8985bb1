/** A channel's id, as the platform or a folder's descriptions name it. It becomes part of addresses and of ids of schedules. */
export function isChannelId(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/.test(text);
}
