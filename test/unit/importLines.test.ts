import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createLineSplitter, type Line } from "../../domain/imports/lines.ts";

const encoder = new TextEncoder();
const maxLineBytes = 40;

function split(bytes: Uint8Array, pieces: readonly number[]): Line[] {
  const splitter = createLineSplitter(maxLineBytes);
  const lines: Line[] = [];
  let at = 0;
  for (let n = 0; at < bytes.length; n += 1) {
    const end = at + (pieces[n % pieces.length] ?? 1);
    lines.push(...splitter.push(bytes.subarray(at, end)));
    at = end;
  }
  return [...lines, ...splitter.end()];
}

const readWhole = (text: string) => split(encoder.encode(text), [1_000_000]);

/** Each line by itself, the plain way. */
function expected(parts: readonly Uint8Array[]): Line[] {
  return parts.flatMap((part, index): Line[] => {
    const number = index + 1;
    if (part.length > maxLineBytes) return [{ number, fault: "too_long" }];
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(part);
      return text.trim() === "" ? [] : [{ number, text }];
    } catch {
      return [{ number, fault: "not_utf8" }];
    }
  });
}

describe("lines of bytes", () => {
  it("are the same however the bytes are cut, whatever their ends, broken ones beside whole ones", () => {
    const good = fc
      .string({ unit: "grapheme", maxLength: 12 })
      .map((text) => encoder.encode(text.replaceAll(/[\r\n\uFEFF]/g, " ")));
    const broken = fc.constantFrom(new Uint8Array([0x7b, 0xff, 0x7d]), new Uint8Array([0xc3]));
    const long = fc.nat({ max: 100 }).map((more) => new Uint8Array(maxLineBytes + 1 + more).fill(0x61));
    const longest = fc.constant(new Uint8Array(maxLineBytes).fill(0x61));
    const line = fc.oneof({ weight: 4, arbitrary: good }, broken, long, longest);
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        (parts, end, endsWithIt, hasMark, pieces) => {
          const bytes = [
            ...(hasMark ? [0xef, 0xbb, 0xbf] : []),
            ...parts.flatMap((part, n) => [
              ...part,
              ...(n < parts.length - 1 || endsWithIt ? encoder.encode(end) : []),
            ]),
          ];
          expect(split(new Uint8Array(bytes), pieces)).toEqual(expected(parts));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are numbered as an editor does, blank ones included", () => {
    expect(readWhole("\uFEFFa\n\n \t\r\nb\r\nc")).toEqual([
      { number: 1, text: "a" },
      { number: 4, text: "b" },
      { number: 5, text: "c" },
    ]);
    expect(readWhole("")).toEqual([]);
    expect(readWhole("a\n")).toEqual([{ number: 1, text: "a" }]);
  });

  it("count a line's bytes, not its characters", () => {
    expect(readWhole("é".repeat(20))).toEqual([{ number: 1, text: "é".repeat(20) }]);
    expect(readWhole(`${"é".repeat(21)}\nb`)).toEqual([
      { number: 1, fault: "too_long" },
      { number: 2, text: "b" },
    ]);
  });
});
