/**
 * The form in which names are compared: lower case, without accents (of Latin, Greek and Cyrillic) and punctuation, words apart by one space, without a leading "the".
 * "The Beyoncé-Knowles Co." → "beyonce knowles co". Apostrophes vanish ("O'Neil" → "oneil"); what else is neither letter nor digit parts
 * words, and a name of such signs alone keeps them. Compatibility forms are unified first (Unicode NFKD, UAX #15).
 */
export function foldName(name: string): string {
  const plain = plainText(name);
  const words = wordsOf(plain);
  if (words === "") return plain.trim().replaceAll(/\s+/g, " ");
  return words.replace(/^the (?=.)/, "");
}

/**
 * The words of a text in the form of `foldName`, apart by one space; empty where it has none. Scripts that are written without spaces (Han,
 * kana, Thai) give one word a sign, so that a phrase is found inside a run of them.
 */
export function foldText(text: string): string {
  return wordsOf(plainText(text).replaceAll(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/gu, " $& "));
}

function plainText(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]+/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("æ", "ae")
    .replaceAll("œ", "oe")
    .replaceAll("đ", "d")
    .replaceAll("ı", "i");
}

function wordsOf(plain: string): string {
  return plain
    .replaceAll(/['’ʼ`]/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** A name as a part of an address: its folded words with hyphens, at most 80 characters; `entity` where nothing is left. */
export function slugOf(name: string): string {
  const slug = foldName(name)
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 80)
    .replaceAll(/^-+|-+$/g, "");
  return slug === "" ? "entity" : slug;
}
