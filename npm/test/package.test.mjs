// The installed packages: the launchers, the README, and the error on a platform without a program.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { binary } from "@pactkit/cli";

import { folder, LOG } from "./log.mjs";
import { README } from "./readme.mjs";

const clean = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = join(clean, "node_modules", ".bin");

function launch(name, args, options = {}) {
  return spawnSync(join(programs, name), args, { encoding: "utf8", shell: process.platform === "win32", ...options });
}

test("README", (t) => {
  assert.deepEqual(README.map((block) => block.lang), ["sh", "js", "text", "js", "text", "ts", "js"]);
  assert.match(README[0].text, /npm install CLONE\/out\/npm\/\*\.tgz$/m);
  const dir = folder(t);
  symlinkSync(join(clean, "node_modules"), join(dir, "node_modules"), "junction");
  writeFileSync(join(dir, "chat.json"), JSON.stringify(LOG));
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", README[1].text], { cwd: dir, encoding: "utf8" });
  assert.equal(printed, README[2].text);
  const live = execFileSync(process.execPath, ["--input-type=module", "-e", README[3].text], { cwd: dir, encoding: "utf8" });
  assert.equal(live, README[4].text);
});

test("launchers", () => {
  assert.match(launch("pactkit", ["version"]).stdout, /^pactkit /);
  assert.equal(launch("pactfmt", ["-"], { input: ".seg>.block" }).stdout, "@t0 (*[nodeType='seg'] > *[nodeType='block'])\n");
  assert.match(launch("pact-lsp", ["--version"]).stdout, /^pact-lsp /);
  const wrong = launch("pactkit", ["eval", ".block(", join(clean, "none")]);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^pactkit: /);
});

test("a launcher passes a signal on", async () => {
  const child = spawn(process.execPath, [join(clean, "node_modules/@pactkit/cli/bin/pactkit.js"), "worker"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write('{"worker":1}\n');
  await once(child.stdout, "data"); // the program runs
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [130, null]);
});

test("a launcher that PACTKIT_BINARY names does not start itself", () => {
  const env = { ...process.env, PACTKIT_BINARY: join(programs, "pactkit") };
  assert.match(launch("pactkit", ["version"], { env }).stdout, /^pactkit /);
  const gone = launch("pactkit", ["version"], { env: { ...env, PACTKIT_BINARY: join(clean, "gone") } });
  assert.equal(gone.status, 2);
  assert.match(gone.stderr, /^pactkit: .*gone/);
});

test("a platform without a program", (t) => {
  const dir = folder(t);
  cpSync(join(clean, "node_modules", "@pactkit", "cli"), join(dir, "node_modules", "@pactkit", "cli"), { recursive: true });
  const bin = join(dir, "node_modules", "@pactkit", "cli", "bin", "pactkit.js");
  const env = { PATH: process.env.PATH };
  const done = spawnSync(process.execPath, [bin, "version"], { encoding: "utf8", env });
  assert.equal(done.status, 2);
  assert.match(done.stderr, /^pactkit: there is no pactkit for \S+: @pactkit\/cli-\S+ is not installed\. .*go install.*\[E_NO_BINARY\]\n$/);
  const script = `import { read } from "@pactkit/cli"; await read([]).catch((e) => console.log(e.name, e.code));`;
  const client = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", env, cwd: dir });
  assert.equal(client.stdout, "BinaryNotFound E_NO_BINARY\n");
  const named = spawnSync(process.execPath, [bin, "version"], { encoding: "utf8", env: { ...env, PACTKIT_BINARY: binary() } });
  assert.match(named.stdout, /^pactkit /);
});

test("the packages: no scripts, no dependencies, one platform each", () => {
  const scope = join(clean, "node_modules", "@pactkit");
  const [main, platform] = readdirSync(scope).sort().map((name) => JSON.parse(readFileSync(join(scope, name, "package.json"), "utf8")));
  assert.equal(main.name, "@pactkit/cli");
  assert.equal(main.scripts ?? platform.scripts ?? main.dependencies ?? platform.dependencies, undefined);
  assert.equal(Object.keys(main.optionalDependencies).length, 6);
  assert.equal(main.optionalDependencies[platform.name], main.version);
  assert.deepEqual([platform.os, platform.cpu, platform.version], [[process.platform], [process.arch], main.version]);
});
