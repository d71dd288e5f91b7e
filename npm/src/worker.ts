// A process that answers requests: pactkit worker.

import { AsyncLocalStorage } from "node:async_hooks";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

import { binary } from "./binary.js";
import { BinaryNotFound, errorOf, PactkitError, WorkerDied, WorkerTimeout } from "./errors.js";
import { Lines } from "./lines.js";
import type { Json, NodeMembers, WorkerAnswer, WorkerRequest } from "./protocol.js";
import type { Draft } from "./schema.js";

const PROTOCOL = 2;

/** The workers that wait for the running function, which writes a summary. */
const waiting = new AsyncLocalStorage<readonly Worker[]>();

/** A sequence of requests without others in between, see {@link Worker.turn}. */
export interface Turn {
  /** Returns the number of the process, and starts it if necessary. */
  start(): Promise<number>;
  /** Sends a request once. `summarise` answers questions for summaries. */
  ask(request: WorkerRequest, summarise?: (nodes: NodeMembers[]) => Promise<Draft>): Promise<WorkerAnswer>;
}

/** The options of a {@link Worker}. */
export interface WorkerOptions {
  /** The program, or a command that ends with it; by default the one that {@link binary} finds. */
  binary?: string | readonly string[];
  /** How long a request may take, in milliseconds; by default there is no limit. */
  timeoutMs?: number;
  /** How much longer a request may take before the process is killed, in milliseconds; 2000 by default. */
  graceMs?: number;
  /** The size of the largest request, in bytes; 256 MiB by default. */
  maxBytes?: number;
}

/**
 * A process that answers requests, one after the other. It is started by the first request, and does not keep Node running.
 *
 * A process that dies is restarted, and gets the request once more. A request that takes longer than `timeoutMs` is
 * abandoned; a process that does not respond to that is killed.
 */
export class Worker {
  /** How long a request may take, in milliseconds. */
  timeoutMs: number | undefined;
  readonly #options: WorkerOptions;
  #process: WorkerProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #starts = 0;

  constructor(options: WorkerOptions = {}) {
    this.#options = { ...options };
    this.timeoutMs = options.timeoutMs;
  }

  /** The id of the process; `undefined` without a process. */
  get pid(): number | undefined {
    return this.#process?.alive ? this.#process.pid : undefined;
  }

  /** How often a process was started. */
  get starts(): number {
    return this.#starts;
  }

  /**
   * Sends a request and returns its answer, as docs/reference/worker.md describes both. An answer that is an error is
   * returned like any other.
   *
   * @throws {@link WorkerDied} if the process died twice, {@link WorkerTimeout} if it had to be killed, and
   * {@link BinaryNotFound}
   */
  async ask(request: WorkerRequest): Promise<WorkerAnswer> {
    const timeoutMs = this.timeoutMs;
    const { id } = request;
    const line = lineOf(request, timeoutMs);
    return this.#inTurn(async () => {
      try {
        return await this.#send(line, id, timeoutMs);
      } catch (error) {
        if (!(error instanceof WorkerDied)) throw error;
        return await this.#send(line, id, timeoutMs);
      }
    });
  }

  /**
   * Runs a sequence of requests without others in between. It does not send them again if the process dies.
   *
   * @internal
   */
  async turn<T>(act: (turn: Turn) => Promise<T>): Promise<T> {
    const timeoutMs = this.timeoutMs;
    return this.#inTurn(() =>
      act({
        start: async () => {
          await this.#ready(timeoutMs);
          return this.#starts;
        },
        ask: async (request, summarise) => {
          const ends = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
          let answer = await this.#send(lineOf(request, timeoutMs), request.id, timeoutMs);
          while (answer.summarise) {
            const { nodes } = answer.summarise;
            const summary = await waiting.run([...(waiting.getStore() ?? []), this], () => inTime(summaryOf(nodes, summarise), ends));
            answer = await this.#send(lineOf({ ...(request.id !== undefined && { id: request.id }), ...summary }), request.id, timeoutMs);
          }
          return answer;
        },
      }),
    );
  }

  /**
   * Like {@link ask}, but throws an answer that is an error.
   *
   * @param rename returns the path of a file in an error as the caller named it
   */
  async result(request: WorkerRequest, rename?: (path: string) => string): Promise<WorkerAnswer> {
    const answer = await this.ask(request);
    if (answer.error) throw errorOf(answer.error, rename);
    return answer;
  }

  /** Ends the process after the pending requests. The next request starts another one. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      this.#process?.end();
      this.#process = undefined;
    });
  }

  /** Runs something after all earlier requests. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (waiting.getStore()?.includes(this)) {
      const hint = "use the nodes that it gets, or another worker";
      return Promise.reject(new PactkitError("the worker waits for this function, which writes a summary", "E_WORKER_BUSY", { hint }));
    }
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #send(line: string, id: Json | undefined, timeoutMs: number | undefined): Promise<WorkerAnswer> {
    const process = await this.#ready(timeoutMs);
    const answer = (await process.exchange(line, this.#wait(timeoutMs))) as unknown as WorkerAnswer;
    const [asked, answered] = [JSON.stringify(id ?? null), JSON.stringify(answer.id ?? null)];
    if (asked === answered) return answer;
    process.end();
    throw new PactkitError(`the answer to ${asked} is one to ${answered}`, "E_WORKER_DIED");
  }

  /** Returns the process, and starts it if necessary. */
  async #ready(timeoutMs: number | undefined): Promise<WorkerProcess> {
    if (!this.#process?.alive) this.#process = await this.#start(this.#wait(timeoutMs));
    return this.#process;
  }

  /** Returns after how many milliseconds a process is killed. */
  #wait(timeoutMs: number | undefined): number | undefined {
    return timeoutMs === undefined ? undefined : timeoutMs + (this.#options.graceMs ?? 2000);
  }

  async #start(wait: number | undefined): Promise<WorkerProcess> {
    const { binary: named, maxBytes } = this.#options;
    const [program = "", ...more] = named === undefined ? [binary()] : typeof named === "string" ? [named] : named;
    this.#starts++;
    const process = new WorkerProcess(program, [
      ...more,
      "worker",
      ...(maxBytes === undefined ? [] : ["--max-bytes", String(maxBytes)]),
    ]);
    const hello = await process.exchange(`{"worker":${PROTOCOL}}`, wait);
    if (hello["worker"] !== PROTOCOL) {
      process.kill();
      const error = hello["error"] as WorkerAnswer["error"];
      throw error ? errorOf(error) : new PactkitError(`${program} speaks another protocol`, "E_WORKER_VERSION");
    }
    return process;
  }
}

