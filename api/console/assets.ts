import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RequestHandler } from "express";
import { ApiError } from "../../domain/errors.ts";

const types = { "console.css": "text/css", "console.js": "text/javascript" } as const;
type Asset = keyof typeof types;

const path = "/console/assets";
const assets = { "console.css": readAsset("console.css"), "console.js": readAsset("console.js") };

function readAsset(name: Asset): { body: Buffer; version: string } {
  const body = readFileSync(new URL(`static/${name}`, import.meta.url));
  return { body, version: hash("sha256", body, "base64url").slice(0, 16) };
}

/** Where a page finds an asset: another address for other contents, so that it can be kept for ever. */
export function assetAddress(name: Asset): string {
  return `${path}/${name}?v=${assets[name].version}`;
}

export const assetPattern = `${path}/:name`;

export const sendAsset: RequestHandler<{ name: string }> = (request, response) => {
  const name = request.params.name;
  if (name !== "console.css" && name !== "console.js") throw new ApiError("not_found");
  const { body, version } = assets[name];
  const isCurrent = request.url.endsWith(`?v=${version}`);
  response.setHeader("Cache-Control", isCurrent ? "public, max-age=31536000, immutable" : "no-cache");
  response.type(types[name]).send(body);
};
