/** A UTC month as `YYYY-MM-01`, which a ledger entry's `period` is. */
type Period = string;

const monthPattern = /^20\d{2}-(0[1-9]|1[0-2])$/;

/** The period of a month of this century, written `YYYY-MM`; null for anything else. */
export function periodOf(month: string): Period | null {
  return monthPattern.test(month) ? `${month}-01` : null;
}

/** The month that lies so many months before a period. */
export function monthsBefore(period: Period, months: number): Period {
  const start = new Date(`${period}T00:00:00.000Z`);
  start.setUTCMonth(start.getUTCMonth() - months);
  return `${start.toISOString().slice(0, 7)}-01`;
}

/** The last so many months up to a period, oldest first. */
export function lastMonths(period: Period, months: number): Period[] {
  return Array.from({ length: months }, (_, index) => monthsBefore(period, months - 1 - index));
}

/** Every day of a period, `YYYY-MM-DD`. */
export function daysOf(period: Period): string[] {
  const next = Date.parse(`${monthsBefore(period, -1)}T00:00:00.000Z`);
  const days: string[] = [];
  for (let at = Date.parse(`${period}T00:00:00.000Z`); at < next; at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** Rows of a day or for a reason: what was taken and what was given back, both zero or more. */
export interface RowsMoved {
  takenRows: number;
  returnedRows: number;
}

/** Use by day and reason, added up under what `nameOf` says, in the order in which the names first come. */
function addUp<T extends RowsMoved>(uses: readonly T[], nameOf: (use: T) => string): Map<string, RowsMoved> {
  const sums = new Map<string, RowsMoved>();
  for (const use of uses) {
    const sum = sums.get(nameOf(use)) ?? { takenRows: 0, returnedRows: 0 };
    sums.set(nameOf(use), {
      takenRows: sum.takenRows + use.takenRows,
      returnedRows: sum.returnedRows + use.returnedRows,
    });
  }
  return sums;
}

/** Use of each day of a month, days without any included, and of later days that the month's holds were settled on. */
export function useByDay(
  period: Period,
  uses: readonly (RowsMoved & { day: string })[],
): (RowsMoved & { day: string })[] {
  const sums = addUp(uses, ({ day }) => day);
  const days = [...new Set([...daysOf(period), ...sums.keys()])].sort();
  return days.map((day) => {
    const { takenRows = 0, returnedRows = 0 } = sums.get(day) ?? {};
    return { day, takenRows, returnedRows };
  });
}

/** Use of each reason, what cost most first. */
export function useByReason(uses: readonly (RowsMoved & { reason: string })[]): (RowsMoved & { reason: string })[] {
  return [...addUp(uses, ({ reason }) => reason)]
    .map(([reason, { takenRows, returnedRows }]) => ({ reason, takenRows, returnedRows }))
    .sort((a, b) => b.takenRows - a.takenRows || b.returnedRows - a.returnedRows || (a.reason < b.reason ? -1 : 1));
}
