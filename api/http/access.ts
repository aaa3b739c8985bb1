import type { Scope } from "../../domain/plans.ts";
import type { RowPlan } from "../../domain/rowPool.ts";
import type { MeteredCaller } from "../../services/context.ts";

/** The account behind a request as it stood when the request was admitted. */
export interface AccountCaller extends MeteredCaller {
  plan: RowPlan;
}

export interface InternalCaller {
  keyId: string;
  requestId: string;
}

export type Principal =
  | { kind: "anonymous" }
  | { kind: "account"; caller: AccountCaller }
  | { kind: "internal"; caller: InternalCaller };

/** Who may call an operation. `callerOf` hands its handler the kind of caller that this access lets through. */
export type Access<C> = { callerOf: (principal: Principal) => C } & AccessRule;

export type AccessRule = { kind: "public" } | { kind: "key"; scope: Scope; proPlus: boolean } | { kind: "internal" };

/** No key needed. */
export const publicAccess: Access<null> = { kind: "public", callerOf: () => null };

/** A key with the scope; `proPlus` asks for such a tier first (403 `recommendations_not_enabled`). */
export function keyAccess(scope: Scope, options: { proPlus?: boolean } = {}): Access<AccountCaller> {
  return {
    kind: "key",
    scope,
    proPlus: options.proPlus ?? false,
    callerOf(principal) {
      if (principal.kind !== "account") throw new Error("an operation of /v1 was reached without an account");
      return principal.caller;
    },
  };
}

/** An operator's key (`svc_int_`). */
export const internalAccess: Access<InternalCaller> = {
  kind: "internal",
  callerOf(principal) {
    if (principal.kind !== "internal") throw new Error("an internal operation was reached without an internal key");
    return principal.caller;
  },
};
