// What fills the window, what it cost, the cache and the compactions: as the terminal says it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { program, root } from "./page.mjs";
import { isAt, picture, shows } from "./shows.mjs";

const log = "testdata/logs/support/refund.jsonl";
const run = async (...args) => (await promisify(execFile)(program, args, { cwd: root, maxBuffer: 1 << 26 })).stdout;
const number = (text) => Number(text.replace(/[~≥,$]/g, ""));

shows("the shares of a call are those that log prints", [log], async (page) => {
  await isAt(page, /^call 9 of/);
  const cycle = Number(/@c(\d+)/.exec(await page.locator(".which").innerText())[1]);
  const call = (await run("log", log, "--stat", "--json")).trim().split("\n").map((l) => JSON.parse(l)).find((c) => c.cycle === cycle);
  await page.keyboard.press("3");
  await page.locator(".shares .share").first().waitFor();
  const lines = await page.locator(".shares > * > .share, .shares > details > summary > .share").all();
  const got = await Promise.all(lines.map(async (l) => number(await l.locator(".number").first().innerText())));
  await picture(page, "window");
  assert.deepEqual(got, call.tokens.shares.map((s) => s.tokens));
  assert.equal(got.reduce((a, b) => a + b, 0), call.tokens.in);
  assert.match(await page.locator(".headline").innerText(), new RegExp(`^${call.tokens.in} of ${call.window.tokens.toLocaleString("en")} tokens`));
});

shows("the cost of the session is what stats prints", [log], async (page) => {
  await isAt(page, /^call 9 of/);
  await page.keyboard.press("3");
  await page.locator(".costs .total").waitFor();
  const { total } = JSON.parse(await run("stats", log, "--json")).sessions[0].cost;
  assert.ok(Math.abs(number(await page.locator(".costs .total td").last().innerText()) - total) < 0.00005, String(total));
});

shows("a compaction says what left, and leads to its call", [log], async (page) => {
  await isAt(page, /^call 9 of/);
  await page.keyboard.press("3");
  await page.keyboard.press("Home");
  const compaction = page.locator(".compactions > li");
  await compaction.waitFor();
  assert.match(await compaction.innerText(), /Left: .*result get_order \d/);
  await compaction.getByRole("button", { name: /▼ call 9/ }).click();
  await isAt(page, /^call 9 of/);
});

shows("where the cache broke, and what that cost", [log], async (page) => {
  await isAt(page, /^call 9 of/);
  await page.keyboard.press("3");
  await page.locator(".figures").getByRole("button", { name: "✕ call 6" }).click();
  await isAt(page, /^call 6 of/);
  await page.locator(".figures .warning", { hasText: /tools \(changed\): 282 tokens were sent again, for ~\$0\.00\d+ more/ }).waitFor();
});
