import { expect, it } from "@jest/globals";
import { classifyReport, reportedFailure } from "../../adapters/media/ytDlpErrors.ts";

it.each([
  [
    "Private video. Sign in if you've been granted access to this video. Use --cookies-from-browser or --cookies for the authentication",
    "private",
  ],
  ["Join this channel to get access to members-only content like this video, and other exclusive perks.", "private"],
  [
    "This video is available to this channel's members on level: Fan (or any higher level). Join this channel to get access to members-only content and other exclusive perks.",
    "private",
  ],
  [
    "Sign in to confirm your age. This video may be inappropriate for some users. Use --cookies-from-browser",
    "private",
  ],
  ["This video requires payment to watch", "private"],
  [
    "This video is only available for registered users. Use --cookies-from-browser or --cookies for the authentication",
    "private",
  ],
  ["This video is only available to Music Premium members", "private"],
  ["Video unavailable. This video is private", "private"],
  ["Video unavailable", "not_found"],
  ["Video unavailable. This video is not available", "not_found"],
  ["Video unavailable. This video has been removed by the uploader", "not_found"],
  [
    "Video unavailable. This video is no longer available because the YouTube account associated with this video has been terminated.",
    "not_found",
  ],
  ["This video has been removed for violating YouTube's Terms of Service", "not_found"],
  ["This live stream recording is not available.", "not_found"],
  ["This video isn't available anymore", "not_found"],
  ["YouTube said: This channel does not exist.", "not_found"],
  ["The channel/playlist does not exist and the URL redirected to youtube.com home page", "not_found"],
  ["Unable to download webpage: HTTP Error 404: Not Found (caused by <HTTPError 404: Not Found>)", "not_found"],
  ["Unable to download webpage: HTTP Error 410: Gone", "not_found"],
  ["The uploader has not made this video available in your country", "region_blocked"],
  [
    "Video unavailable. This video contains content from SME, who has blocked it in your country on copyright grounds",
    "region_blocked",
  ],
  ["This video is not available from your location due to geo restriction", "region_blocked"],
  ["This video is not available in your country", "region_blocked"],
  ["This live event will begin in 2 days.", "live_or_upcoming"],
  ["Premieres in 40 days", "live_or_upcoming"],
  ["Premiere will begin shortly", "live_or_upcoming"],
  ["This live event has ended.", "live_or_upcoming"],
  ["We're processing this video. Check back later.", "live_or_upcoming"],
  ["The channel is not currently live", "live_or_upcoming"],
  ["Requested format is not available. Use --list-formats for a list of available formats", "no_audio"],
  [
    "Sign in to confirm you’re not a bot. Use --cookies-from-browser or --cookies for the authentication",
    "download_failed",
  ],
  [
    "This content isn't available, try again later. The current session has been rate-limited by YouTube for up to an hour.",
    "download_failed",
  ],
  ["Unable to download API page: HTTP Error 429: Too Many Requests", "download_failed"],
  ["unable to download video data: HTTP Error 403: Forbidden", "download_failed"],
  ["Unable to download webpage: HTTP Error 503: Service Unavailable", "download_failed"],
  ["Unable to download webpage: The read operation timed out (caused by TransportError)", "download_failed"],
  ["Unable to download webpage: [Errno -3] Temporary failure in name resolution", "download_failed"],
  ["Unable to download webpage: <urlopen error [Errno 111] Connection refused>", "download_failed"],
  ["Something nobody has seen yet", "download_failed"],
])("%s", (message, reason) => {
  expect(reportedFailure("v", `WARNING: noise\nERROR: [youtube] dQw4w9WgXcQ: ${message}\n`)).toMatchObject({
    reason,
    permanent: false,
  });
});

it.each([
  ["ERROR: Unsupported URL: http://127.0.0.1/", "download_failed"],
  ["ERROR: [x] 1: This video is DRM protected", "download_failed"],
  ["/usr/bin/python3: No module named yt_dlp", "internal"],
  ["yt-dlp: error: no such option: --plugin-dir", "download_failed"],
])("waiting does not mend: %s", (report, reason) => {
  expect(reportedFailure("v", report)).toMatchObject({ reason, permanent: true });
});

it("nothing known is read into other words", () => {
  expect(classifyReport("The private equity episode")).toBeNull();
  expect(reportedFailure("v", "").message).toContain("without a word");
});
