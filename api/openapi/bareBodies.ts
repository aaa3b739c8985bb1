import { z } from "zod";
import { anchorMismatchReasons } from "../../domain/bareRefusals.ts";
import { deliveryFeatures } from "../../domain/plans.ts";

/** 403 of operations whose access has a `featureOf`. */
export const upgradeRequiredBody = z
  .object({
    error: z.literal("upgrade_required").meta({ description: "Always this." }),
    upgradeRequired: z.literal(true).meta({ description: "Always true." }),
    feature: z.enum(deliveryFeatures).meta({ description: "What the plan lacks." }),
  })
  .meta({
    id: "UpgradeRequired",
    description: "A bare body: the plan lacks a delivery feature that the request turns on.",
  });

/** 409 of corrections. */
export const anchorMismatchBody = z
  .object({
    error: z.literal("anchor_mismatch").meta({ description: "Always this." }),
    reason: z.enum(anchorMismatchReasons).meta({ description: "Why the anchor does not hold." }),
    currentRevision: z
      .int()
      .meta({ description: "Read the transcript at this revision and make the edit anew.", example: 4 }),
  })
  .meta({
    id: "AnchorMismatch",
    description: "A bare body: what the correction is anchored to is not there as it was.",
  });

/** 412 of corrections. */
export const staleSequenceBody = z
  .object({
    error: z.literal("stale_sequence").meta({ description: "Always this." }),
    expectedSeq: z.int().meta({ description: "The present `seq` of the transcript; send it back.", example: 3 }),
  })
  .meta({ id: "StaleSequence", description: "A bare body: corrections were made since the `seq` that was sent." });
