import { InvalidArgumentError, Option } from "commander";
import { isChannelId } from "../domain/channels.ts";
import { type Scope, scopes, tiers } from "../domain/plans.ts";
import { isVideoId } from "../domain/videoId.ts";

export const tierOption = () => new Option("--tier <tier>", "plan of the account").choices(tiers);

export function parseCount(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("must be a whole number, 0 or more.");
  return value;
}

export function parseFlag(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("must be true or false.");
  return text === "true";
}

export function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || !/^\d{4}-\d\d-\d\d/.test(text))
    throw new InvalidArgumentError("must be a date or time such as 2027-01-31T00:00:00Z.");
  return time;
}

export function parseScopes(text: string): Scope[] {
  return text.split(",").map((name) => {
    const scope = scopes.find((each) => each === name.trim());
    if (scope === undefined) throw new InvalidArgumentError(`must be of ${scopes.join(", ")}, separated by commas.`);
    return scope;
  });
}

export function parseEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError("must be an e-mail address.");
  return text;
}

/** For an argument that may be repeated: adds one id to those before it. */
export function parseVideoIds(text: string, before: string[] | undefined): string[] {
  if (!isVideoId(text)) throw new InvalidArgumentError("must be the 11-character id of a video.");
  return [...(before ?? []), text];
}

export function parseChannelId(text: string): string {
  if (!isChannelId(text)) throw new InvalidArgumentError("must be the id of a channel.");
  return text;
}

const secondsOfUnit = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Returns seconds. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  if (amount === undefined || (unit !== "s" && unit !== "m" && unit !== "h" && unit !== "d"))
    throw new InvalidArgumentError("must be a time such as 90s, 15m, 2h or 1d.");
  return Number(amount) * secondsOfUnit[unit];
}
