import type { VNode } from "preact";
import { html } from "../html.ts";

/** A moment of a video, which opens beside the console. `videoMomentUrl` has `{video_id}` and `{seconds}`. */
export function videoLink(
  videoMomentUrl: string,
  { videoId, title }: { videoId: string; title: string | null },
  startSeconds: number,
): VNode {
  const address = videoMomentUrl
    .replaceAll("{video_id}", videoId)
    .replaceAll("{seconds}", String(Math.floor(startSeconds)));
  return html`
    <a href=${address} target="_blank" rel="noopener noreferrer">
      <bdi>${title ?? videoId}</bdi> at ${clock(startSeconds)}<span class="unseen"> (opens a new tab)</span>
    </a>
  `;
}

/** Seconds as on a player: 65 → 1:05. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, "0");
}
