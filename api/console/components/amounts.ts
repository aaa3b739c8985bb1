const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** `12,345`. */
export function amount(value: number): string {
  return whole.format(value);
}

/** `12.3K`, for axes. */
export function shortAmount(value: number): string {
  return short.format(value);
}

/** `1,234.5 cents`. */
export function centsOf(value: number): string {
  return `${cents.format(value)} ${value === 1 ? "cent" : "cents"}`;
}

/** A number of things in words: `1 row`, `2 rows`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${amount(value)} ${value === 1 ? one : many}`;
}

/** How long something takes: `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  const total = Math.round(seconds);
  if (total < 60) return `${total} s`;
  if (total < 3600) return `${Math.floor(total / 60)} min ${total % 60} s`;
  return `${Math.floor(total / 3600)} h ${Math.floor((total % 3600) / 60)} min`;
}
