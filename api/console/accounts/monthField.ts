import { z } from "zod";
import { periodOf } from "../../../domain/usageHistory.ts";

/** A UTC month, `YYYY-MM`, read as a period; left out: the present one. */
export const monthField = z
  .string()
  .transform((text, context) => {
    const period = periodOf(text);
    if (period !== null) return period;
    context.addIssue("write it as 2026-11");
    return z.NEVER;
  })
  .optional();
