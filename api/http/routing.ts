import { ApiError } from "../../domain/errors.ts";
import type { Operation } from "./operation.ts";

/** One path with all its operations. */
export interface Route {
  /** In the router's notation: `/v1/transcriptions/:video_id`. */
  pattern: string;
  operations: readonly Operation[];
  /** Value of `Allow` for any other method. */
  allow: string;
}

/** Groups operations by path; fixed segments come before parameters, so `/entities/cards` is not taken for an id. */
export function routesOf(operations: readonly Operation[]): Route[] {
  const byPath = Map.groupBy(operations, (operation) => operation.path);
  return [...byPath.entries()]
    .toSorted(([a], [b]) => compareSegments(a, b))
    .map(([path, sharing]) => ({
      pattern: path.replace(/\{(\w+)\}/g, ":$1"),
      operations: sharing,
      allow: sharing.flatMap((operation) => methodsOf(operation)).join(", "),
    }));
}

function methodsOf(operation: Operation): string[] {
  if (operation.method !== "get") return [operation.method.toUpperCase()];
  return operation.charges ? ["GET"] : ["GET", "HEAD"];
}

function compareSegments(a: string, b: string): number {
  const others = b.split("/");
  for (const [index, segment] of a.split("/").entries()) {
    const other = others[index] ?? "";
    const difference = Number(segment.startsWith("{")) - Number(other.startsWith("{"));
    if (difference !== 0) return difference;
  }
  return 0;
}

export function refuseMethod(allow: string): () => never {
  return () => {
    throw new ApiError("method_not_allowed", `This path takes ${allow}.`, { headers: { Allow: allow } });
  };
}

export function refusePath(): never {
  throw new ApiError("not_found");
}
