import { MediaFailure, type FailureReason } from "../../domain/failureReasons.ts";

interface Rule {
  reason: FailureReason;
  /** Waiting cannot help, though the reason may pass elsewhere. */
  permanent?: true;
  says: RegExp;
}

/**
 * What yt-dlp 2026.10.26 and the platforms behind it say, in the order of trust: a sentence about this video first, a mere status of HTTP
 * last. Most sentences are the platform's own (`playabilityStatus.reason`), the others are those of yt-dlp's extractor/common.py,
 * extractor/youtube, utils and networking/exceptions.py.
 */
const rules: readonly Rule[] = [
  {
    reason: "region_blocked",
    says: /not (?:made|available|licensed).{0,60}\b(?:in|from) your (?:country|location|region|area)|blocked (?:it |this video )?.{0,40}in your country|geo.?(?:restrict|block)|HTTP Error 451|VPN or a proxy server/i,
  },
  {
    reason: "download_failed",
    says: /not a bot|rate.?limit|try again later|HTTP Error 429|Too Many Requests|captcha/i,
  },
  {
    reason: "live_or_upcoming",
    says: /(?:live event|premiere|stream|broadcast)s? (?:will|is scheduled to|begins|starts) |Premieres? in |live event has ended|processing this video|not currently live|is_live|offline\b.{0,40}stream/i,
  },
  {
    reason: "private",
    says: /private video|video is private|is private\b|members.?only|channel's members|join this channel|confirm your age|age.?restricted|requires payment|(?:premium|subscribers?|registered users|logged.?in users|paid) (?:only|members)|only available (?:for|to) (?:registered|premium|logged|subscribed|paying)|login required|log ?in to|sign in (?:to|if)|requires? (?:authentication|a login|an account)|HTTP Error 401/i,
  },
  {
    reason: "not_found",
    says: /has been (?:removed|deleted|terminated)|no longer (?:available|exists)|does(?: not|n't) exist|account (?:associated with this video )?has been (?:terminated|closed|suspended)|(?:video|content|recording|page) (?:is |was )?(?:unavailable|not available|not found|deleted|removed)|isn't available|incomplete YouTube ID|HTTP Error (?:404|410)/i,
  },
  {
    reason: "download_failed",
    permanent: true,
    says: /Unsupported URL|is not a valid URL|DRM protected|no such option|invalid \w+ value|no plugin/i,
  },
  {
    reason: "no_audio",
    says: /Requested format is not available/i,
  },
  { reason: "internal", permanent: true, says: /No module named '?yt_dlp/i },
];

/** Why yt-dlp refused, from what it wrote; null where it says nothing that is known. */
export function classifyReport(report: string): { reason: FailureReason; permanent: boolean } | null {
  const text = report.replaceAll("’", "'").replaceAll(/\s+/g, " ");
  const rule = rules.find(({ says }) => says.test(text));
  return rule === undefined ? null : { reason: rule.reason, permanent: rule.permanent ?? false };
}

/** The lines of its report that say why it gave up; warnings where there is nothing else. */
export function keyLines(report: string): string {
  const lines = report.split("\n").map((line) => line.trim());
  const errors = lines.filter((line) => line.startsWith("ERROR:"));
  const told = errors.length > 0 ? errors : lines.filter((line) => line.startsWith("WARNING:"));
  return (told.length > 0 ? told : lines.slice(-3)).join(" | ").slice(0, 500);
}

/** The failure of a run of yt-dlp; what is unknown may be the network's, and is tried again. */
export function reportedFailure(what: string, report: string): MediaFailure {
  const errors = keyLines(report);
  const { reason, permanent } = classifyReport(errors) ?? { reason: "download_failed", permanent: false };
  return new MediaFailure(reason, `${what}: ${errors === "" ? "yt-dlp failed without a word" : errors}`, { permanent });
}
