// Histories, and the nodes in them.

import { readFile } from "node:fs/promises";

import { errorOf, PactkitError, SelectorError } from "./errors.js";
import type { Call, Changes, Edition, HistoryAnswer, Json, NodeMembers, Note, Selected, State, Step, WorkerRequest } from "./protocol.js";
import { Report } from "./report.js";
import type { Diff, Format, Trace } from "./schema.js";
import { run } from "./verbs.js";
import type { Worker } from "./worker.js";

/** A node of a context: a message, a part of one, a call or its result, or a container of these. */
export class Node {
  /**
   * @param members all members of the node except its children, as in the history. Numbers are those of JavaScript
   * @param snapshot the newest snapshot that selects the node, such as `@t-2`, for selectors with `@mode=latest`
   */
  constructor(
    readonly members: NodeMembers,
    readonly snapshot?: string,
  ) {}

  /** The id, which is the same in all snapshots. */
  get id(): string {
    return this.members.id;
  }

  /** The type: `block`, `seg`, `cont` or another one. */
  get type(): string {
    return this.members.nodeType;
  }

  /** Who speaks: `user`, `assistant`, `system`, `tool` … */
  get role(): string | undefined {
    return this.#string("role");
  }

  /** What a block is: `text`, `call`, `result` … */
  get kind(): string | undefined {
    return this.#string("kind");
  }

  /** The name of the tool, for calls and results. */
  get name(): string | undefined {
    return this.#string("name");
  }

  /** The tags, such as `tool`. */
  get tags(): string[] {
    const tags = this.members["tag"] ?? [];
    return Array.isArray(tags) ? tags.map(String) : [String(tags)];
  }

  /** The id of the parent of the node. */
  get parentId(): string | undefined {
    return this.#string("parent_id");
  }

  /** The cycle that created the node, from 0. */
  get cycle(): number {
    return Number(this.members["cycle"] ?? 0);
  }

  /** The content, or `undefined` if there is none. */
  get content(): Json | undefined {
    return this.members["content"];
  }

  /** The content as text: a string as it is, the texts of a list of parts, anything else as JSON. */
  get text(): string {
    return textOf(this.content);
  }

  toString(): string {
    const text = this.text.length > 60 ? `${this.text.slice(0, 59)}…` : this.text;
    return [this.id, this.role ?? this.type, this.kind, this.name, JSON.stringify(text)].filter(Boolean).join(" ");
  }

  #string(member: string): string | undefined {
    const value = this.members[member];
    return typeof value === "string" ? value : undefined;
  }
}

/** The nodes that a selector selects, in order. What `map`, `filter` and `slice` return are plain arrays. */
export class Nodes extends Array<Node> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Warnings about the selector: unknown words, old forms, a range that begins before the history does. */
  readonly warnings: readonly string[];
  /** The unknown words of the selector that were probably misspelled, each with the word that was probably meant. */
  readonly misspelled: Readonly<Record<string, string>>;

  constructor(
    readonly selector: string,
    nodes: readonly Node[],
    warnings: readonly string[] = [],
    misspelled: Readonly<Record<string, string>> = {},
  ) {
    super();
    for (const node of nodes) this.push(node);
    this.warnings = warnings;
    this.misspelled = misspelled;
  }

  /** The ids of the nodes. */
  get ids(): string[] {
    return this.map((node) => node.id);
  }

  /** The contents of the nodes as text. */
  get texts(): string[] {
    return this.map((node) => node.text);
  }
}

/** How selectors are read. */
export interface SelectOptions {
  /** The edition that they are written in; by default that of the history. */
  edition?: Edition;
}

/** The questions that a history or a context answers. */
export abstract class Questions {
  /**
   * Returns the nodes that a selector selects. A word that neither the language nor the history has is a warning of type
   * `SelectorWarning`, once for each selector; `process.on("warning", …)` sees it.
   *
   * @throws {@link SelectorError} for an invalid selector, and for one that compares snapshots: see {@link changes}
   */
  async select(selector: string, options: SelectOptions = {}): Promise<Nodes> {
    return (await this.selectAll({ it: selector }, options)).it;
  }

  /** Like {@link select}, for several selectors at once, each with a name. */
  async selectAll<Name extends string>(selectors: Readonly<Record<Name, string>>, options: SelectOptions = {}): Promise<Record<Name, Nodes>> {
    const { answers } = await this.ask({ ...options, selectors, want: "nodes" });
    const found = Object.entries(answers as Record<Name, Selected>) as [Name, Selected][];
    const nodes = found.map(([name, one]) => [name, nodesOf(selectors[name], one)] as const);
    for (const [, { selector, warnings }] of nodes) warnOf(selector, warnings);
    return Object.fromEntries(nodes) as Record<Name, Nodes>;
  }

  /**
   * Returns the nodes that a selector selects, without emitting warnings, and how many nodes each of its steps leaves in
   * the newest snapshot that the selector asks for.
   */
  async explain(selector: string, options: SelectOptions = {}): Promise<{ nodes: Nodes; steps: Step[] }> {
    const { answers } = await this.ask({ ...options, selectors: [selector], want: "nodes", trace: true });
    const answer = (answers as [Selected])[0];
    return { nodes: nodesOf(selector, answer), steps: answer.steps ?? [] };
  }

