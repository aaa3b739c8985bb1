import { describeApi } from "../../api/openapi/document.ts";
import { v1Operations, withMeta } from "../../api/v1/operations.ts";

const notAsked = async () => {
  throw new Error("only described, never called");
};

/** The OpenAPI document as the API serves it, made without a server or a database. */
export function describedApi(publicUrl = "https://api.example.com") {
  const health = { database: notAsked, temporal: notAsked, transcriber: notAsked };
  return describeApi(withMeta(v1Operations, health, publicUrl), publicUrl);
}
