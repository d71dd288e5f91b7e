// Measures the page on a large history: node test/speed.mjs. It prints figures and fails for none.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, open, serve } from "./page.mjs";

const calls = 1000, perCall = 10;
const folder = await mkdtemp(join(tmpdir(), "inspect-"));
const name = join(folder, "large.jsonl");
const record = (n, more) => JSON.stringify({ sessionId: "s", uuid: `u${n}`, parentUuid: n > 0 ? `u${n - 1}` : null, timestamp: "2026-01-01T00:00:00Z", ...more }) + "\n";
let text = "", n = 0;
for (let call = 0; call < calls; call++) {
  if (call % 20 === 0) text += record(n++, { type: "user", message: { role: "user", content: `question ${call}` } });
  const uses = Array.from({ length: perCall / 2 }, (_, k) => ({ type: "tool_use", id: `t${call}.${k}`, name: "search", input: { q: `word ${call}` } }));
  text += record(n++, { type: "assistant", message: { id: `m${call}`, role: "assistant", content: uses } });
  text += record(n++, { type: "user", message: { role: "user", content: uses.map((u) => ({ type: "tool_result", tool_use_id: u.id, content: `result of ${u.id} `.repeat(5) })) } });
}
await writeFile(name, text);
const server = await serve(name);
const browser = await launch();
const { page, problems } = await open(browser, server.url);
await page.locator(".call", { hasText: `of ${(calls + 1).toLocaleString("en")}` }).waitFor({ timeout: 120_000 });
const frames = await page.evaluate(async () => {
  const times = [];
  let last = performance.now();
  dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
  for (let i = 0; i < 300; i++) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: i < 150 ? "End" : "k", bubbles: true }));
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times.slice(160).sort((a, b) => a - b);
});
console.log(`${calls} calls, ${calls * perCall} nodes: frame p50 ${frames[70].toFixed(1)} ms, p95 ${frames[133].toFixed(1)} ms; problems ${problems.length} ${problems.join("; ").slice(0,300)}`);
await browser.close();
await server.stop();
await rm(folder, { recursive: true });
