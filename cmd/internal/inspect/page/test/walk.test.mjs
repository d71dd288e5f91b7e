// The walk of docs/inspector.md: why it forgot.

import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./page.mjs";
import { folder, isAt, leave, row, shows } from "./shows.mjs";

/** The newest session of a user who has only just installed pactkit, and has one recording. */
async function last() {
  const home = join(folder, "home"), session = join(home, ".local/state/pactkit/recordings/refund");
  await mkdir(session, { recursive: true });
  await copyFile(join(root, "testdata/logs/support/refund.jsonl"), join(session, "calls.jsonl"));
  process.env.HOME = home;
  for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]) delete process.env[name];
  return ["last"];
}

shows("two minutes from a new home folder to what the agent no longer knew", last, async (page) => {
  await isAt(page, /^call 9 of 11/);
  await page.locator(".call", { hasText: "13 nodes were compacted (inferred), and replaced by" }).waitFor();
  await page.locator(".call", { hasText: "1 node that no call was sent was compacted (inferred)" }).waitFor();
  await page.locator(".gone-group summary", { hasText: "nodes were compacted" }).click();
  await page.locator(".gone-list li", { hasText: "Refund policy" }).waitFor();
  await page.locator(".entry", { hasText: "This session continues an earlier conversation" }).first().waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.insertText(".block{content~'Refund policy'}");
  await page.locator(".found", { hasText: "0 nodes at this call, matches in 7 calls" }).waitFor();
  await leave(page);
  await page.keyboard.press("p");
  await isAt(page, /^call 8 of/); // the last one that was sent it
  await row(page, "Refund policy").click();
  await page.locator(".life", { hasText: "call 9 was compacted (inferred)" }).waitFor();
  await page.locator(".life").getByRole("button", { name: "call 9" }).click();
  await page.locator(".gone", { hasText: "Left at call 9: it was compacted (inferred)" }).waitFor();
});
