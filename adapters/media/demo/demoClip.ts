import { fileURLToPath } from "node:url";

/** A short clip of real speech that comes with the product (origin and rights: NOTICE.md beside it). */
export const demoClip = {
  file: fileURLToPath(new URL("inauguralAddress.flac", import.meta.url)),
  title: "Inaugural address of John F. Kennedy (excerpt)",
  channel: { id: "demo", name: "Demo" },
  publishedAt: "1961-01-20T17:00:00.000Z",
  language: "en",
  text: "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.",
} as const;
