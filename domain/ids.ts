import { typeid } from "typeid-js";

/** Every prefix of a public identifier. Evidence and entity ids (`ent_`, `men_`, `com_`) carry row numbers; the rest are TypeIDs. */
const prefixes = {
  account: "usr",
  apiKey: "key",
  request: "req",
  transcriptionJob: "job",
  worker: "wrk",
  monitor: "mon",
  tracker: "trk",
  chatIntegration: "chi",
  alert: "alr",
  event: "evt",
  delivery: "dlv",
  reviewCommand: "rvc",
  notice: "ntc",
  correction: "cor",
} as const;

export type IdKind = keyof typeof prefixes;

/** How every account's id begins. */
export const accountIdPrefix = `${prefixes.account}_`;

/** A fresh, time-ordered public id such as `usr_01h455vb4pex5vsknk084sn02q` (TypeID specification 0.3: UUIDv7 in base 32). */
export function newId(kind: IdKind): string {
  return typeid(prefixes[kind]).toString();
}
