import { z } from "zod";

export const templateDatabase = "media_index_template";
export const environmentVariable = "MEDIA_INDEX_TEST_ENVIRONMENT";

export const testEnvironmentSchema = z.object({
  /** The shared server, as its owner. Tests take a database of their own: see database.ts. */
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  python: z.string(),
  temporalCli: z.string(),
  temporalTestServer: z.string(),
});

export type TestEnvironment = z.infer<typeof testEnvironmentSchema>;

/** What the global setup started. Throws in the unit tests, which have no servers. */
export function testEnvironment(): TestEnvironment {
  const text = process.env[environmentVariable];
  if (text === undefined)
    throw new Error("no test servers here: unit tests run without them, so move this test out of test/unit");
  return testEnvironmentSchema.parse(JSON.parse(text));
}
