// What the program does with selectors and histories in a run of its own.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import * as pactkit from "@pactkit/cli";

import { folder, LOG } from "./log.mjs";

test("selectors", async () => {
  assert.equal(await pactkit.format(".block+tool"), "@t0 (*[nodeType='block']) +tool");
  const [finding] = await pactkit.lint(".block{content~'a'}, .block{content~'a'}");
  assert.deepEqual([typeof finding.rule, finding.range.start.line], ["string", 1]);
  assert.deepEqual(await pactkit.lint(".block"), []);
  assert.match(await pactkit.explain(".block+tool"), /tagged "tool"/);
  assert.match(await pactkit.explain("E_SEALED"), /E_SEALED/);
  await assert.rejects(pactkit.format(".block("), pactkit.PactkitError);
});

test("histories: render, diff and trace", async (t) => {
  const path = join(folder(t), "chat.json");
  writeFileSync(path, JSON.stringify(LOG));
  for (const history of [await pactkit.open(path, { source: "openai" }), await pactkit.read(LOG, { source: "openai" })]) {
    assert.deepEqual((await history.render("openai")).at(-1), LOG.at(-1));
    const { added } = await history.diff("@c1", "@t0");
    assert.ok(added.length > 0);
    const { now, events } = await history.trace(added.at(-1));
    assert.deepEqual([now, events[0].what], ["present", "entered"]);
    await assert.rejects(history.diff("@c100", "@t0"), { code: "E_SNAPSHOT_UNKNOWN" });
    await assert.rejects(history.trace("none"), pactkit.PactkitError);
  }
});
