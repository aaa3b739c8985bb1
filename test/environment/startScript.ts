import { readFileSync } from "node:fs";
import path from "node:path";
import type { ApplicationPlan } from "../../cli/start/applications.ts";
import { start } from "../../cli/start/start.ts";
import { parseConfiguration } from "../../domain/configuration.ts";

/** The start command with stand-ins for the product's own processes, and with the tools that the tests share. */
const configuration = parseConfiguration(process.env, {
  cores: 2,
  currentFolder: process.cwd(),
  readSettings: (file) => JSON.parse(readFileSync(file, "utf8")),
});
const standIn = (name: string, file: string): ApplicationPlan => ({
  name,
  entry: path.join(import.meta.dirname, file),
  graceSeconds: 10,
  servesApi: name === "api",
});
process.exitCode = await start(configuration, {
  applications: [
    standIn("workers", "standInWorker.ts"),
    standIn("speech", "standInWorker.ts"),
    standIn("api", "standInApi.ts"),
  ],
  toolsHome: path.resolve(import.meta.dirname, "../../.media-index"),
});
