import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ensureTestTools } from "./testTools.ts";

/** The fuzzer, installed when it is not there yet. */
export async function ensureSchemathesis(): Promise<string> {
  return path.join(await ensureTestTools(), "bin", "schemathesis");
}

const runReport = z.object({
  complete: z.boolean(),
  operations: z.object({ total: z.int(), tested: z.int(), errored: z.int() }),
  test_cases: z.object({ generated: z.int(), errored: z.int() }),
  failures: z.array(z.object({ title: z.string(), operations: z.array(z.string()) })),
  errors: z.array(z.unknown()),
});

const interaction = z.object({
  request: z.object({ uri: z.string() }),
  response: z.object({ status_code: z.int() }).nullable(),
});
const event = z.object({
  ScenarioFinished: z
    .object({ recorder: z.object({ interactions: z.record(z.string(), interaction).optional() }) })
    .optional(),
});

export interface FuzzRun {
  /** Calls made. */
  calls: number;
  operations: { total: number; tested: number; errored: number };
  /** What was found, with all that is needed to repeat it; empty when nothing was. */
  findings: string;
  /** Every answer. */
  answers: { path: string; status: number }[];
}

interface FuzzOptions {
  schemathesis: string;
  url: string;
  /** For the configuration and the reports of this run alone. */
  folder: string;
  /** schemathesis.toml. */
  configuration: string;
  arguments: readonly string[];
  timeoutSeconds: number;
}

/** Runs the fuzzer over the document that the API at the address serves. Throws when it does not come to its end in time. */
export async function fuzz(options: FuzzOptions): Promise<FuzzRun> {
  const { folder } = options;
  const configuration = path.join(folder, "schemathesis.toml");
  const json = path.join(folder, "run.json");
  const events = path.join(folder, "events.ndjson");
  await writeFile(configuration, options.configuration);
  const output = await run(options.schemathesis, [
    "--config-file",
    configuration,
    "run",
    `${options.url}/v1/openapi.json`,
    "--report=json,ndjson",
    `--report-json-path=${json}`,
    `--report-ndjson-path=${events}`,
    "--no-color",
    "--continue-on-failure",
    "--generation-database=none",
    "--seed=20261121",
    ...options.arguments,
  ]);
  const report = runReport.parse(JSON.parse(await readFile(json, "utf8")));
  if (!report.complete) throw new Error(`the fuzzer did not come to its end:\n${output}`);
  return {
    calls: report.test_cases.generated,
    operations: report.operations,
    findings: report.failures.length + report.errors.length === 0 ? "" : output,
    answers: await readAnswers(events),
  };

  function run(command: string, args: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const limits = { cwd: folder, timeout: options.timeoutSeconds * 1000, maxBuffer: 2 ** 26 };
      execFile(command, args, limits, (error, stdout, stderr) => {
        // Status 1 says that something was found.
        if (error === null || error.code === 1) resolve(stdout);
        else reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      });
    });
  }
}

async function readAnswers(eventFile: string): Promise<FuzzRun["answers"]> {
  const lines = (await readFile(eventFile, "utf8")).trim().split("\n");
  const interactions = lines.flatMap((line) =>
    Object.values(event.parse(JSON.parse(line)).ScenarioFinished?.recorder.interactions ?? {}),
  );
  return interactions.flatMap(({ request, response }) =>
    response === null ? [] : [{ path: new URL(request.uri).pathname, status: response.status_code }],
  );
}
