import { hash } from "node:crypto";
import { type AdmissionRow, type AskedAdmission, admitRequests } from "../../database/admission.ts";
import type { Pool } from "../../database/pool.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { createBatches } from "../batches.ts";

export type Admit = (key: string) => Promise<AdmissionRow | null>;

/**
 * Admission of requests by their keys: one statement counts requests and reads all that decides on them. Requests that arrive while a
 * statement is under way share the next one, so a busy process costs one round trip a batch and a busy key one row lock; each request is
 * still counted. `null` for every key that is not live, whatever the reason.
 */
export function createAdmission(parts: { pool: Pool; clock: () => Date }): Admit {
  return createBatches({ run: (keys: readonly string[]) => admitTogether(parts, keys), laneOf: (key) => key });
}

async function admitTogether(
  { pool, clock }: { pool: Pool; clock: () => Date },
  keys: readonly string[],
): Promise<(AdmissionRow | null)[]> {
  const asked: AskedAdmission[] = [];
  const byKey = new Map<string, number>();
  const places = keys.map((key) => {
    const index = byKey.get(key) ?? asked.push({ secretSha256: hash("sha256", key, "buffer"), requests: 0 }) - 1;
    byKey.set(key, index);
    const entry = asked[index];
    if (entry !== undefined) entry.requests += 1;
    return { index, position: entry?.requests ?? 1 };
  });
  const admissions = await admitRequests(pool, asked, usagePeriod(clock()));
  return places.map(({ index, position }) =>
    atPosition(admissions[index] ?? null, (asked[index]?.requests ?? 1) - position),
  );
}

/** The window as the request saw it that has `later` others counted after it in the same statement. */
function atPosition(admission: AdmissionRow | null, later: number): AdmissionRow | null {
  if (later === 0 || admission === null || admission.account === null) return admission;
  const { account } = admission;
  return {
    ...admission,
    account: { ...account, window: { ...account.window, requests: account.window.requests - later } },
  };
}
