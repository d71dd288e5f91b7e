import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { open, program, root, serve } from "./page.mjs";
import { browser, callText, folder, goTo, isAt, logs, panels, picture, row, settled, shows, summary } from "./shows.mjs";

shows("a folder is a list of sessions", [logs], async (page) => {
  await page.getByRole("heading", { name: /\d sessions/ }).waitFor();
  await page.getByRole("button", { name: /summary\.eval/ }).click();
  await page.getByRole("tree").waitFor();
  await page.getByRole("button", { name: "pactkit inspect" }).click();
  await page.getByRole("heading", { name: /\d sessions/ }).waitFor();
});

shows("the list of sessions is searched, narrowed and sorted", [logs], async (page) => {
  await page.getByRole("heading", { name: /^\d+ sessions$/ }).waitFor();
  const names = () => page.locator(".session-rows .name .link").allInnerTexts();
  const all = await names();
  assert.ok(all.length > 2 && all.every((n) => !n.includes(logs)), all.join(", "));
  await page.getByRole("button", { name: /^Session/ }).click();
  assert.deepEqual(await names(), all.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  assert.equal(await page.locator("[role=columnheader].name").getAttribute("aria-sort"), "ascending");
  await page.getByRole("searchbox").fill("SUMM eval");
  await page.getByRole("heading", { name: /^1 of \d+ sessions$/ }).waitFor();
  assert.deepEqual(await names(), ["summary.eval#1"]);
  await page.getByRole("combobox", { name: "what happened" }).selectOption("cannot be read");
  await page.getByText("No session is like that.").waitFor();
  await page.getByRole("combobox", { name: "what happened" }).selectOption("all sessions");
  await page.locator(".session-rows .link").first().focus();
  await page.getByRole("searchbox").fill("");
  await page.locator(".session-rows .link").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-row") === "1");
  await page.keyboard.press("Enter");
  await page.getByRole("tree").waitFor();
  await page.getByRole("button", { name: "pactkit inspect" }).click();
  assert.equal(await page.locator("[role=columnheader].name").getAttribute("aria-sort"), "ascending"); // as it was left
});

shows("keys and the mouse move in time", [summary], async (page) => {
  await isAt(page, /of 8/);
  await page.keyboard.press("Home");
  await isAt(page, /call 1 of/);
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowRight");
  await isAt(page, /call 3 of/);
  await page.keyboard.press("k");
  await isAt(page, /call 2 of/);
  const box = await page.locator(".timeline .u-over").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 40);
  await isAt(page, /call [3-9] of/);
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 5, box.y + 40, { steps: 5 });
  await page.mouse.up();
  await isAt(page, /call 1 of/);
});

for (const calls of [1, 2, 3]) {
  shows(`the timeline is as wide as its calls, with ${calls}`, async () => {
    const name = join(folder, `calls-${calls}.jsonl`);
    const messages = Array.from({ length: 2 * calls - 1 }, (_, n) => ({ role: n % 2 ? "assistant" : "user", content: `message ${n}` }));
    await writeFile(name, Array.from({ length: calls }, (_, n) => JSON.stringify({ model: "m", messages: messages.slice(0, 2 * n + 1) }) + "\n").join(""));
    return [name];
  }, async (page) => {
    await row(page, "^ah").waitFor();
    await picture(page, `calls-${calls}`);
    const bars = await page.locator(".timeline .u-over").boundingBox();
    await page.keyboard.press("Home");
    for (let n = 0; n < calls; n++) {
      await isAt(page, new RegExp(`^call ${n + 1} of ${calls}`));
      const column = await page.locator(".timeline .column").boundingBox();
      const middle = bars.x + (bars.width * (n + 0.7)) / (calls + 0.4);
      assert.ok(Math.abs(column.x + column.width / 2 - middle) < 2, `call ${n + 1}: ${column.x + column.width / 2}, not ${middle}`);
      await page.keyboard.press("j");
    }
  });
}

