// 512 KB.
const mostBeginningBits = 2 ** 22;

/**
 * The edges of a trie over words: (state, word) → state, as one open-addressing hash table (linear probing, at most 60 % full) in typed arrays. An edge
 * is kept as 64 bits mixed from the state and the word's hash; the words themselves are not kept.
 */
export class Edges {
  length = 0;
  /** Look-ups so far. */
  lookups = 0;
  #mask: number;
  // Three numbers a slot, side by side so that a look-up touches one line of memory: the two halves of the key, and the state (0: free).
  #slots: Int32Array;
  // A bit for each edge from the first state, by its key: small enough to stay in a core's cache where the slots are not, it answers most look-ups of words that
  // begin no name.
  readonly #beginnings: Uint32Array;
  readonly #beginningMask: number;

  constructor(expected: number) {
    let capacity = 1024;
    while (capacity * 0.6 < expected) capacity *= 2;
    this.#mask = capacity - 1;
    this.#slots = new Int32Array(capacity * 3);
    this.#beginningMask = Math.min(capacity * 4, mostBeginningBits) - 1;
    this.#beginnings = new Uint32Array((this.#beginningMask + 1) / 32);
  }

  /** The state behind the edge; 0 where there is none. */
  next(state: number, low: number, high: number): number {
    const first = mixLow(state, low, high);
    this.lookups += 1;
    if (state === 0 && !this.#mayBegin(first)) return 0;
    const second = mixHigh(state, low, high);
    const slots = this.#slots;
    for (let slot = first & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const found = slots[slot * 3 + 2] ?? 0;
      if (found === 0) return 0;
      if (slots[slot * 3] === first && slots[slot * 3 + 1] === second) return found;
    }
  }

  /** Adds an edge that is not there yet. */
  add(state: number, low: number, high: number, target: number): void {
    if (this.length + 1 > (this.#mask + 1) * 0.6) this.#grow();
    const first = mixLow(state, low, high);
    this.#put(first, mixHigh(state, low, high), target);
    if (state === 0) this.#noteBeginning(first);
    this.length += 1;
  }

  get bytes(): number {
    return this.#slots.byteLength + this.#beginnings.byteLength;
  }

  #put(first: number, second: number, target: number): void {
    let slot = first & this.#mask;
    while (this.#slots[slot * 3 + 2] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot * 3] = first;
    this.#slots[slot * 3 + 1] = second;
    this.#slots[slot * 3 + 2] = target;
  }

  #mayBegin(key: number): boolean {
    const bit = (key >>> 3) & this.#beginningMask;
    return ((this.#beginnings[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }

  #noteBeginning(key: number): void {
    const bit = (key >>> 3) & this.#beginningMask;
    this.#beginnings[bit >>> 5] = (this.#beginnings[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  #grow(): void {
    const old = this.#slots;
    this.#mask = (this.#mask + 1) * 2 - 1;
    this.#slots = new Int32Array((this.#mask + 1) * 3);
    for (let slot = 0; slot < old.length; slot += 3) {
      const target = old[slot + 2] ?? 0;
      if (target !== 0) this.#put(old[slot] ?? 0, old[slot + 1] ?? 0, target);
    }
  }
}

// Finalisers of MurmurHash3 (Austin Appleby, public domain).
function mixLow(state: number, low: number, high: number): number {
  let h = low ^ Math.imul(state, 0x9e3779b1) ^ (high >>> 7);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}

function mixHigh(state: number, low: number, high: number): number {
  let h = high ^ Math.imul(state, 0x27d4eb2f) ^ Math.imul(low, 0x165667b1);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 14)) | 0;
}
