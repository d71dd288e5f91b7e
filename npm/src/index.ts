/**
 * Find out what a language model saw.
 *
 * ```js
 * import { read } from "@pactkit/cli";
 * const history = await read([{ role: "user", content: "hi" }], { source: "openai" });
 * (await history.select(".block+user")).texts; // ["hi"]
 * ```
 *
 * The work is done by the program `pactkit`, which the packages for the platforms bring along.
 *
 * @module
 */

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { errorOf, PactkitError } from "./errors.js";
import { History } from "./history.js";
import type { WorkerRequest } from "./protocol.js";
import type { Report } from "./report.js";
import { Worker } from "./worker.js";

export { binary } from "./binary.js";
export { BinaryNotFound, PactkitError, SelectorError, WorkerDied, WorkerTimeout } from "./errors.js";
export type { ErrorInfo, Position } from "./errors.js";
export { grep } from "./grep.js";
export type { GrepOptions, Match } from "./grep.js";
export { History, Node, Nodes } from "./history.js";
export type { SelectOptions } from "./history.js";
export type {
  Call,
  Changes,
  Departure,
  Edition,
  HistoryAnswer,
  Json,
  NodeMembers,
  Note,
  Pairs,
  Selected,
  Snapshot,
  WorkerAnswer,
  WorkerRequest,
} from "./protocol.js";
export { Report } from "./report.js";
export type { Case, CaseStatus, SuiteReport } from "./report.js";
export { Worker } from "./worker.js";
export type { WorkerOptions } from "./worker.js";

/** A log: the text of a file, or the document itself, such as a list of messages. */
export type Log = string | object;

/** How a log is read. */
export interface ReadOptions {
  /** The format of the log; it is recognized by default. */
  source?: string;
  /** The path of the member of the log with the messages. */
  messages?: string;
  /** The worker process to use; by default one that all histories share. */
  worker?: Worker;
}

let shared: Worker | undefined;

/**
 * Opens a file with one history: a log, a journal or a document; or a history of a store.
 *
 * @param path a file, `FILE#NAME`, or the address of a history in a store
 * @throws {@link PactkitError} if the file cannot be read, or has several histories; see {@link histories}
 */
export async function open(path: string | URL, options: ReadOptions = {}): Promise<History> {
  return only(await load(pathOf(path), options), String(path));
}

/**
 * Makes a history from a log: the text of a file, or the document itself, such as a list of messages.
 *
 * @param options.name the name of the log in errors
 */
export async function read(log: Log, options: ReadOptions & { name?: string } = {}): Promise<History> {
  const { name } = options;
  return only(await load({ log, ...(name !== undefined && { name }) }, options), name ?? "the log");
}

/** Yields the histories of a file, a folder or a store. A file that cannot be read throws its error when its turn comes. */
export async function* histories(path: string | URL, options: ReadOptions = {}): AsyncGenerator<History, void, undefined> {
  for (const one of await load(pathOf(path), options)) {
    if (one instanceof PactkitError) throw one;
    yield one;
  }
}

/** Runs the cases of a suite on a history. `suite` is its text, or the path of its file. */
export async function test(suite: string | URL, history: History): Promise<Report> {
  return history.test(suite);
}

async function load(request: WorkerRequest, options: ReadOptions): Promise<(History | PactkitError)[]> {
  const worker = options.worker ?? (shared ??= new Worker());
  const origin = { ...request };
  if (options.source !== undefined) origin.from = options.source;
  if (options.messages !== undefined) origin.messages = options.messages;
  const { histories = [], notes = [] } = await worker.result({ ...origin, selectors: [] });
  return histories.map((one) => {
    if (one.error) return errorOf(one.error);
    return new History(one.name, notes, one.path === undefined ? origin : { ...origin, path: one.path }, worker);
  });
}

function only(found: (History | PactkitError)[], what: string): History {
  const broken = found.find((one) => one instanceof PactkitError);
  if (broken) throw broken;
  const [first, ...others] = found as History[];
  if (first && others.length === 0) return first;
  const names = (found as History[]).slice(0, 5).map((history) => history.name);
  throw new PactkitError(`${what} holds ${found.length} histories (${names.join(", ")}): use histories, or name one`, "E_SEVERAL_HISTORIES");
}

/** Returns a path that does not depend on the folder that the worker was started in. */
function pathOf(path: string | URL): WorkerRequest {
  if (typeof path !== "string") return { path: path.protocol === "file:" ? fileURLToPath(path) : path.href };
  if (/^postgres(ql)?:/.test(path)) return { path };
  return { path: path.startsWith("file:") ? `file:${resolve(path.slice(5))}` : resolve(path) };
}