shows("a compaction says what left, and where it went", [summary], async (page) => {
  await row(page, "^ah").waitFor();
  await goTo(page, /9 nodes were compacted, and replaced by/);
  await picture(page, "compaction");
  await page.keyboard.press("2");
  await page.locator(".panel-body .why", { hasText: "They were compacted, and replaced by user" }).waitFor();
  await page.locator(".changes.removed button").first().click();
  await page.locator(".gone", { hasText: /Left at call \d+: it was compacted/ }).waitFor();
  await page.locator(".gone button").click();
  await page.locator(".detail", { hasText: /SUMMARY/i }).waitFor();
  await page.locator(".life button").first().click();
});

shows("agents are lanes below the session that started them", async () => {
  const project = join(folder, "project");
  await mkdir(join(project, "subagents"), { recursive: true });
  const record = (type, uuid, parentUuid, second, message, more) => JSON.stringify({ type, uuid, parentUuid, timestamp: `2026-01-01T10:00:${String(second).padStart(2, "0")}Z`, sessionId: "s", ...more, message }) + "\n";
  const user = (content) => ({ role: "user", content }), answer = (id, content) => ({ id, role: "assistant", content });
  await writeFile(join(project, "s.jsonl"), [
    record("user", "u1", null, 0, user("Look around.")),
    record("assistant", "a1", "u1", 1, answer("m1", [{ type: "tool_use", id: "t1", name: "Task", input: { prompt: "Count the lines." } }])),
    record("user", "r1", "a1", 6, user([{ type: "tool_result", tool_use_id: "t1", content: "Nine." }]), { toolUseResult: { status: "completed", agentId: "b2" } }),
    record("assistant", "a2", "r1", 7, answer("m2", "Nine lines.")),
  ].join(""));
  const agent = { isSidechain: true, agentId: "b2" };
  await writeFile(join(project, "subagents", "agent-b2.jsonl"), record("user", "p1", null, 2, user("Count the lines."), agent) + record("assistant", "q1", "p1", 3, answer("k1", "Nine."), agent));
  return [project];
}, async (page) => {
  await page.getByRole("heading", { name: "2 sessions" }).waitFor();
  await page.getByRole("button", { name: /#session s/ }).click();
  await picture(page, "agents");
  await page.locator(".lane").getByRole("button", { name: "agent b2, 1 call" }).click();
  await page.getByRole("button", { name: "↑ started by session s, @c1" }).click();
  await page.locator(".lane .agent").waitFor();
});

shows("a fork says where it began, and leads to its base", async () => {
  const agents = join(folder, "agents");
  const run = promisify(execFile);
  await writeFile(join(folder, "turns.jsonl"), '{"insert":"(d0,0, end)","node":{"role":"user","content":"Book a table."}}\n{"commit":true}\n');
  await run(program, ["commit", "--script", join(folder, "turns.jsonl"), "-o", `file:${agents}#dinner`]);
  await run(program, ["fork", `file:${agents}#dinner`, "lunch"]);
  return [agents];
}, async (page) => {
  await page.getByRole("heading", { name: "2 sessions" }).waitFor();
  assert.equal(await page.getByText("fork", { exact: true }).count(), 1);
  await page.getByRole("button", { name: /lunch/ }).click();
  await page.getByRole("button", { name: "↑ forked from dinner at @c1" }).click();
  await page.getByRole("tree").waitFor();
  await page.getByRole("button", { name: /forked from/ }).waitFor({ state: "detached" });
});

shows("a selector lights up the tree and the calls", [summary], async (page) => {
  await isAt(page, /of 8/);
  await page.keyboard.press("End");
  await page.keyboard.press("/");
  await page.keyboard.type(".block+", { delay: 20 });
  await page.locator(".found.error, .found", { hasText: "must be followed by a tag" }).waitFor();
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "+tool" }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.type("tool");
  await page.locator(".tree-row.match").first().waitFor();
  await page.locator(".found", { hasText: /[1-9]\d* nodes? at this call, matches in [1-9]\d* calls/ }).waitFor();
  await page.locator(".tok-class").first().waitFor();
  await page.keyboard.press("Escape");
  await picture(page, "selector");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await page.keyboard.press("End");
  const size = await page.locator(".tree-row").first().getAttribute("aria-setsize");
  await page.locator(`.tree-row.selected[aria-posinset="${size}"]`).waitFor();
  await page.keyboard.press("Home");
  await page.locator('.tree-row.selected[aria-posinset="1"]').waitFor();
});

shows("every state has an address", [summary], async (page) => {
  await row(page, "^ah").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("j");
  await row(page, "system").first().click();
  await page.getByRole("searchbox").fill("files");
  await page.waitForURL(/find=files/);
  const address = page.url();
  assert.doesNotMatch(address, /token/);
  const shown = await page.locator(".detail h2").innerText();
  await page.reload();
  await page.locator(".detail h2", { hasText: shown }).waitFor();
  assert.equal(page.url(), address);
  await isAt(page, /call 2 of/);
  await page.locator(".tree-row.match").first().waitFor();
});

shows("two handles choose a range", [summary], async (page) => {
  await isAt(page, /of 8/);
  await page.keyboard.press("End");
  const before = page.getByRole("slider", { name: "the call before it" });
  await before.focus();
  await page.keyboard.press("Home");
  await page.locator(".chip", { hasText: "against call 1" }).waitFor();
  await page.locator(".changes.added li").nth(3).waitFor();
  const box = await before.boundingBox();
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 5, { steps: 4 });
  await page.mouse.up();
  await page.locator(".chip", { hasText: /against call [2-9]/ }).waitFor();
  await page.locator(".range").waitFor();
  await page.getByRole("slider", { name: "model call" }).focus();
  await page.keyboard.press("ArrowLeft");
  await isAt(page, /call 7 of/);
  await page.locator(".chip").click();
  await page.locator(".range").waitFor({ state: "detached" });
  await page.locator(".timeline .u-over").click({ position: { x: 300, y: 60 }, modifiers: ["Shift"] });
  await page.locator(".chip", { hasText: /against call [2-3]/ }).waitFor();
  await page.locator("body").click({ position: { x: 640, y: 20 } });
  await page.keyboard.press("x");
  await page.locator(".chip").waitFor({ state: "detached" });
});

