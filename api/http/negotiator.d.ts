/** What is used of the package, whose published types lack `preferred`. */
declare module "negotiator" {
  import type { IncomingMessage } from "node:http";

  export default class Negotiator {
    constructor(request: Pick<IncomingMessage, "headers">);
    /** Those of `available` that the request accepts, best first; of equals in the order of `preferred`. */
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
  }
}
