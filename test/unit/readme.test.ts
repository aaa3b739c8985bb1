import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "@jest/globals";
import { environmentVariables } from "../../domain/configuration.ts";

const readme = readFileSync(path.join(import.meta.dirname, "../../README.md"), "utf8");

it("README's table has every variable of the configuration, in the words of its schema, and no other", () => {
  const documented = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, name, meaning]) => [name, meaning]);
  const variables = Object.entries(environmentVariables).map(([name, schema]) => [name, schema.description]);
  expect(documented).toEqual(variables);
});

it("README has no figure left out", () => {
  expect(readme).not.toMatch(/@@/);
});
