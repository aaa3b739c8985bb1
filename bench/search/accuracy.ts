import { z } from "zod";

const answer = z.object({ data: z.array(z.object({ id: z.number() })) });

/** Shares of the queries whose entity is found first, and in the first five. */
export async function measureAccuracy(
  url: string,
  key: string,
  queries: readonly { query: string; entityId: number }[],
): Promise<{ first: number; firstFive: number; queries: number }> {
  let [first, firstFive] = [0, 0];
  for (const { query, entityId } of queries) {
    const response = await fetch(`${url}/v1/entities/search?limit=5&q=${encodeURIComponent(query)}`, {
      headers: { "x-api-key": key },
    });
    const place = answer.parse(await response.json()).data.findIndex(({ id }) => id === entityId);
    if (place === 0) first += 1;
    if (place >= 0) firstFive += 1;
  }
  return { first: first / queries.length, firstFive: firstFive / queries.length, queries: queries.length };
}
