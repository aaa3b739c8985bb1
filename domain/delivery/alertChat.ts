import { minutesAndSeconds } from "../evidence.ts";
import { alertHeadline, type AlertText } from "./alertMail.ts";

/** A message as Slack's incoming webhooks and `chat.postMessage` take it; `text` is what notifications show. */
export interface ChatMessage {
  text: string;
  blocks: readonly ChatBlock[];
}

type ChatBlock =
  | { type: "section"; text: { type: "mrkdwn"; text: string } }
  | { type: "context"; elements: readonly { type: "mrkdwn"; text: string }[] };

/** Longest text that a block takes (Slack, "Block Kit: section"). */
const maxBlockCharacters = 3000;

/** The chat message of an alert. */
export function alertChatMessage(alert: AlertText): ChatMessage {
  const headline = escapeMarkup(alertHeadline(alert));
  const title = escapeMarkup(alert.videoTitle ?? "Untitled video").replaceAll(/[|\r\n]+/g, " ");
  const link = `<${escapeMarkup(alert.momentUrl)}|${title}>`;
  const quote = escapeMarkup(alert.quote)
    .slice(0, maxBlockCharacters - headline.length - 10)
    .replaceAll("\n", "\n>");
  const origin = alert.monitorName === null ? "" : ` · ${escapeMarkup(alert.monitorName)}`;
  return {
    text: headline,
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: `*${headline}*\n>${quote}` } },
      {
        type: "context",
        elements: [
          {
            type: "mrkdwn",
            text: `${link} · ${escapeMarkup(alert.channelName)}, at ${minutesAndSeconds(alert.startSeconds)}${origin}`,
          },
        ],
      },
    ],
  };
}

/** The three signs that mean something to Slack (Slack, "Escaping text"). */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
