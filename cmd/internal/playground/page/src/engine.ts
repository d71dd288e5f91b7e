// Sends requests to the worker. If it takes too long, it is restarted, so no selector or file can
// hang the page.

import type { NodeDetail, Reader } from "../../../inspect/page/src/data";
import { parseExact } from "../../../inspect/page/src/exact";
import type { Step } from "../../../inspect/page/src/model";

export interface Finding { code: string; severity: "error" | "warning" | "info" | "hint"; message: string; hint?: string; from: number; to: number }

/** The findings about a selector. */
export interface Answer {
  canonical?: string;
  compact?: string;
  fixed?: string;
  meaning?: string[];
  plan?: string;
  findings: Finding[];
  steps?: { text: string; count: number }[];
  ids?: string[];
  range?: string;
  error?: string;
  evaluated: boolean;
}

/** A word of a selector, in UTF-16 units. */
export interface Word { from: number; to: number; kind: string }

/** How many steps a history has. */
export interface Loaded { steps: number }

/** How long an answer may take, in milliseconds, after the program has started: on a slow computer, add `?seconds=60` to the address. */
const budget = 1000 * (Number(new URLSearchParams(location.search).get("seconds")) || 5);

/** How long the program may take to arrive and start. */
const patience = 12 * budget;

interface Waiting { id: number; request: object; parse(answer: string): unknown; done(answer: unknown): void; fail(error: Error): void }

export class Engine implements Reader {
  readonly live = true;
  private worker: Worker | undefined;
  private timer = 0;
  private next = 0;
  private readonly queue: Waiting[] = [];
  private history: object | undefined; // the request that loaded what is shown
  /** Is called with the findings of each selector that is run. */
  readonly listeners = new Set<(selector: string, findings: Finding[]) => void>();

  async load(name: string, text: string): Promise<Loaded> {
    const request = { load: { name, text } };
    const loaded = (await this.request(request)) as Loaded;
    this.history = request;
    return loaded;
  }

  /** Some steps, the first of which has a number. */
  steps(from: number): Promise<Step[]> {
    return this.request({ steps: { from } }) as Promise<Step[]>;
  }

  nodes(_session: number, at: number, ids: readonly string[]): Promise<Record<string, NodeDetail>> {
    return this.request({ nodes: { at, ids } }, parseExact) as Promise<Record<string, NodeDetail>>;
  }

  async node(session: number, at: number, id: string): Promise<NodeDetail> {
    const found = (await this.nodes(session, at, [id]))[id];
    if (!found) throw new Error(`There is no node ${id} at this call.`);
    return found;
  }

  /** The states at which a selector without a time finds something, from one on, and the number of the first that was not searched. */
  calls(selector: string, from: number): Promise<{ calls: number[]; next: number }> {
    return this.request({ calls: { selector, from } }) as Promise<{ calls: number[]; next: number }>;
  }

  words(selector: string): Promise<Word[]> {
    return this.request({ words: { selector } }) as Promise<Word[]>;
  }

  /** Returns the meaning of the word at a position, or an empty text. */
  hover(selector: string, at: number): Promise<{ text: string }> {
    return this.request({ hover: { selector, at } }) as Promise<{ text: string }>;
  }

  async ask(selector: string, at: number): Promise<Answer> {
    const answer = (await this.request({ ask: { selector, at } })) as Answer;
    for (const tell of this.listeners) tell(selector, answer.findings);
    return answer;
  }

  private request(request: object, parse: (answer: string) => unknown = JSON.parse): Promise<unknown> {
    return new Promise((done, fail) => {
      this.queue.push({ id: this.next++, request, parse, done, fail });
      if (this.queue.length === 1) this.send();
    });
  }

  /** Sends the first pending request. */
  private send(): void {
    const first = this.queue[0];
    if (!first) return;
    this.worker ??= this.start();
    this.worker.postMessage([first.id, first.request]);
    this.wait(patience, "The program did not start.");
  }

  private wait(time: number, message: string): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.restart(message), time);
  }

  private start(): Worker {
    const worker = new Worker("worker.js");
    worker.onmessage = (e: MessageEvent<[number, string]>) => {
      const [id, text] = e.data;
      if (id < 0) {
        this.wait(budget, `This takes more than ${budget / 1000} seconds, and was stopped.`);
        return;
      }
      const first = this.queue[0];
      if (first?.id !== id) return;
      clearTimeout(this.timer);
      this.queue.shift();
      try {
        const answer = first.parse(text);
        const error = (answer as { error?: string; findings?: unknown } | null)?.error;
        if (error && !(answer as Answer).findings) first.fail(new Error(error));
        else first.done(answer);
      } catch (err) {
        first.fail(err as Error);
      }
      this.send();
    };
    worker.onerror = () => this.restart("The program ended.");
    return worker;
  }

  /** Ends the worker; a new one reads the history again. */
  private restart(message: string): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = undefined;
    const first = this.queue.shift();
    if (first?.request === this.history) this.history = undefined;
    first?.fail(new Error(message));
    if (this.history && first) this.queue.unshift({ id: this.next++, request: this.history, parse: JSON.parse, done: () => undefined, fail: () => undefined });
    this.send();
  }
}

export const engine = new Engine();
