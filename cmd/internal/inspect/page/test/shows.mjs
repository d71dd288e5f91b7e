// What the tests of the page share: a browser, a folder, and ways to look at a page.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { launch, open, serve } from "./page.mjs";

export const logs = "thread/source/testdata/inspect";
export const summary = join(logs, "summary.eval");
const pictures = process.env.PACTKIT_PICTURES; // a folder for screenshots

export const browser = await launch();
export const folder = await mkdtemp(join(tmpdir(), "inspect-"));

after(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

/** Runs a test with a page that shows arguments. */
export function shows(name, args, body, options) {
  test(name, async () => {
    const server = await serve(...(typeof args === "function" ? await args() : args));
    const { page, problems } = await open(browser, server.url, options);
    try {
      await body(page, server);
      assert.deepEqual(problems, []);
    } finally {
      await page.close();
      await server.stop();
    }
  });
}

/** The tabs other than "node", and what each shows. */
export const panels = [["conversation", ".entry"], ["changes", ".changes li"], ["window", ".shares .share"], ["request", ".thread li"]];

export const row = (page, text) => page.locator(".tree-row", { hasText: text });
export const callText = (page) => page.locator(".which").innerText();
/** Waits until the page is at a call. The page draws after the key or the click that it answers. */
export const isAt = (page, hasText) => page.locator(".which", { hasText }).waitFor();

/** Waits until the panel shows the call that the page is at. */
export const settled = (page) => page.waitForFunction(() => !document.querySelector(".stale"));

/** Leaves a field. An Escape may only close the list of completions, which can come late. */
export async function leave(page) {
  while (await page.evaluate(() => document.activeElement.matches("input, .cm-content"))) await page.keyboard.press("Escape");
}

/** Takes a picture in both themes, without a caret that blinks and a tip. */
export async function picture(page, name) {
  if (!pictures) return;
  await page.setViewportSize({ width: 1120, height: 640 });
  await page.mouse.move(1, 1);
  for (const theme of ["light", "dark"]) {
    await page.getByRole("button", { name: /use the .* theme/ }).evaluate((b, want) => { if (document.documentElement.dataset.theme !== want) b.click(); }, theme);
    await page.waitForTimeout(200); // for the bars to be drawn again
    await page.screenshot({ path: join(pictures, `${name}-${theme}.png`), caret: "hide" });
  }
}

/** Goes from the first call to the first one of which the page says something. Calls may still be on their way. */
export async function goTo(page, what) {
  await page.keyboard.press("Home");
  await isAt(page, /^call 1 of/);
  const until = Date.now() + 30_000;
  for (let text = await page.locator(".call").innerText(); !what.test(text); text = await page.locator(".call").innerText()) {
    assert.ok(Date.now() < until, text);
    const here = await callText(page);
    const [, at, of] = /^call (\d+) of (\d+)/.exec(here) ?? [];
    if (!at || at === of) {
      await page.waitForTimeout(50);
      continue;
    }
    await page.keyboard.press("j");
    await page.waitForFunction((before) => !document.querySelector(".which").innerText.startsWith(before), `call ${at} of`);
  }
}
