import { accessSync, constants } from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The Chromium to test with: what CHROMIUM_PATH names, else the first on the PATH. Throws with what to install where there is none. */
export function findChromium({ CHROMIUM_PATH: named, PATH = "" }: NodeJS.ProcessEnv = process.env): string {
  if (named !== undefined && named !== "") {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, which cannot be run`);
  }
  const folders = PATH.split(path.delimiter).filter((folder) => folder !== "");
  const found = names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
  if (found === undefined)
    throw new Error(
      "the browser tests need Chromium: as root, `apt-get install --no-install-recommends chromium fonts-dejavu-core` (`.ci/run` does it by itself); " +
        "or name one with CHROMIUM_PATH",
    );
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A headless browser that talks to nobody but the pages it is sent to. It ends with `close()`, or with this process. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    // As root there is no sandbox to be had; the only pages are our own.
    chromiumSandbox: false,
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
