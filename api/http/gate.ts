import type { Request, Response } from "express";
import { ApiError } from "../../domain/errors.ts";
import { rowAllowance } from "../../domain/rowPool.ts";
import { isExhausted } from "../../domain/usage.ts";
import type { Admit } from "../../services/admission/admit.ts";
import type { KeyUses } from "../../services/admission/keyUses.ts";
import type { ServiceContext } from "../../services/context.ts";
import type { AccessRule, AccountCaller, InternalCaller, KeyRule, Principal } from "./access.ts";
import type { Asked } from "./asked.ts";
import { clientAddress } from "./clientAddress.ts";
import { readKey } from "./credentials.ts";
import { requirePermission } from "./permission.ts";
import { enforceRateLimit } from "./rateLimit.ts";

export type Gate = (
  rule: AccessRule,
  request: Request,
  response: Response,
  readAsked: () => Promise<Asked>,
) => Promise<Principal> | Principal;

const nothingAsked: Asked = { query: {}, body: {} };

/** Decides who a request comes from and whether it may pass; looks at what it asks for only where its permission depends on that. */
export function createGate(context: ServiceContext, admit: Admit, keyUses: KeyUses): Gate {
  return (rule, request, response, readAsked) => {
    switch (rule.kind) {
      case "public":
        return { kind: "anonymous" };
      case "key":
        return passAccount(rule, request, response, readAsked);
      case "internal":
        return passInternal(request);
    }
  };

  async function passAccount(
    rule: KeyRule,
    request: Request,
    response: Response,
    readAsked: () => Promise<Asked>,
  ): Promise<Principal> {
    const { exchange } = request;
    const key = readKey(request.headers, "secret");
    const admission = key === null ? null : await admit(key);
    if (admission === null || admission.account === null) throw new ApiError("invalid_api_key");
    const { keyId, scopes, account } = admission;
    const { accountId, plan, use } = account;
    exchange.keyId = keyId;
    exchange.accountId = accountId;
    keyUses.note(keyId, clientAddress(request));
    enforceRateLimit(response, account.window, context.settings.rateLimitPerMinute[plan.tier]);
    const caller: AccountCaller = {
      accountId,
      keyId,
      tier: plan.tier,
      scopes,
      requestId: exchange.requestId,
      plan,
      allowance: rowAllowance(plan, context.settings),
      use,
    };
    if (!account.apiEnabled) throw new ApiError("api_not_enabled");
    const isAsked = rule.commercialWhen !== undefined || rule.featureOf !== undefined;
    requirePermission(rule, caller, isAsked ? await readAsked() : nothingAsked);
    if (isExhausted(plan, use, context.settings)) throw new ApiError("quota_exceeded");
    return { kind: "account", caller };
  }

  async function passInternal(request: Request): Promise<Principal> {
    const { exchange } = request;
    const key = readKey(request.headers, "internal");
    const admission = key === null ? null : await admit(key);
    if (admission === null || admission.account !== null) throw new ApiError("invalid_api_key");
    exchange.keyId = admission.keyId;
    keyUses.note(admission.keyId, clientAddress(request));
    const caller: InternalCaller = { keyId: admission.keyId, requestId: exchange.requestId };
    return { kind: "internal", caller };
  }
}
