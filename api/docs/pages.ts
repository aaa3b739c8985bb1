import { createRequire } from "node:module";
import path from "node:path";
import { type RequestHandler, type Response, Router } from "express";
import { errorPagePath } from "../http/failures.ts";
import { refuseMethod } from "../http/routing.ts";
import { errorPage } from "./errorPage.ts";
import { referencePage, referenceScript, styleSheet } from "./referencePage.ts";

const assetFolder = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const assets = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];

/** Nothing remote and nothing inline may run; the reference's widgets draw their icons from data URLs. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The pages for people: API reference, error reference. */
export function documentationPages(): Router {
  const pages = Router({ strict: true, caseSensitive: true });
  const get = (path: string, handler: RequestHandler) => pages.route(path).get(handler).all(refuseMethod("GET, HEAD"));
  get("/", (_request, response) => response.redirect(302, "/docs"));
  get("/docs", page("html", referencePage()));
  get("/docs/reference.js", page("js", referenceScript));
  get("/docs/style.css", page("css", styleSheet));
  get(errorPagePath, page("html", errorPage()));
  for (const asset of assets) get(`/docs/assets/${asset}`, (_request, response) => sendAsset(response, asset));
  return pages;
}

function page(type: "html" | "js" | "css", body: string): RequestHandler {
  return (_request, response) => {
    response.setHeader("Content-Security-Policy", pagePolicy);
    response.setHeader("Cache-Control", "no-cache");
    response.type(type).send(body);
  };
}

function sendAsset(response: Response, asset: string): void {
  response.setHeader("Cache-Control", "public, max-age=3600");
  response.sendFile(asset, { root: assetFolder });
}
