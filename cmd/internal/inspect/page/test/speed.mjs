// Measures the page on large histories: node test/speed.mjs. It prints figures and fails for none. Times of frames are those
// of a display with 60 a second; "script" is what the page itself takes, whatever else the machine does.

import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, open, serve } from "./page.mjs";

const folder = await mkdtemp(join(tmpdir(), "inspect-"));
const browser = await launch();

/** A session of Claude Code with ten nodes a call. */
async function log(name, calls, resultSize) {
  let state = 7;
  const random = () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const words = Array.from({ length: 2000 }, () => Array.from({ length: 2 + random() * 7 }, () => "etaoinshrdlu"[Math.floor(random() * 12)]).join(""));
  const text = (length) => {
    let out = "";
    while (out.length < length) out += words[Math.floor(random() * words.length)] + " ";
    return out;
  };
  const out = [];
  const record = (more) => out.push(JSON.stringify({ sessionId: "s", uuid: `u${out.length}`, parentUuid: out.length > 0 ? `u${out.length - 1}` : null, timestamp: "2026-01-01T00:00:00Z", ...more }));
  for (let call = 0; call < calls; call++) {
    if (call % 20 === 0) record({ type: "user", message: { role: "user", content: `question ${call}` } });
    const uses = Array.from({ length: 5 }, (_, k) => ({ type: "tool_use", id: `t${call}.${k}`, name: "search", input: { q: `word ${call}` } }));
    record({ type: "assistant", message: { id: `m${call}`, role: "assistant", content: uses } });
    record({ type: "user", message: { role: "user", content: uses.map((u) => ({ type: "tool_result", tool_use_id: u.id, content: text(resultSize) })) } });
  }
  const path = join(folder, name);
  await writeFile(path, out.join("\n") + "\n");
  return path;
}

const sorted = (list) => list.toSorted((a, b) => a - b);
const at = (list, part) => list[Math.min(Math.floor(list.length * part), list.length - 1)].toFixed(1);

/** Presses a key for each of so many frames, and returns the times of the frames and of the scripts, in milliseconds. */
async function frames(page, keys) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  const metrics = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
  const before = await metrics();
  const times = await page.evaluate(async (list) => {
    const out = [];
    let last = performance.now();
    for (const key of list) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await new Promise((done) => requestAnimationFrame(done));
      const now = performance.now();
      out.push(now - last);
      last = now;
    }
    return out;
  }, keys);
  const after = await metrics();
  const work = (name) => ((after[name] - before[name]) * 1000) / keys.length;
  return `frames p50 ${at(sorted(times), 0.5)} ms, p95 ${at(sorted(times), 0.95)} ms; script ${work("ScriptDuration").toFixed(1)}, style ${work("RecalcStyleDuration").toFixed(1)}, layout ${work("LayoutDuration").toFixed(1)} ms a frame`;
}

const moves = (n) => Array.from({ length: n }, () => "k");
{
  const server = await serve(await log("calls.jsonl", 1000, 100));
  const { page, problems } = await open(browser, server.url);
  await page.locator(".call", { hasText: `of ${(1001).toLocaleString("en")}` }).waitFor({ timeout: 120_000 });
  await page.locator(".facts", { hasNotText: "about" }).waitFor({ timeout: 120_000 });
  console.log("1,000 calls, 10,000 nodes:", await frames(page, moves(300)));
  await page.keyboard.press("End");
  await page.locator(".tree-row", { hasText: "question 0" }).click();
  console.log("  with a node open:", await frames(page, moves(200)));
  await page.keyboard.press("c");
  console.log("  against a call far away:", await frames(page, moves(300)));
  await page.keyboard.press("x");
  await page.locator(".cm-content").click();
  await page.keyboard.type(".block");
  await page.waitForTimeout(500);
  const times = [];
  for (const word of ["+tool", "+user", "+tool", "+user", "+tool"]) {
    await page.keyboard.press("Control+a");
    await page.keyboard.type(".block" + word.slice(0, -1));
    await page.locator(".tree-row.match").first().waitFor({ state: "detached" }); // no node has that tag
    await page.waitForTimeout(300);
    await page.evaluate(() => { globalThis.lit = new Promise((done) => addEventListener("keydown", () => {
      const begin = performance.now();
      const look = () => (document.querySelector(".tree-row.match") ? done(performance.now() - begin) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    }, { capture: true, once: true })); });
    await page.keyboard.type(word.slice(-1));
    times.push(await page.evaluate(() => globalThis.lit));
  }
  console.log(`  matches after a key: ${sorted(times).map((t) => t.toFixed(0)).join(", ")} ms`);
  await page.locator(".timeline").click({ position: { x: 640, y: 60 } });
  await page.keyboard.press("Escape");
  await page.locator(".handle.at").focus();
  console.log("  with a selector:", await frames(page, moves(200)), "problems", problems);
  await page.close();
  await server.stop();
}
{
  const journal = join(folder, "large.history.jsonl");
  const made = spawnSync(process.env.PACTKIT ?? "pactkit", ["-q", "import", await log("large.jsonl", 2000, 10_000), "-o", journal]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  const begin = performance.now();
  const server = await serve(journal);
  const served = performance.now();
  const { page } = await open(browser, server.url);
  await page.locator(".tree-row").first().waitFor();
  const first = performance.now();
  await page.locator(".call", { hasText: `of ${(2001).toLocaleString("en")}` }).waitFor({ timeout: 120_000 });
  const all = performance.now();
  const memory = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => ""))?.[1];
  console.log(`a journal of 100 MB: served after ${(served - begin).toFixed(0)} ms, first screen ${(first - begin).toFixed(0)} ms, all calls ${(all - begin).toFixed(0)} ms; memory of the process ${memory ? Math.round(Number(memory) / 1024) : "?"} MB`);
  console.log("  while tokens are counted:", await frames(page, moves(200)));
  await page.close();
  await server.stop();
}
await browser.close();
await rm(folder, { recursive: true });
