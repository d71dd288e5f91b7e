import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, posix, relative, sep } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "../../cmd/internal/inspect/page/test/page.mjs";

const folder = join(import.meta.dirname, "../../out/site");
const pictures = process.env.PACTKIT_PICTURES; // a folder for screenshots
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json", ".svg": "image/svg+xml" };
let browser, server, address;

before(async () => {
  browser = await launch();
  server = createServer((req, res) => {
    let path = decodeURIComponent(new URL(req.url, "http://x").pathname);
    if (path.endsWith("/")) path += "index.html";
    res.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
    createReadStream(join(folder, path)).on("error", () => res.writeHead(404).end()).pipe(res);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}/`;
});

after(async () => {
  await browser.close();
  server.close();
});

/** The pages of the site, by their paths. */
async function pages() {
  const out = new Map();
  for (const file of await readdir(folder, { recursive: true })) {
    if (file.endsWith(".html")) out.set(file.split(sep).join("/"), readFileSync(join(folder, file), "utf8"));
  }
  return out;
}

const entities = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const plain = (s) => s.replace(/&(amp|lt|gt|quot|#39);/g, (e) => entities[e]);

test("every link leads to a page and a heading that are there, and nothing is loaded from elsewhere", async () => {
  const all = await pages();
  const ids = new Map([...all].map(([name, text]) => [name, new Set([...text.matchAll(/\s(?:id|name)="([^"]*)"/g)].map((m) => plain(m[1])))]));
  const wrong = [];
  let links = 0;
  for (const [name, text] of all) {
    if (name === "404.html") continue; // its links are from the root of the server
    for (const [, element, attribute, value] of text.matchAll(/<(\w+)\b[^>]*?\s(href|src)="([^"]*)"/g)) {
      const target = plain(value);
      if (target.startsWith("data:")) continue;
      if (/^[a-z]+:|^\/\//.test(target)) {
        if (element !== "a") wrong.push(`${name}: ${element} ${attribute} is elsewhere: ${target}`);
        continue;
      }
      links++;
      const [path, hash] = target.split("#", 2);
      let to = path === "" ? name : posix.join(posix.dirname(name), decodeURIComponent(path));
      if (to.endsWith("/") || to === ".") to = posix.join(to, "index.html");
      if (!existsSync(join(folder, to))) wrong.push(`${name}: there is no ${target}`);
      else if (hash && ids.has(to) && !to.startsWith("playground/") && !hash.startsWith("__") && !ids.get(to).has(decodeURIComponent(hash))) wrong.push(`${name}: there is no heading ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(links > 5000, `${links} links`);
});

test("no page has a date of its making", async () => {
  for (const [name, text] of await pages()) assert.doesNotMatch(text, /git-revision-date|Last update|build-date/i, name);
  const files = await readdir(folder);
  assert.ok(!files.some((f) => f.startsWith("sitemap")), relative(".", folder));
});

/** Runs a test with a page of the site, which must have no errors and make no request to another host. */
function shows(name, path, body, options) {
  test(name, async () => {
    const { page, problems } = await open(browser, address + path, options);
    try {
      await body(page);
      assert.deepEqual(problems, []);
    } finally {
      await page.close();
    }
  });
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

shows("the start page leads to the guide", "", async (page) => {
  await picture(page, "site-start");
  await page.getByRole("link", { name: "the guide", exact: true }).first().click();
  await page.waitForURL(/\/guide\/$/);
  await page.getByRole("heading", { level: 1 }).waitFor();
});

shows("the search finds a word without a server", "", async (page) => {
  await page.getByRole("textbox", { name: "Search" }).pressSequentially("ttl"); // the page reads the text when a key is released
  await page.locator(".md-search-result__item a").first().waitFor();
  await picture(page, "site-search");
});

shows("a word has an address, and its examples lead to the playground", "words/attribute-ttl/", async (page) => {
  assert.match(await page.getByRole("heading", { level: 1 }).innerText(), /ttl/);
  await picture(page, "site-word");
  await page.getByRole("link", { name: "Try it" }).first().click();
  await page.locator(".cm-content", { hasText: ".block[ttl<=1]" }).waitFor();
  await page.locator(".playground .found", { hasText: "node" }).waitFor();
});

shows("a rule and a code have addresses", "rules/correctness/limit-zero/", async (page) => {
  assert.match(await page.getByRole("heading", { level: 1 }).innerText(), /correctness\/limit-zero/);
  await picture(page, "site-rule");
  await page.goto(`${address}codes/E_TIME_REQUIRED/`);
  assert.match(await page.getByRole("heading", { level: 1 }).innerText(), /E_TIME_REQUIRED/);
}, { colorScheme: "dark" });
