// The work of the page on large histories and lists. What is asserted is processor time of its main thread and the number
// of rows in the document, because frames on a busy machine say little; the times of frames are printed.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { open, serve } from "./page.mjs";
import { browser, folder } from "./shows.mjs";

/** How much of the processor the main thread may take for a frame, in milliseconds, at p95. */
const most = 50;

const at = (list, part) => list.toSorted((a, b) => a - b)[Math.min(Math.floor(list.length * part), list.length - 1)];

/** Does something for each of so many frames. Prints and returns the frames and the processor time of the main thread for each. */
async function frames(page, name, n, act) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value * 1000;
  const work = [], times = [];
  let before = await busy();
  for (let i = 0; i < n; i++) {
    times.push(await page.evaluate(act, i));
    const now = await busy();
    work.push(now - before);
    before = now;
  }
  await cdp.detach();
  console.log(`${name}: frames p50 ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms; work p50 ${at(work, 0.5).toFixed(1)} ms, p95 ${at(work, 0.95).toFixed(1)} ms`);
  return at(work, 0.95);
}

/** Runs in the page: acts, and returns the milliseconds until the second frame after it. */
const frame = (act) => `(i) => { const begin = performance.now(); (${act})(i); return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done((performance.now() - begin) / 2)))); }`;
const evaluate = (source) => new Function(`return ${frame(source)}`)();

const key = (name, selector = "body") => evaluate(`(i) => document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new KeyboardEvent("keydown", { key: ${name}, bubbles: true }))`);
const scroll = (selector, by) => evaluate(`(i) => { document.querySelector(${JSON.stringify(selector)}).scrollTop += ${by}; }`);
const type = (label, text) => evaluate(`(i) => {
  const field = document.querySelector('input[aria-label="${label}"]');
  field.value = ${JSON.stringify(text)}.slice(0, i % ${text.length + 1});
  field.dispatchEvent(new Event("input", { bubbles: true }));
}`);

for (const calls of [1000, 10_000]) {
  test(`moving, zooming, scrolling and searching, ${calls} calls`, async () => {
    const lines = [], record = (more) => lines.push(JSON.stringify({ sessionId: "s", uuid: `u${lines.length}`, parentUuid: lines.length > 0 ? `u${lines.length - 1}` : null, timestamp: "2026-01-01T00:00:00Z", ...more }));
    record({ type: "user", message: { role: "user", content: "the question" } });
    for (let n = 1; n < calls; n++) {
      record({ type: "assistant", message: { id: `m${n}`, role: "assistant", content: [{ type: "tool_use", id: `t${n}`, name: "search", input: { q: `word ${n}` } }] } });
      record({ type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${n}`, content: `result ${n}` }] } });
    }
    const name = join(folder, `calls-${calls}.jsonl`);
    await writeFile(name, lines.join("\n") + "\n");
    const server = await serve(name);
    const { page, problems } = await open(browser, server.url);
    await page.locator(".call", { hasText: `of ${calls.toLocaleString("en")}` }).waitFor();
    await page.locator(".facts", { hasNotText: "about" }).waitFor();
    await page.locator(".tree-row").first().waitFor();
    const which = await page.locator(".which").innerText();
    const found = {
      move: await frames(page, `${calls} calls, moving`, 60, key('i < 10 ? "Home" : "j"')),
      page: await frames(page, `${calls} calls, ten at a time`, 40, key('i < 20 ? "PageUp" : "PageDown"')),
      tree: await frames(page, `${calls} calls, scrolling the tree`, 60, scroll(".tree", 700)),
      zoom: await frames(page, `${calls} calls, zooming`, 24, key('i % 12 < 6 ? "+" : "-"', ".handle.at")),
      search: await frames(page, `${calls} calls, searching`, 30, type("find text", "result 12")),
    };
    assert.notEqual(await page.locator(".which").innerText(), which, "the call is another one");
    assert.match(await page.locator(".found").innerText(), /^[\d,]+ nodes? at this call$/);
    assert.ok(await page.locator(".tree-row").count() < 200, "the document has the rows that can be seen");
    for (const [what, work] of Object.entries(found)) assert.ok(work <= most, `${what}: ${work.toFixed(1)} ms of work for a frame`);
    assert.deepEqual(problems, []);
    await page.close();
    await server.stop();
  });
}

test("scrolling, searching and sorting 10,000 sessions", async () => {
  const dir = join(folder, "sessions");
  await mkdir(dir);
  for (let n = 0; n < 10_000; n++) {
    await writeFile(join(dir, `run-${n}.jsonl`), JSON.stringify({ model: `m${n % 7}`, messages: [{ role: "user", content: `question ${n}` }] }) + "\n");
  }
  const server = await serve(dir);
  const { page, problems } = await open(browser, server.url);
  await page.getByRole("heading", { name: /^10,000 sessions$/ }).waitFor();
  const found = {
    scroll: await frames(page, "10,000 sessions, scrolling", 60, scroll(".session-rows", 900)),
    search: await frames(page, "10,000 sessions, searching", 30, type("find sessions", "question 99")),
    sort: await frames(page, "10,000 sessions, sorting", 12, evaluate('(i) => document.querySelectorAll(".session.head button")[i % 4].click()')),
  };
  assert.ok(await page.locator(".session-rows .session").count() < 100, "the document has the rows that can be seen");
  for (const [what, work] of Object.entries(found)) assert.ok(work <= most, `${what}: ${work.toFixed(1)} ms of work for a frame`);
  assert.deepEqual(problems, []);
  await page.close();
  await server.stop();
});
