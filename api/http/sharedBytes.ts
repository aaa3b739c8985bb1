import { promisify } from "node:util";
import { brotliCompress, constants, crc32, deflateRaw } from "node:zlib";
import { appending } from "./checksum.ts";

const deflate = promisify(deflateRaw);
const brotli = promisify(brotliCompress);
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Ready bytes that many answers share, each behind a head of its own; compressed once, when somebody first asks for that. */
export class SharedBytes {
  readonly bytes: Buffer;
  #deflated: Promise<Buffer> | undefined;
  #checksum: ((headCrc: number) => number) | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** As a complete DEFLATE stream (RFC 1951). */
  deflated(): Promise<Buffer> {
    return (this.#deflated ??= deflate(this.bytes));
  }

  /** CRC-32 of a head with these bytes behind it, from the head's: the bytes are gone through once, not once a head. */
  checksumBehind(headCrc: number): number {
    return (this.#checksum ??= appending(this.bytes))(headCrc);
  }
}

/** Codings that a body can be sent in, those first that cost least. */
export const codings = ["gzip", "br", "identity"] as const;
export type Coding = (typeof codings)[number];

/** The head and the shared bytes behind it in a coding, as parts to be sent one after another. */
export async function encode(coding: Coding, head: Buffer, shared: SharedBytes): Promise<Buffer[]> {
  switch (coding) {
    case "identity":
      return [head, shared.bytes];
    case "br":
      return [await brotli(Buffer.concat([head, shared.bytes]), brotliQuality)];
    case "gzip":
      return gzip(head, shared);
  }
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const storedBlockBytes = 65_535;

/** One gzip member (RFC 1952) whose head is stored as it is, so that what follows need not be compressed anew for each head. */
async function gzip(head: Buffer, shared: SharedBytes): Promise<Buffer[]> {
  const deflated = await shared.deflated();
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(shared.checksumBehind(crc32(head)), 0);
  trailer.writeUInt32LE((head.length + shared.bytes.length) % 2 ** 32, 4);
  return [Buffer.concat([gzipHeader, ...storedBlocks(head)]), deflated, trailer];
}

/** Blocks of DEFLATE without compression (RFC 1951, 3.2.4), none of them the last; they end at a byte. */
function storedBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += storedBlockBytes) {
    const content = bytes.subarray(start, start + storedBlockBytes);
    const begin = Buffer.alloc(5);
    begin.writeUInt16LE(content.length, 1);
    begin.writeUInt16LE(~content.length & 0xffff, 3);
    blocks.push(begin, content);
  }
  return blocks;
}
