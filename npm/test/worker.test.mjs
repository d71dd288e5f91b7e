import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import * as pactkit from "@pactkit/cli";

import { folder, LOG } from "./log.mjs";

const run = promisify(execFile);

/** Returns a worker that misbehaves as a request tells it to. */
function broken(t, options = {}) {
  const program = fileURLToPath(new URL("broken.mjs", import.meta.url));
  const worker = new pactkit.Worker({ binary: [process.execPath, program, join(folder(t), "mark")], ...options });
  t.after(() => worker.close());
  return worker;
}

test("a worker that dies is started again", async (t) => {
  const worker = broken(t);
  const answer = await worker.ask({ log: "ONCE", selectors: [] });
  assert.equal(answer.error.code, "E_FILE_SYNTAX");
  assert.equal(worker.starts, 2);
  await assert.rejects(worker.ask({ log: "CRASH", selectors: [] }), (error) => {
    assert.ok(error instanceof pactkit.WorkerDied);
    assert.match(error.message, /signal SIGKILL.*out of memory/);
    return true;
  });
  assert.equal(worker.starts, 3);
  await assert.rejects(worker.ask({ log: "JUNK", selectors: [] }), /not an answer/);
  await assert.rejects(worker.ask({ log: "HALF", selectors: [] }), pactkit.WorkerDied);
  const history = await pactkit.read(LOG, { source: "openai", worker });
  assert.equal((await history.select(".block+user")).length, 2);
});

test("a worker that hangs is killed", async (t) => {
  const worker = broken(t, { graceMs: 1 });
  await worker.ask({ log: LOG, from: "openai", selectors: [] });
  worker.timeoutMs = 100;
  await assert.rejects(worker.ask({ log: "HANG", selectors: [] }), pactkit.WorkerTimeout);
  worker.timeoutMs = undefined;
  const answer = await worker.ask({ log: LOG, from: "openai", selectors: [] });
  assert.equal(answer.histories.length, 1);
  assert.equal(worker.starts, 2);
});

test("a request that takes too long is given up by the worker", async (t) => {
  const worker = new pactkit.Worker({ timeoutMs: 1, graceMs: 60_000 });
  t.after(() => worker.close());
  const log = Array.from({ length: 20_000 }, (_, i) => LOG[i % 2 ? 4 : 0]);
  await assert.rejects(pactkit.read(log, { source: "openai", worker }), (error) => {
    assert.ok(error instanceof pactkit.WorkerTimeout);
    assert.equal(error.code, "E_WORKER_TIMEOUT");
    return true;
  });
  assert.equal(worker.starts, 1);
});

test("requests made at once are answered in order", async (t) => {
  const worker = new pactkit.Worker();
  t.after(() => worker.close());
  const request = { id: 0, log: LOG, from: "openai", selectors: [".block"] };
  const asked = Array.from({ length: 20 }, (_, i) => worker.ask(Object.assign(request, { id: [i, "x"] })));
  assert.deepEqual((await Promise.all(asked)).map((answer) => answer.id[0]), [...asked.keys()]);
  assert.equal(worker.starts, 1);
  await worker.close();
  assert.deepEqual((await worker.ask({ selectors: [] })).error.code, "E_WORKER_REQUEST");
  assert.equal(worker.starts, 2);
});

test("a request that is too long", async (t) => {
  const worker = new pactkit.Worker({ maxBytes: 1000 });
  t.after(() => worker.close());
  await assert.rejects(worker.result({ log: "x".repeat(2000), selectors: [] }), { code: "E_WORKER_LINE" });
});

test("a program that is missing, or is another one", async (t) => {
  const missing = new pactkit.Worker({ binary: join(folder(t), "gone") });
  await assert.rejects(missing.ask({ selectors: [] }), { name: "BinaryNotFound", code: "E_NO_BINARY" });
  const other = new pactkit.Worker({ binary: [process.execPath, "-e", ""] });
  await assert.rejects(other.ask({ selectors: [] }), pactkit.WorkerDied);
  const chatty = new pactkit.Worker({ binary: [process.execPath, "-e", "console.log('{}\\n{}')"] });
  await assert.rejects(chatty.ask({ selectors: [] }), /speaks another protocol/);
});

test("a worker does not keep Node running", async () => {
  const script = `
    import { binary, read, Worker } from "@pactkit/cli";
    const history = await read([{ role: "user", content: "hi" }], { source: "openai" });
    console.log((await history.select(".block+user")).texts[0]);
  `;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd });
  assert.equal(stdout, "hi\n");
});
