import { ApiError } from "../../domain/errors.ts";
import { isProPlus } from "../../domain/plans.ts";
import type { AccessRule, AccountCaller } from "./access.ts";

/** Plan before scope (decisions.md "Check order"): `api_not_enabled`, then the tier, then the scope that the operation needs. */
export function requirePermission(rule: AccessRule, caller: AccountCaller, apiEnabled: boolean): void {
  if (!apiEnabled) throw new ApiError("api_not_enabled");
  if (rule.kind !== "key") return;
  if (rule.proPlus && !isProPlus(caller.tier)) throw new ApiError("recommendations_not_enabled");
  if (!caller.scopes.includes(rule.scope))
    throw new ApiError("insufficient_scope", `This key lacks the scope \`${rule.scope}\`; use one that has it.`);
}
