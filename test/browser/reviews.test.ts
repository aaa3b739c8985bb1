import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { feedbackReviewWorkflowId } from "../../domain/review/carrying.ts";
import { eventually } from "../environment/startedSystem.ts";
import { countAcceptedUpdates } from "../builders/readHistory.ts";
import { launchChromium } from "./chromium.ts";
import { startWorkedEdge } from "./installation.ts";
import { createQueueScene, hostile } from "./queueScene.ts";
import { openSignedIn, type StorageState } from "./signedIn.ts";
import { inspect } from "./views.ts";
import { openPage, type WatchedPage } from "./watchedPage.ts";

jest.setTimeout(240_000);
let browser: Browser;
let edge: Awaited<ReturnType<typeof startWorkedEdge>>;
let scene: Awaited<ReturnType<typeof createQueueScene>>;
beforeAll(async () => {
  browser = await launchChromium();
  edge = await startWorkedEdge();
  scene = await createQueueScene(edge);
});
afterAll(async () => {
  await browser?.close();
  await edge?.close();
});

const h1 = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
const flash = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();
/** What customers are answered of who is spoken of. */
const mentions = async () => {
  const of = async (id: string) =>
    (await scene.read(`/v1/entities/${id}/mentions`)).data.map((each: { quote: string }) => each.quote);
  return { language: await of(scene.languageId), person: await of(scene.personId) };
};

/** Steps that the feedback's workflow took because it was asked to. */
function stepsCarried(feedbackId: number): Promise<number> {
  return countAcceptedUpdates(edge.temporal.client.workflow.getHandle(feedbackReviewWorkflowId(feedbackId)));
}

it("a reviewer works through the queue by keyboard alone: signs in, opens, previews, accepts, applies, reverts, and the API answers accordingly", async () => {
  const { feedback } = scene;
  const { page, takeFaults, close } = await openPage(browser);
  const { keyboard } = page;
  const before = await mentions();
  expect(before.person).toEqual([]);
  await eventually(async () => (await stepsCarried(feedback.wrongEntity).catch(() => -1)) === 0);

  await page.goto(`${edge.url}/console`);
  await h1(page, "Sign in");
  await keyboard.insertText(edge.internalKey);
  await keyboard.press("Enter");
  await h1(page, "Reviews");
  await keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");

  for (const key of ["j", "j", "k", "Enter"]) await keyboard.press(key);
  await h1(page, `Feedback #${feedback.wrongEntity}`);
  await page.locator("mark", { hasText: /^Ada$/ }).waitFor();
  await keyboard.press("p");
  await h1(page, /preview/);
  const counts = page.getByRole("table", { name: "Counts that change" });
  expect(
    await counts
      .getByRole("row", { name: /Ada Lovelace/ })
      .locator("del, ins")
      .allTextContents(),
  ).toEqual(["0", "1"]);
  await keyboard.press("b");
  await h1(page, `Feedback #${feedback.wrongEntity}`);
  expect(await mentions()).toEqual(before);

  await keyboard.press("a");
  await keyboard.press("Enter");
  await flash(page, "Accepted.");
  expect(await mentions()).toEqual(before);

  await keyboard.press("y");
  await h1(page, /Applying .* preview/);
  await keyboard.press("y");
  await keyboard.press("Enter");
  await flash(page, "Applied.");
  const { person, language } = await mentions();
  expect(person).toEqual(["Ada"]);
  expect(language).toEqual(before.language.filter((quote: string) => quote !== "Ada"));

  await keyboard.press("u");
  await h1(page, /Reverting .* preview/);
  await keyboard.press("u");
  await keyboard.press("Enter");
  await flash(page, "Reverted.");
  expect(await mentions()).toEqual(before);
  expect(await stepsCarried(feedback.wrongEntity)).toBe(3);

  const steps = page.getByRole("region", { name: "History" }).getByRole("listitem").locator("strong");
  expect(await steps.allTextContents()).toEqual(["Accepted", "Applied", "Reverted"]);
  await keyboard.press("n");
  await h1(page, `Feedback #${feedback.promoCode}`);
  await keyboard.press("g");
  await keyboard.press("j");
  await h1(page, "Jobs");
  expect(takeFaults()).toEqual([]);
  await close();
});

