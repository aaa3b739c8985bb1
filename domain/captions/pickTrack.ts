/** One caption track that a platform offers; `language` is a BCP 47 tag, as the platform writes it. */
export interface OfferedTrack {
  kind: "manual" | "automatic";
  language: string;
}

/** How some platforms mark the automatic track that is no translation. */
const original = /-orig$/;

/**
 * The track to read a video by: people's captions in the wanted language, else automatic ones in it, the untranslated one first. A language
 * that is not known is that of the untranslated automatic track, else of the only language there is captions by people in. Null where nothing
 * is in the language that is spoken: what is translated was not said.
 */
export function pickTrack<T extends OfferedTrack>(tracks: readonly T[], wanted: string | null): T | null {
  const manual = tracks.filter((track) => track.kind === "manual");
  const automatic = tracks.filter((track) => track.kind === "automatic");
  const untranslated = automatic.find((track) => original.test(track.language)) ?? only(automatic);
  const spoken = wanted ?? untranslated?.language.replace(original, "") ?? onlyLanguage(manual);
  if (spoken === null) return null;
  const inLanguage = (list: readonly T[]) =>
    list.find((track) => sameTag(track.language, spoken)) ??
    list.find((track) => primary(track.language) === primary(spoken));
  const fitting =
    untranslated !== undefined && primary(untranslated.language) === primary(spoken) ? untranslated : undefined;
  return inLanguage(manual) ?? fitting ?? inLanguage(automatic) ?? null;
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function onlyLanguage(tracks: readonly OfferedTrack[]): string | null {
  const languages = new Set(tracks.map((track) => primary(track.language)));
  return languages.size === 1 ? (tracks[0]?.language ?? null) : null;
}

function sameTag(a: string, b: string): boolean {
  return a.replaceAll("_", "-").toLowerCase() === b.replaceAll("_", "-").toLowerCase();
}

function primary(tag: string): string {
  return tag.split(/[-_]/)[0]?.toLowerCase() ?? "";
}
