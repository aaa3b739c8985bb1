import { z } from "zod";

/** Where a page of a list begins, as the page before it says. */
export const cursorField = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,4096}$/, "must be of the page before")
  .optional();
