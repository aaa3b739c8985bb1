import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureTools } from "../../cli/start/tools.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), "media-index-tools-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface StandIn {
  version?: string;
  /** Exit status of `-m venv`. */
  venv?: number;
  /** Exit status of pip's installation. */
  install?: number;
}

/** Stands in for Python, pip and the package index: writes down what it is asked, and makes the files that they would make. */
function python({ version = "3 12", venv = 0, install = 0 }: StandIn = {}): string {
  const file = path.join(home, "python-stand-in");
  writeFileSync(
    file,
    `#!/bin/sh
case "$*" in
  "-c "*) echo "${version}"; exit 0 ;;
  "-m pip --version") echo "pip 25.0 from here"; exit 0 ;;
esac
echo "$*" >> "${home}/asked"
case "$*" in
  *--without-pip*) ;;
  "-m venv"*) [ ${venv} = 0 ] || { echo "ensurepip is not available"; exit ${venv}; } ;;
  *install*) sleep 0.2; [ ${install} = 0 ] || { echo "No matching distribution"; exit ${install}; } ;;
esac
mkdir -p "${home}/tools/bin"
cp "$0" "${home}/tools/bin/python" 2>/dev/null
touch "${home}/tools/bin/temporal" "${home}/tools/bin/temporal-test-server"
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const asked = () => readFileSync(path.join(home, "asked"), "utf8").trim().split("\n");
const installations = () => asked().filter((line) => line.includes("install --no-input")).length;
const log = () => undefined;

test("many at once share one installation, and later ones need none", async () => {
  const options = { python: python(), log };
  const all = await Promise.all([1, 2, 3, 4].map(() => ensureTools(home, options)));
  expect(new Set(all.map((tools) => tools.python)).size).toBe(1);
  expect(installations()).toBe(1);
  await ensureTools(home, { python: "/nowhere/python", log });
  expect(installations()).toBe(1);
});

test("an installation that was cut off is made anew", async () => {
  await expect(ensureTools(home, { python: python({ install: 1 }), log })).rejects.toThrow("No matching distribution");
  await ensureTools(home, { python: python(), log });
  expect(installations()).toBe(2);
});

test("other requirements are another installation", async () => {
  const requirementsFile = path.join(home, "requirements.txt");
  writeFileSync(requirementsFile, "idna==3.20\n");
  await ensureTools(home, { python: python(), log, requirementsFile });
  writeFileSync(requirementsFile, "idna==3.21\n");
  await ensureTools(home, { python: python(), log, requirementsFile });
  expect(installations()).toBe(2);
});

test("without ensurepip, the system's pip fills the environment", async () => {
  const standIn = python({ venv: 1 });
  await ensureTools(home, { python: standIn, log });
  expect(asked()).toEqual([
    `-m venv ${home}/tools`,
    `-m venv --clear --without-pip ${home}/tools`,
    expect.stringContaining(`-m pip --python ${home}/tools/bin/python install`),
  ]);
});

test("a Python that is too old or missing is named", async () => {
  await expect(ensureTools(home, { python: python({ version: "3 9" }), log })).rejects.toThrow(
    "PYTHON is 3.9; 3.10 or later is needed",
  );
  await expect(ensureTools(home, { python: "/nowhere/python", log })).rejects.toThrow("/nowhere/python");
  expect(existsSync(path.join(home, "asked"))).toBe(false);
});
