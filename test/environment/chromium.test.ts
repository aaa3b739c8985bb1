import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { findChromium } from "../browser/chromium.ts";

const script = path.resolve(import.meta.dirname, "../../.ci/chromium");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "media-index-chromium-"));
  command("id", "echo 0");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A command that is all that the script finds by its name. */
function command(name: string, body: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Stands in for apt-get: writes down what it is asked, and makes what it would install. */
const apt = (makes: string) =>
  command("apt-get", `echo "$*" >> "${folder}/asked"\n[ "$2" = install ] && ${makes}\ntrue`);
const makeChromium = () => `{ echo '#!/bin/sh' > "${folder}/chromium"; /bin/chmod +x "${folder}/chromium"; }`;
const asked = () => readFileSync(path.join(folder, "asked"), "utf8").trim().split("\n");

function run(environment: Record<string, string> = {}) {
  command("env", 'shift; exec "$@"');
  const { status, stderr } = spawnSync("/bin/bash", [script], {
    env: { PATH: folder, ...environment },
    encoding: "utf8",
  });
  return { status, stderr };
}

test("a Chromium that is here is taken, by name or by CHROMIUM_PATH", () => {
  apt(makeChromium());
  const file = command("google-chrome", "true");
  expect(run().status).toBe(0);
  expect(run({ CHROMIUM_PATH: file }).status).toBe(0);
  expect(existsSync(path.join(folder, "asked"))).toBe(false);
  expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(file);
  expect(findChromium({ PATH: "/nowhere", CHROMIUM_PATH: file })).toBe(file);
});

test("where there is none, Debian's is installed after an update, with a font and nothing that is only recommended", () => {
  apt(makeChromium());
  expect(run().status).toBe(0);
  expect(asked()).toEqual(["-qq update", "-qq install --yes --no-install-recommends chromium fonts-dejavu-core"]);
});

test("where it cannot be had, the script and the tests say what to install", () => {
  const words = /apt-get install --no-install-recommends chromium/;
  expect(run()).toEqual({ status: 1, stderr: expect.stringMatching(words) });
  apt("true");
  expect(run()).toEqual({ status: 1, stderr: expect.stringMatching(words) });
  expect(() => findChromium({ PATH: folder })).toThrow(words);
});

test("a CHROMIUM_PATH that leads nowhere is named", () => {
  const wrong = { CHROMIUM_PATH: "/nowhere/chromium" };
  expect(run(wrong)).toEqual({ status: 1, stderr: expect.stringContaining("/nowhere/chromium") });
  expect(() => findChromium({ PATH: folder, ...wrong })).toThrow("/nowhere/chromium");
});
