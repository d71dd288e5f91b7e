/**
 * Keeps the messages of the AI SDK in a live context.
 *
 * ```js
 * const memory = keep(ctx);
 * const result = await generateText({ model, tools, stopWhen, prompt, prepareStep: memory.prepareStep });
 * await memory.finish(result);
 * ```
 *
 * The AI SDK is not imported.
 *
 * @module
 */

import type { Context } from "./context.js";
import { textOf, type Node } from "./history.js";
import type { Json } from "./protocol.js";
import type { CallInfo, Draft, Operation, Usage } from "./schema.js";

/** A message for models: the members of `ModelMessage` of the AI SDK that this module uses. */
interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly providerOptions?: unknown;
}

/** A part of a message. */
type Part = Readonly<Record<string, unknown>>;

/** The members of the argument of `prepareStep` of the AI SDK that this module uses. */
export interface StepOptions {
  readonly messages: readonly unknown[];
  /** The steps of the run so far. */
  readonly steps: readonly FinishedStep[];
  /** Since version 7 of the AI SDK. There, the next step begins with the messages that this step returns. */
  readonly initialMessages?: readonly unknown[];
  readonly model?: unknown;
}

/** The members of a step of the AI SDK that this module uses. */
export interface FinishedStep {
  readonly response: { readonly messages: readonly unknown[]; readonly modelId?: string };
  readonly usage?: StepUsage;
}

/** What a step used: the members of `LanguageModelUsage` of the AI SDK that this module uses. */
export interface StepUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly inputTokenDetails?: { readonly cacheReadTokens?: number | undefined; readonly cacheWriteTokens?: number | undefined };
  readonly outputTokenDetails?: { readonly reasoningTokens?: number | undefined };
}

/** The members of the result of `generateText`, or of the argument of `onFinish` of `streamText`, that this module uses. */
export interface FinishedRun {
  readonly steps: readonly FinishedStep[];
}

/** The memory that {@link keep} returns. */
export interface Memory {
  /**
   * Keeps new messages with what the step before used, ends the cycle, and returns the messages of the context for the model.
   * Before the first step, the messages of earlier runs precede the new ones. What is kept is durable when the model is asked.
   */
  prepareStep<M>(options: StepOptions & { readonly messages: readonly M[] }): Promise<{ messages: M[] }>;
  /** Keeps the answer of the last step with what it used, and seals the turn. */
  finish(run: FinishedRun): Promise<void>;
}

/** Makes a context the memory of runs of the AI SDK, one after the other: pass only new messages to each run. */
export function keep(ctx: Context): Memory {
  let known = 0; // number of messages that the next step begins with
  let responses = 0; // number of messages from the model and the tools in this run
  let carries = false;
  let waits = false; // a call waits for its usage
  let model: unknown;
  /** Returns the operations that describe the call of the last step. */
  const completion = (steps: readonly FinishedStep[]): Operation[] => {
    const last = steps.at(-1);
    if (!waits || !last) return [];
    waits = false;
    return [{ complete: callOf(last, model) }];
  };
  return {
    async prepareStep<M>(options: StepOptions & { readonly messages: readonly M[] }): Promise<{ messages: M[] }> {
      if (options.steps.length === 0) known = responses = 0; // also after a run that failed
      carries = options.initialMessages !== undefined;
      const fresh = options.messages.slice(known);
      if (known > 0) responses += fresh.length;
      await ctx.do(...completion(options.steps), ...insertions(fresh), { checkpoint: true }, { prepare: true });
      [waits, model] = [true, options.model];
      const messages = await messagesOf(ctx);
      known = carries ? messages.length : options.messages.length;
      return { messages: messages as M[] };
    },
    async finish(run: FinishedRun): Promise<void> {
      const last = run.steps.at(-1)?.response.messages ?? [];
      await ctx.do(...completion(run.steps), ...insertions(carries ? last : last.slice(responses)), { seal: true }, { checkpoint: true });
      known = responses = 0;
    },
  };
}