shows("what the first call was sent is new", [summary], async (page) => {
  await row(page, "^ah").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("2");
  await page.locator("#panel", { hasText: "Call 1, before which nothing was sent." }).waitFor();
  const entered = Number(/\+(\d+)/.exec(await page.locator(".call .plus").innerText())[1]);
  assert.ok(entered > 0);
  assert.equal(await page.locator(".changes.added li").count(), entered);
  assert.equal(await page.locator(".changes.removed, .changes.changed").count(), 0);
});

shows("a click writes the selector of a node", [summary], async (page) => {
  await row(page, "system").first().click();
  await page.getByRole("button", { name: "Write its selector" }).click();
  await page.locator(".found", { hasText: "1 node at this call" }).waitFor();
  assert.equal(await page.locator(".tree-row.match").count(), 1);
});

shows("the request marks what a cache could use again", [join(logs, "edit.eval")], async (page) => {
  await row(page, "^ah").waitFor();
  await goTo(page, /The cached prefix ends/);
  await page.getByRole("tab", { name: "request" }).click();
  await page.locator(".thread li.reused").first().waitFor();
  await page.locator(".thread li.first").waitFor();
  await picture(page, "cache");
  await page.getByLabel("Format").selectOption("anthropic");
  await settled(page);
  await page.locator(".thread li.reused").first().waitFor();
});

