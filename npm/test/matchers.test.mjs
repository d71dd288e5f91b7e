import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { read } from "@pactkit/cli";
import { toSelect } from "@pactkit/cli/matchers";
import { expect } from "expect"; // that of Jest

import { folder, LOG } from "./log.mjs";

const openai = { source: "openai" };
const clean = dirname(dirname(fileURLToPath(import.meta.url)));

expect.extend({ toSelect });

test("the matcher in Jest's expect", async (t) => {
  await expect(LOG).toSelect(".block+user", openai);
  await expect(LOG).toSelect(".block+user", { ...openai, min: 2, max: 2 });
  await expect({ messages: LOG }).not.toSelect(".block+user{content~'Goodbye'}", openai);
  await expect(JSON.stringify(LOG)).toSelect(".block+tool", openai);
  await expect(await read(LOG, openai)).toSelect(".block{kind=call}", { max: 1 });
  const path = join(folder(t), "a.json");
  writeFileSync(path, JSON.stringify(LOG));
  await expect(path).toSelect(".block+tool", openai);
  const failing = expect(LOG).toSelect(".block+user", { ...openai, max: 0 });
  await assert.rejects(failing, { message: '.block+user selects 2 nodes, expected 0\n  block:2 user text "Where is <a>?"\n  block:7 user text "Thanks."' });
  await assert.rejects(expect(LOG).toSelect(".seg .block+tool > .block", openai), {
    message: `.seg .block+tool > .block selects 0 nodes, expected at least 1
  nodes left after each step:
         2  .seg
         1  .block+tool
         0  .block  <- nothing is left here`,
  });
  await assert.rejects(expect(LOG).toSelect(".block", { ...openai, max: 2 }), /selects 5 nodes, expected at most 2/);
  await assert.rejects(expect(LOG).not.toSelect(".block", openai), /selects 5 nodes, expected not at least 1/);
  await assert.rejects(expect(LOG).toSelect(".block(", openai), { code: "E_SELECTOR_INVALID" });
  await assert.rejects(expect(undefined).toSelect(".block"), /needs a history, a path, or a log/);
});

test("a misspelled word fails, with and without not", async () => {
  const message = `.block+tol has a misspelled word, and selects 0 nodes
  unknown tag \`tol\`; did you mean \`tool\`? [correctness/unknown-tag]
  nodes left after each step:
         0  .block+tol  <- nothing is left here`;
  await assert.rejects(expect(LOG).toSelect(".block+tol", openai), { message });
  await assert.rejects(expect(LOG).not.toSelect(".block+tol", openai), { message });
  await assert.rejects(expect(LOG).toSelect(".block+tol", { ...openai, max: 0 }), { message });
});

/** Runs a test file with Vitest. It is below the clean folder, so the packages are found. */
function vitest(t, source) {
  const dir = mkdtempSync(join(clean, "vitest-"));
  t.after(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "agent.test.js"), source);
  const program = fileURLToPath(new URL("vitest.mjs", import.meta.resolve("vitest/package.json")));
  return spawnSync(process.execPath, [program, "run", "--root", dir, "--no-color"], { encoding: "utf8", env: { ...process.env, CI: "1" } });
}

test("Vitest: the block of the README", async (t) => {
  const { README } = await import("./readme.mjs");
  const done = vitest(t, README.at(-1).text);
  assert.match(done.stdout, /Tests +1 passed \(1\)/, done.stdout + done.stderr);
});

test("Vitest: a test that fails says why", (t) => {
  const done = vitest(t, `
    import "@pactkit/cli/vitest";
    import { expect, test } from "vitest";
    test("too many", async () => {
      await expect([{ role: "user", content: "hi" }]).toSelect(".block+user", { source: "openai", max: 0 });
    });
  `);
  assert.match(done.stdout, /Tests +1 failed \(1\)/, done.stdout + done.stderr);
  assert.match(done.stderr, /Error: \.block\+user selects 1 node, expected 0\n +block:2 user text "hi"/);
});

test("Vitest: a misspelled word fails a test that expects nothing", (t) => {
  const done = vitest(t, `
    import "@pactkit/cli/vitest";
    import { expect, test } from "vitest";
    test("no error", async () => {
      await expect([{ role: "user", content: "hi" }]).not.toSelect(".block+tol{content~'Error'}", { source: "openai" });
    });
  `);
  assert.match(done.stdout, /Tests +1 failed \(1\)/, done.stdout + done.stderr);
  assert.match(done.stderr, /has a misspelled word, and selects 0 nodes\n +unknown tag `tol`; did you mean `tool`\?/);
});

test("the declarations", () => {
  const program = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
  execFileSync(process.execPath, [program, "--project", join(clean, "test")], { stdio: "inherit" });
});

test("no result is any", () => {
  const dist = join(clean, "node_modules", "@pactkit", "cli", "dist");
  for (const file of readdirSync(dist).filter((name) => name.endsWith(".d.ts"))) {
    const code = readFileSync(join(dist, file), "utf8").replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
    const allowed = file === "vitest.d.ts" ? ["any"] : []; // Vitest's own interface, which it adds a member to
    assert.deepEqual(code.match(/\bany\b/g) ?? [], allowed, file);
  }
});
