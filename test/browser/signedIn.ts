import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Edge } from "../api/edge.ts";
import { openPage, type WatchedPage } from "./watchedPage.ts";

export type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** With the edge's internal key, as people do. */
async function signIn(page: Page, edge: Edge): Promise<void> {
  await page.goto(`${edge.url}/console/sign-in`);
  await page.getByLabel("Internal key").fill(edge.internalKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Reviews" }).waitFor();
}

/** A page of somebody who has signed in, with what lets others look through the same eyes. */
export async function openSignedIn(
  browser: Browser,
  edge: Edge,
  options: BrowserContextOptions = {},
): Promise<WatchedPage & { storageState: StorageState }> {
  const watched = await openPage(browser, options);
  await signIn(watched.page, edge);
  return { ...watched, storageState: await watched.page.context().storageState() };
}
