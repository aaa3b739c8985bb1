import { LRUCache } from "lru-cache";
import { isKeyOfKind } from "../../domain/apiKeys.ts";
import type { Admit } from "../admission/admit.ts";
import type { ServiceContext } from "../context.ts";
import { beginSession } from "./sessions.ts";

type SignInOutcome =
  | { kind: "signed_in"; token: string; keyId: string }
  | { kind: "refused" }
  | { kind: "too_many"; retrySeconds: number };

/** Opens a session with an internal key, for somebody at an address. */
export type SignIn = (key: string, address: string) => Promise<SignInOutcome>;

/** Of how many addresses failures are remembered. */
const rememberedAddresses = 10_000;
const spanSeconds = 60;

/**
 * Makes the way in: the key must be a live internal one, as the API's own gate sees it. An address with too many failures has to wait, whatever
 * key it comes with then; each process counts for itself.
 */
export function createSignIn(context: ServiceContext, admit: Admit): SignIn {
  const { failedSignInsPerMinute } = context.settings.console;
  const failures = new LRUCache<string, { since: number; count: number }>({ max: rememberedAddresses });

  function failuresOf(address: string): { since: number; count: number } {
    const now = context.clock().getTime();
    const known = failures.get(address);
    if (known !== undefined && now - known.since < spanSeconds * 1000) return known;
    const fresh = { since: now, count: 0 };
    failures.set(address, fresh);
    return fresh;
  }

  return async (key, address) => {
    const failed = failuresOf(address);
    if (failed.count >= failedSignInsPerMinute) {
      const passed = (context.clock().getTime() - failed.since) / 1000;
      return { kind: "too_many", retrySeconds: Math.max(1, Math.ceil(spanSeconds - passed)) };
    }
    // Counted before it is looked at, so that many at once are counted too.
    failed.count += 1;
    const admission = isKeyOfKind(key, "internal") ? await admit(key) : null;
    if (admission === null || admission.account !== null) return { kind: "refused" };
    failed.count -= 1;
    return { kind: "signed_in", token: await beginSession(context, admission.keyId), keyId: admission.keyId };
  };
}