/** Returns the line of a request. Its id is first, as docs/reference/worker.md asks. */
function lineOf(request: WorkerRequest, timeoutMs?: number): string {
  const limit = timeoutMs === undefined ? {} : { timeout_ms: Math.max(1, Math.round(timeoutMs)) };
  return JSON.stringify({ id: request.id, ...limit, ...request });
}

/** Returns the members of a line that answers a question for a summary. */
async function summaryOf(nodes: NodeMembers[], summarise?: (nodes: NodeMembers[]) => Promise<Draft>): Promise<WorkerRequest> {
  try {
    if (!summarise) return { summary: null, error: "there is no function that writes summaries" };
    const summary = await summarise(nodes);
    JSON.stringify(summary); // what cannot be sent is a summary that failed
    return { summary };
  } catch (error) {
    return { summary: null, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns a summary, or that there is none when the time of the request is over. */
async function inTime(summary: Promise<WorkerRequest>, ends: number | undefined): Promise<WorkerRequest> {
  if (ends === undefined) return summary;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<WorkerRequest>((done) => {
    timer = setTimeout(() => done({ summary: null, error: "it took longer than the request may" }), Math.max(0, ends - performance.now()));
  });
  try {
    return await Promise.race([summary, late]);
  } finally {
    clearTimeout(timer);
  }
}

let shared: Worker | undefined;

/** Returns the worker that the functions of this package share. */
export function sharedWorker(): Worker {
  return (shared ??= new Worker());
}

/** One process. It gets one line at a time. */
class WorkerProcess {
  alive = true;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines = new Lines();
  #errors = "";
  #waiting: { resolve: (line: Buffer) => void; reject: (error: Error) => void } | undefined;

  constructor(program: string, args: string[]) {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    this.#child = child;
    child.stdin.on("error", () => undefined); // the exit of the process tells why
    child.stdout.on("data", (chunk: Buffer) => {
      for (const line of this.#lines.push(chunk)) {
        if (!this.#waiting) this.kill(); // an answer without a request
        else this.#waiting.resolve(line);
      }
    });
    child.stderr.on("data", (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-2000);
    });
    child.on("error", (error) => {
      this.#fail(new BinaryNotFound(`cannot start ${program}: ${error.message}`, "E_NO_BINARY"));
    });
    // A process that it started itself may hold the pipes open: then "close" would not come.
    child.on("exit", () => setTimeout(() => this.#release(), 1000).unref());
    child.on("close", (code, signal) => {
      const how = signal ? `signal ${signal}` : `exit code ${code}`;
      const said = this.#errors.trim();
      this.#fail(new WorkerDied(`pactkit worker died (${how})${said && `: ${said}`}`, "E_WORKER_DIED"));
    });
    this.#hold(false);
  }

  /**
   * Sends a line and returns the object in the next line of the answer.
   *
   * @param wait after how many milliseconds the process is killed
   */
  async exchange(line: string, wait: number | undefined): Promise<Record<string, unknown>> {
    let timer: NodeJS.Timeout | undefined;
    let answer: Buffer;
    try {
      answer = await new Promise<Buffer>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.#hold(true);
        if (wait !== undefined) {
          timer = setTimeout(() => {
            this.kill();
            reject(new WorkerTimeout(`no answer after ${wait} ms; the worker was killed`, "E_WORKER_TIMEOUT"));
          }, wait);
        }
        this.#child.stdin.write(`${line}\n`);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
      this.#hold(false);
    }
    let value: unknown;
    try {
      value = JSON.parse(answer.toString());
    } catch {
      value = undefined;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.kill();
      const shown = JSON.stringify(answer.subarray(0, 80).toString("latin1"));
      throw new PactkitError(`this is not an answer of pactkit worker: ${shown}`, "E_WORKER_DIED");
    }
    return value as Record<string, unknown>;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Ends the input of the process, so it ends by itself. */
  end(): void {
    this.alive = false;
    this.#child.stdin.end();
  }

  kill(): void {
    this.alive = false;
    this.#child.kill("SIGKILL");
    this.#release();
  }

  #fail(error: Error): void {
    this.alive = false;
    this.#waiting?.reject(error);
  }

  #release(): void {
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }

  /** Sets whether the process keeps Node running. */
  #hold(on: boolean): void {
    const act = on ? "ref" : "unref";
    this.#child[act]();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) (stream as unknown as Socket)[act]?.();
  }
}
