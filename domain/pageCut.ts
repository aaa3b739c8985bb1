/**
 * How many rows of a page, from its first, `payableRows` cover; `prices` are those of the page's rows in their order. The pure form of what
 * `chargeFor` does in SQL, for quotes.
 */
export function coveredCount(prices: readonly number[], payableRows: number): number {
  let through = 0;
  let count = 0;
  for (const price of prices) {
    through += price;
    if (through > payableRows) break;
    count += 1;
  }
  return count;
}

/** What becomes of a page of `found` rows of which `paid` could be paid. */
export type PageCut = { kind: "page"; hasMore: boolean } | { kind: "quota_exceeded" };

/**
 * A page is cut to what the pool covers and then says that there is more; when not one of its rows is covered, it is refused
 * (decisions.md "Row costs"). An empty page costs nothing and is never refused. `moreExist`: whether rows follow the page anyway.
 */
export function cutPage(page: { found: number; paid: number; moreExist: boolean }): PageCut {
  if (page.found > 0 && page.paid === 0) return { kind: "quota_exceeded" };
  return { kind: "page", hasMore: page.moreExist || page.paid < page.found };
}
