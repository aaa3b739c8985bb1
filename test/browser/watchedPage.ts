import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page whose faults are kept: scripts that throw, what the content security policy refuses, loads that fail, dialogs that nobody asked for. */
export interface WatchedPage {
  page: Page;
  /** What has gone wrong since the last call. */
  takeFaults: () => string[];
  close: () => Promise<void>;
}

/** Opens an empty page in a context of its own, with nobody signed in unless `options` brings cookies. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  let faults: string[] = [];
  page.on("console", (message) => {
    // What could not be loaded is told below, with its address; how a page itself answers is for the test to say.
    if (["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource"))
      faults.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && !response.request().isNavigationRequest())
      faults.push(`load: ${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("requestfailed", (request) => {
    // A navigation may overtake the loads of the page that it leaves.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") faults.push(`load: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return {
    page,
    takeFaults() {
      const taken = faults;
      faults = [];
      return taken;
    },
    close: () => context.close(),
  };
}
