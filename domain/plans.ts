/** Account tiers, from decisions.md "Tiers". */
export const tiers = ["free", "pro", "pro_plus", "ultra", "teams", "enterprise"] as const;
export type Tier = (typeof tiers)[number];

export const scopes = [
  "read",
  "monitors:write",
  "trackers:write",
  "recommendations:read",
  "recommendations:write",
] as const;
export type Scope = (typeof scopes)[number];

/** Any paid plan: all but `free`. */
function isPaid(tier: Tier): boolean {
  return tier !== "free";
}

/** Pro+ as the specification uses the word: `pro_plus`, `ultra`, `teams`, `enterprise`. */
export function isProPlus(tier: Tier): boolean {
  return tier !== "free" && tier !== "pro";
}

/** Whether a caller is shown commercial data in reads that others may make too (specification, "Recommendations summary"). */
export function hasCommercialAccess(caller: { tier: Tier; scopes: readonly Scope[] }): boolean {
  return isProPlus(caller.tier) && caller.scopes.includes("recommendations:read");
}

/** Whether a key on an account of this tier may hold the scope (specification, "Scopes"). */
export function tierAllowsScope(tier: Tier, scope: Scope): boolean {
  switch (scope) {
    case "read":
      return true;
    case "monitors:write":
    case "trackers:write":
      return isPaid(tier);
    case "recommendations:read":
    case "recommendations:write":
      return isProPlus(tier);
  }
}

/** Ways to deliver alerts that the free plan lacks (specification, "Trackers and monitors"). */
export const deliveryFeatures = ["webhook", "chat"] as const;
export type DeliveryFeature = (typeof deliveryFeatures)[number];

export function tierHasDelivery(tier: Tier, feature: DeliveryFeature): boolean {
  switch (feature) {
    case "webhook":
    case "chat":
      return isPaid(tier);
  }
}
