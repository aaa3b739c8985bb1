import { Parser } from "htmlparser2";
import type { ImageFinder } from "../../domain/images.ts";
import type { OutboundHttp, OutboundResponse } from "../../domain/outbound.ts";
import { outboundFault, type OutboundPolicy } from "../../domain/outboundAddresses.ts";

export interface PageImageOptions {
  http: OutboundHttp;
  /** As for `http`: an image may lie where pages may. */
  policy: OutboundPolicy;
  timeoutSeconds: number;
  maxPageBytes: number;
}

const mostRedirects = 3;
const longestUrlCharacters = 2048;

/** Finds the image that a page names for previews of itself: Open Graph (ogp.me) first, Twitter's card else. */
export function createPageImageFinder({ http, policy, timeoutSeconds, maxPageBytes }: PageImageOptions): ImageFinder {
  return {
    async find(pageUrl, signal) {
      const deadline = Date.now() + timeoutSeconds * 1000;
      let url = pageUrl;
      for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
        const answer = await http.request({
          url,
          method: "GET",
          headers: {
            accept: "text/html,application/xhtml+xml",
            "accept-encoding": "identity",
            "user-agent": "MediaIndex",
          },
          timeoutSeconds: Math.max(0.001, (deadline - Date.now()) / 1000),
          maxBodyBytes: maxPageBytes,
          signal,
        });
        const location = redirectOf(answer);
        if (location === null) return isPage(answer) ? imageOf(Buffer.from(answer.body).toString(), url, policy) : null;
        if (!URL.canParse(location, url)) return null;
        url = new URL(location, url).href;
      }
      return null;
    },
  };
}

function redirectOf({ status, headers }: OutboundResponse): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? (headers["location"] ?? "") : null;
}

function isPage({ status, headers }: OutboundResponse): boolean {
  return status === 200 && /^(text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "");
}

/** From the most to the least telling. */
const properties = ["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"];

function imageOf(html: string, pageUrl: string, policy: OutboundPolicy): string | null {
  const found = new Map<string, string>();
  let base = pageUrl;
  const parser = new Parser({
    onopentag(name, attributes) {
      const { property, content, href } = attributes;
      if (name === "base" && href !== undefined && base === pageUrl && URL.canParse(href, pageUrl))
        base = new URL(href, pageUrl).href;
      if (name !== "meta" || content === undefined) return;
      for (const key of [property, attributes["name"]]) {
        const plain = key?.trim().toLowerCase();
        if (plain !== undefined && !found.has(plain)) found.set(plain, content.trim());
      }
    },
  });
  parser.end(html);
  for (const property of properties) {
    const image = found.get(property);
    const url = image === undefined || image === "" ? null : publicUrl(image, base, policy);
    if (url !== null) return url;
  }
  return null;
}

function publicUrl(reference: string, base: string, policy: OutboundPolicy): string | null {
  if (!URL.canParse(reference, base)) return null;
  const { href } = new URL(reference, base);
  return href.length <= longestUrlCharacters && outboundFault(href, policy) === null ? href : null;
}
