import type { DeliveryFeature } from "./plans.ts";

/** A refusal whose body stands bare instead of in the envelope (specification, "Errors", exceptions). */
export abstract class BareRefusal extends Error {
  readonly status: number;
  readonly body: { readonly error: string };

  protected constructor(status: number, body: { error: string }) {
    super(body.error);
    this.status = status;
    this.body = body;
  }
}

/** 402: the pool cannot pay all that an unlock or generation costs. */
export class InsufficientRows<Q> extends BareRefusal {
  override readonly name = "InsufficientRows";
  readonly quote: Q;

  constructor(quote: Q) {
    const body = { error: "insufficient_rows", quote };
    super(402, body);
    this.quote = quote;
  }
}

/** 403: the plan lacks a delivery feature that the request turns on. */
export class UpgradeRequired extends BareRefusal {
  override readonly name = "UpgradeRequired";

  constructor(feature: DeliveryFeature) {
    const body = { error: "upgrade_required", upgradeRequired: true, feature };
    super(403, body);
  }
}

/** Why a correction's anchor does not hold (decisions.md "Corrections"). */
export const anchorMismatchReasons = ["content_hash_mismatch", "segment_not_found", "already_applied"] as const;

/** 409: what a correction is anchored to is no longer there as it was. `currentRevision` is the transcript's. */
export class AnchorMismatch extends BareRefusal {
  override readonly name = "AnchorMismatch";

  constructor(reason: (typeof anchorMismatchReasons)[number], currentRevision: number) {
    const body = { error: "anchor_mismatch", reason, currentRevision };
    super(409, body);
  }
}

/** 412: the correction was made against another `seq` than the transcript's present one, `expectedSeq`. */
export class StaleSequence extends BareRefusal {
  override readonly name = "StaleSequence";

  constructor(expectedSeq: number) {
    const body = { error: "stale_sequence", expectedSeq };
    super(412, body);
  }
}
