/** Prints a command's answer: one JSON value with `--json`, else a line a field, or a table for a list. */
export function printAnswer(answer: unknown, form: { json: boolean }): void {
  if (form.json) console.log(JSON.stringify(answer));
  else if (Array.isArray(answer)) console.table(answer);
  else if (typeof answer === "object" && answer !== null)
    for (const [field, value] of Object.entries(answer)) console.log(`${field}: ${plain(value)}`);
  else console.log(String(answer));
}

function plain(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
