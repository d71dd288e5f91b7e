// Live contexts.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import * as pactkit from "@pactkit/cli";

import { folder } from "./log.mjs";

const CLOCK = "2026-01-01T00:00:00Z";

/** Returns a worker of its own, so its process can be killed. */
function own(t, options = {}) {
  const worker = new pactkit.Worker(options);
  t.after(() => worker.close());
  return worker;
}

/** Kills the process of a worker, as a lack of memory would. */
async function kill(worker) {
  const { pid } = worker;
  process.kill(pid, "SIGKILL");
  while (worker.pid === pid) await new Promise((done) => setTimeout(done, 5));
}

test("a turn of an agent", async (t) => {
  const ctx = await pactkit.context("memory:", { worker: own(t) });
  const asked = await ctx.insert("(d0,0, end)", { role: "user", content: "Where is my order?" });
  assert.deepEqual([asked.role, asked.text, ctx.newest], ["user", "Where is my order?", null]);
  const request = await ctx.render("anthropic");
  assert.deepEqual(request.messages, [{ role: "user", content: "Where is my order?" }]);
  const { nodes, commit, usage } = await ctx.answer({
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text: "On its way." }],
    stop_reason: "end_turn",
    usage: { input_tokens: 12, output_tokens: 5 },
  });
  assert.deepEqual([nodes.texts, usage.input, usage.output], [["On its way."], 12, 5]);
  assert.deepEqual([ctx.newest, ctx.last], [commit.cycle, commit]);
  assert.deepEqual((await ctx.select(".block")).texts, ["Where is my order?", "On its way."]);
  const [call] = await ctx.calls();
  assert.deepEqual([call.model, call.tokens.in], ["claude-sonnet-4-5", 12]);
  assert.ok((await ctx.changes("@t0..@t-1 .block")).diffs.length > 0);
  assert.equal((await ctx.explain(".block")).steps[0].count, 2);
  await ctx.close();
  await ctx.close();
  await assert.rejects(ctx.select(".block"), { code: "E_WORKER_CONTEXT" });
});

test("changes of nodes", async (t) => {
  const ctx = await pactkit.context("memory:", { worker: own(t), system: true, clock: new Date(CLOCK) });
  await ctx.insert("(^sys, end)", { role: "system", content: "Be brief." });
  await ctx.insert("(d0,0, end)", { id: "plan", key: "plan", content: "first" });
  await ctx.replace("#plan", { key: "plan", content: "second" });
  await ctx.pin("#plan");
  await ctx.hold("plan");
  await ctx.release("plan");
  assert.equal((await ctx.select("#plan"))[0].members.pinned, true);
  await ctx.unpin("#plan");
  await ctx.move("#plan", "(d0, end)");
  assert.equal(await ctx.delete("#none?"), undefined);
  await ctx.delete("#plan");
  assert.equal((await ctx.select("#plan")).length, 0);
  await ctx.describe({ call: { model: "gpt-4o" } });
  assert.equal((await ctx.step()).cycle, 1);
  await ctx.seal();
  await ctx.checkpoint();
  const results = await ctx.do({ insert: "(d0,0, end)", node: { role: "user", content: "a" } }, { commit: true });
  assert.deepEqual([results.length, results[0].node.role, results[1].commit.cycle], [2, "user", 2]);
  const added = await ctx.add([{ role: "user", content: "hello" }], "openai");
  assert.deepEqual(added.texts, ["hello"]);
});

test("errors have a code, a place and a hint", async (t) => {
  const ctx = await pactkit.context("memory:", { worker: own(t) });
  await assert.rejects(ctx.delete("#none"), { name: "PactkitError", code: "E_NOT_FOUND" });
  await assert.rejects(ctx.insert("(^sys, end)", { content: "x" }), { code: "E_FORBIDDEN_REGION" });
  await assert.rejects(ctx.select(".block("), (error) => error instanceof pactkit.SelectorError && error.range.length === 2);
  await assert.rejects(ctx.policy({ step: [{ clear: ".block[" }] }), { at: "$.policy.step[0].clear", hint: /expected the name/ });
  await assert.rejects(ctx.do({ nonsense: true }), { code: "E_WORKER_REQUEST" });
  await assert.rejects(pactkit.context("nowhere:#a", { worker: own(t) }), pactkit.PactkitError);
  await assert.rejects(pactkit.context(`file:${folder(t)}#a`, { must: "exist" }), { code: "E_STORE_NOT_FOUND" });
});

