// What a program in TypeScript may write, and what the compiler must reject. It is compiled, but not run.

import { Conflict, context, grep, histories, open, read, test, Worker, type History, type Match, type Node, type Nodes, type PactkitError } from "@pactkit/cli";
import { keep } from "@pactkit/cli/ai";
import { generateText, stepCountIs, streamText, type LanguageModel } from "ai";

const history: History = await open(new URL("file:///chat.json"), { source: "openai" });
const nodes: Nodes = await history.select(".block", { edition: "1.0" });
const first: Node | undefined = nodes[0];
const texts: string[] = nodes.filter((node) => node.role === "user").map((node) => node.text);
const ids: readonly string[] = nodes.ids;
const both = await history.selectAll({ user: ".block+user", tool: ".block+tool" });
const count: number = both.user.length + both.tool.length;
const added: string[] = (await history.changes("@t0..@t-1 .block", { maxSnapshots: 3 })).diffs.flatMap((diff) => diff.added_ids);
const sent: number = (await history.calls()).reduce((sum, call) => sum + call.tokens.in, 0);
const passed: boolean = (await test("cases.suite.txtar", history)).passed;
for await (const match of grep(".block", ["a.json", "b"], { errors: "ignore" })) {
  const one: Match = match;
  console.log(one.path, one.role?.length);
}
for await (const one of histories(".", { errors: (error) => console.log(error.path, error.errno) })) console.log(one.name, one.notes.length);
const counts: (number | undefined)[] = (await history.explain(".block")).steps.map((step) => step.count);
console.log(counts);
const worker = new Worker({ timeoutMs: 1000, binary: ["wrapper", "pactkit"] });
await read([{ role: "user", content: "hi" }], { worker, name: "log" });
const code = (error: PactkitError): string => error.code;
console.log(first?.cycle.toFixed(), texts, ids, count, added, sent, passed, code);

await using ctx = await context("file:sessions#a", { policy: { window: "claude-sonnet-4-5", step: [{ clear: ".block+tool" }] }, system: true });
const made: Node | undefined = await ctx.insert("(d0,0, end)", { role: "user", content: "hi", "acme:cost": 3 });
const request = await ctx.render("anthropic");
const role: "user" | "assistant" | undefined = request.messages[0]?.role;
const own = await ctx.render<"anthropic", { messages: [] }>("anthropic");
const { usage, commit } = await ctx.answer({ role: "assistant", content: [] });
const input: number | undefined = usage?.input;
const saved: (number | undefined)[] = commit.changed.map((cause) => cause.saved);
const rule: string | undefined = ctx.last?.left[0]?.rule;
const after: number | undefined = (await ctx.shrink(100)).policy?.after;
const state: number | null | undefined = (await ctx.do({ hold: "a" }, { reload: true }))[1]?.state?.newest;
const others = (error: Conflict): readonly string[] => error.changed?.added ?? [];
console.log(made?.id, role, own.messages, input, saved, rule, after, state, others, (await ctx.select(".block")).ids);

declare const model: LanguageModel;
const memory = keep(ctx);
const generated = await generateText({ model, prompt: "hi", stopWhen: stepCountIs(3), prepareStep: memory.prepareStep });
await memory.finish(generated);
const streamed: string = await streamText({ model, prompt: "hi", prepareStep: memory.prepareStep, onFinish: memory.finish }).text;
console.log(streamed);

// @ts-expect-error: an unknown operation
await ctx.do({ nothing: true });
// @ts-expect-error: an unknown format
await ctx.render("unknown");
// @ts-expect-error: a step has other members
await ctx.policy({ step: [{ clean: ".block" }] });
// @ts-expect-error: an unknown name
console.log(both.system);
// @ts-expect-error: a node may be missing
console.log(nodes[0].id);
// @ts-expect-error: an unknown way to treat errors
histories(".", { errors: "skip" });
// @ts-expect-error: an unknown edition
await history.select(".block", { edition: "2.0" });
// @ts-expect-error: a selector is a string
await history.select(7);
// @ts-expect-error: members cannot be changed
nodes[0]!.members.id = "x";
