// The conversation: what it shows, what is folded, what is new, and the way to the life of a message.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { digits, program } from "./page.mjs";
import { folder, isAt, row, settled, shows, summary } from "./shows.mjs";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC";

/** A session of Claude Code with an image, a thought, an edit, and a tool that fails. */
async function session() {
  const name = join(folder, "talk.jsonl");
  const lines = [];
  const record = (type, message) => lines.push(JSON.stringify({ type, message, sessionId: "s", uuid: `u${lines.length}`, parentUuid: lines.length > 0 ? `u${lines.length - 1}` : null, timestamp: `2026-01-01T00:00:0${lines.length}Z`, version: "2.0.0", cwd: "/p" }));
  const answer = (id, content) => record("assistant", { id, type: "message", role: "assistant", model: "claude-sonnet-4-5", content, usage: { input_tokens: 9, output_tokens: 9 } });
  record("user", { role: "user", content: [{ type: "text", text: "Look at **this**:\n\n- one\n- two" }, { type: "image", source: { type: "base64", media_type: "image/png", data: png } }] });
  answer("m1", [{ type: "thinking", thinking: "The word is *beta*.", signature: "c2ln" }, { type: "text", text: "I will change it." }, { type: "tool_use", id: "toolu_1", name: "Edit", input: { file_path: "/p/note.txt", old_string: "alpha\nbeta\n", new_string: "alpha\ngamma\n" } }]);
  record("user", { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "The file has been updated." }] });
  answer("m2", [{ type: "tool_use", id: "toolu_2", name: "Bash", input: { command: "false", description: "Fail" } }]);
  record("user", { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_2", content: "Exit code 1", is_error: true }] });
  answer("m3", [{ type: "text", text: "It failed." }]);
  await writeFile(name, lines.join("\n") + "\n");
  return [name];
}

const entry = (page, hasText) => page.locator(".entry", { hasText });
const text = (page, hasText) => page.locator(".text-body", { hasText });

shows("messages are read as Markdown, with images, thoughts and edits", session, async (page) => {
  await isAt(page, /of 4/); // all have arrived
  await page.keyboard.press("Home");
  await isAt(page, /^call 1 of/);
  await settled(page);
  await page.locator(".entry .markdown strong", { hasText: "this" }).waitFor();
  await page.locator(".entry .markdown li").nth(1).waitFor();
  assert.equal(await page.locator(".entry .markdown li").count(), 2);
  await page.locator(".entry img.picture").waitFor();
  await page.keyboard.press("End");
  await entry(page, "It failed.").waitFor();
  const thought = page.locator("details.thinking");
  assert.match(await thought.locator("summary").innerText(), /thinking The word is \*beta\*/);
  await thought.locator("summary").click();
  await thought.locator("em", { hasText: "beta" }).waitFor();
  const edit = page.locator("details.tool", { hasText: "Edit" });
  assert.match(await edit.locator("summary").innerText(), /Edit \/p\/note\.txt → The file has been updated/);
  await edit.locator("summary").click();
  await edit.locator(".diff .del", { hasText: "-beta" }).waitFor();
  await edit.locator(".diff .ins", { hasText: "+gamma" }).waitFor();
  const bash = page.locator("details.tool", { hasText: "Bash" });
  await bash.locator("summary").focus();
  await page.keyboard.press("Enter");
  await bash.locator(".members", { hasText: "false" }).waitFor();
  await bash.locator(".tag.bad", { hasText: "error" }).waitFor();
});

/** A session of Gemini CLI, which sends no thought again. */
async function thoughts() {
  const name = join(folder, "thoughts.jsonl");
  const lines = [
    { sessionId: "s", projectHash: "p" },
    { id: "u1", type: "user", content: "Go on." },
    { id: "g1", type: "gemini", model: "m", content: "One.", thoughts: [{ description: "a ZEBRA" }] },
    { id: "u2", type: "user", content: "Go on." },
    { id: "g2", type: "gemini", model: "m", content: "", thoughts: [{ description: "an OKAPI" }] },
  ];
  await writeFile(name, lines.map((l) => JSON.stringify(l)).join("\n") + "\n");
  return [name];
}

shows("what no call was sent is marked, before what followed it", thoughts, async (page) => {
  await isAt(page, /of 2/);
  await page.keyboard.press("End");
  await entry(page, "an OKAPI").waitFor();
  assert.deepEqual((await page.locator(".entry-body").allInnerTexts()).map((t) => t.trim()), ["Go on.", "not sent a ZEBRA", "One.", "Go on.", "not sent an OKAPI"]);
  await page.locator("details.not-sent summary").first().click();
  await page.locator("details.not-sent .fold-body", { hasText: "a ZEBRA" }).waitFor();
});

shows("what a call saw for the first time is marked", session, async (page) => {
  await row(page, "^ah").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("j");
  await isAt(page, /^call 2 of/);
  await page.locator(".divider", { hasText: "new in call 2" }).waitFor();
  const [, count] = /(\d+) new nodes/.exec(await page.locator(".divider").innerText());
  assert.equal(Number(count), Number(/\+(\d+)/.exec(await page.locator(".call .plus").innerText())[1]));
  assert.equal(await entry(page, "Look at this").locator(".tag.new").count(), 0);
  await entry(page, "I will change it.").locator(".tag.new").waitFor();
});

shows("what two calls have in common stays as it is from one to the other", session, async (page) => {
  const asked = [];
  page.on("request", (r) => { if (r.url().includes("/api/nodes?")) asked.push(...new URL(r.url()).searchParams.getAll("id")); });
  await isAt(page, /of 4/);
  await page.keyboard.press("Home");
  await isAt(page, /^call 1 of/);
  await settled(page);
  await page.locator(".entry .markdown strong", { hasText: "this" }).evaluate((e) => { e.closest(".entry").kept = true; });
  await page.keyboard.press("j");
  await isAt(page, /^call 2 of/);
  await settled(page);
  await entry(page, "I will change it.").locator(".markdown").waitFor();
  await page.locator("details.thinking summary").click();
  await page.locator("details.thinking em", { hasText: "beta" }).waitFor();
  await page.keyboard.press("j");
  await isAt(page, /^call 3 of/);
  await settled(page);
  await page.locator("details.thinking[open] em", { hasText: "beta" }).waitFor();
  assert.equal(await page.locator(".entry", { hasText: "Look at this" }).evaluate((e) => e.kept), true);
  assert.equal(asked.filter((id) => id === asked[0]).length, 1, asked.join());
});

shows("what left is there, with its cause; every message leads to its life", [summary], async (page) => {
  const gone = page.locator(".gone-group", { hasText: "9 nodes were compacted" });
  await gone.locator("summary").click();
  await gone.locator(".gone-list li").first().waitFor(); // it is made once it is open
  assert.equal(await gone.locator(".gone-list li").count(), 9);
  await gone.locator(".gone-list button").first().click();
  await page.locator(".gone", { hasText: /Left at call 6: it was compacted/ }).waitFor();
  await page.goBack();
  await page.locator(".entry", { hasText: "CONTEXT COMPACTION SUMMARY" }).getByRole("button", { name: "life" }).click();
  await page.locator(".life", { hasText: "call 6 came" }).waitFor();
});

shows("a long conversation shows what is new, and the rest on demand", async () => {
  const name = join(folder, "long-talk.jsonl");
  const messages = Array.from({ length: 201 }, (_, n) => ({ role: n % 2 ? "assistant" : "user", content: `message ${n}` }));
  await writeFile(name, [199, 201].map((n) => JSON.stringify({ model: "m", messages: messages.slice(0, n) }) + "\n").join(""));
  return [name];
}, async (page) => {
  await entry(page, "message 200").waitFor();
  assert.equal(await text(page, /^message 0$/).count(), 0);
  for (let more = page.getByRole("button", { name: /show earlier/ }); (await more.count()) > 0;) await more.click();
  await text(page, /^message 0$/).waitFor();
});

shows("numbers have the digits of the log, also in one file", async () => {
  const name = join(folder, "digits.jsonl");
  await writeFile(name, digits.log);
  return [name];
}, async (page) => {
  const seen = async () => {
    await page.locator("details.tool summary", { hasText: "refund" }).click();
    for (const number of digits.numbers) await page.locator(".members dd", { hasText: number }).waitFor();
    await row(page, "39.90").click();
    for (const number of digits.numbers) await page.locator(".detail .plain", { hasText: number }).waitFor();
    await page.getByRole("tab", { name: "request" }).click();
    for (const number of digits.numbers) await page.locator(".thread li", { hasText: number }).waitFor();
  };
  await seen();
  const file = join(folder, "digits.html");
  await promisify(execFile)(program, ["inspect", "--html", file, join(folder, "digits.jsonl")]);
  await page.goto(`file://${file}`);
  await seen();
});
