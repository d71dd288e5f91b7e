// Words that neither the language nor the history has, and files that cannot be read.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import * as pactkit from "@pactkit/cli";

import { folder, LOG } from "./log.mjs";

const openai = { source: "openai" };
const cwd = fileURLToPath(new URL("..", import.meta.url));

/** Runs something and returns the warnings that it emits. */
async function warningsOf(run) {
  const seen = [];
  const see = ({ name, message }) => seen.push(`${name} ${message}`);
  process.on("warning", see);
  try {
    await run();
    await new Promise(setImmediate);
  } finally {
    process.off("warning", see);
  }
  return seen;
}

async function all(generator) {
  const list = [];
  for await (const one of generator) list.push(one);
  return list;
}

test("unknown words are warnings, once for each selector", async (t) => {
  const history = await pactkit.read(LOG, openai);
  const dir = folder(t);
  writeFileSync(join(dir, "a.json"), JSON.stringify(LOG));
  let found;
  const seen = await warningsOf(async () => {
    for (let i = 0; i < 3; i++) found = await history.select(".block+tol");
    await history.selectAll({ a: ".blok" });
    await history.changes("@t0..@t-1 .block+usr");
    await history.select(".block+nobody");
    assert.deepEqual(await all(pactkit.grep(".block{nmae='x'}", dir, openai)), []);
    await history.explain(".seg+tol");
    await history.select(".block+tool{name='x'}"); // known words
    assert.deepEqual(await all(pactkit.grep(".block+nobody", dir, openai)), []);
  });
  assert.deepEqual(seen, [
    "SelectorWarning .block+tol: unknown tag `tol`; did you mean `tool`? [correctness/unknown-tag]",
    "SelectorWarning .blok: unknown type `blok`; did you mean `block`? [correctness/unknown-type]",
    "SelectorWarning @t0..@t-1 .block+usr: unknown tag `usr`; did you mean `user`? [correctness/unknown-tag]",
    "SelectorWarning .block+nobody: no tree is known to have the tag `nobody` [correctness/unknown-tag]",
    "SelectorWarning .block{nmae='x'}: unknown word `nmae`; did you mean `name`?",
  ]);
  assert.deepEqual(found.misspelled, { tol: "tool" });
  assert.match(found.warnings[0], /^unknown tag/);
});

test("Node prints a warning", async () => {
  const script = `
    import { read } from "@pactkit/cli";
    await (await read([{ role: "user", content: "hi" }], { source: "openai" })).select(".block+usr");
  `;
  const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd });
  assert.match(stderr, /^\(node:\d+\) SelectorWarning: \.block\+usr: unknown tag `usr`; did you mean `user`\? \[correctness\/unknown-tag\]\n/);
});

test("the steps of a selector", async () => {
  const { nodes, steps } = await (await pactkit.read(LOG, openai)).explain(".seg .block+tool > .block, .block ?? .seg");
  assert.equal(nodes.length, 5);
  assert.deepEqual(steps, [
    { step: ".seg", count: 2 },
    { step: ".block+tool", count: 1 },
    { step: ".block", count: 0, empty: true },
    { step: ".block", fragment: 1, count: 5 },
    { step: ".seg", fragment: 1, side: 1 },
  ]);
});

test("errors say which file they are about", async (t) => {
  const dir = folder(t);
  const gone = join(dir, "gone.json");
  await assert.rejects(pactkit.open(gone), { name: "PactkitError", code: "E_WORKER_FILE", errno: "ENOENT", path: gone, message: `${gone}: no such file or directory [E_WORKER_FILE]` });
  await assert.rejects(pactkit.open("gone/../gone.json"), { errno: "ENOENT", path: "gone/../gone.json" });
  writeFileSync(join(dir, "a.json"), "[{");
  await assert.rejects(pactkit.open(join(dir, "a.json"), openai), { code: "E_FILE_SYNTAX", path: join(dir, "a.json"), line: 1, at: "$[0]", errno: undefined });
  await assert.rejects(pactkit.open(join(dir, "a.json", "x")), { errno: "ENOTDIR" });
  await assert.rejects(pactkit.read("[{", { ...openai, name: "mine" }), { path: "mine", message: /^mine: line 1: / });
  await assert.rejects(pactkit.open("postgres://me:secret@127.0.0.1:1/x?password=secret#1"), (error) => !JSON.stringify([error.message, error]).includes("secret"));
});

test("a folder is read file by file, and goes on after a bad file", async (t) => {
  const dir = join(folder(t), "logs");
  mkdirSync(dir);
  for (const name of ["a", "c", "d"]) writeFileSync(join(dir, `${name}.json`), JSON.stringify(LOG));
  writeFileSync(join(dir, "b.json"), '[{"role": "user", "content": 1}, {');
  const read = async (errors) => {
    writeFileSync(join(dir, "c.json"), "[]");
    let count = 0;
    for await (const history of pactkit.histories(dir, { ...openai, errors })) {
      rmSync(join(dir, "c.json"), { force: true }); // before its turn comes
      count += (await history.select(".block")).length;
    }
    return count;
  };
  await assert.rejects(read(), { code: "E_FILE_SYNTAX", path: join(dir, "b.json") });
  const seen = [];
  assert.equal(await read((error) => seen.push([error.path, error.errno])), 10);
  assert.deepEqual(seen, [[join(dir, "b.json"), undefined], [join(dir, "c.json"), "ENOENT"]]);
  assert.equal(await read("ignore"), 10);
  const warnings = await warningsOf(async () => assert.equal(await read("warn"), 10));
  assert.deepEqual(warnings.map((text) => text.slice(0, text.indexOf("json") + 4)), [`SkippedFile skipped: ${join(dir, "b.json")}`, `SkippedFile skipped: ${join(dir, "c.json")}`]);
  await assert.rejects(read("skip"), TypeError);
  await assert.rejects(all(pactkit.grep(".block", dir, { errors: "skip" })), TypeError);
  await assert.rejects(all(pactkit.histories(dir, { source: "telnet", errors: "ignore" })), /telnet/);
  assert.deepEqual(await all(pactkit.histories(join(dir, "gone"), { errors: "ignore" })), []);
});
