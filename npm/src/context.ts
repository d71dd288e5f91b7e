// Live contexts: what a model is sent next, kept in a worker and, if it has an address, in a store.

import { resolve } from "node:path";

import { ContextLost, errorOf, PactkitError, WorkerDied, WorkerTimeout } from "./errors.js";
import { Node, Nodes, Questions } from "./history.js";
import { plain } from "./objects.js";
import type { Edition, HistoryAnswer, Json, NodeMembers, Note, WorkerAnswer, WorkerRequest } from "./protocol.js";
import type { CallInfo, Commit, CommitInfo, ContextState, Draft, Format, Operation, OperationResult, Policy, Usage } from "./schema.js";
import { sharedWorker, type Turn, type Worker } from "./worker.js";

// Node 18 before 18.18 has no such symbol.
(Symbol as { asyncDispose?: symbol }).asyncDispose ??= Symbol("Symbol.asyncDispose");

/** How a context is opened. */
export interface ContextOptions {
  /** What keeps the context within the window of a model. */
  policy?: Policy;
  /** The edition of a new history; 1.0 by default. */
  edition?: Edition;
  /** Whether `^sys`, the system prompt, can be changed. */
  system?: boolean;
  /** Whether the history must exist already, or must not. */
  must?: "exist" | "begin";
  /** The time of the first node. Each further node is a nanosecond later. The default is the clock of the machine. */
  clock?: string | Date;
  /** A whole number that seeds random ids. By default, ids are numbered. */
  seed?: number;
  /** Writes the summaries that a policy asks for: the text, or a node. If it throws, the nodes stay. It cannot use the same worker. */
  summarise?: (nodes: readonly Node[]) => string | Draft | Promise<string | Draft>;
  /** The worker process to use; by default, the shared one. */
  worker?: Worker;
}

/** The messages of a request in a format. The SDK of the provider has the complete types. */
export interface Threads {
  anthropic: { system?: string | Json[]; messages: { role: "user" | "assistant"; content: string | Json[] }[] };
  openai: { role: string; content?: string | Json[] | null; [member: string]: Json | undefined }[];
}

/** The messages of a request in a format. */
export type Thread<F extends Format> = F extends keyof Threads ? Threads[F] : unknown;

/** The result of {@link Context.answer}. */
export interface Answered {
  readonly nodes: Nodes;
  readonly commit: Commit;
  /** The counts of the provider, if the response has them. */
  readonly usage: Usage | undefined;
}

let opened = 0;

/**
 * Opens a live context.
 *
 * ```js
 * await using ctx = await context("file:sessions#support-17");
 * await ctx.insert("(d0,0, end)", { role: "user", content: "Where is my order?" });
 * const request = await ctx.render("anthropic", { fit: true });
 * await ctx.answer(await client.messages.create({ model, max_tokens: 1000, ...request }));
 * ```
 *
 * @param address `memory:`, or a history of a store: `file:FOLDER#NAME` or `postgres://…#NAME`. A history that does not exist
 * begins with the first commit
 */
