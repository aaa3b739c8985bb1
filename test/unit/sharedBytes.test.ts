import { brotliDecompressSync, crc32, gunzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { appending } from "../../api/http/checksum.ts";
import { encode, SharedBytes } from "../../api/http/sharedBytes.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 2000 }),
  fc.integer({ min: 0, max: 200_000 }).map((length) => "segment ".repeat(Math.ceil(length / 8)).slice(0, length)),
);

describe("the checksum of bytes with others behind them", () => {
  it("is that of both together, for any lengths", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 3000 }), (head, tail) => {
        expect(appending(Buffer.from(tail))(crc32(head))).toBe(crc32(Buffer.concat([head, tail])));
      }),
    );
    const long = Buffer.alloc(3_000_001, 7);
    expect(appending(long)(crc32("head"))).toBe(crc32(long, crc32("head")));
  });
});

describe("ready bytes behind a head", () => {
  it("come out of every coding as they went in, whatever the head", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), text, async (heads, shared) => {
        const ready = new SharedBytes(Buffer.from(shared));
        for (const head of heads) {
          const encoded = async (coding: "gzip" | "br" | "identity") =>
            Buffer.concat(await encode(coding, Buffer.from(head), ready));
          expect(gunzipSync(await encoded("gzip")).toString()).toBe(head + shared);
          expect(brotliDecompressSync(await encoded("br")).toString()).toBe(head + shared);
          expect((await encoded("identity")).toString()).toBe(head + shared);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are one gzip member, for readers that stop after the first", async () => {
    const bytes = Buffer.concat(
      await encode("gzip", Buffer.from("head "), new SharedBytes(Buffer.from("and the rest"))),
    );
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    expect(await new Response(stream).text()).toBe("head and the rest");
  });

  it("are compressed once, however many ask", async () => {
    const ready = new SharedBytes(Buffer.from("many ".repeat(10_000)));
    const parts = await Promise.all(["a", "b", "c"].map((head) => encode("gzip", Buffer.from(head), ready)));
    expect(new Set(parts.map(([, deflated]) => deflated)).size).toBe(1);
  });
});
