/** A list of 32-bit integers outside of the garbage-collected heap. */
export class GrowingArray {
  length = 0;
  #items: Int32Array;

  constructor(capacity: number) {
    this.#items = new Int32Array(Math.max(16, capacity));
  }

  push(item: number): number {
    if (this.length === this.#items.length) {
      const larger = new Int32Array(Math.ceil(this.#items.length * 1.5));
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.length] = item;
    this.length += 1;
    return this.length - 1;
  }

  get(index: number): number {
    return this.#items[index] ?? 0;
  }

  set(index: number, item: number): void {
    this.#items[index] = item;
  }

  get bytes(): number {
    return this.#items.byteLength;
  }
}
