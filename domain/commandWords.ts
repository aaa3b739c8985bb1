/** Splits options as a shell would: at spaces, but for what stands in single or double quotes. Null when a quote is not closed. No shell is run. */
export function splitCommandWords(text: string): string[] | null {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const word = /^(?:[^\s'"]|'[^']*'|"[^"]*")+/.exec(rest)?.[0];
    if (word === undefined) return null;
    words.push(
      word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
    );
    const after = rest.slice(word.length);
    if (/^['"]/.test(after)) return null;
    rest = after.trimStart();
  }
  return words;
}