  /**
   * Returns how the result of a selector changes from snapshot to snapshot. The selector has a range of time, such as
   * `@t0..@t-3 .block`.
   *
   * @param options the edition, and those of `pactkit eval --batch`: `includeContent`, `contextLines`, `maxSnapshots` …
   */
  async changes(selector: string, options: SelectOptions & Readonly<Record<string, unknown>> = {}): Promise<Changes> {
    const { edition, ...others } = options;
    const { answers } = await this.ask({ selectors: [selector], options: others, ...(edition && { edition }) });
    const answer = (answers as Selected[])[0];
    if (answer?.error) throw errorOf(answer.error);
    if (!answer?.range) throw new SelectorError("the selector has no range of time, such as @t0..@t-3: use select");
    warnOf(selector, answer.warnings);
    return answer.range;
  }

  /** Returns what each model call was sent, and what entered and left since the line before it in `log`. */
  async calls(): Promise<Call[]> {
    return (await this.log()).filter((line) => "tokens" in line);
  }

  /** Returns the lines of `pactkit log`: the model calls, and the states between them, such as that after a compaction. With shares, each call has `tokens.shares`: what filled it. */
  async log({ shares = false } = {}): Promise<(Call | State)[]> {
    return (await this.ask({ calls: true, shares })).calls ?? [];
  }

  /** Runs the cases of a suite on this history. `suite` is its text, or the path of its file. */
  async test(suite: string | URL): Promise<Report> {
    const text = typeof suite === "string" && suite.includes("\n") ? suite : await readFile(suite, "utf8");
    return new Report((await this.ask({ suite: text })).test ?? { suites: [] });
  }

  /** @internal */
  protected abstract ask(question: WorkerRequest): Promise<HistoryAnswer>;
}

/** What a model saw, call by call. `open` and `read` make one. */
export class History extends Questions {
  readonly #source: WorkerRequest;
  readonly #worker: Worker;

  /** @internal */
  constructor(
    /** The name of the history in its file; empty if the file has only one. */
    readonly name: string,
    /** Notes on entries of the log that are malformed or do not fit into a tree. */
    readonly notes: readonly Note[],
    source: WorkerRequest,
    worker: Worker,
  ) {
    super();
    this.#source = source;
    this.#worker = worker;
  }

  /** Renders a state as the messages of a request, as `pactkit render` does: the newest, or the one at an address such as `@c3`. */
  async render<T = unknown>(format: Format, options: { at?: string } = {}): Promise<T> {
    const text = await this.#run("render", ["--quiet", `--to=${format}`, `--at=${options.at ?? "@t0"}`]);
    return (format === "claude-code" ? text : JSON.parse(text)) as T;
  }

  /** Returns how the states at two addresses differ, such as `@t-1` and `@t0`. */
  async diff(before: string, after: string): Promise<Diff> {
    return JSON.parse(await this.#run("diff", ["--quiet", "--format=json", "--isolated"], [before, after])) as Diff;
  }

  /** Returns when a node entered, changed and left, and why. `node` is its id, or a selector of one node. */
  async trace(node: string): Promise<Trace> {
    return JSON.parse(await this.#run("trace", ["--quiet", "--json"], [node])) as Trace;
  }

  /** Runs the program on the history. */
  async #run(verb: string, flags: string[], args: string[] = []): Promise<string> {
    const { path, log, from, messages } = this.#source;
    if (from !== undefined) flags.push(`--from=${from}`);
    if (messages !== undefined) flags.push(`--messages=${messages}`);
    const named = path === undefined ? "-" : this.name && !path.includes("#") ? `${path}#${this.name}` : path;
    return run([verb, ...flags, "--", named, ...args], typeof log === "string" ? log : JSON.stringify(log ?? ""));
  }

  /** @internal */
  protected override async ask(question: WorkerRequest): Promise<HistoryAnswer> {
    const { histories = [] } = await this.#worker.result({ ...this.#source, ...question });
    const mine = histories.find((history) => history.name === this.name);
    if (!mine) throw new PactkitError(`the history ${JSON.stringify(this.name)} is no longer in its file`);
    if (mine.error) throw errorOf(mine.error);
    return mine;
  }
}

/** Returns a content as text. */
export function textOf(content: Json | undefined): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (Array.isArray(content)) {
    const texts = content.map((part: Json) => (part as { text?: Json } | null)?.text);
    if (texts.every((text) => typeof text === "string")) return texts.join("\n");
  }
  return JSON.stringify(content);
}

function nodesOf(selector: string, answer: Selected): Nodes {
  if (answer.error) throw errorOf(answer.error);
  if (answer.range) throw new SelectorError("the selector compares snapshots: use changes, or @mode=union or @mode=latest");
  const nodes = (answer.nodes ?? []).map((node) => new Node(node));
  const latest = (answer.latest ?? []).map((one) => new Node(one.node, one.snapshot));
  const misspelled = Object.fromEntries((answer.misspelled ?? []).map(({ word, near }) => [word, near]));
  return new Nodes(selector, [...nodes, ...latest], answer.warnings, misspelled);
}

const warned = new Set<string>();

/** Emits warnings about a selector, each of them once, for the first thousand. */
export function warnOf(selector: string, warnings: readonly string[] = []): void {
  for (const warning of warnings.map((text) => `${selector}: ${text}`)) {
    if (warned.has(warning) || warned.size >= 1000) continue;
    warned.add(warning);
    process.emitWarning(warning, "SelectorWarning");
  }
}
