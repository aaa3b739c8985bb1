const form = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/** Reads `id:base64,id2:base64`, each key 32 bytes. Null where a part does not fit or an id is named twice. */
export function parseMasterKeys(text: string): { id: string; base64: string }[] | null {
  const keys: { id: string; base64: string }[] = [];
  for (const part of text.split(",")) {
    const [, id, base64] = form.exec(part.trim()) ?? [];
    if (id === undefined || base64 === undefined || keys.some((key) => key.id === id)) return null;
    keys.push({ id, base64 });
  }
  return keys;
}
