// Moving with the keys alone, and going back.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { callText, folder, isAt, leave, logs, row, shows, summary } from "./shows.mjs";

const tab = (page) => page.locator("[role=tab][aria-selected=true]").innerText();

shows("a session opens at its first compaction, with the conversation", [summary], async (page) => {
  await isAt(page, /^call 6 of 8/);
  await page.locator(".call", { hasText: "9 nodes were compacted, and replaced by user" }).waitFor();
  assert.equal(await tab(page), "conversation");
});

shows("without a compaction it opens where the cached prefix ends", [join(logs, "edit.eval")], async (page) => {
  await page.locator(".call", { hasText: "The cached prefix ends at" }).waitFor();
});

shows("without an event it opens at the last call that has something new", async () => {
  const name = join(folder, "same.jsonl");
  const line = JSON.stringify({ model: "m", messages: [{ role: "user", content: "again and again" }] }) + "\n";
  await writeFile(name, line + line + line);
  return [name];
}, async (page) => {
  await isAt(page, /^call 1 of 3/);
  assert.match(await page.locator(".call .delta").innerText(), /^\+1 −0 ~0$/);
});

for (const log of [summary, join(logs, "trim.eval"), "testdata/logs/support/refund.jsonl"]) {
  shows(`the line of a call and the panel count the same nodes: ${log}`, [log], async (page) => {
    await row(page, "^ah").waitFor();
    await page.keyboard.press("2");
    await page.keyboard.press("Home");
    await isAt(page, /^call 1 of/);
    const calls = Number(/of (\d+)/.exec(await callText(page))[1]);
    for (let n = 1; n <= calls; n++) {
      const [, added, left, changed] = /\+(\d+) −(\d+) ~(\d+)/.exec(await page.locator(".call .delta").innerText());
      const listed = (state) => page.locator(`.changes.${state} > li`).count();
      assert.deepEqual([Number(added), Number(left), Number(changed)], [await listed("added"), await listed("removed"), await listed("changed")], `call ${n}`);
      const here = await callText(page);
      await page.keyboard.press("j");
      if (n < calls) await page.waitForFunction((text) => document.querySelector(".which").innerText !== text, here);
    }
  });
}

shows("keys work wherever the focus is", [summary], async (page) => {
  await isAt(page, /^call 6 of 8/);
  await row(page, "system").first().click();
  assert.equal(await tab(page), "node");
  await page.keyboard.press("k");
  await isAt(page, /^call 5 of/);
  await page.getByRole("tab", { name: "changes" }).click();
  await page.keyboard.press("k");
  await isAt(page, /^call 4 of/);
  await page.locator("#panel").focus();
  await page.keyboard.press("j");
  await isAt(page, /^call 5 of/);
  await page.getByRole("button", { name: "the next call" }).focus();
  await page.keyboard.press("j");
  await isAt(page, /^call 6 of/);
});

shows("Escape leaves the bar and the field, and letters are keys again", [summary], async (page) => {
  await isAt(page, /^call 6 of 8/);
  await page.locator(".cm-content").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(".block ");
  await leave(page);
  await page.keyboard.press("k");
  await isAt(page, /^call 5 of/);
  await page.keyboard.press("f");
  await page.keyboard.type("kk");
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await isAt(page, /^call 4 of/);
  assert.equal(await page.getByRole("searchbox").inputValue(), "kk");
});

shows("? lists the keys, and Escape closes the list", [summary], async (page) => {
  await isAt(page, /^call 6 of 8/);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  assert.ok((await page.locator("dialog kbd").count()) > 12);
  await page.keyboard.press("j"); // not while the list is open
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await isAt(page, /^call 6 of/);
  await page.getByRole("button", { name: "keys" }).click();
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
});

shows("e and E go from event to event", ["testdata/logs/support/refund.jsonl"], async (page) => {
  await isAt(page, /^call 9 of 11/);
  assert.match(await page.locator(".events").innerText(), /event 2 of 2/);
  await page.keyboard.press("E");
  await isAt(page, /^call 6 of 11/);
  assert.match(await page.locator(".events").innerText(), /event 1 of 2/);
  await page.keyboard.press("E"); // there is none before
  await isAt(page, /^call 6 of 11/);
  await page.getByRole("button", { name: "the next event" }).click();
  await isAt(page, /^call 9 of 11/);
});

for (const [name, search] of [["a text", async (page) => {
  await page.getByRole("searchbox").fill("4490");
  await page.locator(".found", { hasText: /node/ }).waitFor();
}], ["a selector", async (page) => {
  await page.locator(".cm-content").click();
  await page.keyboard.type(".block{kind=call}");
  await page.locator(".found", { hasText: "matches in 9 calls" }).waitFor();
}]]) {
  shows(`n and p go from match to match across calls: ${name}`, ["testdata/logs/support/refund.jsonl"], async (page) => {
    await isAt(page, /of 11/);
    await page.keyboard.press("Home");
    await isAt(page, /^call 1 of/);
    await search(page);
    await leave(page);
    const seen = [];
    for (let n = 0; n < 3; n++) {
      const before = page.url();
      await page.keyboard.press("n");
      await page.waitForFunction((url) => location.href !== url && /node=/.test(location.href), before);
      await page.locator(".tree-row.selected.match").waitFor();
      seen.push(`${/^call \d+/.exec(await callText(page))} ${/node=([^&]+)/.exec(page.url())[1]}`);
    }
    assert.equal(new Set(seen).size, 3, seen.join("; "));
    assert.ok(new Set(seen.map((s) => s.replace(/ \S+$/, ""))).size > 1, seen.join("; "));
    await page.keyboard.press("p");
    await page.waitForFunction((want) => new RegExp(`node=${want}(&|$)`).test(location.href), seen[1].split(" ").at(-1));
  });
}

/** Stops the clock of the page so many milliseconds from now. The machine may need longer for what a user does at once. */
const stopClock = (page, ms) => page.evaluate((later) => {
  const now = performance.now() + later;
  performance.now = () => now;
}, ms);

shows("Back goes back: to the call, to the tab, to the list of sessions", [logs], async (page) => {
  await page.getByRole("button", { name: /summary\.eval/ }).click();
  await isAt(page, /^call 6 of/);
  await stopClock(page, 1100);
  await page.keyboard.press("k");
  await page.keyboard.press("k"); // one gesture
  await isAt(page, /^call 4 of/);
  await stopClock(page, 1100);
  await page.keyboard.press("2");
  await page.locator(".panel-body").waitFor();
  await page.goBack();
  await page.locator(".conversation").waitFor();
  await isAt(page, /^call 4 of/);
  await page.goBack();
  await isAt(page, /^call 6 of/);
  await page.goBack();
  await page.getByRole("heading", { name: /\d sessions/ }).waitFor();
  await page.goForward();
  await isAt(page, /^call 6 of/);
});
