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

import { isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { about, checkErrors, errorOf, PactkitError, treat, type Errors } from "./errors.js";
import { History } from "./history.js";
import { plain } from "./objects.js";
import type { WorkerRequest } from "./protocol.js";
import type { Report } from "./report.js";
import { sharedWorker, type Worker } from "./worker.js";

export { binary } from "./binary.js";
export { Context, context, Watch } from "./context.js";
export type { Answered, ContextOptions, Thread, Threads, Watched } from "./context.js";
export { BinaryNotFound, Conflict, ContextLost, PactkitError, SelectorError, WorkerDied, WorkerTimeout } from "./errors.js";
export type { ErrorInfo, Errors, Place, Position } from "./errors.js";
export { grep } from "./grep.js";
export type { GrepOptions, Match } from "./grep.js";
export { History, Node, Nodes, Questions } from "./history.js";
export type { SelectOptions } from "./history.js";
export type {
  Call,
  Changes,
  Departure,
  Edition,
  Grade,
  HistoryAnswer,
  Json,
  NodeMembers,
  Note,
  Pairs,
  Selected,
  Snapshot,
  State,
  Step,
  WorkerAnswer,
  WorkerRequest,
} from "./protocol.js";
export type {
  CallInfo,
  Cause,
  Changed,
  Commit,
  CommitInfo,
  ContextState,
  Diff,
  Draft,
  Finding,
  Format,
  Operation,
  OperationResult,
  Policy,
  PolicyRun,
  PolicyStep,
  Trace,
  Usage,
} from "./schema.js";
export { Report } from "./report.js";
export type { Case, CaseStatus, SuiteReport } from "./report.js";
export { explain, format, lint } from "./verbs.js";
export { Worker } from "./worker.js";
export type { WorkerOptions } from "./worker.js";

/** A log: the text of a file; the document itself, such as a list of messages; or what a framework keeps messages in. */
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

/**
 * Opens a file with one history: a log, a journal or a document; or a history of a store.
 *
 * @param path a file, `FILE#NAME`, or the address of a history in a store; any other object is read as by {@link read}
 * @throws {@link PactkitError} if the file cannot be read, or has several histories; see {@link histories}
 */
export async function open(path: string | URL | object, options: ReadOptions = {}): Promise<History> {
  if (typeof path !== "string" && !(path instanceof URL)) return read(path, options);
  const found: History[] = [];
  for await (const history of histories(path, options)) found.push(history);
  return only(found, shown(path));
}

/**
 * Makes a history from a log: the text of a file, or the document itself, such as a list of messages. The document may have
 * objects in it, or be one: messages and chat histories in memory of LangChain, states of LangGraph, messages of the AI SDK,
 * objects of the OpenAI SDK, results and states of the OpenAI Agents SDK, and whatever else has a method `toJSON`.
 *
 * @param options.name the name of the log in errors
 */
export async function read(log: Log, options: ReadOptions & { name?: string } = {}): Promise<History> {
  const { name, worker = sharedWorker() } = options;
  return only(await load({ log: plain(log), ...(name !== undefined && { name }), ...how(options) }, worker), name ?? "the log");
}

/**
 * Yields the histories of a file, a folder or a store, in order. Of a folder, a file is read when its turn comes.
 *
 * @param options.errors what happens to the error of a file, or of one history in it, when its turn comes; the histories
 * that follow are yielded unless it is thrown, which is the default
 */
export async function* histories(path: string | URL, options: ReadOptions & { errors?: Errors } = {}): AsyncGenerator<History, void, undefined> {
  const { worker = sharedWorker(), errors = "throw" } = options;
  checkErrors(errors);
  const whole = pathOf(path);
  const named = typeof path === "string" ? path : whole;
  // Of a file below the folder that was named, the path as it is found from there.
  const rename = (found: string): string => {
    const rest = found.startsWith(whole) ? found.slice(whole.length) : undefined;
    return rest === undefined ? found : rest.startsWith(sep) ? join(named, rest) : named + rest;
  };
  const failed = (error: unknown, file: string): void => {
    const ofAll = ["E_NO_BINARY", "E_WORKER_REQUEST", "E_WORKER_VERSION"]; // no file can be read
    if (!(error instanceof PactkitError) || ofAll.includes(error.code)) throw error;
    treat(about(error, shown(rename(file))), errors);
  };
  let files;
  try {
    ({ files = [] } = await worker.result({ path: whole, ...how(options), files: true }, rename));
  } catch (error) {
    return failed(error, whole);
  }
  for (const file of files) {
    let found: (History | PactkitError)[];
    try {
      found = file.error ? [errorOf(file.error, rename)] : await load({ path: file.path, ...how(options) }, worker, rename);
    } catch (error) {
      failed(error, file.path);
      continue;
    }
    for (const one of found) {
      if (one instanceof PactkitError) failed(one, file.path);
      else yield one;
    }
  }
}

/** Runs the cases of a suite on a history. `suite` is its text, or the path of its file. */
export async function test(suite: string | URL, history: History): Promise<Report> {
  return history.test(suite);
}

/** Returns the members of a request that say how logs are read. */
function how({ source, messages }: ReadOptions): WorkerRequest {
  return { ...(source !== undefined && { from: source }), ...(messages !== undefined && { messages }) };
}

/** Returns the histories that a request names, and the errors of those that cannot be read. */
async function load(request: WorkerRequest, worker: Worker, rename?: (path: string) => string): Promise<(History | PactkitError)[]> {
  const { histories = [], notes = [] } = await worker.result({ ...request, selectors: [] }, rename);
  return histories.map((one) => (one.error ? errorOf(one.error, rename) : new History(one.name, notes, request, worker)));
}

function only(found: (History | PactkitError)[], what: string): History {
  const broken = found.find((one) => one instanceof PactkitError);
  if (broken) throw broken;
  const [first, ...others] = found as History[];
  if (first && others.length === 0) return first;
  const names = (found as History[]).slice(0, 5).map((history) => history.name);
  const message = `holds ${found.length} histories (${names.join(", ")}): use histories, or name one`;
  throw new PactkitError(message, "E_SEVERAL_HISTORIES", { path: what });
}

/** Returns a path that does not depend on the folder that the worker was started in. */
function pathOf(path: string | URL): string {
  if (typeof path !== "string") return path.protocol === "file:" ? fileURLToPath(path) : path.href;
  if (isStore(path)) return path;
  const rest = path.replace(/^file:/, "");
  // After a #, there may be the name of a history, in which slashes and dots are not those of a path.
  const whole = !rest.includes("#") ? resolve(rest) : isAbsolute(rest) ? rest : `${process.cwd()}${sep}${rest}`;
  return path.startsWith("file:") ? `file:${whole}` : whole;
}

function isStore(path: string): boolean {
  return /^postgres(ql)?:/.test(path);
}

/** Returns a path for messages; of the address of a store without the name and the password of its user. */
function shown(path: string | URL): string {
  return String(path).replace(/^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?([^?#]*)(?:\?[^#]*)?/, "$1$2");
}