test("a case is saved, and holds", async () => {
  const suite = join(folder, "saved.suite.txtar");
  const server = await serve("--tests", suite, summary);
  const { page, problems } = await open(browser, server.url);
  await row(page, "^ah").waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.type(".block+user");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Use ▾" }).click();
  await page.getByRole("button", { name: "Save as test" }).click();
  await page.locator(".actions [role=status]", { hasText: "saved.suite.txtar" }).waitFor();
  for (const [expect, hasText] of [["how many of these leave", ".block+user => left: "], ["how often the cache breaks", "cache: {broken: "], ["the tokens of the largest call", "tokens: {max: "]]) {
    await page.getByLabel("what the test expects").selectOption(expect);
    await page.getByRole("button", { name: "Save as test" }).click();
    await page.locator(".actions [role=status]", { hasText }).waitFor();
  }
  const text = await readFile(suite, "utf8");
  for (const written of [/@c\d+ \.block\+user\n=> /, /\n\.block\+user\n=> left: /, /\n=> cache: \{broken: \d+\}\n/, /\n=> tokens: \{max: \d+\}\n/]) assert.match(text, written);
  await promisify(execFile)(program, ["test", suite], { cwd: root }); // fails unless all pass
  assert.deepEqual(problems, []);
  await page.close();
  await server.stop();
});

shows("two runs stand side by side", ["--from", "openai", "--messages", "traj", "cmd/internal/inspect/page/test/tau-bench/task-1.json"], async (page) => {
  await page.locator(".sessions button[data-row]").first().click();
  await page.getByRole("tab", { name: "compare" }).click();
  await page.getByLabel("Compare with").selectOption({ index: 1 });
  await page.locator(".compare tr.same").first().waitFor();
  assert.match(await page.locator(".panel-body").innerText(), /The runs differ from the first call on. What differs first: message/);
  await page.locator(".compare tr.only-b").first().waitFor();
  await picture(page, "runs");
});

test("a file that grows is followed", async () => {
  const name = join(folder, "grows.jsonl");
  const request = (n) => JSON.stringify({ model: "m", messages: [{ role: "user", content: "hello" }, ...Array.from({ length: n }, (_, i) => [{ role: "assistant", content: `answer ${i}` }, { role: "user", content: `more ${i}` }]).flat()] }) + "\n";
  await writeFile(name, request(0) + request(1));
  const server = await serve(name);
  const { page, problems } = await open(browser, server.url);
  await row(page, "more 0").waitFor();
  await appendFile(name, request(2));
  await row(page, "more 1").waitFor();
  assert.deepEqual(problems, []);
  await page.close();
  await server.stop();
});

test("a file that is replaced or goes away is told", async () => {
  const name = join(folder, "replaced.jsonl");
  const line = (text) => JSON.stringify({ model: "m", messages: [{ role: "user", content: text }] }) + "\n";
  await writeFile(name, line("the first file"));
  const server = await serve(name);
  const { page, problems } = await open(browser, server.url);
  await row(page, "the first file").waitFor();
  const { page: second } = await open(browser, server.url); // a second tab
  await row(second, "the first file").waitFor();
  await writeFile(`${name}.new`, line("and more"));
  await rename(`${name}.new`, name);
  for (const p of [page, second]) {
    await row(p, "and more").waitFor();
    assert.equal(await row(p, "the first file").count(), 0);
  }
  await rm(name);
  await page.locator(".error", { hasText: "no such file" }).waitFor();
  await row(page, "and more").waitFor();
  await server.stop();
  await page.locator(".error", { hasText: "has ended" }).waitFor();
  assert.deepEqual(problems, []);
  await page.close();
  await second.close();
});

test("without JavaScript the page says what helps", async () => {
  const server = await serve(summary);
  const { page } = await open(browser, server.url, { javaScriptEnabled: false });
  assert.match(await page.locator("noscript").innerText(), /pactkit log/);
  await page.close();
  await server.stop();
});

shows("a printed page has the whole tree", async () => {
  const name = join(folder, "long.jsonl");
  const messages = Array.from({ length: 101 }, (_, n) => ({ role: n % 2 ? "assistant" : "user", content: `message ${n}` }));
  await writeFile(name, JSON.stringify({ model: "m", messages }) + "\n");
  return [name];
}, async (page) => {
  await row(page, "^sys").waitFor();
  const shown = await page.locator(".tree-row").count();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await row(page, "message 100").waitFor();
  assert.ok(await page.locator(".tree-row").count() > shown);
  assert.equal(await page.getByRole("searchbox").isVisible(), false);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
});