describe("a reviewer", () => {
  let visit: WatchedPage;
  let page: Page;
  beforeEach(async () => {
    visit = await openSignedIn(browser, edge);
    page = visit.page;
  });
  afterEach(async () => {
    const faults = visit.takeFaults();
    await visit.close();
    if (faults.length > 0) throw new Error(faults.join("\n"));
  });

  it("never acts by a single key, and types letters where there is a field", async () => {
    await page.goto(`${edge.url}/console/reviews/${scene.feedback.promoCode}`);
    await page.getByLabel("Note for the submitter").last().fill("");
    await page.keyboard.type("a ray of hope? n, y, u");
    expect(await page.getByLabel("Note for the submitter").last().inputValue()).toBe("a ray of hope? n, y, u");
    await page.locator("h1").click();
    for (const key of ["a", "r", "i"]) {
      await page.keyboard.press(key);
      expect(await page.evaluate("document.activeElement.tagName")).toBe("BUTTON");
    }
    const { json } = await edge.call("GET", `/internal/reviews/${scene.feedback.promoCode}`, { key: edge.internalKey });
    expect(json.status).toBe("pending_review");
  });

  it("finds every shortcut behind ?, and can switch them off", async () => {
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.waitFor();
    await help.getByLabel(/Single keys/).uncheck();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await page.reload();
    await page.keyboard.press("?");
    expect(await help.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await help.getByLabel(/Single keys/).check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await help.waitFor();
  });

  it("sees names that are no markup, whatever they look like", async () => {
    await page.goto(`${edge.url}/console/reviews/${scene.feedback.hostileName}`);
    for (const text of [hostile.markup, hostile.script, hostile.endless])
      expect(await page.getByText(text, { exact: true }).count()).toBeGreaterThan(0);
    await page.goto(`${edge.url}/console/reviews/${scene.feedback.hostileName}/preview?action=apply`);
    expect(await page.getByText(hostile.script).count()).toBeGreaterThan(0);
  });

  it("who accepts with other changes previews them first, and a change that is none is told beside what was written", async () => {
    await page.goto(`${edge.url}/console/reviews/${scene.feedback.sponsor}`);
    await page.getByText("Accept with changes", { exact: true }).click();
    const change = page.getByLabel("What is right instead, as JSON");
    await change.fill("{nothing");
    await page.getByRole("button", { name: "Accept with these changes" }).click();
    await page.getByRole("alert").waitFor();
    expect(await change.inputValue()).toBe("{nothing");
    await change.fill('{"ad_read_count": 2}');
    await page.getByRole("button", { name: "Preview these changes" }).click();
    await h1(page, /preview/);
    await page.getByRole("button", { name: "Accept with these changes" }).click();
    await flash(page, "Accepted with changes.");
  });
});

it("without script a feedback is accepted, applied and reverted through plain forms", async () => {
  const { page, takeFaults, close } = await openSignedIn(browser, edge, { javaScriptEnabled: false });
  const before = await mentions();
  await page.goto(`${edge.url}/console/reviews?status=reverted`);
  await page.getByRole("link", { name: `#${scene.feedback.wrongEntity}` }).click();
  await page.getByRole("link", { name: /^Apply/ }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await flash(page, "Applied.");
  expect((await mentions()).person).toEqual(["Ada"]);
  await page.getByRole("link", { name: /^Revert/ }).click();
  await page.getByRole("button", { name: "Revert" }).click();
  await flash(page, "Reverted.");
  expect(await mentions()).toEqual(before);
  await page.goto(`${edge.url}/console/reviews/${scene.feedback.several}`);
  await page.getByRole("checkbox").first().uncheck();
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await flash(page, "Accepted.");
  const { json } = await edge.call("GET", `/internal/reviews/${scene.feedback.several}`, { key: edge.internalKey });
  expect(json.corrections.map(({ status }: { status: string }) => status)).toEqual([
    "pending_review",
    "accepted",
    "accepted",
  ]);
  expect(takeFaults()).toEqual([]);
  await close();
});

async function giveWrongKey(page: Page): Promise<void> {
  await page.getByLabel("Internal key").fill("svc_int_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
}

describe("what there is to see", () => {
  let storageState: StorageState;
  beforeAll(async () => {
    const visit = await openSignedIn(browser, edge);
    storageState = visit.storageState;
    await visit.close();
  });
  const look = (name: string, path: string, prepare?: (page: Page) => Promise<void>) =>
    inspect(browser, { name, url: `${edge.url}/console${path}`, storageState, ...(prepare && { prepare }) });

  it("the way in", async () => {
    const url = `${edge.url}/console/sign-in`;
    expect(await inspect(browser, { name: "sign-in", url })).toEqual([]);
    expect(await inspect(browser, { name: "sign-in-refused", url, prepare: giveWrongKey })).toEqual([]);
  });

  it("the queue", async () => {
    expect(await look("queue", "/reviews")).toEqual([]);
    expect(await look("queue-empty", "/reviews?status=withdrawn")).toEqual([]);
    expect(
      await look("queue-help", "/reviews", async (page) => {
        await page.keyboard.press("?");
        await page.getByRole("dialog").waitFor();
      }),
    ).toEqual([]);
  });

  it("reviews of every kind, and where they stand", async () => {
    for (const [name, feedbackId] of Object.entries(scene.feedback))
      expect(await look(`review-${name}`, `/reviews/${feedbackId}`)).toEqual([]);
  });

  it("previews", async () => {
    for (const name of ["wrongEntity", "hostileName", "alert"] as const)
      expect(await look(`preview-${name}`, `/reviews/${scene.feedback[name]}/preview?action=apply`)).toEqual([]);
    expect(
      await look("preview-misfit", `/reviews/${scene.feedback.hostileName}`, async (page) => {
        await page.getByText("Accept with changes", { exact: true }).first().click();
        await page.getByLabel("What is right instead, as JSON").first().fill('{"nothing": "of it"}');
        await page.getByRole("button", { name: "Preview these changes" }).first().click();
        await h1(page, /preview/);
        await page.getByText("does not fit").waitFor();
        await page.getByRole("button", { name: "Preview these changes" }).waitFor();
      }),
    ).toEqual([]);
  });

  it("what is not there", async () => {
    expect(await look("no-such-review", "/reviews/999999999")).toEqual([]);
    expect(await look("no-such-filter", "/reviews?status=unheard_of")).toEqual([]);
  });

  it("nobody sees it who has not signed in", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${edge.url}/console/reviews/${scene.feedback.wrongEntity}`);
    expect(await page.getByRole("heading").allTextContents()).toEqual(["Sign in"]);
    await close();
  });
});