/** Returns the call of a step. `model` is what was asked, if the response does not name its model. */
function callOf({ response, usage }: FinishedStep, model: unknown): CallInfo {
  const name = response.modelId ?? (typeof model === "string" ? model : (model as { modelId?: unknown } | undefined)?.modelId);
  const counts: [keyof Usage, number | undefined][] = [
    ["input", usage?.inputTokens],
    ["output", usage?.outputTokens],
    ["cache_read", usage?.inputTokenDetails?.cacheReadTokens],
    ["cache_write", usage?.inputTokenDetails?.cacheWriteTokens],
    ["thoughts", usage?.outputTokenDetails?.reasoningTokens],
  ];
  const known = counts.filter(([, n]) => n !== undefined);
  return { ...(typeof name === "string" && { model: name }), ...(known.length > 0 && { usage: Object.fromEntries(known) as unknown as Usage }) };
}

/** Returns the operations that insert messages. */
function insertions(messages: readonly unknown[]): Operation[] {
  return (messages as readonly Message[]).flatMap(({ role, content, providerOptions }) => {
    const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : (content as readonly Part[]);
    return parts.map((part, i): Operation => {
      const first = i === 0 ? { "ai:first": true, ...(providerOptions !== undefined && { "ai:options": providerOptions }) } : {};
      return { insert: "(d0,0, end)", node: { role, ...draftOf(part), ...first } };
    });
  });
}

/** Returns the node of a part. The member `ai:part` keeps the data that a node cannot express. */
function draftOf(part: Part): Draft {
  const { type, text, toolCallId, toolName, input, output, ...rest } = part;
  const more = Object.keys(rest).length > 0 ? { "ai:part": rest } : {};
  const call = { call_id: toolCallId, name: toolName };
  switch (type) {
    case "text":
    case "reasoning":
      return { kind: type, content: text, ...more };
    case "tool-call":
      return { kind: "call", ...call, content: input ?? null, ...more };
    case "tool-result": {
      const { type: form, value, ...options } = output as { type: string; value?: unknown };
      const shape = { "ai:output": form, ...(Object.keys(options).length > 0 && { "ai:result": options }) };
      return { kind: "result", ...call, content: value ?? null, ...shape, ...more };
    }
  }
  return { kind: String(type), content: part };
}

/** Returns the messages of a context. */
async function messagesOf(ctx: Context): Promise<Message[]> {
  const { sealed, head } = await ctx.selectAll({ sealed: "^seq .block", head: "^ah .block" });
  const isMarker = (node: Node): boolean => /^(block:)?redaction$/.test(node.type);
  const nodes = [...sealed, ...head];
  const shown = new Map<string, Node>();
  for (const marker of nodes.filter(isMarker)) for (const id of [marker.members["refs"] ?? []].flat()) shown.set(String(id), marker);
  const messages: { role: string; content: unknown[]; providerOptions?: Json }[] = [];
  for (const node of nodes) {
    const marker = shown.get(node.id);
    if (isMarker(node) || (marker && marker.content === undefined)) continue;
    const role = node.role ?? "user";
    const options = node.members["ai:options"];
    let last = messages.at(-1);
    if (!last || last.role !== role || node.members["ai:first"] === true) {
      messages.push((last = { role, content: [], ...(options !== undefined && { providerOptions: options }) }));
    }
    last.content.push(partOf(node, marker));
  }
  return messages.map(({ content, ...rest }) => ({ ...rest, content: rest.role === "system" ? textOf(content as Json[]) : content }));
}

/** Returns the part of a node, as the policy shows it. */
function partOf(node: Node, marker: Node | undefined): Part {
  const { call_id: toolCallId, name: toolName, "ai:output": form, "ai:part": rest, "ai:result": options } = node.members;
  const more = rest as Part | undefined;
  const content = marker ? marker.text : node.content;
  switch (node.kind) {
    case "call":
      return { type: "tool-call", toolCallId, toolName, input: content, ...more };
    case "result": {
      const type = marker || form === undefined ? "text" : form;
      const output = type === "execution-denied" ? { type } : { type, value: type === "text" ? textOf(content) : content };
      return { type: "tool-result", toolCallId, toolName, output: { ...output, ...(!marker && (options as Part | undefined)) }, ...more };
    }
    case "reasoning":
      return { type: "reasoning", text: textOf(content), ...more };
    case undefined:
    case "text":
      return { type: "text", text: textOf(content), ...more };
  }
  return marker ? { type: "text", text: marker.text } : (content as Part);
}