const dot = (bytes) => ({ type: "image", source: { type: "base64", media_type: "image/gif", data: Buffer.from(bytes, "hex").toString("base64") } });

shows("images of both versions are shown", async () => {
  const name = join(folder, "images.history.json");
  const gif = (color) => dot(`47494638396101000100800000${color}0000002c00000000010001000002024401003b`);
  const snapshot = (cycle, color) => ({ cycle, root: { id: "^root", nodeType: "^root", children: [
    { id: "^sys", nodeType: "^sys", children: [] }, { id: "^seq", nodeType: "^seq", children: [] },
    { id: "^ah", nodeType: "^ah", children: [{ id: "picture", nodeType: "cb", role: "user", content: gif(color) }] },
  ] } });
  await writeFile(name, JSON.stringify({ snapshots: [snapshot(1, "ff0000"), snapshot(2, "00ff00")] }));
  return [name];
}, async (page) => {
  await isAt(page, /call 2 of 2/);
  await row(page, "image").first().click();
  await page.waitForFunction(() => {
    const list = [...document.querySelectorAll(".versions img")];
    return list.length === 2 && list.every((i) => i.complete && i.naturalWidth > 0) && list[0].src !== list[1].src;
  });
});

const attacks = [
  "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "</script><script>alert(1)</script>", "[x](javascript:alert(1))",
  "![x](https://evil.example/x.png)", "<iframe src=https://evil.example>", "<a href='javascript:alert(1)'>x</a>", "<style>@import 'https://evil.example/x.css'</style>",
  "\u202egnp.exe", "\u001b[31mred", "data:text/html,<script>alert(1)</script>", "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>", "{{constructor.constructor('alert(1)')()}}",
  "<details open ontoggle=alert(1)>", "<video><source onerror=alert(1)></video>", "<object data=javascript:alert(1)></object>", "<base href=https://evil.example/>",
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>", "[x]: javascript:alert(1)\n\n[x]",
];

shows("content is never a program", async () => {
  const name = join(folder, "hostile <img src=x onerror=alert(1)>.jsonl");
  const messages = attacks.flatMap((a) => [
    { role: "user", content: a, name: a },
    { role: "assistant", content: null, tool_calls: [{ id: a, type: "function", function: { name: a, arguments: JSON.stringify({ [a]: a }) } }] },
    { role: "tool", tool_call_id: a, content: a },
    { role: "user", content: [{ type: "image_url", image_url: { url: `data:image/svg+xml;base64,${btoa("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")}` } }] },
  ]);
  await writeFile(name, JSON.stringify({ model: attacks[0], messages: messages.slice(0, 1) }) + "\n" + JSON.stringify({ model: attacks[0], messages }) + "\n");
  return [name];
}, async (page) => {
  await row(page, "alert(1)").first().waitFor();
  await page.locator(".tree").focus();
  await page.keyboard.press("Home");
  const size = Number(await page.locator(".tree-row").first().getAttribute("aria-setsize"));
  assert.ok(size > attacks.length);
  for (let n = 1; n <= size; n++) {
    await page.locator(`.tree-row.selected[aria-posinset="${n}"]`).waitFor();
    await page.locator(".detail .headers").waitFor();
    await page.keyboard.press("ArrowDown");
  }
  for (const [tab, shown] of panels) {
    await page.getByRole("tab", { name: tab }).click();
    await page.locator(shown).first().waitFor();
  }
  assert.equal(await page.locator("#app script, #app iframe, #app a, #app style, #app object, #app base, #app meta, #app video, #app [onerror]").count(), 0);
  assert.doesNotMatch(await page.locator("#app").innerText(), /[\u202e\u001b]/);
});

