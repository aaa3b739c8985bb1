import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { sql } from "../../database/pool.ts";
import type { Edge, NewKey } from "../api/edge.ts";
import { createTaughtName, type TaughtNameScene } from "../api/taughtNameScene.ts";
import { createEntity } from "../builders/context.ts";
import { eventually } from "../environment/startedSystem.ts";
import { launchChromium } from "./chromium.ts";
import { startWorkedEdge } from "./installation.ts";
import { hostile } from "./queueScene.ts";
import { openSignedIn, type StorageState } from "./signedIn.ts";
import { inspect } from "./views.ts";
import type { WatchedPage } from "./watchedPage.ts";

jest.setTimeout(240_000);
let browser: Browser;
let edge: Edge;
let owner: NewKey;
let visit: WatchedPage & { storageState: StorageState };
let scene: TaughtNameScene;
let marked: TaughtNameScene;
beforeAll(async () => {
  browser = await launchChromium();
  edge = await startWorkedEdge();
  owner = await edge.newKey();
  scene = await createTaughtName(edge, owner);
  marked = await createTaughtName(edge, owner);
  const { pool } = edge.context;
  await createEntity(edge.context, { name: marked.wrong, type: "brand" });
  await pool.query(sql.typeAlias("void")`
    update entity set name = ${hostile.script + hostile.endless} where id = ${marked.entityId}`);
  await pool.query(sql.typeAlias("void")`
    update video set title = ${hostile.markup} where id = ${marked.videoIds[1] ?? ""}`);
  await pool.query(sql.typeAlias("void")`
    update video set title = ${hostile.endless} where id = ${marked.videoIds[2] ?? ""}`);
  visit = await openSignedIn(browser, edge);
});
afterAll(async () => {
  await visit?.close();
  await browser?.close();
  await edge?.close();
});

const h1 = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const flash = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();
const reaches = (page: Page, status: string) =>
  eventually(async () => {
    await page.reload();
    return (await page.locator("dl.facts").getByText(status, { exact: true }).count()) > 0;
  });
const look = (name: string, path: string, prepare?: (page: Page) => Promise<void>) =>
  inspect(browser, {
    name,
    url: `${edge.url}/console${path}`,
    storageState: visit.storageState,
    ...(prepare && { prepare }),
  });

/** Says that videos are chosen, and chooses none. */
async function acceptNowhere(page: Page): Promise<void> {
  await page.getByRole("radio", { name: /ticked/ }).check();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("alert").waitFor();
}

describe("what there is to see of names", () => {
  it("the queue", async () => {
    expect(await look("names", "/names")).toEqual([]);
    expect(await look("names-empty", "/names?status=undone")).toEqual([]);
  });

  it("one that is offered, and one that is not accepted so", async () => {
    expect(await look("name", `/names/${marked.id}`)).toEqual([]);
    expect(await look("name-refused", `/names/${marked.id}`, acceptNowhere)).toEqual([]);
  });
});

it("a name is accepted by keyboard alone, its workflow carries it out, and without script it is undone", async () => {
  const { page } = visit;
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await h1(page, "Names");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await h1(page, `Name #${scene.id}`);
  await page.keyboard.press("a");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Accept");
  await page.keyboard.press("Enter");
  await flash(page, "Accepted.");
  await reaches(page, "carried");
  expect(await scene.texts(scene.videoIds[1] ?? "")).toEqual(scene.corrected);
  expect(await look("name-carried", `/names/${scene.id}`)).toEqual([]);
  expect(await look("name-undo", `/names/${scene.id}/undo`)).toEqual([]);

  const later = await scene.edit(scene.videoIds[2] ?? "", 1, "Somebody wrote this since.");
  expect(await look("name-undo-later-edits", `/names/${scene.id}/undo`)).toEqual([]);
  await scene.undoOne(later);

  const plain = await openSignedIn(browser, edge, { javaScriptEnabled: false });
  await plain.page.goto(`${edge.url}/console/names/${scene.id}`);
  await plain.page.getByRole("link", { name: "Undo…" }).click();
  await plain.page.getByRole("button", { name: "Undo" }).click();
  await flash(plain.page, "Undone.");
  await reaches(plain.page, "undone");
  expect(await scene.texts(scene.videoIds[1] ?? "")).toEqual(scene.said);
  expect([visit.takeFaults(), plain.takeFaults()]).toEqual([[], []]);
  await plain.close();
});
