import type { MeteredCaller, ServiceContext } from "../../services/context.ts";

/** One size of the same index, and who reads it. */
export interface Installation {
  mentions: number;
  context: ServiceContext;
  caller: MeteredCaller;
}

interface PageOf<Position> {
  rows: number;
  hasMore: boolean;
  last: Position | null;
}

/** A list with its filters, at which both benched pages are found and read through its use case. */
export interface ListCase {
  name: string;
  open: (installation: Installation) => Promise<OpenedList>;
}

interface OpenedList {
  /** Rows before the deep page: of page 500, or of the last one of a shorter list. */
  deepOffset: number;
  /** Each answers how many rows it read. */
  readFirst: () => Promise<number>;
  readDeep: () => Promise<number>;
}

export const pageRows = 20;
const deepRows = 499 * pageRows;

/** A case of a list whose use case reads `limit` rows after a position. */
export function listCase<Position>(
  name: string,
  read: (installation: Installation, page: { limit: number; after: Position | null }) => Promise<PageOf<Position>>,
): ListCase {
  return {
    name,
    async open(installation) {
      let after: Position | null = null;
      let offset = 0;
      while (offset < deepRows) {
        const page: PageOf<Position> = await read(installation, { limit: Math.min(100, deepRows - offset), after });
        if (page.last === null || !page.hasMore) break;
        after = page.last;
        offset += page.rows;
      }
      const deepest = after;
      return {
        deepOffset: offset,
        readFirst: async () => (await read(installation, { limit: pageRows, after: null })).rows,
        readDeep: async () => (await read(installation, { limit: pageRows, after: deepest })).rows,
      };
    },
  };
}
