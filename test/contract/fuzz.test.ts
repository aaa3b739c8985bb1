import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createKey } from "../../services/keys/createKey.ts";
import { submitTranscription } from "../../services/transcriptions/submit.ts";
import { type RunningProcess, startProcess } from "../builders/childProcess.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";
import { finishTranscript } from "../builders/finishedTranscript.ts";
import { createNamedEntity, createTestMonitor, createTestTracker } from "../builders/monitors.ts";
import { describedApi } from "../client/document.ts";
import { ensureSchemathesis, fuzz, type FuzzRun } from "./schemathesis.ts";

/** Property-based calls, right and wrong, over the API's own document against a listening API process. */
const publicPaths = new Set(["/v1/health", "/v1/openapi.json"]);
const finishedVideo = "finished_01";

let schemathesis: string;
let context: TestContext;
let home: string;
let api: RunningProcess;
beforeAll(async () => {
  schemathesis = await ensureSchemathesis();
  context = await createTestContext();
  home = await mkdtemp(path.join(tmpdir(), "media-index-fuzz-"));
  const settings = path.join(home, "settings.json");
  // Neither a limit nor a pool may hide what lies behind it.
  await writeFile(settings, JSON.stringify({ rateLimitPerMinute: { enterprise: 1_000_000 } }));
  api = await startProcess("api/main.ts", {
    TEMPORAL_ADDRESS: "127.0.0.1:9",
    DATABASE_URL: context.databaseUrl,
    MEDIA_INDEX_HOME: home,
    MEDIA_INDEX_SETTINGS: settings,
  });
}, 240_000);
afterAll(async () => {
  api.child.kill("SIGKILL");
  await context.close();
  await rm(home, { recursive: true });
});

let accounts = 0;
async function newKey(rows: number): Promise<{ key: string; accountId: string; keyId: string }> {
  accounts += 1;
  const email = `fuzz${accounts}@example.com`;
  const { accountId } = await createAccount(context, { email, tier: "enterprise", monthlyRows: rows });
  return { accountId, ...(await createKey(context, { accountId })) };
}

async function submit(key: string, entity: string): Promise<number> {
  const correction = {
    item_id: entity,
    item_kind: "entity",
    issue_type: "missing_alias",
    suggested_change: { alias: "Ada L." },
  };
  const response = await fetch(`${await api.announced("url")}/v1/feedback`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ type: "entities", query: { q: "ada" }, corrections: [correction] }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(text);
  return z.object({ feedback_id: z.number() }).parse(JSON.parse(text)).feedback_id;
}

async function run(name: string, configuration: string, ...more: string[]): Promise<FuzzRun> {
  const folder = await mkdtemp(path.join(home, `${name}-`));
  const url = await api.announced("url");
  return fuzz({ schemathesis, url, folder, configuration, arguments: more, timeoutSeconds: 1800 });
}

const withKey = (key: string) => `
[auth.openapi.apiKey]
api_key = "${key}"
[auth.openapi.bearer]
bearer = "${key}"
`;

/** HTTP strips blanks around a header's value, so one that is wrong for a tab at its end arrives as a right one. */
const onTheWire = `
[generation]
exclude-header-characters = "\\t\\r\\n"
[output.sanitization]
enabled = false
`;

/** Ids that exist, among those that are made up; what is deleted is made up. */
const knownIds = (ids: { entity: string; monitor: string; tracker: string; feedback: number }) => `
[dictionaries.videos]
values = ["${finishedVideo}"]
[parameters]
"path.video_id" = { dictionary = "videos", probability = 0.6 }
${known("entities", ids.entity)}
${known("monitors", ids.monitor)}
${known("trackers", ids.tracker)}
${known("feedback", ids.feedback, "feedback_id")}
`;

const known = (resource: string, id: string | number, parameter = "id") => `
[dictionaries.${resource}]
values = [${JSON.stringify(id)}]
[[operations]]
include-path-regex = "^/v1/${resource}/{${parameter}}"
exclude-method = "DELETE"
parameters = { "path.${parameter}" = { dictionary = "${resource}", probability = 0.8 } }
`;

/** Operations whose bodies follow rules that no schema can say. */
const ruledBodies = [
  "createFeedback",
  "createTracker",
  "updateTracker",
  "previewTracker",
  "createMonitor",
  "updateMonitor",
  "redeliverAlerts",
  "correctTranscript",
];

