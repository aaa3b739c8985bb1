import { mkdir } from "node:fs/promises";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { eventually } from "../environment/startedSystem.ts";
import { openPage } from "./watchedPage.ts";

const folder = path.resolve(import.meta.dirname, "../../test-output/screenshots");

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
/** The narrowest that WCAG 2.2 asks for (1.4.10, "Reflow"). */
const narrowest = { width: 320, height: 640 };

type StorageState = Exclude<BrowserContextOptions["storageState"], string | undefined>;

export interface View {
  /** Of the screenshots: `<name>-<device>-<light|dark>.png`. */
  name: string;
  url: string;
  /** Who looks. */
  storageState?: StorageState;
  /** What others have made and axe-core is not asked about. */
  exclude?: string;
  /** Brings the page to the state that is looked at. */
  prepare?: (page: Page) => Promise<void>;
}

/**
 * Looks at a page on a desk and on a phone, in light and in dark, keeps a screenshot of each, and returns what is wrong with it: what axe-core
 * finds, what sticks out at the side, and the page's own faults.
 */
export async function inspect(browser: Browser, view: View): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const faults: string[] = [];
  for (const [device, options] of Object.entries(devices)) {
    const { page, takeFaults, close } = await openPage(browser, { ...options, ...stateOf(view) });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(view.url);
    await view.prepare?.(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const where = `${view.name}, ${device}, ${colorScheme}`;
      faults.push(...(await violations(page, colorScheme, view.exclude)).map((each) => `${where}: ${each}`));
      const wide = await sticksOut(page, options.viewport.width);
      if (wide !== null) faults.push(`${where}: ${wide}`);
      await shoot(page, path.join(folder, `${view.name}-${device}-${colorScheme}.png`), options.viewport);
      faults.push(...takeFaults().map((fault) => `${where}: ${fault}`));
    }
    if (device === "phone") {
      await page.setViewportSize(narrowest);
      await eventually(
        async () => Number(await page.evaluate("document.documentElement.clientWidth")) === narrowest.width,
      );
      const wide = await sticksOut(page, narrowest.width);
      if (wide !== null) faults.push(`${view.name}: ${wide}`);
    }
    await close();
  }
  return faults;
}

function stateOf({ storageState }: View): { storageState?: StorageState } {
  return storageState === undefined ? {} : { storageState };
}

/** A screenshot of the whole page, whose window is made as high for it: Playwright's `fullPage` makes a finger a mouse. */
async function shoot(page: Page, file: string, { width, height }: { width: number; height: number }): Promise<void> {
  const whole = Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.setViewportSize({ width, height: Math.min(Math.max(whole, height), 8000) });
  await page.screenshot({ path: file });
  await page.setViewportSize({ width, height });
}

/** What sticks out at the side, widest first; null: nothing does. */
async function sticksOut(page: Page, width: number): Promise<string | null> {
  if (Number(await page.evaluate("document.documentElement.scrollWidth")) <= width) return null;
  const widest = await page.evaluate(`[...document.querySelectorAll("body *")]
    .map((element) => {
      const contents = new Range();
      contents.selectNodeContents(element);
      return { element, right: Math.max(...[element, contents].map((each) => each.getBoundingClientRect().right), element.scrollLeft + element.offsetLeft + element.scrollWidth) };
    })
    .filter(({ right }) => right > ${width})
    .sort((a, b) => b.right - a.right)
    .slice(0, 3)
    .map(({ element, right }) => \`\${right}: \${element.outerHTML.slice(0, 120)}\`)
    .join("; ")`);
  return `wider than ${width} px: ${String(widest)}`;
}

/** All of axe-core's rules, those for pointers' targets and its best practices among them; in the dark only colours are other than in light. */
async function violations(page: Page, colorScheme: "light" | "dark", exclude?: string): Promise<string[]> {
  // The pages have no frames, and then the results need no page of their own, which takes as long as the rules.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ["violations"],
    ...(colorScheme === "light"
      ? { rules: { "target-size": { enabled: true } } }
      : { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }),
  });
  if (exclude !== undefined) axe.exclude(exclude);
  const { violations } = await axe.analyze();
  return violations.map(({ id, help, nodes }) => {
    const [first] = nodes;
    return `${id} (${help}), ${nodes.length} times, first at ${first?.target.join(" ")}: ${first?.failureSummary ?? ""}`;
  });
}
