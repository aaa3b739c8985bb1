/** Wraps a command's work so that what it returns is printed in the form that was asked for. */
export type Answer = <A extends unknown[]>(work: (...args: A) => Promise<unknown>) => (...args: A) => Promise<void>;