export async function context(address = "memory:", options: ContextOptions = {}): Promise<Context> {
  const whole = address.replace(/^file:(.*)(#[^#]*)$/s, (_, folder: string, id: string) => `file:${resolve(folder)}${id}`);
  const made = new Context(whole, { ...options });
  await made.do();
  return made;
}

/**
 * A live context. Its methods run one after the other, in the order of the calls. A method that changes it returns when the
 * change is made; `commit`, `step`, `answer`, `shrink` and `checkpoint` return when what they store is durable.
 *
 * If the worker dies, a context in a store is opened again without its uncommitted changes. If there were any, the method that
 * finds out throws {@link ContextLost}; the next one works on the state in the store. A context in memory is lost.
 */
export class Context extends Questions {
  readonly #address: string;
  readonly #options: ContextOptions;
  readonly #worker: Worker;
  readonly #name = `context-${++opened}`;
  /** The number of the process that has the context open, or 0. */
  #start = 0;
  #isClosed = false;
  /** Whether there are uncommitted changes. */
  #isDirty = false;
  #state: ContextState = { cycle: 0, newest: null, edition: "1.0" };
  #last: Commit | undefined;
  #notes: readonly Note[] = [];

  /** @internal */
  constructor(address: string, options: ContextOptions) {
    super();
    this.#address = address;
    this.#options = options;
    this.#worker = options.worker ?? sharedWorker();
  }

  /** The cycle of the newest snapshot that this context knows, or `null`. */
  get newest(): number | null {
    return this.#state.newest;
  }

  get edition(): Edition {
    return this.#state.edition;
  }

  /** The result of the last commit, step, answer or shrink: which nodes left or changed, why, and how many tokens that saved. */
  get last(): Commit | undefined {
    return this.#last;
  }

  /** Notes on what the format of the last {@link render} cannot express. */
  get notes(): readonly Note[] {
    return this.#notes;
  }

  /**
   * Runs operations in one request, as docs/reference/worker.md describes them, and returns the result of each.
   *
   * @throws {@link PactkitError} if one fails; the effects of those before it stay
   */
  async do(...operations: Operation[]): Promise<OperationResult[]> {
    return this.#worker.turn(async (turn) => {
      await this.#attach(turn);
      return operations.length > 0 ? this.#run(turn, operations) : [];
    });
  }

  /** Inserts a node at a position such as `(d0,0, end)`. With a `?` at its end, the position may not be there; then the result is `undefined`. */
  async insert(position: string, node: Draft): Promise<Node | undefined> {
    return this.#node({ insert: position, node: plain(node) as Draft });
  }

  /** Replaces the node that a selector selects. */
  async replace(selector: string, node: Draft): Promise<Node | undefined> {
    return this.#node({ replace: selector, node: plain(node) as Draft });
  }

  /** Moves the node that a selector selects to a position. */
  async move(selector: string, position: string): Promise<Node | undefined> {
    return this.#node({ move: selector, to: position });
  }

  /** Deletes the node that a selector selects. If the node is sealed, it returns the marker. */
  async delete(selector: string): Promise<Node | undefined> {
    return this.#node({ delete: selector });
  }

  /** Pins the node that a selector selects, which protects it from expiry and policies. */
  async pin(selector: string): Promise<Node | undefined> {
    return this.#node({ pin: selector });
  }

  async unpin(selector: string): Promise<Node | undefined> {
    return this.#node({ unpin: selector });
  }

  /** Keeps the node with an id from leaving. To undo it, call `release` as often. */
  async hold(id: string): Promise<void> {
    await this.do({ hold: id });
  }

  async release(id: string): Promise<void> {
    await this.do({ release: id });
  }

  /**
   * Attaches a subtree of another history, read-only, and returns the node that refers to it.
   *
   * @param subtree.history the id of another history of the store; for a context in memory there is none
   * @param subtree.of a selector of one node of that history, the top of the subtree
   * @param subtree.at the address of a snapshot, such as `@c12`; without it, the attachment is live: {@link render} shows the
   * newest snapshot, until the turn with the attachment is sealed
   */
  async attach(position: string, subtree: { history: string; of: string; at?: string }, node?: Draft): Promise<Node | undefined> {
    return this.#node({ attach: position, ...subtree, ...(node && { node: plain(node) as Draft }) });
  }

  /** Brings live attachments up to date, as {@link render} does. */
  async refresh(): Promise<void> {
    await this.do({ refresh: true });
  }

  /** Ends the cadence of a key. */
  async stop(key: string): Promise<void> {
    await this.do({ stop: key });
  }

  /** Inserts messages of a provider at the end of the turn, as an import does. */
  async add(messages: readonly unknown[], from: Format): Promise<Nodes> {
    return nodesOf("add", await this.#one({ add: plain(messages) as unknown[], from }));
  }

  /** Ends the turn: seals it, and makes a snapshot. */
  async commit(): Promise<Commit> {
    return commitOf(await this.#one({ commit: true }));
  }

  /** Ends the cycle of a model call within a turn, and makes a snapshot. */
  async step(): Promise<Commit> {
    return commitOf(await this.#one({ step: true }));
  }

  /** Seals the turn without ending the cycle. */
  async seal(): Promise<void> {
    await this.do({ seal: true });
  }

  /** Makes the working state durable without a commit. */
  async checkpoint(): Promise<void> {
    await this.do({ checkpoint: true });
  }

  /** Describes the next commit, such as the model call that sends its snapshot. */
  async describe(info: CommitInfo): Promise<void> {
    await this.do({ describe: info });
  }

  /**
   * Renders the working state, or another state, as the messages of a request.
   *
   * @param options.fit end the cycle first, so lifetimes and the policy apply to what is sent; {@link last} says what left. The
   * next {@link answer} completes and stores that cycle
   * @param options.at the address of a snapshot, such as `@t-1`
   */
  async render<F extends Format, T = Thread<F>>(format: F, options: { fit?: boolean; at?: string } = {}): Promise<T> {
    const result = await this.#one({ render: format, ...options });
    this.#notes = result.notes ?? [];
    return result.thread as T;
  }

  /**
   * Takes the response of a provider: ends the cycle with the call, unless {@link render} did, inserts the answer, and seals
   * the turn, unless the answer calls tools. All of it is durable then.
   *
   * @param from the format of the response; that of the last {@link render} by default
   */
  async answer(response: object, from?: Format): Promise<Answered> {
    const result = await this.#one({ answer: plain(response), ...(from && { from }) });
    return { nodes: nodesOf("answer", result), commit: commitOf(result), usage: result.usage };
  }

  /**
   * Ends the cycle, for a call whose request the caller makes: lifetimes and the policy apply. {@link complete} says what
   * the call used, and the next {@link checkpoint} or commit stores both.
   */
  async prepare(): Promise<Commit> {
    return commitOf(await this.#one({ prepare: true }));
  }

  /** Describes the call of the last {@link prepare}: its model, its usage. The caller inserts the answer. */
  async complete(call: CallInfo): Promise<void> {
    await this.do({ complete: call });
  }

  /** Replaces the policy, from the next commit on. Without an argument, the context has no policy. */
  async policy(policy: Policy | null): Promise<void> {
    await this.do({ policy });
    if (policy) this.#options.policy = policy;
    else delete this.#options.policy;
  }

  /** Ends the cycle, and saves a number of tokens by the policy, after the provider refused a call that was too long. */
  async shrink(tokens: number): Promise<Commit> {
    return commitOf(await this.#one({ shrink: tokens }));
  }

  /**
   * Returns an independent context that begins with the snapshots of this one.
   *
   * @param name the name of the fork in the store; leave it out for a context in memory
   * @param options.at the last common snapshot, such as `@c3`; the newest by default
   */
  async fork(name?: string, options: { at?: string } = {}): Promise<Context> {
    const id = (name ?? "").replace(/[%#@]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    const address = this.#isStored ? `${this.#address.replace(/#[^#]*$/, "")}#${id}` : this.#address;
    const made = new Context(address, { ...this.#options, must: "exist", worker: this.#worker });
    const to = this.#isStored ? { to: name ?? "" } : {};
    await this.#worker.turn(async (turn) => {
      await this.#attach(turn);
      const [result] = await this.#run(turn, [{ fork: made.#name, ...to, ...options }]);
      made.#begin(this.#start, result?.state);
    });
    return made;
  }

  /**
   * Continues from an earlier snapshot, such as `@c3`. Uncommitted changes are lost. A store keeps the old history under another
   * name.
   *
   * @param options.keep the name of the old history
   * @returns its name
   */
  async rewind(to: string, options: { keep?: string } = {}): Promise<string | undefined> {
    return (await this.#one({ rewind: to, ...options })).keep;
  }

  /**
   * Follows a selector: what commits add to its result, remove from it, and change in it. For most selectors, the cost of a
   * commit depends on what it changed, and not on the size of the context.
   *
   * ```js
   * for await (const change of ctx.watch(".block+tool", { stored: true })) console.log(change.added.texts);
   * ```
   *
   * @param selector a selector without a time
   * @param options.stored follow the history in the store, with the commits of other writers; the context does not change
   * @param options.everyMs how long iterating pauses after it found nothing, in milliseconds; 200 by default
   */
  watch(selector: string, options: { stored?: boolean; everyMs?: number } = {}): Watch {
    const as = `watch-${++opened}`;
    const operation: Operation = { watch: selector, as, ...(options.stored && { stored: true }) };
    return new Watch(
      async () => watchedOf(selector, await this.#one(operation)),
      async () => {
        if (!this.#isClosed) await this.do({ unwatch: as });
      },
      options.everyMs ?? 200,
    );
  }

  /** Loads the state in the store. Uncommitted changes are lost. */
  async reload(): Promise<void> {
    await this.do({ reload: true });
  }

  /** Closes the context. Uncommitted changes are lost. Closing it again does nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#worker.turn(async (turn) => {
      this.#isClosed = true;
      if (this.#start !== 0 && (await turn.start()) === this.#start) await turn.ask({ context: this.#name, do: [{ close: true }] });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal */
  protected override async ask(question: WorkerRequest): Promise<HistoryAnswer> {
    const answer = await this.#worker.turn(async (turn) => {
      await this.#attach(turn);
      const request = { ...question, context: this.#name };
      try {
        return await turn.ask(request);
      } catch (error) {
        if (!isDeath(error)) throw error;
        await this.#attach(turn);
        return turn.ask(request);
      }
    });
    if (answer.error) throw errorOf(answer.error);
    const [found] = answer.histories ?? [];
    if (!found) throw new PactkitError("there is no answer", "E_WORKER_DIED");
    if (found.error) throw errorOf(found.error);
    return found;
  }

  get #isStored(): boolean {
    return !this.#address.startsWith("memory:");
  }

  async #one(operation: Operation): Promise<OperationResult> {
    return (await this.do(operation))[0] ?? {};
  }

  async #node(operation: Operation): Promise<Node | undefined> {
    const { node, warnings = [] } = await this.#one(operation);
    for (const warning of warnings) process.emitWarning(warning, "ContextWarning");
    return node ? new Node(node) : undefined;
  }

  /** Opens the context if this process does not have it open. */
  async #attach(turn: Turn): Promise<void> {
    if (this.#isClosed) throw new PactkitError("the context is closed", "E_WORKER_CONTEXT");
    const start = await turn.start();
    if (start === this.#start) return;
    const again = this.#start !== 0;
    if (again && !this.#isStored) {
      this.#isClosed = true;
      throw new ContextLost("the worker died, and with it this context in memory", { hint: "keep it in a store: context(\"file:FOLDER#NAME\")" });
    }
    const { worker: _, summarise, clock, must, ...rest } = this.#options;
    const open: Operation = {
      open: this.#address,
      ...rest,
      ...(clock !== undefined && { clock: typeof clock === "string" ? clock : clock.toISOString() }),
      ...(summarise && { summarise: true }),
      // A context that has committed must still exist.
      ...(again && this.#state.newest !== null ? { must: "exist" } : must && !(again && must === "begin") && { must }),
    };
    const result = resultsOf(await turn.ask({ context: this.#name, do: [open] }))[0];
    const wasDirty = this.#isDirty;
    this.#begin(start, result?.state);
    if (again && wasDirty) throw this.#lost();
  }

  #begin(start: number, state: ContextState | undefined): void {
    this.#start = start;
    this.#isDirty = false;
    if (state) this.#state = state;
  }

  #lost(): ContextLost {
    const { newest } = this.#state;
    return new ContextLost("the worker died; what the context had not committed is lost", { hint: "insert it again: the context is open" }, newest);
  }

  /** Runs operations in the process that has the context open. */
  async #run(turn: Turn, operations: Operation[]): Promise<OperationResult[]> {
    let answer: WorkerAnswer;
    try {
      answer = await turn.ask({ context: this.#name, do: operations }, this.#summarise());
    } catch (error) {
      if (!isDeath(error)) throw error;
      this.#isDirty = true;
      await this.#attach(turn); // throws if something was lost
      throw error;
    }
    (answer.done ?? []).forEach((result, i) => this.#note(operations[i], result));
    if (answer.error && operations[answer.done?.length ?? 0] && !isQuiet(operations[answer.done?.length ?? 0])) this.#isDirty = true;
    return resultsOf(answer);
  }

  /** Records the result of an operation. */
  #note(operation: Operation | undefined, { commit, state }: OperationResult): void {
    if (!operation || isQuiet(operation)) return;
    this.#isDirty = "render" in operation || "prepare" in operation || (!commit && !state && !("checkpoint" in operation));
    if (state) this.#state = state;
    if (commit) {
      this.#last = commit;
      this.#state = { ...this.#state, cycle: commit.cycle + 1, newest: commit.cycle };
    }
  }

  #summarise(): ((nodes: NodeMembers[]) => Promise<Draft>) | undefined {
    const { summarise } = this.#options;
    if (!summarise) return undefined;
    return async (nodes) => {
      const made = await summarise(nodes.map((node) => new Node(node)));
      return typeof made === "string" ? { content: made } : made;
    };
  }
}

/** How the result of a selector has changed. */
export interface Watched {
  /** The cycle of the newest snapshot, or `null`. */
  readonly cycle: number | null;
  readonly added: Nodes;
  /** The nodes that are no longer selected, as they were. */
  readonly removed: Nodes;
  /** The nodes that changed but are still selected, each with what changed, such as `ttl`. */
  readonly changed: readonly { readonly node: Node; readonly fields: readonly string[] }[];
  /** Whether `added` has everything that is selected: in the first result, and in the first one of a new worker. */
  readonly first: boolean;
}

/** Follows a selector, see {@link Context.watch}. Iterating waits for changes, without an end. */
export class Watch implements AsyncIterable<Watched> {
  readonly #ask: () => Promise<Watched>;
  readonly #end: () => Promise<unknown>;
  readonly #everyMs: number;
  #isClosed = false;

  /** @internal */
  constructor(ask: () => Promise<Watched>, end: () => Promise<unknown>, everyMs: number) {
    this.#ask = ask;
    this.#end = end;
    this.#everyMs = everyMs;
  }

  /** Returns what commits have changed since the last call; at first, everything that is selected. */
  async changes(): Promise<Watched> {
    if (this.#isClosed) throw new PactkitError("the watch is closed", "E_WORKER_CONTEXT");
    return this.#ask();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Watched> {
    for (;;) {
      const found = await this.changes();
      if (found.first || found.added.length + found.removed.length + found.changed.length > 0) yield found;
      else await new Promise((done) => setTimeout(done, this.#everyMs));
    }
  }

  /** Ends the watch. It ends with the context, too. Closing it again does nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function watchedOf(selector: string, { watched }: OperationResult): Watched {
  if (!watched) throw new PactkitError("the worker does not say what has changed", "E_WORKER_DIED");
  const nodes = (list: readonly NodeMembers[]) => new Nodes(selector, list.map((node) => new Node(node)), undefined);
  return {
    cycle: watched.cycle,
    added: nodes(watched.added),
    removed: nodes(watched.removed),
    changed: watched.changed.map(({ node, fields }) => ({ node: new Node(node), fields })),
    first: watched.first ?? false,
  };
}

/** Reports whether an operation changes nothing that a commit would store. */
function isQuiet(operation: Operation | undefined): boolean {
  return operation !== undefined && (("render" in operation && !operation.fit) || "fork" in operation || "close" in operation || "watch" in operation || "unwatch" in operation || Object.keys(operation)[0] === "policy");
}

/** Reports whether an error means that the process died. */
function isDeath(error: unknown): boolean {
  return error instanceof WorkerDied || error instanceof WorkerTimeout;
}

function resultsOf(answer: WorkerAnswer): OperationResult[] {
  if (answer.error) throw errorOf(answer.error);
  return answer.done ?? [];
}

function nodesOf(what: string, { nodes = [], warnings }: OperationResult): Nodes {
  return new Nodes(what, nodes.map((node) => new Node(node)), warnings);
}

function commitOf({ commit }: OperationResult): Commit {
  if (!commit) throw new PactkitError("the worker does not say what it committed", "E_WORKER_DIED");
  return commit;
}
