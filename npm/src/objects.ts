// The objects that frameworks keep messages in. No framework is imported: objects say themselves how they are written.

import { PactkitError } from "./errors.js";

const READABLE =
  "the text of a log; objects and arrays of messages; messages and chat histories in memory of LangChain, states of LangGraph; messages of the AI SDK; " +
  "objects of the OpenAI SDK; the result, the state or the history of a run of the OpenAI Agents SDK";

/**
 * Returns a log as JSON has it: text, or arrays and objects of what they hold. Messages of LangChain have a method `toJSON`,
 * as the states of the OpenAI Agents SDK do; a result of a run there has its state, with the tokens of its answers. Of a chat
 * history that LangChain keeps in memory the messages are taken. The bytes of a file become base64. What has no form in JSON,
 * such as a function, is left out.
 *
 * @throws `TypeError` as `JSON.stringify` does, {@link PactkitError} if it is no log
 */
export function plain(log: unknown): string | object {
  if (typeof log === "string") return log;
  if (typeof log !== "object" || log === null) throw refused(log);
  if (typeof (log as PromiseLike<unknown>).then === "function") {
    throw new PactkitError("a promise cannot be read as a log; await it first", "E_FILE_SHAPE");
  }
  const state = (log as { state?: { toJSON?: unknown } }).state;
  const found = typeof state?.toJSON === "function" && "history" in log ? state : (historyOf(log) ?? log);
  for (const one of Array.isArray(found) ? found : []) {
    if (typeof one === "function" || typeof one === "symbol") throw refused(one);
  }
  const text = JSON.stringify(found, bytes) as string | undefined;
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  if (typeof value !== "object" || value === null) throw refused(log);
  return value;
}

/** The messages of a chat history of LangChain, which writes of itself only that it has no form in JSON. */
function historyOf(log: object): unknown[] | undefined {
  const { messages, toJSON } = log as { messages?: unknown; toJSON?: () => { type?: unknown } | undefined };
  if (!Array.isArray(messages) || typeof toJSON !== "function") return undefined;
  return toJSON.call(log)?.type === "not_implemented" ? messages : undefined;
}

/** Writes bytes as base64, and a map as an object. */
function bytes(this: unknown, name: string, value: unknown): unknown {
  const before = (this as Record<string, unknown>)[name]; // a Buffer has a method toJSON
  if (before instanceof Uint8Array) return Buffer.from(before).toString("base64");
  return value instanceof Map ? Object.fromEntries(value) : value;
}

function nameOf(log: unknown): string {
  if (typeof log === "function") return `the function or class ${log.name || "without a name"}`;
  if (typeof log !== "object" || log === null) return `a value of the type ${log === null ? "null" : typeof log}`;
  return `an object of the class ${(log.constructor as { name?: string } | undefined)?.name || "Object"}`;
}

function refused(log: unknown): PactkitError {
  return new PactkitError(`${nameOf(log)} cannot be read as a log; what can be read is ${READABLE}`, "E_FILE_SHAPE");
}
