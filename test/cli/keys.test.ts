import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";

let context: TestContext;
let accountId: string;
beforeAll(async () => {
  context = await createTestContext();
  ({ accountId } = await createAccount(context, { email: "cli@example.com", tier: "pro" }));
});
afterAll(() => context.close());

const createdKey = z.strictObject({
  keyId: z.string().regex(/^key_/),
  key: z.string().regex(/^svc_(sk|int)_[0-9a-f]{64}$/),
});

interface Ended {
  status: number;
  json: unknown;
  stderr: string;
}

/** Runs `media-index … --json` on the test's database. */
function run(...words: string[]): Promise<Ended> {
  const env = {
    ...process.env,
    NODE_OPTIONS: "",
    DATABASE_URL: context.databaseUrl,
    MEDIA_INDEX_HOME: path.join(tmpdir(), "media-index-no-such-home"),
  };
  const command = [path.resolve(import.meta.dirname, "../../cli/main.ts"), ...words, "--json"];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      const status = typeof error?.code === "number" ? error.code : 0;
      resolve({ status, json: stdout === "" ? null : JSON.parse(stdout), stderr });
    });
  });
}

async function newKey(...options: string[]): Promise<{ keyId: string; key: string }> {
  const { status, json } = await run("keys", "create", ...options);
  expect(status).toBe(0);
  return createdKey.parse(json);
}

describe("keys", () => {
  it("are made, disabled, enabled and deleted, each printing the key's id and state", async () => {
    const { keyId } = await newKey("--account", accountId);
    for (const [verb, state] of [
      ["disable", "disabled"],
      ["enable", "active"],
      ["delete", "deleted"],
    ] as const)
      expect(await run("keys", verb, keyId)).toEqual({ status: 0, json: { keyId, state }, stderr: "" });
    const late = await run("keys", "enable", keyId);
    expect([late.status, late.json, late.stderr]).toEqual([1, null, expect.stringMatching(/^No key has this id.*\n$/)]);
  });

  it("for operators need no account", async () => {
    expect((await newKey("--internal", "--name", "deploy")).key).toMatch(/^svc_int_[0-9a-f]{64}$/);
  });

  it("say in a line what was wrong: status 1 for what is not there or refused, 2 for wrong usage", async () => {
    const cases = [
      [1, /No account has this id/, "keys", "create", "--account", "usr_none"],
      [1, /recommendations:read/, "keys", "create", "--account", accountId, "--scopes", "recommendations:read"],
      [1, /No key has this id/, "keys", "disable", "key_none"],
      [2, /scopes/, "keys", "create", "--account", accountId, "--scopes", "everything"],
      [2, /--account/, "keys", "create"],
      [2, /--internal/, "keys", "create", "--internal", "--account", accountId],
      [2, /keyId/, "keys", "disable"],
      [2, /date or time/, "keys", "create", "--account", accountId, "--expires-at", "soon"],
      [2, /unknown/, "keys", "create", "--account", accountId, "--scope", "read"],
    ] as const;
    for (const [status, why, ...words] of cases) {
      const ended = await run(...words);
      expect([words, ended.status, ended.json, ended.stderr]).toEqual([
        words,
        status,
        null,
        expect.stringMatching(why),
      ]);
      expect(ended.stderr).not.toMatch(/\n\s+at /);
    }
  });
});
