const width = 256;
// Reused: a search compares hundreds of words, and rows of their own would be most of the work.
let twoBefore = new Uint16Array(width + 1);
let before = new Uint16Array(width + 1);
let current = new Uint16Array(width + 1);

/**
 * Letters that were left out, put in, replaced, or swapped with their neighbour between two words; no stretch is edited twice (optimal string
 * alignment, a restricted Damerau-Levenshtein distance). Above `most` it says `most + 1`; so it does for words of over 256 letters.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (a === b) return 0;
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most || a.length > width || b.length > width) return far;
  for (let column = 0; column <= b.length; column += 1) before[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    current[0] = row;
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(at(before, column) + 1, at(current, column - 1) + 1, at(before, column - 1) + (same ? 0 : 1));
      const swapped =
        !same &&
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (swapped) cost = Math.min(cost, at(twoBefore, column - 2) + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return far;
    [twoBefore, before, current] = [before, current, twoBefore];
  }
  return Math.min(at(before, b.length), far);
}

function at(cells: Uint16Array, index: number): number {
  return cells[index] ?? 0;
}
