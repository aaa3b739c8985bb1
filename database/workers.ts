import { z } from "zod";
import { count, type Queryable, sql } from "./pool.ts";

export interface WorkerHeartbeat {
  workerId: string;
  role: "workflows" | "speech";
  engine: { name: string; ready: boolean; processes: number; detail: string | null } | null;
}

/** Says that a worker lives, and what its engine is up to. */
export async function upsertHeartbeat(db: Queryable, heartbeat: WorkerHeartbeat): Promise<void> {
  const { engine } = heartbeat;
  await db.query(sql.typeAlias("void")`
    insert into worker_heartbeat (worker_id, role, engine, engine_ready, engine_processes, engine_detail, seen_at)
    values (${heartbeat.workerId}, ${heartbeat.role}, ${engine?.name ?? null}, ${engine?.ready ?? null}, ${engine?.processes ?? null}, ${engine?.detail ?? null}, now())
    on conflict (worker_id) do update set engine = excluded.engine, engine_ready = excluded.engine_ready,
      engine_processes = excluded.engine_processes, engine_detail = excluded.engine_detail, seen_at = excluded.seen_at`);
}

/** Forgets a worker that stopped, and those not heard of for a day. */
export async function deleteHeartbeat(db: Queryable, workerId: string): Promise<void> {
  await db.query(sql.typeAlias("void")`
    delete from worker_heartbeat where worker_id = ${workerId} or seen_at < now() - interval '1 day'`);
}

/** How many engine processes can take work now, over all workers heard of in the last 15 seconds. */
export async function countReadyEngineProcesses(db: Queryable): Promise<number> {
  return db.oneFirst(sql.type(z.object({ processes: count }))`
    select coalesce(sum(engine_processes), 0)::int8 as processes from worker_heartbeat
    where engine_ready and seen_at > now() - interval '15 seconds'`);
}
