import { z } from "zod";
import { count, type Pool, sql } from "../../database/pool.ts";

/** What the plain way needs; made after the product was measured, so that it slows nothing of it. */
export async function addTrigramIndex(pool: Pool): Promise<void> {
  await pool.query(sql.typeAlias("void")`create extension if not exists pg_trgm`);
  await pool.query(
    sql.typeAlias("void")`create index entity_name_trigrams on entity_name using gin (name gin_trgm_ops)`,
  );
  await pool.query(sql.typeAlias("void")`analyze entity_name`);
}

const row = z.object({ entity_id: count, name: z.string() });

/** The plain trigram search, straight against Postgres, by so many clients at once. */
export async function measureTrigrams(
  pool: Pool,
  { texts, clients, seconds }: { texts: readonly string[]; clients: number; seconds: number },
): Promise<{ p50: number; p95: number; rate: number }> {
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1000;
  let next = 0;
  async function drive(): Promise<void> {
    while (performance.now() < until) {
      const text = texts[next++ % texts.length] ?? "";
      const from = performance.now();
      await pool.any(sql.type(row)`
        select entity_id, name from entity_name where name % ${text} order by similarity(name, ${text}) desc limit 20`);
      latencies.push(performance.now() - from);
    }
  }
  await Promise.all(Array.from({ length: clients }, drive));
  const sorted = Float64Array.from(latencies).toSorted();
  const quantile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: quantile(0.5), p95: quantile(0.95), rate: latencies.length / seconds };
}
