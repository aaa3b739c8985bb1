import { hash } from "node:crypto";
import { type AdmissionRow, admitRequests } from "../../database/admission.ts";
import type { Pool } from "../../database/pool.ts";
import { usagePeriod } from "../../domain/rowPool.ts";

export type Admit = (key: string) => Promise<AdmissionRow | null>;

interface Waiting {
  resolve: (admission: AdmissionRow | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Admission of requests by their key: one statement counts the request and reads all that decides on it. Requests that arrive with a key
 * whose statement is still under way share the next one, so a busy key costs one row lock a round trip, not one a request; each is still
 * counted. `null` for every key that is not live, whatever the reason.
 */
export function createAdmission(parts: { pool: Pool; clock: () => Date }): Admit {
  const queues = new Map<string, Waiting[]>();

  async function admitTogether(key: string, requests: number): Promise<AdmissionRow | null> {
    return admitRequests(parts.pool, {
      secretSha256: hash("sha256", key, "buffer"),
      requests,
      period: usagePeriod(parts.clock()),
    });
  }

  async function drain(key: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const served = queue.splice(0);
      try {
        const admission = await admitTogether(key, served.length);
        served.forEach((waiting, index) =>
          waiting.resolve(admission && atPosition(admission, served.length - 1 - index)),
        );
      } catch (error) {
        for (const waiting of served) waiting.reject(error);
      }
    }
    queues.delete(key);
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      if (queue !== undefined) {
        queue.push({ resolve, reject });
        return;
      }
      const opened = [{ resolve, reject }];
      queues.set(key, opened);
      void drain(key, opened);
    });
}

/** The window as the request saw it that has `later` others counted after it in the same statement. */
function atPosition(admission: AdmissionRow, later: number): AdmissionRow {
  if (later === 0 || admission.account === null) return admission;
  const { account } = admission;
  return {
    ...admission,
    account: { ...account, window: { ...account.window, requests: account.window.requests - later } },
  };
}
