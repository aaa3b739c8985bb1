const shownLength = 64;

/** A name that came from the caller, for a message: cut, and without characters that could break a log line or a terminal. */
export function printable(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cs}]/gu, "?");
  return plain.length > shownLength ? `${plain.slice(0, shownLength)}…` : plain;
}
