import { z } from "zod";

/** An id in a path. Whatever has its form may exist; anything else is 400. */
export function idParameter(description: string, example: string) {
  return z
    .string()
    .regex(/^[a-z]{2,10}_[0-9a-z]{1,64}$/, "must be an id as its creation answered with")
    .meta({ description, example });
}
