import { decodeHTML } from "entities";
import type { CaptionCue, CuePiece } from "../../domain/captions/cues.ts";

export const captionFormats = ["vtt", "srt"] as const;
export type CaptionFormat = (typeof captionFormats)[number];

/** A cue that could not be read; the rest of the file is. Lines count from 1. */
export interface UnreadCue {
  line: number;
  reason: string;
}

const timing = /^\s*([\d:.,]+)\s*-->\s*([\d:.,]+)(?:\s|$)/;
const timestamp = /^(?:(\d+):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?$/;

/**
 * Reads the cues of a WebVTT (https://www.w3.org/TR/webvtt1/) or SubRip file: settings, styles, regions and notes are skipped, voice
 * and timestamp tags are kept, other markup goes, character references are decoded. As players do, it reads what it can of a file that
 * breaks the rules: a missing signature, a comma for a point, no empty line between cues.
 */
export function readCues(file: string, format: CaptionFormat): { cues: CaptionCue[]; unread: UnreadCue[] } {
  const cues: CaptionCue[] = [];
  const unread: UnreadCue[] = [];
  const lines = file.split(/\r\n?|\n/);
  // In WebVTT a line of spaces is text: automatic captions begin with one.
  const isEmpty = (line: string) => (format === "srt" ? line.trim() : line) === "";
  for (const [index, line] of lines.entries()) {
    if (!line.includes("-->")) continue;
    const times = readTiming(line);
    if (typeof times === "string") {
      unread.push({ line: index + 1, reason: times });
      continue;
    }
    let end = index + 1;
    while (end < lines.length && !isEmpty(lines[end] ?? "") && !lines[end]?.includes("-->")) end += 1;
    // The last line may be the number of a cue that follows without an empty line.
    const isNumbered = lines[end]?.includes("-->") && /^\s*\d+\s*$/.test(lines[end - 1] ?? "");
    cues.push({ ...times, lines: readLines(lines.slice(index + 1, isNumbered ? end - 1 : end).join("\n")) });
  }
  return { cues, unread };
}

/** The times of a timing line, or what is wrong with it. */
function readTiming(line: string): { startSeconds: number; endSeconds: number } | string {
  const [, from = "", to = ""] = timing.exec(line) ?? [];
  const startSeconds = readTimestamp(from);
  const endSeconds = readTimestamp(to);
  if (startSeconds === null || endSeconds === null) return "not two times with --> between them";
  if (endSeconds < startSeconds) return "the cue ends before it starts";
  return { startSeconds, endSeconds };
}

function readTimestamp(text: string): number | null {
  const found = timestamp.exec(text);
  if (found === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = found;
  if (Number(seconds) > 59) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`);
}

/** SubRip's own: places on the screen, and what players of the Advanced SubStation format left in it. */
const coordinates = /^(?:[XY][12]:-?\d+\s*)+$/;
const styleOverride = /\{\\[^}]*\}/g;
const lineBreak = /\\[Nn]|<br\s*\/?>/gi;
const tag = /<(\/?)([a-z]+|\d[\d:.,]*)([^<>]*)>/gi;

function readLines(text: string): CuePiece[][] {
  let voice: string | null = null;
  let startSeconds: number | null = null;
  const readLine = (line: string): CuePiece[] => {
    const pieces: CuePiece[] = [];
    let from = 0;
    const add = (to: number) => {
      if (to <= from) return;
      pieces.push({ text: decodeHTML(line.slice(from, to)), voice, startSeconds });
      startSeconds = null;
    };
    for (const found of line.matchAll(tag)) {
      add(found.index);
      from = found.index + found[0].length;
      const [, slash, name = "", annotation = ""] = found;
      if (/^\d/.test(name)) startSeconds = readTimestamp(name);
      else if (name.toLowerCase() === "v") voice = slash === "/" ? null : readVoice(annotation);
    }
    add(line.length);
    return pieces;
  };
  return text
    .replaceAll(styleOverride, "")
    .replaceAll("\\h", " ")
    .replaceAll(lineBreak, "\n")
    .split("\n")
    .filter((line) => !coordinates.test(line.trim()))
    .map((line) => readLine(line));
}

/** `.loud Mary Ann` of `<v.loud Mary Ann>`: classes, then the name. */
function readVoice(annotation: string): string | null {
  const name = decodeHTML(annotation.replace(/^\S+/, "")).replaceAll(/\s+/g, " ").trim();
  return name === "" ? null : name;
}
