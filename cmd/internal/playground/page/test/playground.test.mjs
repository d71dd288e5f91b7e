import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { digits, launch, open } from "../../../inspect/page/test/page.mjs";

const root = join(import.meta.dirname, "../../../../..");
const folder = join(root, "out/playground");
const axe = createRequire(join(root, "cmd/internal/inspect/page/package.json")).resolve("axe-core/axe.min.js");
const pictures = process.env.PACTKIT_PICTURES; // a folder for screenshots
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8" };
let browser, server, address;

before(async () => {
  browser = await launch();
  server = createServer((req, res) => {
    const path = new URL(req.url, "http://x").pathname;
    res.setHeader("Content-Type", types[extname(path)] ?? (path === "/" ? types[".html"] : "application/octet-stream"));
    createReadStream(join(folder, path === "/" ? "index.html" : path)).on("error", () => res.writeHead(404).end()).pipe(res);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}/`;
});

after(async () => {
  await browser.close();
  server.close();
});

const hash = (q, more = "") => `#q=${encodeURIComponent(q)}${more}`;

/** Runs a test with the page, which must have no errors and make no request to another host. */
function tries(name, hash, body, options) {
  test(name, async () => {
    const { page, problems } = await open(browser, `${address}?seconds=120${hash}`, options);
    try {
      await body(page);
      assert.deepEqual(problems, []);
    } finally {
      await page.close();
    }
  });
}

const said = (page, text) => page.locator(".found", { hasText: new RegExp(`^${text}$`) }).waitFor();
const answered = (page) => page.locator("#panel[aria-busy=false]").waitFor();
const content = (page, text) => page.locator(".detail", { hasText: text }).waitFor();
const newest = hash(".block+tool", "&at=10");
const theme = (page, name) => page.locator(`html[data-theme=${name}]`).waitFor();

// The readers of logs, of over twenty kinds, are a fifth of the program, and the timeline is a twentieth.
test("all files together are sent in 3.9 MB", async () => {
  const sizes = {};
  for (const name of await readdir(folder)) {
    if (name !== "samples") {
      const bytes = await readFile(join(folder, name));
      sizes[name] = name.endsWith(".gz") ? bytes.length : gzipSync(bytes).length;
    }
  }
  const sum = Object.values(sizes).reduce((a, b) => a + b);
  assert.ok(sum <= 3_900_000, `${sum} bytes: ${JSON.stringify(sizes)}`);
});

tries("the page opens where the agent forgets the policy", "", async (page) => {
  await page.locator(".which", { hasText: "call 9 of 11" }).waitFor();
  await page.locator(".what-happened", { hasText: "13 nodes were compacted (inferred), and replaced by user “This session continues" }).waitFor();
  await said(page, "0 nodes");
  await page.locator(".playground", { hasText: "In 7 of 11 calls it finds something" }).waitFor();
  await page.getByRole("button", { name: "the previous event" }).click();
  await page.locator(".which", { hasText: "call 6 of 11" }).waitFor();
  await said(page, "1 node");
  await page.getByRole("tab", { name: "conversation" }).click();
  await page.locator(".conversation .entry", { hasText: "My kettle arrived broken" }).waitFor();
  await page.getByRole("tab", { name: "changes" }).click();
  await page.locator(".panel-body", { hasText: "Call 6 against call 5" }).waitFor();
  await page.locator(".handle.at").focus();
  await page.keyboard.press("End");
  await page.locator(".which", { hasText: "after the last call" }).or(page.locator(".which", { hasText: "call 11 of 11" })).waitFor();
  await page.locator(".bars canvas").waitFor();
});

tries("a selector is formatted, explained and evaluated on the sample", newest, async (page) => {
  await said(page, "1 node");
  await page.locator(".tree-row.match", { hasText: "39.90" }).waitFor();
  const text = await page.locator(".playground").innerText();
  assert.match(text, /blocks, anywhere in the tree, tagged "tool"/);
  assert.match(text, /canonical\s+@t0 \(\*\[nodeType='block'\]\) \+tool/);
  await page.locator(".ids button").first().click();
  await content(page, "39.90");
});

tries("what is wrong is said, and where", hash(".block[ttl<"), async (page) => {
  await page.locator(".findings .error code", { hasText: "E_SELECTOR_INVALID" }).waitFor();
  await page.locator(".cm-lintRange-error, .cm-lintPoint-error").first().waitFor({ state: "attached" });
  await page.locator(".cm-content").click();
  await page.keyboard.press("End");
  await page.keyboard.type("=1]");
  await page.locator(".findings .error").waitFor({ state: "detached" });
});

tries("the linter finds, and a correction can be taken", hash(".block+tool+tool"), async (page) => {
  await page.locator(".findings .warning").first().waitFor();
  await page.getByRole("button", { name: "use the corrected form" }).click();
  await page.locator(".findings .warning").waitFor({ state: "detached" });
  await page.locator(".cm-line", { hasText: /^\.block\+tool$/ }).waitFor();
});

tries("the words of the history complete", hash(".block", "&at=10"), async (page) => {
  await said(page, "\\d+ nodes");
  await page.locator(".cm-content").click();
  await page.keyboard.press("End");
  await page.keyboard.type("+to", { delay: 30 });
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "+tool" }).first().waitFor();
});

tries("the bar has colours, and says what a word means", hash(".block[ttl<=1]+tool"), async (page) => {
  await page.locator(".cm-content .tok-class", { hasText: ".block" }).waitFor();
  await page.locator(".cm-content .tok-number", { hasText: "1" }).waitFor();
  await page.locator(".cm-content .tok-decorator", { hasText: "+tool" }).waitFor();
  await page.locator(".cm-content .tok-property", { hasText: "ttl" }).hover();
  await page.locator(".hover", { hasText: /^ttl: How many commits/ }).waitFor();
});

tries("the past is asked, and every state has an address", hash(".block+tool{content~'Refund policy'}"), async (page) => {
  await said(page, "0 nodes");
  await page.locator(".handle.at").focus();
  await page.keyboard.press("ArrowLeft");
  await answered(page);
  await said(page, "1 node");
  await page.locator(".ids button").click();
  await content(page, "Refund policy");
  const { page: other, problems } = await open(browser, page.url());
  await content(other, "Refund policy");
  await other.locator(".which", { hasText: "call 8 of 11" }).waitFor();
  assert.deepEqual(problems, []);
  await other.close();
});

tries("the keyboard reaches everything", newest, async (page) => {
  await said(page, "1 node");
  await page.locator(".tree").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft"); // closes ^sys, or goes up
  await page.keyboard.press("End");
  await page.locator(".tree-row.selected").waitFor();
  await page.locator(".detail .headers").waitFor();
  const seen = new Set();
  await page.locator("body").press("Tab");
  for (let n = 0; n < 30; n++) {
    seen.add(await page.evaluate(() => document.activeElement?.getAttribute("role") ?? document.activeElement?.localName));
    await page.keyboard.press("Tab");
  }
  for (const want of ["select", "input", "button", "textbox", "slider", "tree", "tab"]) assert.ok(seen.has(want), `${want} is not among ${[...seen].join(" ")}`);
});

tries("a file of one's own is read, and one that cannot be is said to be", newest, async (page) => {
  await said(page, "1 node");
  const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  const own = await readFile(join(folder, "samples/kept.jsonl"), "utf8");
  await page.locator("input[type=file]").setInputFiles(file("long.jsonl", session(250)));
  await page.locator(".which", { hasText: "of 251" }).waitFor();
  await page.locator(".tree-row", { hasText: "question 0" }).waitFor();
  await page.locator("input[type=file]").setInputFiles(file("own.jsonl", own));
  await page.locator("select option", { hasText: "own.jsonl" }).waitFor({ state: "attached" });
  await page.locator(".tree-row", { hasText: "Refund policy" }).first().waitFor();
  await page.locator("input[type=file]").setInputFiles(file("bad.json", `{"a":`));
  await page.getByRole("alert").waitFor();
  await go(page, hash("^ah, ^sys"));
  await said(page, "2 nodes");
  assert.equal(await page.getByRole("alert").count(), 1, "an answer about the earlier history hides that the file cannot be read");
});

tries("numbers have the digits of the log", newest, async (page) => {
  await said(page, "1 node");
  await page.locator("input[type=file]").setInputFiles({ name: "digits.jsonl", mimeType: "application/json", buffer: Buffer.from(digits.log) });
  await page.locator(".tree-row", { hasText: "9007199254740993" }).click(); // which the sample does not have
  for (const number of digits.numbers) await content(page, number);
});

/** A log of Claude Code. */
function session(calls) {
  const out = [];
  const record = (type, message) => out.push(JSON.stringify({ type, sessionId: "s", uuid: `u${out.length}`, parentUuid: out.length > 0 ? `u${out.length - 1}` : null, timestamp: "2026-01-01T00:00:00Z", message }));
  for (let call = 0; call < calls; call++) {
    record("user", { role: "user", content: `question ${call}` });
    record("assistant", { id: `m${call}`, role: "assistant", content: [{ type: "text", text: `answer ${call}` }] });
  }
  return out.join("\n") + "\n";
}

/** Changes the address, and waits until the page has noticed. */
const go = (page, hash) => page.evaluate((h) => new Promise((done) => {
  addEventListener("hashchange", done, { once: true });
  location.hash = h;
}), hash);

tries("hostile selectors and contents do no harm", newest, async (page) => {
  await said(page, "1 node");
  for (const q of ["(".repeat(50_000), ".block ".repeat(8000), "<img src=x onerror=alert(1)>", "\u0000\ud800\u202e", ".block{content~'" + "(a*)*".repeat(2000) + "b'}", "@*".repeat(9000)]) {
    await go(page, hash(q.toWellFormed()));
    await answered(page);
    await page.locator(".findings li, [role=alert], .found:not(:empty)").first().waitFor();
  }
  await go(page, newest);
  await answered(page);
  await said(page, "1 node");
  assert.equal(await page.locator("img").count(), 0);
});

/** A worker that knows no words, and answers nothing else. */
const hanging = `onmessage = (e) => {
  if (e.data[1].words) { postMessage([e.data[0], "[]"]); return; }
  postMessage([-1, ""]);
  for (;;);
};`;

test("a program that does not answer is stopped, and the page goes on", async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  let hangs = true;
  await page.route("**/worker.js", async (route) => {
    if (!hangs) return route.continue();
    hangs = false;
    await route.fulfill({ contentType: "text/javascript", body: hanging });
  });
  await page.addInitScript(() => {
    globalThis.Worker = class extends Worker {
      constructor(url) {
        super(url);
        this.addEventListener("message", () => { globalThis.begun = true; });
      }
    };
  });
  await page.clock.install();
  await page.goto(`${address}?seconds=120`);
  while (!(await page.evaluate(() => globalThis.begun)));
  await page.clock.runFor(121_000);
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.innerText(), /was stopped/);
  await page.clock.resume();
  await page.getByRole("combobox").selectOption("kept");
  await page.locator(".tree-row", { hasText: "Refund policy" }).first().waitFor();
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  tries(`nothing is hard to reach or to see, ${scheme}`, hash(".block+tool+tool", "&at=6&node=block:3"), async (page) => {
    await page.locator(".findings .warning").first().waitFor();
    await page.locator(".tree-row.selected").waitFor();
    await theme(page, scheme);
    await page.evaluate(await readFile(axe, "utf8"));
    for (const tab of ["answer", "conversation", "changes", "node"]) {
      await page.getByRole("tab", { name: tab }).click();
      const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).slice(0, 3).join(" | ")}`));
      assert.deepEqual(found, [], tab);
    }
    await page.getByRole("tab", { name: "answer" }).click();
    if (pictures) await page.screenshot({ path: join(pictures, `playground-${scheme}.png`) });
    const other = scheme === "dark" ? "light" : "dark";
    await page.getByRole("button", { name: `use the ${other} theme` }).click();
    await theme(page, other);
  }, { colorScheme: scheme });
}

test("the policy of the page lets nothing in from elsewhere", async () => {
  const { page } = await open(browser, address);
  const refused = await page.evaluate(async () => {
    const out = [];
    addEventListener("securitypolicyviolation", (e) => out.push(e.effectiveDirective));
    await fetch("http://127.0.0.1:1/").catch(() => undefined);
    const s = document.createElement("script");
    s.textContent = "window.ran = true";
    document.body.append(s);
    while (out.length < 2) await new Promise((done) => setTimeout(done));
    return [...new Set(out), String(window.ran)];
  });
  assert.deepEqual(refused, ["connect-src", "script-src-elem", "undefined"]);
  await page.close();
});
