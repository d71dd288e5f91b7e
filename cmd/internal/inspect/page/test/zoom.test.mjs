// Zoom and pan of the timeline.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folder, isAt, shows } from "./shows.mjs";

/** A log of requests, each of which has two messages more than the one before. */
const long = async () => {
  const name = join(folder, "long.jsonl"), messages = [], lines = [];
  for (let call = 1; call <= 200; call++) {
    messages.push({ role: "user", content: `question ${call}` });
    lines.push(JSON.stringify({ model: "m", messages }));
    messages.push({ role: "assistant", content: `answer ${call}` });
  }
  await writeFile(name, lines.join("\n") + "\n");
  return [name];
};

const shown = (page) => page.locator(".zoom span").innerText();
const all = (page) => page.locator(".zoom span").waitFor({ state: "detached" });
/** The calls that can be seen, once they are others than before. */
const changed = async (page, before) => {
  await page.waitForFunction((b) => (document.querySelector(".zoom span")?.innerText ?? "") !== b, before);
  return (await shown(page)).split("–").map(Number);
};
const width = ([from, to]) => to - from + 1;

shows("the timeline zooms with keys, buttons and the wheel", long, async (page) => {
  await isAt(page, /of 200/);
  assert.equal(await page.getByRole("button", { name: "zoom out" }).isDisabled(), true);
  await page.locator(".handle.at").focus();
  await page.keyboard.press("Home");
  await isAt(page, /^call 1 of/);
  for (let n = 0; n < 9; n++) await page.keyboard.press("PageDown");
  await isAt(page, /^call 91 of/);
  await page.keyboard.press("+");
  const half = await changed(page, "");
  assert.ok(Math.abs(width(half) - 100) <= 2 && half[0] < 91 && half[1] > 91, half.join());
  await page.getByRole("button", { name: "zoom in" }).click();
  const quarter = await changed(page, half.join("–"));
  assert.ok(Math.abs(width(quarter) - 50) <= 2, quarter.join());
  await page.getByRole("button", { name: "zoom out" }).click();
  assert.deepEqual(await changed(page, quarter.join("–")), half);
  const box = await page.locator(".timeline .u-over").boundingBox();
  await page.mouse.move(box.x + box.width / 4, box.y + 50);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -400);
  await page.keyboard.up("Control");
  const wheel = await changed(page, half.join("–"));
  assert.ok(width(wheel) < width(half) && wheel[0] >= half[0] && wheel[1] <= half[1], wheel.join());
  await page.locator(".handle.at").focus();
  await page.keyboard.press("0");
  await all(page);
  for (let n = 0; n < 8; n++) await page.keyboard.press("+");
  await page.locator(".zoom button[aria-label='zoom in']:disabled").waitFor();
  const least = (await shown(page)).split("–").map(Number);
  assert.ok(width(least) >= 10 && width(least) <= 12, least.join());
});

shows("a part of the timeline is dragged, scrolled and follows the call", long, async (page) => {
  await isAt(page, /of 200/);
  await page.keyboard.press("Home");
  await isAt(page, /^call 1 of/);
  await page.locator(".handle.at").focus();
  for (let n = 0; n < 3; n++) await page.keyboard.press("+");
  await page.waitForFunction(() => /^1–2\d$/.test(document.querySelector(".zoom span")?.innerText));
  const begin = await shown(page);
  const pan = await page.locator(".pan").boundingBox(), bars = await page.locator(".timeline .u-over").boundingBox();
  await page.mouse.move(pan.x + pan.width / 2, pan.y + 2);
  await page.mouse.down();
  await page.mouse.move(pan.x + pan.width / 2 + bars.width / 2, pan.y + 2, { steps: 5 });
  await page.mouse.up();
  const dragged = await changed(page, begin);
  await page.waitForFunction(() => Math.abs(Number(document.querySelector(".zoom span").innerText.split("–")[0]) - 101) <= 3);
  await isAt(page, /^call 1 of/); // the call stays
  const middle = await shown(page);
  await page.mouse.move(bars.x + bars.width / 2, bars.y + 50);
  await page.mouse.wheel(300, 0);
  const scrolled = await changed(page, middle);
  assert.ok(scrolled[0] > Number(middle.split("–")[0]), `${dragged} ${scrolled}`);
  await page.mouse.click(bars.x + bars.width / 2, bars.y + 50); // a bar that can be seen
  const at = Number(/^call (\d+)/.exec(await page.locator(".which", { hasText: /call \d{2,3} of/ }).innerText())[1]);
  const [from, to] = (await shown(page)).split("–").map(Number);
  assert.ok(at >= from && at <= to && Math.abs(at - (from + to) / 2) <= 2, `call ${at} of ${from}–${to}`);
  const before = await shown(page);
  await page.keyboard.press("End");
  await isAt(page, /^call 200 of/);
  assert.equal((await changed(page, before))[1], 200);
});
