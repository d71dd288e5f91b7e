// The guide "An agent in 60 lines": its program in TypeScript, compiled strictly and run.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { binary, open } from "@pactkit/cli";

const clean = dirname(dirname(fileURLToPath(import.meta.url)));

test("the agent of the guide", async (t) => {
  const dir = mkdtempSync(join(clean, "guide-"));
  t.after(() => rmSync(dir, { recursive: true }));
  const [, source] = /```ts\n(.*?)```/s.exec(readFileSync(join(clean, "guide-agent.md"), "utf8"));
  assert.ok(source.split("\n").length <= 60);
  writeFileSync(join(dir, "agent.ts"), source);
  const config = JSON.parse(readFileSync(new URL("tsconfig.json", import.meta.url), "utf8"));
  Object.assign(config.compilerOptions, { noEmit: false, types: ["node"], lib: ["ES2022", "ESNext.Disposable"] });
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ ...config, files: ["agent.ts"] }));
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
  const tsc = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
  execFileSync(process.execPath, [tsc, "--project", dir], { stdio: "inherit" });
  const notes = join(dir, "notes.txt");
  writeFileSync(notes, "a note about orders\n".repeat(40));
  const agent = (...args) => execFileSync(process.execPath, ["agent.js", ...args], { cwd: dir, encoding: "utf8" });

  assert.equal(agent("support", "What is in the notes?"), "I have read it.\n");
  assert.match(agent("support", "And now?"), /^\(\S+: cleared by clear \.block\+tool\)\nI have read it\.\n$/);
  const address = `file:${join(dir, "sessions")}#support`;
  const before = await open(address);
  assert.equal((await before.calls()).length, 4);

  if (process.platform !== "win32") {
    renameSync(notes, `${notes}.kept`);
    execFileSync("mkfifo", [notes]); // the tool hangs
    const hung = spawn(process.execPath, ["agent.js", "support", "Once more."], { cwd: dir, stdio: "ignore" });
    const journal = join(dir, "sessions", "support.jsonl");
    while (!readFileSync(journal, "utf8").includes('"call-9"')) await new Promise((done) => setTimeout(done, 20));
    hung.kill("SIGKILL");
    rmSync(notes);
    cpSync(`${notes}.kept`, notes);
    assert.match(agent("support"), /I have read it\.\n$/);
    const texts = (await (await open(address)).select(".block+user")).texts;
    assert.equal(texts.at(-1), "Once more.");
  }

  execFileSync(binary(), ["fork", `${address}@c3`, "other"]);
  assert.match(agent("other", "What else?"), /I have read it\.\n$/);
  execFileSync(binary(), ["inspect", address, "--html", "support.html"], { cwd: dir });
  assert.ok(existsSync(join(dir, "support.html")));
});
