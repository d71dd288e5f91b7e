import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { launch, open, serve } from "./page.mjs";

const root = join(import.meta.dirname, "../../../..");
const logs = join(root, "thread/source/testdata/inspect");
const pictures = process.env.PACTKIT_PICTURES; // a folder for screenshots
let browser, folder;

before(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), "inspect-"));
});

after(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

/** Runs a test with a page that shows arguments. */
function shows(name, args, body, options) {
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

const summary = join(logs, "summary.eval");
const row = (page, text) => page.locator(".tree-row", { hasText: text });
const callText = (page) => page.locator(".call").innerText();

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

shows("a folder is a list of sessions", [logs], async (page) => {
  await page.getByRole("heading", { name: /\d sessions/ }).waitFor();
  await page.getByRole("button", { name: /summary\.eval/ }).click();
  await page.getByRole("tree").waitFor();
  await page.getByRole("button", { name: "pactkit inspect" }).click();
  await page.getByRole("heading", { name: /\d sessions/ }).waitFor();
});

shows("keys and the mouse move in time", [summary], async (page) => {
  await row(page, "^ah").waitFor();
  assert.match(await callText(page), /after the last call/);
  await page.keyboard.press("Home");
  assert.match(await callText(page), /call 1 of/);
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowRight");
  assert.match(await callText(page), /call 3 of/);
  await page.keyboard.press("k");
  assert.match(await callText(page), /call 2 of/);
  const box = await page.locator(".timeline .u-over").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 40);
  const middle = await callText(page);
  assert.doesNotMatch(middle, /call 2 of/);
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 5, box.y + 40, { steps: 5 });
  await page.mouse.up();
  assert.match(await callText(page), /call 1 of/);
});

shows("a compaction says what left, and where it went", [summary], async (page) => {
  await row(page, "^ah").waitFor();
  const calls = Number(/of (\d+)/.exec(await callText(page))[1]);
  await page.keyboard.press("Home");
  for (let n = 0; n < calls && !/compacted/.test(await callText(page)); n++) await page.keyboard.press("j");
  assert.match(await callText(page), /compacted \d+ into/);
  await page.getByRole("tab", { name: "changes" }).click();
  await page.locator(".changes.removed li").first().waitFor();
  assert.match(await page.locator(".changes.removed li .why").first().innerText(), /compacted into/);
  await picture(page, "changes");
  await page.locator(".changes.removed button").first().click();
  await page.locator(".gone").waitFor();
  assert.match(await page.locator(".gone").innerText(), /Left at call \d+: compacted/);
  await page.locator(".gone button").click();
  await page.locator(".detail", { hasText: /SUMMARY/i }).waitFor();
  await page.locator(".life button").first().click();
});

shows("a selector lights up the tree and the calls", [summary], async (page) => {
  await row(page, "^ah").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(".block+", { delay: 20 });
  await page.locator(".found.error, .found", { hasText: "must be followed by a tag" }).waitFor();
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "+tool" }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.type("tool");
  await page.locator(".tree-row.match").first().waitFor();
  assert.match(await page.locator(".found").innerText(), /\d+ nodes? at this call, matches in \d+ calls/);
  await page.locator(".tok-class").first().waitFor();
  await picture(page, "selector");
  await page.locator(".tree").focus();
  await page.keyboard.press("End");
  const last = await page.locator(".tree-row.selected").innerText();
  await page.keyboard.press("Home");
  assert.notEqual(await page.locator(".tree-row.selected").innerText(), last);
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
  await page.locator(".detail h2").waitFor();
  assert.equal(page.url(), address);
  assert.equal(await page.locator(".detail h2").innerText(), shown);
  assert.match(await callText(page), /call 2 of/);
  await page.locator(".tree-row.match").first().waitFor();
});

shows("the thread marks what a cache could use again", [summary], async (page) => {
  await row(page, "^ah").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("j");
  await page.getByRole("tab", { name: "thread" }).click();
  await page.locator(".thread li.reused").first().waitFor();
  await page.locator(".thread li.first").waitFor();
  await page.getByLabel("Format").selectOption("anthropic");
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
  await page.getByRole("button", { name: "Save as test" }).click();
  await page.locator(".actions [role=status]", { hasText: "saved.suite.txtar" }).waitFor();
  assert.match(await readFile(suite, "utf8"), /@c\d+ \.block\+user\n=> /);
  assert.deepEqual(problems, []);
  await page.close();
  await server.stop();
});

shows("two runs stand side by side", [join(root, "testdata/logs/support")], async (page) => {
  await page.locator(".sessions button.link").first().click();
  await page.getByRole("tab", { name: "compare" }).click();
  await page.getByLabel("Compare with").selectOption({ index: 1 });
  await page.locator(".compare tr.same").first().waitFor();
  assert.match(await page.locator(".panel-body").innerText(), /\d+ calls? (was|were) sent the same/);
  await picture(page, "compare");
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

const attacks = [
  "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "</script><script>alert(1)</script>", "[x](javascript:alert(1))",
  "![x](https://evil.example/x.png)", "<iframe src=https://evil.example>", "<a href='javascript:alert(1)'>x</a>", "<style>@import 'https://evil.example/x.css'</style>",
  "\u202egnp.exe", "\u001b[31mred", "data:text/html,<script>alert(1)</script>", "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>", "{{constructor.constructor('alert(1)')()}}",
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
  const rows = await page.locator(".tree-row").count();
  for (let n = 0; n < rows; n++) {
    await page.locator(".tree-row").nth(n).click();
    await page.locator(".detail h2").waitFor();
  }
  for (const tab of ["changes", "thread"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.waitForTimeout(200);
  }
  assert.equal(await page.locator("#app script, #app iframe, #app a, #app style, #app [onerror]").count(), 0);
  assert.doesNotMatch(await page.locator("#app").innerText(), /[\u202e\u001b]/);
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
  await promisify(execFile)(process.env.PACTKIT ?? "pactkit", ["inspect", "--html", name, summary]);
  const { page, problems } = await open(browser, `file://${name}`);
  await row(page, "^ah").waitFor();
  await page.keyboard.press("Home");
  assert.match(await callText(page), /call 1 of/);
  await row(page, "system").first().click();
  await page.locator(".detail .headers").waitFor();
  await page.getByRole("searchbox").fill("files");
  await page.locator(".tree-row.match").first().waitFor();
  await page.getByRole("tab", { name: "thread" }).click();
  await page.locator(".thread li").first().waitFor();
  assert.deepEqual(problems, []);
  await page.close();
});

for (const theme of ["light", "dark"]) {
  shows(`nothing is hard to reach or to see, ${theme}`, [logs], async (page) => {
    const check = async (name) => {
      await page.addScriptTag({ path: join(import.meta.dirname, "../node_modules/axe-core/axe.min.js") }).catch(() => undefined);
      const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).slice(0, 3).join(" | ")}`));
      assert.deepEqual(found, [], name);
      await picture(page, `${name}-${theme}`);
    };
    await page.getByRole("heading", { name: /\d sessions/ }).waitFor();
    await check("sessions");
    await page.getByRole("button", { name: /summary\.eval/ }).click();
    await row(page, "system").first().click();
    await page.locator(".detail .headers").waitFor();
    await check("node");
    for (const tab of ["changes", "thread"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(300);
      await check(tab);
    }
  }, { colorScheme: theme, bypassCSP: true });
}
