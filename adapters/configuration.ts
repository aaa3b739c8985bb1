import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Configuration, parseConfiguration } from "../domain/configuration.ts";

/** Reads this process's configuration from its environment. Throws one error that names every variable that does not fit. */
export function readConfiguration(): Configuration {
  return parseConfiguration(process.env, {
    cores: availableParallelism(),
    currentFolder: process.cwd(),
    readSettings: (file) => JSON.parse(readFileSync(file, "utf8")),
  });
}
