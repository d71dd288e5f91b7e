// The page in Debian's Firefox, driven by WebDriver BiDi: what is shown, keys alone, axe-core, and the page in one file.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { launch } from "puppeteer-core";
import { digits, program, root, serve } from "./page.mjs";

const logs = "thread/source/testdata/inspect";
const executablePath = process.env.PACTKIT_FIREFOX ?? ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);
if (!executablePath) throw new Error("no Firefox: install Debian's package firefox-esr, or name a program with PACTKIT_FIREFOX");
const folder = await mkdtemp(join(tmpdir(), "inspect-"));
const browser = await launch({ browser: "firefox", executablePath, headless: true, timeout: 120_000, env: { ...process.env, HOME: folder } });
const axe = await readFile(join(import.meta.dirname, "../node_modules/axe-core/axe.min.js"), "utf8");
const pictures = process.env.PACTKIT_PICTURES; // a folder for screenshots

after(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** A page of Firefox that fails the test if it has an error or shows a dialog. */
async function open(url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const problems = [];
  page.on("pageerror", (e) => problems.push(e.message));
  page.on("dialog", (d) => {
    problems.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  await page.setViewport({ width: 1400, height: 900 });
  await page.goto(url);
  return { page, problems };
}

/** Runs a test with a page that shows arguments. */
function shows(name, args, body) {
  test(name, async () => {
    const server = await serve(...args);
    const { page, problems } = await open(server.url);
    try {
      await body(page);
      assert.deepEqual(problems, []);
    } finally {
      await page.close();
      await server.stop();
    }
  });
}

/** Waits until an element that a CSS selector finds has a text. */
const has = (page, selector, text) => page.waitForFunction((s, t) => [...document.querySelectorAll(s)].some((e) => e.innerText.replace(/\s+/g, " ").includes(t)), {}, selector, text);
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };
const there = (page, selector) => page.waitForSelector(selector);
const tab = (page, name) => page.click(`#tab-${name}`);
const panels = [["conversation", ".entry"], ["changes", ".changes li"], ["window", ".shares .share"], ["node", ".detail .headers"], ["request", ".thread li"]];

shows("the page shows a session, and selectors run", [join(logs, "summary.eval")], async (page) => {
  await has(page, ".which", "call 6 of 8");
  await has(page, ".call", "9 nodes were compacted, and replaced by user");
  await there(page, ".bars canvas");
  await has(page, ".tree-row", "system");
  await page.click(".tree-row:nth-child(3)");
  for (const [name, shown] of panels) {
    await tab(page, name);
    await there(page, shown);
  }
  await page.click(".cm-content");
  await page.keyboard.type(".block+user");
  await there(page, ".tree-row.match");
  await has(page, ".found", "at this call");
});

shows("keys alone reach everything", [join(logs, "summary.eval")], async (page) => {
  await has(page, ".which", "call 6 of 8");
  await press(page, "Home");
  await has(page, ".which", "call 1 of 8");
  await press(page, "j", "ArrowRight", "k");
  await has(page, ".which", "call 2 of 8");
  await press(page, "e");
  await has(page, ".which", "call 6 of 8");
  await press(page, "2");
  await there(page, ".changes li");
  await press(page, "t", "Home", "ArrowDown");
  await there(page, ".tree-row.selected");
  await press(page, "?");
  await there(page, "dialog[open]");
  await press(page, "Escape");
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  await there(page, ".cm-content");
  await press(page, "/");
  await page.keyboard.type(".block");
  await there(page, ".tree-row.match");
  await press(page, "Escape", "Escape");
  await page.waitForFunction(() => !document.activeElement.closest(".bar-editor"));
  await page.focus(".handle.at");
  await press(page, "End");
  await has(page, ".which", "after the last call");
  const reached = new Set();
  await page.focus(".top .name");
  for (let n = 0; n < 30; n++) {
    reached.add(await page.evaluate(() => document.activeElement.getAttribute("role") ?? document.activeElement.localName));
    await press(page, "Tab");
  }
  for (const want of ["button", "textbox", "input", "slider", "tree", "tab", "tabpanel"]) assert.ok(reached.has(want), `${want} is not among ${[...reached].join(" ")}`);
});

for (const theme of ["light", "dark"]) {
  shows(`nothing is hard to reach or to see, ${theme}`, [logs], async (page) => {
    await there(page, ".session-rows .link");
    if ((await page.evaluate(() => document.documentElement.dataset.theme)) !== theme) await page.click("[aria-label^='use the']");
    await page.waitForFunction((t) => document.documentElement.dataset.theme === t, {}, theme);
    await page.evaluate(axe);
    const check = async (name) => {
      for (const width of [1400, 800, 390]) {
        await page.setViewport({ width, height: 900 });
        await page.waitForFunction((w) => innerWidth === w && document.documentElement.scrollWidth <= w && !document.querySelector(".stale"), {}, width); // nothing is wider
        const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).slice(0, 3).join(" | ")}`));
        assert.deepEqual(found, [], `${name}, ${width} px`);
        if (pictures) await page.screenshot({ path: join(pictures, `firefox-${name}-${width}-${theme}.png`) });
      }
    };
    await check("sessions");
    await page.evaluate(() => [...document.querySelectorAll(".session-rows .link")].find((b) => b.innerText.startsWith("summary.eval")).click());
    await has(page, ".tree-row", "system");
    await page.evaluate(() => document.querySelector(".tree-row:nth-child(3)").click());
    for (const [name, shown] of panels) {
      await tab(page, name);
      await there(page, shown);
      await check(name);
    }
  });
}

test("numbers have the digits of the log, also in one file", async () => {
  const log = join(folder, "digits.jsonl"), file = join(folder, "digits.html");
  await writeFile(log, digits.log);
  await promisify(execFile)(program, ["inspect", "--html", file, log]);
  const server = await serve(log);
  for (const url of [server.url, `file://${file}`]) {
    const { page, problems } = await open(url);
    await has(page, ".which", "of 1");
    await there(page, "details.tool summary");
    await page.click("details.tool summary");
    for (const number of digits.numbers) await has(page, ".members dd", number);
    await tab(page, "request");
    for (const number of digits.numbers) await has(page, ".thread li", number);
    assert.deepEqual(problems, []);
    await page.close();
  }
  await server.stop();
});

test("the page in one file works without a process", async () => {
  const name = join(folder, "one.html");
  await promisify(execFile)(program, ["inspect", "--html", name, join(logs, "summary.eval")], { cwd: root });
  const { page, problems } = await open(`file://${name}`);
  await has(page, ".which", "call 6 of 8");
  for (const [name, shown] of panels) {
    if (name === "node") continue;
    await tab(page, name);
    await there(page, shown);
  }
  assert.deepEqual(problems, []);
  await page.close();
});
