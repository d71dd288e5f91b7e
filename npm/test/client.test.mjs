import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import * as pactkit from "@pactkit/cli";

import { folder, LOG } from "./log.mjs";

const openai = { source: "openai" };
const SUITE = "-- cases --\n# no errors\n.block+tool{content~'Error'}\n=> (none)\n# the user\n.block+user[content~'Where']\n=> block:2\n";

async function all(generator) {
  const list = [];
  for await (const one of generator) list.push(one);
  return list;
}

test("select", async () => {
  const history = await pactkit.read(LOG, openai);
  const found = await history.select(".block+tool{content~'Error'}");
  assert.deepEqual(found.texts, ["Error: no such file"]);
  const [node] = found;
  assert.deepEqual([node.type, node.role, node.kind, node.tags, node.name], ["block", "tool", "result", ["tool"], undefined]);
  assert.deepEqual([node.members.call_id, node.cycle, node.snapshot], ["c1", 2, undefined]);
  assert.equal(String(node), 'block:3 tool result "Error: no such file"');
  assert.equal(found.map((n) => n.id).constructor, Array);
  assert.equal((await history.select(".block+nobody")).length, 0);
  const both = await history.selectAll({ user: ".block+user", call: ".block{kind=call}" });
  assert.equal(both.user.length, 2);
  assert.equal(both.call[0].name, "find");
  assert.equal((await history.select("@t0..@t-1 .block+user @mode=latest"))[0].snapshot, "@t0");
  assert.deepEqual(await history.selectAll({}), {});
});

test("changes and calls", async () => {
  const history = await pactkit.read(LOG, openai);
  const changes = await history.changes("@t0..@t-1 .block", { maxSnapshots: 2 });
  const [thanks] = (await history.select(".block{content~'Thanks'}")).ids;
  assert.ok(changes.diffs[0].added_ids.includes(thanks));
  await assert.rejects(history.changes(".block"), /no range/);
  await assert.rejects(history.select("@t0..@t-1 .block"), /use changes/);
  const calls = await history.calls();
  assert.equal(calls.length, 2);
  assert.ok(calls[0].added.length > 0 && calls[0].tokens.in > 0);
});

test("errors", async (t) => {
  const history = await pactkit.read(LOG, openai);
  await assert.rejects(history.select(".block("), (error) => {
    assert.ok(error instanceof pactkit.SelectorError && error instanceof pactkit.PactkitError);
    assert.equal(error.code, "E_SELECTOR_INVALID");
    assert.deepEqual(error.range, [7, 7]);
    return true;
  });
  assert.equal((await history.select(".block+user")).length, 2, "the worker goes on");
  await assert.rejects(pactkit.read('[{"role": "user"', openai), { code: "E_FILE_SYNTAX", line: 1 });
  await assert.rejects(pactkit.read(LOG, { source: "telnet" }), /telnet/);
  const dir = folder(t);
  await assert.rejects(pactkit.open(join(dir, "missing.json")), /no such file/);
  writeFileSync(join(dir, "junk.json"), Buffer.alloc(300, "\0\xff\x01", "latin1"));
  await assert.rejects(pactkit.open(join(dir, "junk.json")), pactkit.PactkitError);
  const two = `${JSON.stringify({ messages: LOG })}\n`.repeat(2);
  await assert.rejects(pactkit.read(two, { ...openai, name: "two.jsonl" }), /two\.jsonl: holds 2 histories/);
  await assert.rejects(pactkit.read({ big: 1n }), TypeError);
  await assert.rejects(pactkit.read([{ role: "user", content: "\ud800" }], openai), { code: "E_FILE_ENCODING" });
  assert.equal((await pactkit.read(LOG, openai)).name, "");
});

test("files, folders and search", async (t) => {
  const dir = folder(t);
  const a = join(dir, "a.json");
  writeFileSync(a, JSON.stringify(LOG));
  writeFileSync(join(dir, "b.json"), JSON.stringify(LOG.slice(0, 1)));
  const history = await pactkit.open(pathToFileURL(a), openai);
  assert.equal((await history.select(".block+user")).length, 2);
  writeFileSync(a, JSON.stringify(LOG.slice(0, 4)));
  assert.equal((await history.select(".block+user")).length, 1, "the file has changed");
  const counts = [];
  for await (const one of pactkit.histories(dir, openai)) counts.push((await one.select(".block")).length);
  assert.deepEqual(counts, [4, 1]);
  const found = await all(pactkit.grep(".block+user", pathToFileURL(dir), openai));
  assert.deepEqual(found.map((m) => basename(m.path)), ["a.json", "b.json"]);
  assert.equal(found[0].text, "Where is <a>?");
  assert.deepEqual(await all(pactkit.grep(".block+nobody", dir, openai)), []);
  assert.equal((await all(pactkit.grep(".block{kind=call}", [a], { ...openai, ever: true })))[0].first, 2);
  await assert.rejects(all(pactkit.grep(".block(", dir)), /closed/);
  for await (const match of pactkit.grep(".block", dir, openai)) {
    assert.equal(match.history, "");
    break; // the program is ended
  }
});

test("a file of several histories with a broken one", async (t) => {
  const dir = folder(t);
  mkdirSync(join(dir, "logs"));
  writeFileSync(join(dir, "logs", "a.json"), JSON.stringify(LOG));
  writeFileSync(join(dir, "logs", "b.json"), "[{");
  const each = pactkit.histories(join(dir, "logs"), openai);
  assert.equal((await (await each.next()).value.select(".block")).length, 5);
  await assert.rejects(each.next(), { code: "E_FILE_SYNTAX" });
  await assert.rejects(all(pactkit.grep(".block+user", dir, openai)), /b\.json/);
  assert.equal((await all(pactkit.grep(".block+user", dir, { ...openai, errors: "ignore" }))).length, 2);
});

test("text of all scripts comes back as it is", async (t) => {
  const content = "a\u2028b\u2029c\r\nd\u0085 😀 \0 \x7f";
  const history = await pactkit.read([{ role: "user", content }], openai);
  assert.deepEqual((await history.select(".block+user")).texts, [content]);
  const dir = folder(t);
  writeFileSync(join(dir, "a.json"), JSON.stringify([{ role: "user", content }]));
  assert.deepEqual((await all(pactkit.grep(".block+user", dir, openai))).map((m) => m.text), [content]);
});

test("suites", async (t) => {
  const history = await pactkit.read(LOG, openai);
  const report = await pactkit.test(SUITE, history);
  assert.equal(report.passed, false);
  assert.deepEqual(report.failed.map((c) => c.name), ["no errors"]);
  assert.match(String(report), /^1 passed, 1 failed\nnot ok: no errors\n/);
  const path = join(folder(t), "s.suite.txtar");
  writeFileSync(path, SUITE.replace("(none)", "block:3"));
  assert.equal((await history.test(path)).passed, true);
  const broken = await history.test("cases: none\n");
  assert.equal(broken.passed, false);
  assert.equal(broken.problems.length, 1);
});

test("a real log", async () => {
  const log = new URL("../../../../testdata/logs/support/refund.jsonl", import.meta.url);
  const history = await pactkit.open(log);
  assert.equal((await history.calls()).length, 10);
  const states = (await history.log()).filter((line) => "event" in line);
  assert.deepEqual(states.map((state) => [state.cycle, state.event.kind]), [[9, "answer"], [12, "answer"]]);
  assert.match((await history.select("@c2 .block+tool{content~'Refund policy'}")).texts[0], /^Refund policy\. 1\. Orders/);
  assert.equal((await history.select(".block+tool{content~'Refund policy'}")).length, 0, "a compaction has taken it away");
});
