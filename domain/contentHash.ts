/**
 * The anchor hash of a segment's served text: additive djb2 (start 5381, `h * 33 + unit`, unsigned 32 bits) over UTF-16
 * code units, in base 36 (decisions.md, "contentHash"). `"hello world"` gives `eslcxt`.
 */
export function contentHash(text: string): string {
  let hash = 5381;
  for (let index = 0; index < text.length; index += 1) {
    hash = (Math.imul(hash, 33) + text.charCodeAt(index)) >>> 0;
  }
  return hash.toString(36);
}
