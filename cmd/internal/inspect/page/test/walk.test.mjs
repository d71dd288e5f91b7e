// The walk of docs/inspector.md: why it forgot.

import { isAt, row, shows } from "./shows.mjs";

shows("two minutes from a log to what the agent no longer knew", ["testdata/logs/support/refund.jsonl"], async (page) => {
  await isAt(page, /^call 9 of 11/);
  await page.locator(".call", { hasText: "13 nodes were compacted (inferred), and replaced by" }).waitFor();
  await page.locator(".call", { hasText: "1 node that no call was sent was compacted (inferred)" }).waitFor();
  await page.locator(".gone-group summary", { hasText: "nodes were compacted" }).click();
  await page.locator(".gone-list li", { hasText: "Refund policy" }).waitFor();
  await page.locator(".entry", { hasText: "This session continues an earlier conversation" }).first().waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.insertText(".block{content~'Refund policy'}");
  await page.locator(".found", { hasText: "0 nodes at this call, matches in 7 calls" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  await isAt(page, /^call 8 of/); // the last one that was sent it
  await row(page, "Refund policy").click();
  await page.locator(".life", { hasText: "call 9 was compacted (inferred)" }).waitFor();
  await page.locator(".life").getByRole("button", { name: "call 9" }).click();
  await page.locator(".gone", { hasText: "Left at call 9: it was compacted (inferred)" }).waitFor();
});
