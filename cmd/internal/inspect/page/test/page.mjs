// Starts pactkit inspect and a browser for the tests.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

/** The program, built by make check-browser. */
export const program = process.env.PACTKIT ?? "pactkit";

/** The folder of the repository, in which the program runs. */
export const root = join(import.meta.dirname, "../../../../..");

/** Debian's Chromium, or the program that PACTKIT_CHROMIUM names. */
const browserPath = process.env.PACTKIT_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

export async function launch() {
  if (!browserPath) throw new Error("no Chromium: install Debian's package chromium, or name a program with PACTKIT_CHROMIUM");
  return chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"], timeout: 120_000 });
}

/** Serves arguments, and returns the address with its token and a function that ends it. */
export function serve(...args) {
  const child = spawn(program, ["inspect", "--no-open", ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let out = "", err = "";
    child.stdout.on("data", (d) => {
      out += d;
      const line = /^(http:\S+)\n/m.exec(out);
      if (line) resolve({ url: line[1], pid: child.pid, stop: () => new Promise((done) => { child.on("exit", done); child.kill("SIGINT"); }) });
    });
    child.stderr.on("data", (d) => { err += d; });
    child.on("exit", (code) => reject(new Error(`pactkit inspect ended with ${code}: ${err}`)));
  });
}

/** A page that fails the test if a script of the content runs, or the page has an error. */
export async function open(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.setDefaultTimeout(300_000); // the machine may be busy
  const problems = [];
  page.on("pageerror", (e) => problems.push(e.message));
  page.on("dialog", (d) => {
    problems.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  page.on("request", (r) => {
    if (!/^(http:\/\/127\.0\.0\.1[:/]|ws:\/\/127\.0\.0\.1[:/]|data:|file:|blob:)/.test(r.url())) problems.push(`request: ${r.url()}`);
  });
  page.setDefaultTimeout(120_000); // of a machine that does much else
  await page.goto(url);
  return { page, problems };
}

/** A log with numbers whose digits JavaScript does not keep, and these numbers. */
export const digits = {
  log: `{"model":"m","messages":[{"role":"user","content":"Refund it."},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"refund","input":{"order":9007199254740993,"amount":39.90,"rate":1.0}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]}]}\n`,
  numbers: ["9007199254740993", "39.90", "1.0"],
};
