/** Makes a `switch` over a closed union fail to compile when a member is missing. Throws if reached at run time. */
export function assertNever(value: never): never {
  throw new Error(`unhandled member of a closed union: ${JSON.stringify(value)}`);
}
