// The errors of the package.

import type { Changed } from "./schema.js";

/** Where in a log the cause of an error is, if that is known. */
export interface Position {
  /** The line of the log, from 1. */
  line?: number;
  /** A JSON path, such as `$[2].content`. */
  path?: string;
}

/** What an error is about, if that is known. */
export interface Place {
  /** The file, or the name of the log. */
  path?: string;
  /** The line of the file, from 1. */
  line?: number;
  /** A JSON path in the file, such as `$[2].content`. */
  at?: string;
  /** What the operating system says about the file, such as `ENOENT`. */
  errno?: string;
  /** What to do instead. */
  hint?: string;
}

/** Something that pactkit could not do. */
export class PactkitError extends Error {
  override name = "PactkitError";
  /** The kind of failure, such as `E_FILE_SHAPE`, or empty. `pactkit explain CODE` describes it. */
  readonly code: string;
  /** The file that the error is about, or the name of the log. */
  path: string | undefined;
  /** The line of the file, from 1. */
  readonly line: number | undefined;
  /** A JSON path in the file, such as `$[2].content`. */
  readonly at: string | undefined;
  /** What the operating system says about the file, such as `ENOENT`. */
  readonly errno: string | undefined;
  /** What to do instead, if known. The message includes it. */
  readonly hint: string | undefined;

  constructor(message: string, code = "", { path, line, at, errno, hint }: Place = {}) {
    super((path ? `${path}: ` : "") + (line ? `line ${line}: ` : "") + message + (hint ? `; ${hint}` : "") + (code ? ` [${code}]` : ""));
    this.code = code;
    this.path = path;
    this.line = line;
    this.at = at;
    this.errno = errno;
    this.hint = hint;
  }
}

/** An invalid selector. */
export class SelectorError extends PactkitError {
  override name = "SelectorError";
  /** The range of bytes in the selector, in UTF-8, that the message is about, end exclusive. */
  readonly range: readonly [start: number, end: number] | undefined;

  constructor(message: string, code = "", range?: readonly [number, number], hint?: string) {
    super(message, code, { ...(hint && { hint }) });
    this.range = range;
  }
}

/** The program `pactkit` is not on this machine. `code` is `E_NO_BINARY`. */
export class BinaryNotFound extends PactkitError {
  override name = "BinaryNotFound";
}

/** The program ended in the middle of a request, twice. `code` is `E_WORKER_DIED`. */
export class WorkerDied extends PactkitError {
  override name = "WorkerDied";
}

/** A request took too long and was abandoned. `code` is `E_WORKER_TIMEOUT`. */
export class WorkerTimeout extends PactkitError {
  override name = "WorkerTimeout";
}

/**
 * Another program has committed to the history of a context. `code` is `E_STORE_CONFLICT`. The context is as it was before the
 * commit; `reload` loads the state in the store.
 */
export class Conflict extends PactkitError {
  override name = "Conflict";
  /** What the other program changed; `undefined` if the history cannot be read. */
  readonly changed: Changed | undefined;

  constructor(message: string, code: string, place: Place, changed?: Changed) {
    super(message, code, place);
    this.changed = changed;
  }
}

/**
 * The worker died, and the uncommitted changes of a context are lost. A context in a store was opened again, or will be by the
 * next request; a context in memory is lost. `code` is `E_WORKER_DIED`.
 */
export class ContextLost extends WorkerDied {
  override name = "ContextLost";
  /** The cycle of the newest snapshot in the store, if the context is open again. It may be that of a commit without an answer. */
  readonly newest: number | null | undefined;

  constructor(message: string, place: Place, newest?: number | null) {
    super(message, "E_WORKER_DIED", place);
    this.newest = newest;
  }
}

/** An error in the protocol of the worker. */
export interface ErrorInfo extends Position {
  code: string;
  message: string;
  /** The file that the error is about, or the name of the log. */
  file?: string;
  /** What the operating system says about the file, such as `ENOENT`. */
  errno?: string;
  /** The range of bytes in a selector, end exclusive. */
  range?: [number, number];
  /** The codes of all errors of a selector, if there are several. */
  codes?: string[];
  hint?: string;
  /** For a conflict, what another program changed. */
  changed?: Changed;
}

/** Returns the error to throw for an error of the protocol. `rename` returns the path of a file as the caller named it. */
export function errorOf(info: ErrorInfo, rename = (path: string): string => path): PactkitError {
  if (info.range) return new SelectorError(info.message, info.code, info.range, info.hint);
  const { file, line, path: at, errno, hint } = info;
  const place = { ...(file && { path: rename(file) }), ...(line && { line }), ...(at && { at }), ...(errno && { errno }), ...(hint && { hint }) };
  if (info.code === "E_STORE_CONFLICT") return new Conflict(info.message, info.code, place, info.changed);
  return new (info.code === "E_WORKER_TIMEOUT" ? WorkerTimeout : PactkitError)(info.message, info.code, place);
}

/** Says which file an error is about, if it does not say so itself. */
export function about(error: PactkitError, path: string): PactkitError {
  if (error.path === undefined) {
    error.path = path;
    error.message = `${path}: ${error.message}`;
  }
  return error;
}

/**
 * What happens to the error of a file among several: `"throw"` throws it, `"warn"` emits a warning of type `SkippedFile`,
 * `"ignore"` skips the file, and a function is called with it.
 */
export type Errors = "throw" | "warn" | "ignore" | ((error: PactkitError) => void);

/** Throws a TypeError for an unknown way to treat errors. */
export function checkErrors(errors: unknown): asserts errors is Errors {
  if (typeof errors === "function" || errors === "throw" || errors === "warn" || errors === "ignore") return;
  throw new TypeError(`errors must be "throw", "warn", "ignore" or a function of the error, not ${JSON.stringify(errors)}`);
}

/** Throws an error, warns of it, ignores it, or passes it to a function. */
export function treat(error: PactkitError, errors: Errors): void {
  if (errors === "throw") throw error;
  if (errors === "warn") process.emitWarning(`skipped: ${error.message}`, { type: "SkippedFile", code: error.code });
  else if (errors !== "ignore") errors(error);
}