test("a policy, and what it did", async (t) => {
  const policy = { window: 60, "keep-last": 1, step: [{ clear: ".block+tool" }] };
  const ctx = await pactkit.context("memory:", { worker: own(t), policy });
  for (const id of ["a", "b"]) {
    await ctx.insert("(d0,0, end)", { role: "assistant", kind: "call", call_id: id, name: "read", content: "{}" });
    await ctx.insert("(d0,0, end)", { id, role: "tool", kind: "result", call_id: id, content: "a line of a file ".repeat(10) });
    await ctx.commit();
  }
  assert.deepEqual(ctx.last.changed.map(({ id, cause, rule, trigger }) => [id, cause, rule, trigger]), [["a", "cleared", "clear .block+tool", "budget"]]);
  assert.ok(ctx.last.changed[0].saved > 20);
  assert.ok(ctx.last.policy.after < ctx.last.policy.before);
  assert.match(JSON.stringify(await ctx.render("openai")), /\[cleared: read, \d+ tokens\]/);
  await ctx.policy(null);
  await ctx.policy({ window: 1000, step: [{ drop: ".block" }] });
  assert.equal((await ctx.shrink(1)).policy.trigger, "overflow");
});

test("the program writes summaries", async (t) => {
  const worker = own(t);
  const policy = { window: 35, "keep-last": 1, step: [{ summarise: "^seq .seg:depth(>1)" }] };
  let seen;
  const ctx = await pactkit.context("memory:", {
    worker,
    policy,
    async summarise(nodes) {
      seen = nodes.map((node) => node.text);
      await assert.rejects(worker.ask({ selectors: [] }), { code: "E_WORKER_BUSY" });
      if (seen.length > 1) throw new Error("no model");
      return "They spoke.";
    },
  });
  for (const text of ["one ".repeat(40), "two", "three"]) {
    await ctx.insert("(d0,0, end)", { role: "user", content: text });
    await ctx.commit();
  }
  assert.deepEqual(seen, ["one ".repeat(40)]);
  assert.deepEqual((await ctx.select("^seq .summary")).texts, ["They spoke."]);
});

test("a summary that cannot be sent has failed", async (t) => {
  const circle = {};
  circle.self = circle;
  const worker = own(t);
  for (const made of [circle, { content: 1n }, "\ud800", undefined]) {
    const ctx = await pactkit.context("memory:", { worker, policy: { window: 5, step: [{ summarise: ".block" }] }, summarise: () => made });
    await ctx.insert("(d0,0, end)", { role: "user", content: "one two three ".repeat(10) });
    assert.match((await ctx.commit()).policy.failed[0], /^summarise \.block: /);
    assert.equal((await ctx.select(".block")).length, 1);
  }
});

test("forks and rewinds", async (t) => {
  const store = `file:${folder(t)}`;
  const ctx = await pactkit.context(`${store}#a`, { worker: own(t) });
  for (const content of ["one", "two"]) {
    await ctx.insert("(d0,0, end)", { role: "user", content });
    await ctx.commit();
  }
  const fork = await ctx.fork("b#1", { at: "@c1" });
  await fork.insert("(d0,0, end)", { role: "user", content: "other" });
  await fork.commit();
  assert.deepEqual((await fork.select("@t0 .block+user")).texts, ["one", "other"]);
  assert.deepEqual((await (await pactkit.open(`${store}#b%231`)).select(".block+user")).texts, ["one", "other"]);
  assert.equal(await ctx.rewind("@c1", { keep: "old" }), "old");
  assert.deepEqual((await ctx.select(".block+user")).texts, ["one"]);
  assert.deepEqual((await (await pactkit.open(`${store}#old`)).select(".block+user")).texts, ["one", "two"]);
  const memory = await pactkit.context("memory:", { worker: own(t) });
  await memory.insert("(d0,0, end)", { role: "user", content: "one" });
  await memory.commit();
  assert.deepEqual((await (await memory.fork()).select(".block+user")).texts, ["one"]);
});

test("every name is that of a history of its own in the store, however it is opened", async (t) => {
  const at = folder(t);
  const worker = own(t);
  const base = await pactkit.context(`file:${at}/store#base`, { worker });
  await base.insert("(d0,0, end)", { role: "user", content: "base" });
  await base.commit();
  const names = ["a/b", "a//b", "/", "a/", "..", ".", "a/../a/b", "../../etc/passwd", " a ", "a@b", "a#b", "50%", "%2e", "C:\\x", "con", "会話", "🙂\u202e", "\n", "x".repeat(600)];
  for (const name of names) {
    const fork = await base.fork(name);
    await fork.insert("(d0,0, end)", { role: "user", content: name });
    await fork.commit();
    await fork.close();
  }
  for (const name of names) {
    const address = `file:${at}/store#${name.replace(/[%#]/g, encodeURIComponent)}`;
    assert.deepEqual((await (await pactkit.open(address, { worker })).select("^seq .block")).texts, ["base", name]);
    const again = await pactkit.context(address, { worker, must: "exist" });
    assert.equal(await again.rewind("@c1", { keep: `${name}~` }), `${name}~`);
    assert.deepEqual((await again.select("^seq .block")).texts, ["base"]);
  }
  assert.deepEqual(readdirSync(at), ["store"]);
});

