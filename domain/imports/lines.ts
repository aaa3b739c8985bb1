/** A line of a file, counted from 1, without its end. */
export type Line = { number: number; text: string } | { number: number; fault: LineFault };
export type LineFault = "too_long" | "not_utf8";

export interface LineSplitter {
  /** Takes the next bytes, cut anywhere; returns the lines that they complete. */
  push(bytes: Uint8Array): Line[];
  /** The line that no newline ended, if there is one. */
  end(): Line[];
}

const newline = 0x0a;

/**
 * Cuts bytes into lines of UTF-8 text (JSON Lines 1.0: LF or CRLF ends a line, and the last one needs no end). A byte order mark is taken
 * off. Lines of white space are left out, though counted. A line over `maxLineBytes` is told as a fault and never held whole.
 */
export function createLineSplitter(maxLineBytes: number): LineSplitter {
  let number = 0;
  let carried: Uint8Array[] = [];
  let carriedBytes = 0;
  let tooLong = false;

  const takeCarried = (): Uint8Array => {
    const bytes = joined(carried, carriedBytes);
    carried = [];
    carriedBytes = 0;
    return bytes;
  };
  const carry = (bytes: Uint8Array) => {
    if (bytes.length === 0 || tooLong) return;
    carried.push(bytes.slice());
    carriedBytes += bytes.length;
    tooLong = carriedBytes > maxLineBytes + lineEndBytes;
    if (tooLong) takeCarried();
  };
  /** Whole lines, the newlines between them included, the last one's not. */
  const read = (bytes: Uint8Array): Line[] => {
    const lines: Line[] = [];
    for (const text of decode(bytes)?.split("\n") ?? splitBytes(bytes).map(decode)) {
      number += 1;
      const line = text === null ? null : withoutEnds(text, number);
      if (line === null) lines.push({ number, fault: "not_utf8" });
      else if (isLongerThan(line, maxLineBytes)) lines.push({ number, fault: "too_long" });
      else if (line.trim() !== "") lines.push({ number, text: line });
    }
    return lines;
  };
  const endTooLong = (): Line => {
    tooLong = false;
    number += 1;
    return { number, fault: "too_long" };
  };

  return {
    push(bytes) {
      const last = bytes.lastIndexOf(newline);
      if (last === -1) {
        carry(bytes);
        return [];
      }
      const first = bytes.indexOf(newline);
      carry(bytes.subarray(0, first));
      const lines = tooLong ? [endTooLong()] : read(takeCarried());
      if (last > first) for (const line of read(bytes.subarray(first + 1, last))) lines.push(line);
      carry(bytes.subarray(last + 1));
      return lines;
    },
    end() {
      if (tooLong) return [endTooLong()];
      return carriedBytes === 0 ? [] : read(takeCarried());
    },
  };
}

/** Room for what does not count as the line itself: its carriage return and the byte order mark. */
const lineEndBytes = 4;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function withoutEnds(text: string, number: number): string {
  const start = number === 1 && text.startsWith("\uFEFF") ? 1 : 0;
  return text.slice(start, text.endsWith("\r") ? -1 : undefined);
}

function isLongerThan(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && encoder.encode(text).length > maxBytes;
}

function joined(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function splitBytes(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}
