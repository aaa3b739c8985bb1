/**
 * Wraps a command's work so that what it returns is printed in the form that was asked for. `tableOf`: what a person is shown of it, where that
 * is not all of it.
 */
export type Answer = <A extends unknown[], R>(
  work: (...args: A) => Promise<R>,
  tableOf?: (answer: R) => unknown,
) => (...args: A) => Promise<void>;
