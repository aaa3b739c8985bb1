import type { VNode } from "preact";
import type { AccountUse } from "../../../services/operations/readAccountUse.ts";
import { amount, counted, shortAmount } from "../components/amounts.ts";
import { barPlot } from "../components/plots/bars.ts";
import { columnPlot } from "../components/plots/columns.ts";
import { figure } from "../components/plots/figure.ts";

/** Rows of each day of the shown month: what was taken above the line, what was given back below it. */
export function dayFigure({ period, days }: AccountUse): VNode {
  const title = `Rows a day, ${period.slice(0, 7)}`;
  const taken = days.reduce((sum, day) => sum + day.takenRows, 0);
  const returned = days.reduce((sum, day) => sum + day.returnedRows, 0);
  const plot = columnPlot({
    id: "rows-by-day",
    title,
    description: `${counted(taken, "row was", "rows were")} taken and ${amount(returned)} given back; ${busiest(days)}`,
    columns: days.map(({ day, takenRows, returnedRows }) => ({
      name: day,
      label: String(Number(day.slice(8))),
      parts: [
        { name: "taken", value: takenRows, className: "first" },
        { name: "given back", value: -returnedRows, className: "second" },
      ],
    })),
    limit: null,
  });
  return figure(title, plot, {
    rowTitle: "Day",
    columnTitles: ["Taken", "Given back"],
    rows: days.map(({ day, takenRows, returnedRows }) => ({ name: day, values: [takenRows, returnedRows] })),
  });
}

function busiest(days: AccountUse["days"]): string {
  const [most] = days.toSorted((a, b) => b.takenRows - a.takenRows);
  if (most === undefined || most.takenRows === 0) return "no day took any.";
  return `most on ${most.day}, ${amount(most.takenRows)}.`;
}

/** Rows of the shown month by what they went on. */
export function reasonFigure({ period, reasons }: AccountUse): VNode {
  const title = `Rows by reason, ${period.slice(0, 7)}`;
  const plot = barPlot({
    id: "rows-by-reason",
    title,
    description:
      reasons.length === 0 ? "Nothing was used." : `${counted(reasons.length, "reason")}, the dearest first.`,
    bars: reasons.flatMap(({ reason, takenRows, returnedRows }) => [
      ...(takenRows > 0
        ? [{ name: reason, text: `${amount(takenRows)} taken`, value: takenRows, className: "first" as const }]
        : []),
      ...(returnedRows > 0
        ? [
            {
              name: reason,
              text: `${amount(returnedRows)} given back`,
              value: returnedRows,
              className: "second" as const,
            },
          ]
        : []),
    ]),
  });
  return figure(title, plot, {
    rowTitle: "Reason",
    columnTitles: ["Taken", "Given back"],
    rows: reasons.map(({ reason, takenRows, returnedRows }) => ({ name: reason, values: [takenRows, returnedRows] })),
  });
}

const monthName = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });

/** Rows used in each of the last twelve months, beside the pool of today. */
export function monthFigure({ months, usage }: AccountUse): VNode {
  const title = "Rows a month, the last twelve";
  const total = months.reduce((sum, { rowsUsed }) => sum + rowsUsed, 0);
  const plot = columnPlot({
    id: "rows-by-month",
    title,
    description: `${counted(total, "row was", "rows were")} used in all; the pool of a month now is ${amount(usage.monthlyRows)}.`,
    columns: months.map(({ period, rowsUsed, onDemandRows }) => ({
      name: period.slice(0, 7),
      label: monthName.format(new Date(period)),
      parts: [
        { name: "of the pool", value: rowsUsed - onDemandRows, className: "first" },
        { name: "on demand", value: onDemandRows, className: "second" },
      ],
    })),
    limit: { name: `pool now, ${shortAmount(usage.monthlyRows)}`, value: usage.monthlyRows },
  });
  return figure(title, plot, {
    rowTitle: "Month",
    columnTitles: ["Of the pool", "On demand"],
    rows: months.map(({ period, rowsUsed, onDemandRows }) => ({
      name: period.slice(0, 7),
      values: [rowsUsed - onDemandRows, onDemandRows],
    })),
  });
}
