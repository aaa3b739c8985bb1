/**
 * 64 bits of a word in two lanes, carried on from character to character, so that the hash of a prefix, or of two words written as one, comes at no
 * cost. The lanes are multiplicative (FNV-1a and its like); the table mixes them before use. Names are told apart by these bits alone: among a
 * million names a word that is none of them is taken for one with a chance below one in ten billion.
 */
export class WordHash {
  low = 0;
  high = 0;

  constructor() {
    this.reset();
  }

  reset(): this {
    this.low = 0x811c9dc5 | 0;
    this.high = 0x2f0b4c47;
    return this;
  }

  set(low: number, high: number): this {
    this.low = low;
    this.high = high;
    return this;
  }

  /** Reads on: `text[from, to)` follows what was read. */
  read(text: string, from = 0, to = text.length): this {
    let { low, high } = this;
    for (let index = from; index < to; index += 1) {
      const unit = text.charCodeAt(index);
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x5bd1e995);
      high ^= high >>> 15;
    }
    this.low = low;
    this.high = high;
    return this;
  }
}
