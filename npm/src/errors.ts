// The errors of the package.

/** Where in a log the cause of an error is, if that is known. */
export interface Position {
  /** The line of the log, from 1. */
  line?: number;
  /** A JSON path, such as `$[2].content`. */
  path?: string;
}

/** Something that pactkit could not do. */
export class PactkitError extends Error {
  override name = "PactkitError";
  /** The kind of failure, such as `E_FILE_SHAPE`, or empty. `pactkit explain CODE` describes it. */
  readonly code: string;
  readonly line: number | undefined;
  readonly path: string | undefined;

  constructor(message: string, code = "", position: Position = {}) {
    super((position.line ? `line ${position.line}: ` : "") + message + (code ? ` [${code}]` : ""));
    this.code = code;
    this.line = position.line;
    this.path = position.path;
  }
}

/** An invalid selector. */
export class SelectorError extends PactkitError {
  override name = "SelectorError";
  /** The range of bytes in the selector, in UTF-8, that the message is about, end exclusive. */
  readonly range: readonly [start: number, end: number] | undefined;

  constructor(message: string, code = "", range?: readonly [number, number]) {
    super(message, code);
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

/** An error in the protocol of the worker. */
export interface ErrorInfo extends Position {
  code: string;
  message: string;
  /** The range of bytes in a selector, end exclusive. */
  range?: [number, number];
  /** The codes of all errors of a selector, if there are several. */
  codes?: string[];
}

/** Returns the error to throw for an error of the protocol. */
export function errorOf(info: ErrorInfo): PactkitError {
  if (info.range) return new SelectorError(info.message, info.code, info.range);
  if (info.code === "E_WORKER_TIMEOUT") return new WorkerTimeout(info.message, info.code);
  return new PactkitError(info.message, info.code, info);
}
