/** An error for operators. Only names, messages and stacks: other properties may hold rows or values of a query. */
export function describeFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: "a value that is no error was thrown" };
  const cause = error.cause === undefined ? {} : { cause: describeFailure(error.cause) };
  return { name: error.name, message: error.message, stack: error.stack, ...cause };
}
