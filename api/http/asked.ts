import { readJson } from "../../domain/json.ts";
import { readQuery } from "./queryString.ts";

/**
 * A request before validation, for the few permissions that depend on what it asks for: whatever is in it, of any type. Where the query or
 * the body cannot be read it is empty here, and its fault is named later, in its place among the checks.
 */
export interface Asked {
  query: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}

/** Reads what there is; `body` is left alone where there is none to read. */
export async function readAsked(queryString: string, body: (() => Promise<Buffer>) | null): Promise<Asked> {
  return { query: tolerant(() => readQuery(queryString)), body: body === null ? {} : await readFields(body) };
}

async function readFields(body: () => Promise<Buffer>): Promise<Asked["body"]> {
  let bytes: Buffer;
  try {
    bytes = await body();
  } catch {
    return {};
  }
  return tolerant(() => {
    const value = readJson(bytes);
    return isObject(value) ? value : {};
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tolerant<T extends object>(read: () => T): T | Record<never, never> {
  try {
    return read();
  } catch {
    return {};
  }
}
