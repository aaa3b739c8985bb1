/** Both ends inclusive; null: open. */
export interface DateRange {
  from: Date | null;
  to: Date | null;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
/** RFC 3339, section 5.6. */
const moment = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** `YYYY-MM-DD` or RFC 3339 as a moment, a plain date as the start of its UTC day or as the end (decisions.md "Dates"); null where it is neither. */
export function parseDate(text: string, plainDateMeans: "startOfDay" | "endOfDay"): Date | null {
  if (day.test(text)) {
    const start = new Date(`${text}T00:00:00.000Z`);
    // 2026-02-30 reads as a day in March.
    if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== text) return null;
    return plainDateMeans === "startOfDay" ? start : new Date(start.getTime() + 86_400_000 - 1);
  }
  if (!moment.test(text)) return null;
  const [dayPart = ""] = text.split(/[Tt]/);
  const read = new Date(text.toUpperCase());
  return parseDate(dayPart, "startOfDay") === null || Number.isNaN(read.getTime()) ? null : read;
}
