import { describe, expect, it } from "@jest/globals";
import { jobRows } from "../../domain/jobRows.ts";
import { daysOf, lastMonths, monthsBefore, periodOf, useByDay, useByReason } from "../../domain/usageHistory.ts";

describe("months", () => {
  it.each([
    ["2026-11-01", 1, "2026-10-01"],
    ["2026-01-01", 1, "2025-12-01"],
    ["2026-03-01", 14, "2025-01-01"],
    ["2026-12-01", -1, "2027-01-01"],
  ])("%s less %d is %s", (period, months, before) => expect(monthsBefore(period, months)).toBe(before));

  it("are listed up to the present one, oldest first", () => {
    expect(lastMonths("2026-02-01", 4)).toEqual(["2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01"]);
  });

  it.each([
    ["2026-11", "2026-11-01"],
    ["2026-13", null],
    ["0000-01", null],
    ["9999-12", null],
    ["2026-00", null],
    ["26-11", null],
    ["2026-11-01", null],
  ])("%s is the period %s", (month, period) => expect(periodOf(month)).toBe(period));

  it.each([
    ["2026-02-01", 28, "2026-02-28"],
    ["2028-02-01", 29, "2028-02-29"],
    ["2026-12-01", 31, "2026-12-31"],
  ])("%s has %d days", (period, count, last) => {
    const days = daysOf(period);
    expect([days.length, days[0], days.at(-1)]).toEqual([count, period, last]);
  });
});

const use = (day: string, reason: string, takenRows: number, returnedRows = 0) => ({
  day,
  reason,
  takenRows,
  returnedRows,
});

describe("use", () => {
  const uses = [
    use("2026-11-02", "mentions", 5),
    use("2026-11-02", "transcription", 100),
    use("2026-11-20", "mentions", 7),
    use("2026-12-01", "transcription failed: internal", 0, 100),
  ];

  it("by day has every day of the month, and the later days of what was settled then", () => {
    const days = useByDay("2026-11-01", uses);
    expect(days).toHaveLength(31);
    expect(days.filter(({ takenRows, returnedRows }) => takenRows + returnedRows > 0)).toEqual([
      { day: "2026-11-02", takenRows: 105, returnedRows: 0 },
      { day: "2026-11-20", takenRows: 7, returnedRows: 0 },
      { day: "2026-12-01", takenRows: 0, returnedRows: 100 },
    ]);
  });

  it("by reason has what cost most first", () => {
    expect(useByReason(uses)).toEqual([
      { reason: "transcription", takenRows: 100, returnedRows: 0 },
      { reason: "mentions", takenRows: 12, returnedRows: 0 },
      { reason: "transcription failed: internal", takenRows: 0, returnedRows: 100 },
    ]);
  });
});

it.each([
  [[], { held: 0, refunded: 0, charged: 0 }],
  [[100], { held: 100, refunded: 0, charged: 100 }],
  [[100, 300, 0], { held: 400, refunded: 0, charged: 400 }],
  [[400, -100, 0], { held: 400, refunded: 100, charged: 300 }],
  [[100, 50, -150], { held: 150, refunded: 150, charged: 0 }],
])("a job whose entries are %j has held, refunded and charged %j", (entries, rows) =>
  expect(jobRows(entries.map((rows) => ({ rows })))).toEqual(rows),
);
