import { z } from "zod";
import { parseDate } from "../../../domain/dateRange.ts";

const fix = "must be a date (YYYY-MM-DD) or a time (RFC 3339), for example 2026-01-31 or 2026-01-31T12:00:00Z";

function dateParameter(plainDateMeans: "startOfDay" | "endOfDay", description: string) {
  return z
    .string()
    .refine((text) => parseDate(text, plainDateMeans) !== null, fix)
    .transform((text) => parseDate(text, plainDateMeans))
    .optional()
    .meta({ description, example: "2026-01-31" });
}

/** The dates that lists of evidence are narrowed by: those of the media's publication. */
export const dateParameters = {
  date_from: dateParameter("startOfDay", "Media published from then on: a date, or a time in RFC 3339."),
  date_to: dateParameter(
    "endOfDay",
    "Media published until then: a date, whose whole day counts, or a time in RFC 3339.",
  ),
};
