// Empty and broken states, and a page that stays still while one types.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { open, serve } from "./page.mjs";
import { browser, folder, isAt, logs, row, shows, summary } from "./shows.mjs";

test("without the token the page says what to do", async () => {
  const server = await serve(summary);
  const { page } = await open(browser, server.url.replace(/#.*/, ""));
  await page.getByRole("heading", { name: "The page cannot get the sessions" }).waitFor();
  assert.match(await page.locator(".alone").innerText(), /open the address that pactkit inspect prints/);
  await page.close();
  await server.stop();
});

test("a session that has become unreadable has a page", async () => {
  const names = ["a", "b"].map((n) => join(folder, `gone-${n}.jsonl`));
  for (const name of names) await writeFile(name, JSON.stringify({ model: "m", messages: [{ role: "user", content: name }] }) + "\n");
  const server = await serve(...names);
  const { page, problems } = await open(browser, server.url);
  await page.getByRole("heading", { name: "2 sessions" }).waitFor();
  await writeFile(names[1], "not a log any more\n");
  await page.getByRole("button", { name: /gone-b/ }).click();
  await page.getByRole("heading", { name: "This session cannot be shown" }).waitFor();
  assert.deepEqual(problems, []);
  await page.close();
  await server.stop();
});

shows("when nothing matches, the page says so", [summary], async (page) => {
  await row(page, "^ah").waitFor();
  await page.getByRole("searchbox").fill("no such text");
  await page.locator(".found", { hasText: "no node at this call has this text" }).waitFor();
  await page.getByRole("searchbox").fill("");
  await page.locator(".cm-content").click();
  await page.keyboard.type('.block{id="nowhere"}');
  await page.locator(".found", { hasText: "0 nodes at this call, and no call has a match" }).waitFor();
});

for (const width of [1400, 800, 390]) {
  shows(`typing moves nothing, and the completion does not cover the answer, ${width} px`, [summary], async (page) => {
    await isAt(page, /^call 6 of/);
    await page.locator(".cm-content").waitFor();
    const places = () => page.evaluate(() => [".timeline", ".call", ".panes"].map((s) => document.querySelector(s).getBoundingClientRect().top));
    const before = await places();
    await page.locator(".cm-content").click();
    for (const part of [".bl", "ock", "+", "user", " .nothing{"]) {
      await page.keyboard.type(part, { delay: 20 });
      await page.waitForTimeout(300);
      assert.deepEqual(await places(), before, part);
      const [answer, list] = await page.evaluate(() => [".found", ".cm-tooltip-autocomplete"].map((s) => document.querySelector(s)?.getBoundingClientRect().toJSON()));
      if (list) assert.ok(list.top >= answer.bottom, `${part}: the completion at ${list.top} covers the answer, which ends at ${answer.bottom}`);
    }
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "the page is as wide as the window");
  }, { viewport: { width, height: 844 } });
}

shows("a tab begins at its top, and can be seen", [logs], async (page) => {
  await page.getByRole("button", { name: /summary\.eval/ }).click();
  await isAt(page, /^call 6 of 8/);
  await page.keyboard.press("2");
  await page.locator(".changes li").first().waitFor();
  assert.ok(await page.locator("#panel").evaluate((e) => (e.scrollTop = 60)) > 0);
  await page.keyboard.press("4");
  assert.equal(await page.locator("#panel").evaluate((e) => e.scrollTop), 0);
  await page.setViewportSize({ width: 320, height: 800 });
  await page.keyboard.press("1");
  await page.keyboard.press("6");
  const [tab, row] = await page.evaluate(() => ["#tab-compare", ".tabs"].map((s) => document.querySelector(s).getBoundingClientRect().toJSON()));
  assert.ok(tab.left >= row.left && tab.right <= row.right + 1, `${tab.left}–${tab.right} in ${row.left}–${row.right}`);
});

shows("hover texts and completions have no numbers of decisions", [summary], async (page) => {
  await page.locator(".cm-content").click();
  await page.keyboard.type(".block:", { delay: 20 });
  const list = page.locator(".cm-tooltip-autocomplete li");
  await list.first().waitFor();
  for (let n = Math.min(await list.count(), 30); n > 0; n--) {
    assert.doesNotMatch(await page.locator(".cm-tooltip").allInnerTexts().then((t) => t.join("\n")), /\([A-Z]\d+\)/);
    await page.keyboard.press("ArrowDown");
  }
});