/**
 * Valid by its schema is not always acceptable: a schema can say neither that a cursor must have been handed out, nor that one parameter
 * must be less than another, nor that a text must be a query, a URL public, a webhook have a secret, nor which segments and speakers
 * there are. A canceled job stays readable, so `use_after_free` does not apply.
 */
function exceptions(): string {
  const { paths = {} } = describedApi();
  const lists = Object.values(paths)
    .map((path) => path.get)
    .filter((get) => get?.parameters?.some((parameter) => "name" in parameter && parameter.name === "cursor"));
  const ids = [...lists.map((get) => get?.operationId), "getTranscript", ...ruledBodies];
  return `
[checks.use_after_free]
enabled = false
[[operations]]
include-operation-id = ${JSON.stringify(ids)}
[operations.checks.positive_data_acceptance]
enabled = false
`;
}

describe("every answer is as described, and none is a failure of ours,", () => {
  it("to more than 2,000 calls with a key", async () => {
    const owner = await newKey(2_000_000_000);
    const caller = { ...owner, tier: "enterprise" as const, scopes: ["read"] as const, requestId: "req_fuzz" };
    await context.pool.transaction((transaction) =>
      submitTranscription(context, transaction, caller, { videoId: finishedVideo }),
    );
    await finishTranscript(context, finishedVideo);
    const entityId = await createNamedEntity(context, "Ada Lovelace");
    const { monitor } = await createTestMonitor(context, caller);
    const trackerId = await createTestTracker(context, caller, { entityName: "Ada Lovelace" });
    const feedback = await submit(owner.key, `ent_${entityId}`);
    const ids = { entity: `ent_${entityId}`, monitor: monitor.monitorId, tracker: trackerId, feedback };
    const configuration = withKey(owner.key) + onTheWire + knownIds(ids) + exceptions();
    const single = ["--max-examples=100", "--phases=examples,coverage,fuzzing"];
    const { calls, operations, findings, answers } = await run("key", configuration, ...single);
    console.info(`${calls} calls over ${operations.tested} operations`);
    expect(findings).toBe("");
    expect([operations.tested, operations.errored]).toEqual([operations.total, 0]);
    expect(calls).toBeGreaterThanOrEqual(2000);
    // Calls that follow from the answers of others.
    const linked = await run("linked", configuration, "--max-examples=20", "--phases=stateful");
    console.info(`${linked.calls} calls that follow others`);
    expect(linked.findings).toBe("");
    expect(linked.calls).toBeGreaterThan(0);
    const all = [...answers, ...linked.answers];
    const accepted = all.filter(({ status }) => status < 300).length / all.length;
    const refused = all.filter(({ status }) => status === 400).length / all.length;
    console.info(`accepted ${accepted.toFixed(2)}, refused ${refused.toFixed(2)}`);
    expect(accepted).toBeGreaterThan(0.2);
    expect(refused).toBeGreaterThan(0.1);
  }, 3_600_000);

  it.each([
    ["without a key", ""],
    ["with a key of nobody", withKey(`svc_sk_${"0".repeat(64)}`)],
  ])(
    "%s, and nothing but what is public is to be had",
    async (_name, configuration) => {
      const { findings, answers } = await run("stranger", configuration, ...short);
      expect(findings).toBe("");
      expect(statusesOf(answers)).toEqual(new Set([401, 405]));
    },
    1_200_000,
  );

  it("with an empty pool: 402 wherever a key is needed", async () => {
    const { key } = await newKey(0);
    const { findings, answers } = await run("empty", withKey(key), ...short);
    expect(findings).toBe("");
    // 401 is the answer to the calls that leave the key out.
    expect(statusesOf(answers)).toEqual(new Set([401, 402, 405]));
  }, 1_200_000);
});

/** Few calls, and the checks that hold whatever the key is worth. */
const short = [
  "--max-examples=15",
  "--phases=examples,coverage,fuzzing",
  "--checks=not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance",
];

/** Of the paths that need a key. */
function statusesOf(answers: FuzzRun["answers"]): Set<number> {
  return new Set(answers.filter(({ path }) => !publicPaths.has(path)).map(({ status }) => status));
}
