// Objects of the shapes that frameworks have, without the frameworks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { open, read } from "@pactkit/cli";

const tokens = async (history) => (await history.calls()).map((call) => call.tokens.in);

/** A message of LangChain. */
class Message {
  constructor(name, kwargs) {
    Object.assign(this, { name, kwargs });
  }
  toJSON() {
    return { lc: 1, type: "constructor", id: ["langchain_core", "messages", this.name], kwargs: this.kwargs };
  }
}

test("messages of LangChain", async () => {
  const messages = [
    new Message("HumanMessage", { content: "Late?", id: "h1" }),
    new Message("AIMessage", { content: "No.", usage_metadata: { input_tokens: 7, output_tokens: 1, total_tokens: 8 } }),
  ];
  assert.deepEqual(await tokens(await read(messages)), [7]);
  assert.deepEqual(await tokens(await open({ messages, count: 7 })), [7], "a state");
  assert.deepEqual((await (await read(messages)).select("@t0 .block")).texts, ["Late?", "No."]);
  const history = { messages, toJSON: () => ({ lc: 1, type: "not_implemented", id: ["langchain", "InMemoryChatMessageHistory"] }) };
  assert.deepEqual(await tokens(await read(history)), [7], "a chat history");
  assert.deepEqual(await tokens(await open(history)), [7], "a chat history");
});

test("messages of the AI SDK", async () => {
  const file = { type: "file", mediaType: "image/png", data: new Uint8Array([97, 98]) };
  const call = { type: "tool-call", toolCallId: "c", toolName: "clock", input: {} };
  const result = { type: "tool-result", toolCallId: "c", toolName: "clock", output: { type: "text", value: "9" } };
  const history = await read([
    { role: "user", content: [{ type: "text", text: "Late?" }, file] },
    { role: "assistant", content: [call] },
    { role: "tool", content: [result] },
    { role: "assistant", content: "No." },
  ]);
  const { texts } = await history.select("@t0 .block");
  assert.equal(texts.length, 5);
  assert.match(texts[1], /data:image\/png;base64,YWI=/);
  const ui = [
    { id: "1", role: "user", parts: [{ type: "text", text: "Late?" }] },
    { id: "2", role: "assistant", parts: [{ type: "step-start" }, { type: "text", text: "No." }] },
  ];
  assert.equal((await (await read(ui)).calls()).length, 1);
});

test("runs of the OpenAI Agents SDK", async () => {
  const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "None." }] }];
  const json = { originalInput: "Rye?", modelResponses: [{ usage: { inputTokens: 8, outputTokens: 2 }, output }], generatedItems: [] };
  const state = { toJSON: () => json };
  assert.deepEqual(await tokens(await read({ state, history: [], output: "None." })), [8]);
  assert.deepEqual(await tokens(await read(state)), [8]);
});

test("what cannot be read", async () => {
  for (const log of [5, null, undefined, () => 1, class Chat {}, [() => 1], Symbol("x")]) {
    await assert.rejects(read(log), { code: "E_FILE_SHAPE", message: /cannot be read as a log; what can be read is the text of a log/ });
  }
  await assert.rejects(read(Promise.resolve([])), /await it first/);
  const circle = {};
  circle.self = circle;
  await assert.rejects(read(circle), TypeError);
});