test("a conflict says what changed", async (t) => {
  const address = `file:${folder(t)}#a`;
  const [one, two] = [await pactkit.context(address, { worker: own(t) }), await pactkit.context(address, { worker: own(t) })];
  await one.insert("(d0,0, end)", { id: "mine", content: "one" });
  await two.insert("(d0,0, end)", { id: "theirs", content: "two" });
  await two.commit();
  await assert.rejects(one.commit(), (error) => {
    assert.ok(error instanceof pactkit.Conflict);
    assert.equal(error.code, "E_STORE_CONFLICT");
    assert.ok(error.changed.added.includes("theirs"));
    assert.equal(error.changed.newest, 1);
    return true;
  });
  assert.deepEqual((await one.select(".block")).ids, ["mine"]);
  await one.reload();
  assert.deepEqual((await one.select(".block")).ids, ["theirs"]);
});

test("a worker that dies", async (t) => {
  const worker = own(t);
  const ctx = await pactkit.context(`file:${folder(t)}#a`, { worker, must: "begin", policy: { window: 1000, step: [{ drop: ".block" }] } });
  const memory = await pactkit.context("memory:", { worker });
  await ctx.insert("(d0,0, end)", { id: "kept", role: "user", content: "one" });
  await ctx.commit();
  await kill(worker);
  assert.deepEqual((await ctx.select(".block")).ids, ["kept"]); // nothing was lost, so nothing is said
  await ctx.insert("(d0,0, end)", { id: "lost", role: "user", content: "two" });
  await kill(worker);
  await assert.rejects(ctx.insert("(d0,0, end)", { role: "user", content: "three" }), (error) => {
    assert.ok(error instanceof pactkit.ContextLost && error instanceof pactkit.WorkerDied);
    assert.deepEqual([error.code, error.newest], ["E_WORKER_DIED", 1]);
    assert.match(error.hint, /insert it again/);
    return true;
  });
  assert.deepEqual((await ctx.select(".block")).ids, ["kept"]);
  await assert.rejects(memory.select(".block"), { name: "ContextLost", newest: undefined });
  await assert.rejects(memory.select(".block"), { code: "E_WORKER_CONTEXT" });
});

test("a worker that is killed at any time loses nothing that it acknowledged", async (t) => {
  const worker = own(t);
  const ctx = await pactkit.context(`file:${folder(t)}#a`, { worker });
  const kept = [];
  let deaths = 0;
  for (let i = 0; i < 60; i++) {
    const pause = (i * 7) % 13;
    const dying = i % 3 === 0 ? new Promise((done) => setTimeout(done, pause)).then(() => worker.pid && process.kill(worker.pid, "SIGKILL")).catch(() => undefined) : undefined;
    try {
      await ctx.do({ insert: "(d0,0, end)", node: { id: `n${i}`, role: "user", content: String(i) } }, { commit: true });
      kept.push(`n${i}`);
    } catch (error) {
      assert.ok(error instanceof pactkit.WorkerDied, String(error));
      deaths++;
    }
    await dying;
  }
  const found = new Set((await ctx.select(".block").catch(() => ctx.select(".block"))).ids);
  assert.deepEqual(kept.filter((id) => !found.has(id)), []);
  t.diagnostic(`${worker.starts} processes, ${deaths} errors, ${kept.length} commits acknowledged, ${found.size} kept`);
});

