import path from "node:path";
import { ensureToolSet } from "../../cli/start/tools.ts";

const repository = path.resolve(import.meta.dirname, "../..");

/** The folder of the Python tools of the tests (requirements-test.txt), installed when they are not there yet. */
export function ensureTestTools(): Promise<string> {
  const toolSet = {
    name: "test-tools",
    title: "the test tools",
    requirementsFile: path.join(repository, "requirements-test.txt"),
    executables: ["python", "schemathesis"],
  };
  return ensureToolSet(path.join(repository, ".media-index"), toolSet, { log: () => undefined });
}
