import type { DeliveryFeature, Scope } from "../../domain/plans.ts";
import type { RowPlan } from "../../domain/rowPool.ts";
import type { MeteredCaller } from "../../services/context.ts";
import type { Asked } from "./asked.ts";

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

export type AccessRule = { kind: "public" } | KeyRule | { kind: "internal" };

export interface KeyRule extends KeyOptions {
  kind: "key";
  scope: Scope;
}

interface KeyOptions {
  /** Always asks for a tier of Pro+, before the scope (403 `recommendations_not_enabled`). */
  proPlus?: boolean;
  /** Asks for the access to commercial data, tier and scope, of some requests only. */
  commercialWhen?: AccessCondition;
  /** The delivery feature that a body turns on: a plan without it is refused before the tier and the scope (bare 403). */
  featureOf?: (body: Asked["body"]) => DeliveryFeature | null;
}

interface AccessCondition {
  /** For the document, after "With": "`details=full`". */
  says: string;
  holds: (asked: Asked) => boolean;
}

/** No key needed. */
export const publicAccess: Access<null> = { kind: "public", callerOf: () => null };

/** A key with the scope, and with what else the options ask for. */
export function keyAccess(scope: Scope, options: KeyOptions = {}): Access<AccountCaller> {
  return {
    ...options,
    kind: "key",
    scope,
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
