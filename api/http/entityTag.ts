/** Whether the caller, by its `If-None-Match`, has what has this tag: by weak comparison (RFC 9110, 13.1.2). */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => opaque(tag) === opaque(etag));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}
