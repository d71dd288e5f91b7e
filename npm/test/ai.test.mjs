// The AI SDK, with a scripted model.

import assert from "node:assert/strict";
import { test } from "node:test";

import { context, Worker } from "@pactkit/cli";
import { keep } from "@pactkit/cli/ai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";

import { folder } from "./log.mjs";

/** Returns the usage of a call with a prompt. */
const usageOf = (prompt) => ({ inputTokens: { total: Math.ceil(JSON.stringify(prompt).length / 4), cacheRead: 4 }, outputTokens: { total: 5, reasoning: 2 } });

/** Returns a model that calls a tool a number of times, then answers, and the prompts that it was sent. */
function scripted(calls, answer) {
  const prompts = [];
  const doGenerate = async ({ prompt }) => {
    prompts.push(prompt);
    const n = prompts.length;
    const content = n <= calls
      ? [{ type: "reasoning", text: "I read.", providerMetadata: { test: { signature: "s" } } }, { type: "tool-call", toolCallId: `c${n}`, toolName: "read", input: `{"path":"${n}.txt"}` }]
      : [{ type: "text", text: answer }];
    const unified = n <= calls ? "tool-calls" : "stop";
    return { content, finishReason: { unified, raw: unified }, usage: usageOf(prompt), warnings: [] };
  };
  const doStream = async (options) => {
    const { content, finishReason, usage } = await doGenerate(options);
    const [{ text }] = content;
    return { stream: simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, { type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: text }, { type: "text-end", id: "1" }, { type: "finish", finishReason, usage }] }) };
  };
  return { model: new MockLanguageModelV4({ modelId: "scripted", doGenerate, doStream }), prompts };
}

const tools = {
  read: tool({
    inputSchema: jsonSchema({ type: "object", properties: { path: { type: "string" } } }),
    execute: async ({ path }) => `${path} `.repeat(60),
  }),
};

test("an agent of the AI SDK keeps its messages, and a policy keeps them short", async (t) => {
  const worker = new Worker();
  t.after(() => worker.close());
  const address = `file:${folder(t)}#a`;
  const policy = { window: 400, "keep-last": 1, step: [{ clear: ".block+tool" }] };
  const ctx = await context(address, { worker, policy });
  const memory = keep(ctx);
  const stopWhen = stepCountIs(10);
  const sent = [];
  for (const question of ["Read two files.", "Read two more."]) {
    const { model, prompts } = scripted(2, `${question} Done.`);
    const result = await generateText({ model, tools, prompt: question, stopWhen, prepareStep: memory.prepareStep });
    await memory.finish(result);
    assert.equal(result.text, `${question} Done.`);
    assert.equal(prompts.length, 3);
    sent.push(...prompts);
    const last = prompts.at(-1);
    const [first] = last;
    assert.deepEqual(first, { role: "user", content: [{ type: "text", text: "Read two files.", providerOptions: undefined }], providerOptions: undefined });
    const call = last.find(({ role }) => role === "assistant").content;
    assert.deepEqual([call[0].type, call[0].providerOptions, call[1].input], ["reasoning", { test: { signature: "s" } }, { path: "1.txt" }]);
    const results = last.filter(({ role }) => role === "tool").map(({ content }) => content[0].output);
    if (question === "Read two files.") assert.deepEqual(results, ["1.txt ".repeat(60), "2.txt ".repeat(60)].map((value) => ({ type: "text", value })));
    else assert.match(results[0].value, /^\[cleared: read, \d+ tokens\]$/);
  }
  assert.equal(ctx.newest, 6);
  const calls = (await ctx.calls()).map(({ model, tokens }) => [model, tokens.in, tokens.out, tokens.cached, tokens.label]);
  assert.deepEqual(calls, sent.map((prompt) => ["scripted", usageOf(prompt).inputTokens.total, 5, 4, "exact"]));
  await ctx.close();

  const again = await context(address, { worker });
  const { model, prompts } = scripted(0, "Goodbye.");
  const resumed = keep(again);
  const result = streamText({ model, prompt: "Thanks.", prepareStep: resumed.prepareStep, onFinish: resumed.finish });
  assert.equal(await result.text, "Goodbye.");
  await result.consumeStream();
  assert.deepEqual(prompts[0].filter(({ role }) => role === "user").map(({ content }) => content[0].text), ["Read two files.", "Read two more.", "Thanks."]);
  assert.deepEqual((await again.select(".block+user")).texts, ["Read two files.", "Read two more.", "Thanks."]);
  assert.equal((await again.select(".block+assistant")).texts.at(-1), "Goodbye.");
});

test("a run that failed leaves the question, and the next one continues", async (t) => {
  const worker = new Worker();
  t.after(() => worker.close());
  const address = `file:${folder(t)}#a`;
  const ctx = await context(address, { worker });
  const memory = keep(ctx);
  const broken = new MockLanguageModelV4({ modelId: "broken", doGenerate: async () => { throw new Error("no connection"); } });
  await assert.rejects(generateText({ model: broken, prompt: "One?", maxRetries: 0, prepareStep: memory.prepareStep }), /no connection/);
  assert.deepEqual((await (await context(address, { worker })).select(".block+user")).texts, ["One?"]); // it is durable
  const { model, prompts } = scripted(1, "Two.");
  await memory.finish(await generateText({ model, tools, prompt: "Two?", stopWhen: stepCountIs(3), prepareStep: memory.prepareStep }));
  assert.deepEqual(prompts[1].filter(({ role }) => role === "user").map(({ content }) => content[0].text), ["One?", "Two?"]);
  assert.deepEqual((await ctx.calls()).map(({ tokens }) => tokens.label === "exact"), [false, true, true]);
});
