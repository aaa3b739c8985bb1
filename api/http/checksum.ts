import { crc32 } from "node:zlib";

/** A linear map of 32-bit values over GF(2): what becomes of each bit. */
type BitMap = readonly number[];

/** One zero bit behind a message, as it changes the register of CRC-32 (RFC 1952, 8: the polynomial with its bits reversed). */
const zeroBit: BitMap = [0xedb88320, ...Array.from({ length: 31 }, (_, bit) => 2 ** bit)];
const unchanged: BitMap = Array.from({ length: 32 }, (_, bit) => 2 ** bit);

/**
 * Takes the CRC-32 of any bytes to that of the same bytes with `tail` behind them, without going through either again. A checksum of two
 * parts is the first one's, shifted by the length of the second, and the second one's (as `crc32_combine` of zlib does it).
 */
export function appending(tail: Buffer): (crc: number) => number {
  const tailCrc = crc32(tail);
  const shift = repeated(repeated(zeroBit, 8), tail.length);
  return (crc) => (applied(shift, crc) ^ tailCrc) >>> 0;
}

function repeated(map: BitMap, times: number): BitMap {
  let [result, power] = [unchanged, map];
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = followed(result, power);
    power = followed(power, power);
  }
  return result;
}

function followed(first: BitMap, second: BitMap): BitMap {
  return first.map((value) => applied(second, value));
}

function applied(map: BitMap, value: number): number {
  let result = 0;
  for (const [bit, image] of map.entries()) if ((value >>> bit) & 1) result ^= image;
  return result;
}