shows("a text of ten million bytes is cut", async () => {
  const name = join(folder, "long-text.jsonl");
  await writeFile(name, JSON.stringify({ model: "m", messages: [{ role: "user", content: "<b>" + "ten million bytes ".repeat(600_000) }] }) + "\n");
  return [name];
}, async (page) => {
  await row(page, "ten million").click();
  await page.locator(".detail pre", { hasText: "10,600,003 more characters" }).waitFor();
  await page.getByRole("tab", { name: "request" }).click();
  await page.locator(".thread pre", { hasText: "more characters" }).waitFor();
});

test("a page of another origin gets nothing", async () => {
  const server = await serve(summary);
  const address = new URL(server.url);
  const other = createServer((_q, r) => r.setHeader("Content-Type", "text/html").end("<p>another page</p>"));
  await new Promise((done) => other.listen(0, "127.0.0.1", done));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  const token = address.hash.slice("#token=".length);
  const got = await page.evaluate(async ([at, secret]) => {
    const attempt = (f) => f().then((r) => `${r.status} ${r.type}`, (e) => String(e));
    const socket = new Promise((done) => {
      const s = new WebSocket(`${at.replace("http:", "ws:")}/lsp`);
      s.onopen = () => done("open");
      s.onerror = () => done("refused");
    });
    return [
      await attempt(() => fetch(`${at}/api/sessions`)), await attempt(() => fetch(`${at}/api/sessions`, { mode: "no-cors" })),
      await attempt(() => fetch(`${at}/api/sessions`, { headers: { Authorization: `Bearer ${secret}` } })), await socket,
    ];
  }, [address.origin, token]);
  assert.deepEqual(got, ["TypeError: Failed to fetch", "0 opaque", "TypeError: Failed to fetch", "refused"].map((want, n) => (n === 1 && /TypeError/.test(got[1]) ? got[1] : want)));
  await page.close();
  other.close();
  await server.stop();
});

test("one file shows the same without a process", async () => {
  const name = join(folder, "one.html");
  await promisify(execFile)(program, ["inspect", "--html", name, summary], { cwd: root });
  const { page, problems } = await open(browser, `file://${name}`);
  await row(page, "^ah").waitFor();
  await page.keyboard.press("Home");
  await isAt(page, /call 1 of/);
  await row(page, "system").first().click();
  await page.locator(".detail .headers").waitFor();
  await page.getByRole("searchbox").fill("files");
  await page.locator(".tree-row.match").first().waitFor();
  await page.getByRole("tab", { name: "request" }).click();
  await page.locator(".thread li").first().waitFor();
  await page.getByRole("tab", { name: "window" }).click();
  await page.locator(".shares .share").first().waitFor();
  await page.locator(".costs .total, .figures .soft").first().waitFor();
  assert.deepEqual(problems, []);
  await page.close();
});

for (const theme of ["light", "dark"]) {
  shows(`nothing is hard to reach or to see, ${theme}`, [logs], async (page) => {
    const check = async (name) => {
      await settled(page);
      await page.addScriptTag({ path: join(import.meta.dirname, "../node_modules/axe-core/axe.min.js") }).catch(() => undefined);
      const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).slice(0, 3).join(" | ")}`));
      assert.deepEqual(found, [], name);
    };
    await page.getByRole("heading", { name: /\d sessions$/ }).waitFor();
    await check("sessions");
    await page.getByRole("button", { name: /summary\.eval/ }).click();
    await row(page, "system").first().click();
    await page.locator(".detail .headers").waitFor();
    await check("node");
    for (const [tab, shown] of panels) {
      await page.getByRole("tab", { name: tab }).click();
      await page.locator(shown).first().waitFor();
      await check(tab);
    }
    await page.getByRole("tab", { name: "conversation" }).click();
    for (const fold of await page.locator(".conversation summary").all()) await fold.click();
    await check("conversation, unfolded");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await check("keys");
  }, { colorScheme: theme, bypassCSP: true });
}