test("many contexts, and how long a turn takes", async (t) => {
  const worker = own(t);
  const all = await Promise.all(Array.from({ length: 1000 }, () => pactkit.context("memory:", { worker })));
  const times = [];
  for (const ctx of all) {
    const start = performance.now();
    await ctx.insert("(d0,0, end)", { role: "user", content: "hi" });
    await ctx.render("anthropic");
    await ctx.commit();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  t.diagnostic(`insert, render, commit: ${times[500].toFixed(2)} ms at the median, ${times[990].toFixed(2)} ms at 99 %`);
  assert.equal(worker.starts, 1);
});


test("one script gives the same bytes in every language", async (t) => {
  const dir = folder(t);
  const shared = (name) => readFileSync(new URL(`../live/${name}`, import.meta.url), "utf8");
  const policy = { window: 90, "keep-last": 1, step: [{ clear: ".block+tool" }] };
  const ctx = await pactkit.context(`file:${dir}#script`, { clock: CLOCK, system: true, policy, worker: own(t) });
  for (const line of shared("script.jsonl").trim().split("\n")) {
    const [[method, argument], [, second] = []] = Object.entries(JSON.parse(line));
    await (argument === true ? ctx[method]() : ctx[method](argument, second));
  }
  assert.equal(readFileSync(join(dir, "script.jsonl"), "utf8"), shared("journal.jsonl"));
});

test("a watch has everything at first, and then what commits change", async (t) => {
  const worker = own(t);
  const address = `file:${folder(t)}#a`;
  const ctx = await pactkit.context(address, { worker });
  const other = await pactkit.context(address, { worker });
  const watch = ctx.watch(".block+user");
  const stored = ctx.watch(".block+user", { stored: true, everyMs: 1 });
  assert.deepEqual([(await watch.changes()).cycle, (await stored.changes()).first], [null, false]);
  await ctx.insert("(d0,0, end)", { role: "user", content: "One.", ttl: 3 });
  await ctx.commit();
  const first = await watch.changes();
  assert.deepEqual([first.first, first.cycle, first.added.texts], [true, 1, ["One."]]);
  await other.reload();
  await other.insert("(d0,0, end)", { role: "user", content: "Two." });
  await other.commit();
  const seen = [];
  for await (const change of stored) {
    seen.push([change.added.texts, change.changed.map(({ node, fields }) => [node.text, ...fields])]);
    if (change.cycle === 2) break;
  }
  assert.deepEqual(seen, [[["One.", "Two."], []]]);
  assert.equal((await watch.changes()).added.length, 0);
  await ctx.reload();
  assert.deepEqual((await watch.changes()).changed[0].fields, ["ttl"]);
  await kill(worker);
  assert.deepEqual((await stored.changes()).added.texts, ["One.", "Two."]);
  await assert.rejects(ctx.watch("@t-1 .block").changes(), { code: "E_SELECTOR_INVALID" });
});

test("what is closed answers nothing, and closing it again does nothing", async (t) => {
  const asking = {
    do: [], insert: ["(d0,0, end)", {}], replace: [".block", {}], move: [".block", "(d0,0, end)"], delete: [".block"], pin: [".block"], unpin: [".block"],
    hold: ["x"], release: ["x"], attach: ["(d0,0, end)", { history: "b", of: "*" }], refresh: [], stop: ["k"], add: [[], "openai"], commit: [], step: [],
    seal: [], checkpoint: [], describe: [{}], render: ["openai"], answer: [{}], prepare: [], complete: [{}], policy: [null], shrink: [1], fork: ["b"], rewind: ["@c1"], reload: [],
    select: [".block"], selectAll: [{ a: ".block" }], explain: [".block"], changes: ["@t0..@t-1 .block"], calls: [], log: [], test: ["cases: []\n"],
  };
  for (const address of ["memory:", `file:${folder(t)}#a`]) {
    const ctx = await pactkit.context(address, { worker: own(t) });
    const prototype = Object.getPrototypeOf(ctx);
    const methods = [prototype, Object.getPrototypeOf(prototype)].flatMap((o) => Object.getOwnPropertyNames(o));
    const others = ["constructor", "newest", "edition", "last", "notes", "watch", "close", "ask"];
    assert.deepEqual(new Set(methods.filter((name) => !others.includes(name))), new Set(Object.keys(asking)));
    await ctx.insert("(d0,0, end)", { content: "x" });
    await ctx.commit();
    const [closed, open] = [ctx.watch(".block"), ctx.watch(".block")];
    assert.equal((await closed.changes()).first, true);
    await closed.close();
    await closed.close();
    const error = (what) => ({ code: "E_WORKER_CONTEXT", message: `the ${what} is closed [E_WORKER_CONTEXT]` });
    await assert.rejects(closed.changes(), error("watch"));
    await assert.rejects(closed[Symbol.asyncIterator]().next(), error("watch"));
    await ctx.close();
    await ctx.close();
    for (const [name, args] of Object.entries(asking)) await assert.rejects(ctx[name](...args), error("context"), name);
    for (const watch of [open, ctx.watch(".block")]) await assert.rejects(watch.changes(), error("context"));
    await open.close();
  }
});

test("a summary that takes longer than the request may is given up", async (t) => {
  const worker = own(t, { timeoutMs: 500 });
  let goOn = () => {};
  const ctx = await pactkit.context("memory:", {
    worker,
    policy: { window: 10, step: [{ summarise: ".block" }] },
    summarise: () => new Promise((done) => (goOn = () => done("late"))),
  });
  await ctx.insert("(d0,0, end)", { role: "user", content: "one two three four five six seven eight nine ten eleven" });
  const { policy } = await ctx.commit();
  goOn();
  assert.match(policy.failed[0], /longer than the request may/);
  assert.equal((await ctx.select(".block")).length, 1);
});
