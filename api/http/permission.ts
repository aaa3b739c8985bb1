import { UpgradeRequired } from "../../domain/bareRefusals.ts";
import { ApiError } from "../../domain/errors.ts";
import { isProPlus, type Scope, tierHasDelivery } from "../../domain/plans.ts";
import type { AccountCaller, KeyRule } from "./access.ts";
import type { Asked } from "./asked.ts";

/** Plan before scope (decisions.md "Check order"): the delivery feature that is asked for, then the tier, then the scopes. */
export function requirePermission(rule: KeyRule, caller: AccountCaller, asked: Asked): void {
  const feature = rule.featureOf?.(asked.body) ?? null;
  if (feature !== null && !tierHasDelivery(caller.tier, feature)) throw new UpgradeRequired(feature);
  const asksCommercial = rule.commercialWhen?.holds(asked) ?? false;
  if ((rule.proPlus || asksCommercial) && !isProPlus(caller.tier)) throw new ApiError("recommendations_not_enabled");
  requireScope(caller, rule.scope);
  if (asksCommercial) requireScope(caller, "recommendations:read");
}

function requireScope(caller: AccountCaller, scope: Scope): void {
  if (!caller.scopes.includes(scope))
    throw new ApiError("insufficient_scope", `This key lacks the scope \`${scope}\`; use one that has it.`);
}
