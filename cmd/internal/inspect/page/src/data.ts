// Where the page gets what it shows: from the process that serves it, or from the file it was written into.

import { isExact, parseExact } from "./exact";
import type { Counts, Step } from "./model";

export interface Session {
  name: string; // the argument that names it alone
  path: string;
  history?: string; // its name in the file
  title?: string;
  prompt?: string; // the beginning of the first message of the user
  source: string;
  begin?: string; // the times of the first call and of the last one
  time?: string;
  model?: string; // of the latest call
  models?: number;
  cost?: number; // of the priced calls
  priced?: number;
  full?: number; // the part of the window that the largest call fills
  by?: { history: string; cycle: number }; // the call that started the conversation of an agent
  fork?: { name?: string; history?: string; cycle: number }; // where the history was forked; name is empty if its base is not in the list
  calls: number;
  tokens: number;
  left: number;
  broken: number;
  failed?: number;
  error?: string;
  spark: number[];
}

/** The whole of a node at a call. */
export interface NodeDetail {
  headers: Record<string, unknown>;
  content?: unknown;
}

/** What a selector finds at a call. */
export interface Match {
  ids: string[];
  /** What each step of the selector leaves. */
  steps: { text: string; count: number }[];
  /** About words that neither the language nor the session has. */
  warnings?: Problem[];
}

export interface Problem {
  message: string;
  hint?: string;
}

/** What the server tells of a session: a step; that all after so many steps are taken back; tokens; or what is wrong with the file. */
export type News = Step | { keep: number } | Counts | { problem: string };

/** A part of a call, with the parts it consists of. */
export interface Share {
  title: string;
  what: string;
  tokens: number;
  label: string;
  cost?: number;
  shares?: Share[];
}

export interface Cost {
  total: number;
  input: number;
  cache_read: number;
  cache_write: number;
  output: number;
  break: number;
  label: string;
  from: string;
}

/** The numbers of a call that require counting its texts. */
export interface Figure {
  window?: { tokens: number; from: string };
  tokens: { in: number; out: number | null; cached: number | null; written: number | null; label: string };
  cache: {
    read: number | null;
    broken: { by: string; node?: string; setting?: string; event: string; resent: number } | null;
    miss?: { tokens: number; why: string; idle?: number; lifetime?: number; cost?: number };
    cost?: Cost;
    no_cost?: string;
  };
  rewritten?: number;
}

export interface Compaction {
  cycle: number;
  trigger?: string;
  inferred?: true;
  before: number;
  after: number;
  window?: { tokens: number };
  free: number | null;
  by?: string;
  left: { what: string; name?: string; nodes: number }[];
  again: { cycle: number; id: string; tool: string; same: string; file?: string; tokens: number; cost?: number }[];
}

export interface Figures {
  calls: Figure[];
  compactions: Compaction[];
}

/** Two runs side by side. */
export interface Compared {
  same: number;
  parted: string;
  rows: { a?: string; b?: string; state: "same" | "changed" | "only-a" | "only-b"; text: string }[];
}

/** What a saved test pins: what the selector selects at the call, or what all calls of the session show. */
export type Expect = "answer" | "left" | "cache" | "tokens";

/** Where nodes of a session come from. */
export interface Reader {
  /** Whether selectors run. */
  readonly live: boolean;
  node(session: number, at: number, id: string): Promise<NodeDetail>;
  /** Several nodes of a call, by id. */
  nodes(session: number, at: number, ids: readonly string[]): Promise<Record<string, NodeDetail>>;
}

export interface Data extends Reader {
  /** Gives the sessions as they are found, some at a time. */
  sessions(each: (list: Session[]) => void): Promise<void>;
  /** Gives what there is to know of a session, and then what comes while it grows. */
  steps(session: number, each: (news: News[]) => void, signal: AbortSignal): Promise<void>;
  select(session: number, at: number, selector: string): Promise<Match | Problem[]>;
  /** Gives the numbers of the calls at which a selector finds something, some at a time. */
  calls(session: number, selector: string, each: (calls: number[]) => void, signal: AbortSignal): Promise<void>;
  figures(session: number): Promise<Figures>;
  /** The parts of a call, the largest first. */
  shares(session: number, at: number): Promise<Share[]>;
  thread(session: number, at: number, format: string): Promise<unknown>;
  compare(session: number, other: number): Promise<Compared>;
  saveTest(session: number, at: number, selector: string, expect: Expect): Promise<{ file: string; case: string }>;
}

/** A failure that the server explains. */
export class DataError extends Error {}

type Query = Record<string, string | number | string[]>;

/** The process that serves the page. Requests carry the token of the address. */
export class Server implements Data {
  readonly live = true;
  constructor(private readonly token: string) {}

  private async get(path: string, query: Query, init: RequestInit = {}): Promise<Response> {
    const q = new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (Array.isArray(v) ? v.map((x): [string, string] => [k, x]) : [[k, String(v)]])));
    const r = await fetch(`api/${path}?${q}`, { ...init, headers: { Authorization: `Bearer ${this.token}` } });
    if (!r.ok) throw new DataError((await r.text()).trim() || r.statusText);
    return r;
  }

  private async json<T>(path: string, query: Query, init?: RequestInit): Promise<T> {
    return (await (await this.get(path, query, init)).json()) as T;
  }

  /** Reads an answer with values of the log. */
  private async exact<T>(path: string, query: Query): Promise<T> {
    return parseExact(await (await this.get(path, query)).text()) as T;
  }

  /** Reads an answer that is one JSON value per line, some lines at a time. */
  private async lines<T>(path: string, query: Query, each: (list: T[]) => void, signal?: AbortSignal): Promise<void> {
    const r = await this.get(path, query, signal ? { signal } : {});
    const reader = r.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      if (lines.length > 0) each(lines.map((l) => JSON.parse(l) as T));
    }
  }

  sessions(each: (list: Session[]) => void): Promise<void> {
    return this.lines("sessions", {}, each);
  }

  steps(session: number, each: (news: News[]) => void, signal: AbortSignal): Promise<void> {
    return this.lines("steps", { session }, each, signal);
  }

  async node(session: number, at: number, id: string): Promise<NodeDetail> {
    const found = (await this.nodes(session, at, [id]))[id];
    if (!found) throw new DataError(`there is no node ${id} at this call`);
    return found;
  }

  nodes(session: number, at: number, ids: readonly string[]): Promise<Record<string, NodeDetail>> {
    return this.exact("nodes", { session, at, id: [...ids] });
  }

  select(session: number, at: number, selector: string): Promise<Match | Problem[]> {
    return this.json("select", { session, at, selector });
  }

  calls(session: number, selector: string, each: (calls: number[]) => void, signal: AbortSignal): Promise<void> {
    return this.lines<number[]>("calls", { session, selector }, (list) => each(list.flat()), signal);
  }

  figures(session: number): Promise<Figures> {
    return this.json("figures", { session });
  }

  shares(session: number, at: number): Promise<Share[]> {
    return this.json("shares", { session, at });
  }

  thread(session: number, at: number, format: string): Promise<unknown> {
    return this.exact("thread", { session, at, format });
  }

  compare(session: number, other: number): Promise<Compared> {
    return this.json("compare", { session, other });
  }

  saveTest(session: number, at: number, selector: string, expect: Expect): Promise<{ file: string; case: string }> {
    return this.json("test", { session, at, selector, expect }, { method: "POST" });
  }

  /** The address of the language server. */
  languageServer(): string {
    const at = new URL("lsp", location.href);
    at.protocol = "ws:";
    at.search = at.hash = "";
    return at.href;
  }

  get secret(): string {
    return this.token;
  }
}

/** Where a page in one file has its sessions: the numbers of the first blob of each. */
interface Contents {
  sessions: Session[];
  blobs: number[];
}

/** The first blob of a session. */
interface Steps {
  steps: Step[];
  counts: number[];
  about: boolean; // some of the counts are estimates
}

/** The second blob. A string in it that begins with U+0000 is the number of a text in a blob after it. */
interface Nodes {
  nodes: NodeDetail[]; // by version
  parts: unknown[]; // of the threads
  threads: ThreadStep[];
  texts: number[] | null; // of each blob after this one, the number of its first text
}

/**
 * The thread of a call as the difference from that of the call before: how many messages they share, the runs of parts
 * that follow (the first, and how many), and the parts of the rest of the request.
 */
interface ThreadStep {
  same: number;
  add: [number, number][];
  rest?: Record<string, number>;
}

/** How many calls have their shares in a blob. */
const sharesBlob = 100;

/** Reads JSON that pactkit has compressed into an element of the page. */
async function unpack<T>(id: string, parse: (text: string) => unknown): Promise<T> {
  const text = atob(document.getElementById(id)!.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return parse(await new Response(stream).text()) as T;
}

/** The page that `pactkit inspect --html` has written. Blobs are read when they are shown. */
export class Embed implements Data {
  readonly live = false;
  private readonly contents = unpack<Contents>("data", JSON.parse);
  private readonly blobs = new Map<number, Promise<unknown>>();

  private async blob<T>(session: number, n: number, parse: (text: string) => unknown = JSON.parse): Promise<T> {
    const number = (await this.contents).blobs[session]! + n;
    let found = this.blobs.get(number) as Promise<T> | undefined;
    if (!found) this.blobs.set(number, (found = unpack<T>(`blob${number}`, parse)));
    return found;
  }

  async sessions(each: (list: Session[]) => void): Promise<void> {
    each((await this.contents).sessions);
  }

  async steps(session: number, each: (news: News[]) => void): Promise<void> {
    const { steps, counts, about } = await this.blob<Steps>(session, 0);
    each([...steps, { from: 0, counts, about }]);
  }

  async node(session: number, at: number, id: string): Promise<NodeDetail> {
    const found = (await this.nodes(session, at, [id]))[id];
    if (!found) throw new DataError(`there is no node ${id} at this call`);
    return found;
  }

  async nodes(session: number, at: number, ids: readonly string[]): Promise<Record<string, NodeDetail>> {
    const { steps } = await this.blob<Steps>(session, 0);
    const wanted = new Set(ids), versions = new Map<string, number>();
    let n = 0;
    for (const { open } of steps.slice(0, at + 1)) for (const row of open) {
      if (wanted.has(row.id)) versions.set(row.id, n);
      n++;
    }
    const { nodes } = await this.nodesOf(session);
    return this.resolved(session, Object.fromEntries([...versions].map(([id, version]) => [id, nodes[version]!])));
  }

  async thread(session: number, at: number): Promise<unknown> {
    const { parts, threads } = await this.nodesOf(session);
    const messages: unknown[] = [];
    let rest: Record<string, number> = {};
    for (const step of threads.slice(0, at + 1)) {
      messages.length = step.same;
      for (const [first, count] of step.add) {
        for (let i = first; i < first + count; i++) messages.push(parts[i]);
      }
      rest = step.rest ?? rest;
    }
    const others = Object.entries(rest).map(([name, part]) => [name, parts[part]]);
    return this.resolved(session, { ...Object.fromEntries(others), messages });
  }

  /** Returns a value with the texts that it refers to. */
  private async resolved<T>(session: number, value: T): Promise<T> {
    const firsts = (await this.nodesOf(session)).texts ?? [];
    const lists = new Map<number, unknown[]>(); // by blob
    const each = (v: unknown, found: (ref: number, blob: number) => unknown): unknown => {
      if (typeof v === "string" && v.startsWith("\0")) {
        const ref = Number(v.slice(1));
        let low = 0, high = firsts.length;
        while (high - low > 1) {
          const middle = (low + high) >>> 1;
          if (firsts[middle]! <= ref) low = middle;
          else high = middle;
        }
        return found(ref, low);
      }
      if (Array.isArray(v)) return v.map((e) => each(e, found));
      if (typeof v !== "object" || v === null || isExact(v)) return v;
      return Object.fromEntries(Object.entries(v).map(([k, e]) => [k, each(e, found)]));
    };
    each(value, (_, blob) => lists.set(blob, []));
    await Promise.all([...lists.keys()].map(async (n) => lists.set(n, await this.blob<unknown[]>(session, 2 + n, parseExact))));
    return each(value, (ref, blob) => lists.get(blob)![ref - firsts[blob]!]) as T;
  }

  async figures(session: number): Promise<Figures> {
    return this.blob<Figures>(session, 2 + await this.texts(session));
  }

  async shares(session: number, at: number): Promise<Share[]> {
    const { calls } = await this.figures(session);
    if (at >= calls.length) return []; // the state after the last call
    const blob = 3 + await this.texts(session) + Math.floor(at / sharesBlob);
    return (await this.blob<Share[][]>(session, blob))[at % sharesBlob]!;
  }

  private nodesOf(session: number): Promise<Nodes> {
    return this.blob<Nodes>(session, 1, parseExact);
  }

  /** The number of blobs with texts. */
  private async texts(session: number): Promise<number> {
    return ((await this.nodesOf(session)).texts ?? []).length;
  }

  select(): Promise<never> {
    return Promise.reject(new DataError("selectors need the process: run pactkit inspect"));
  }

  calls(): Promise<void> {
    return Promise.resolve();
  }

  compare(): Promise<never> {
    return Promise.reject(new DataError("comparing needs the process: run pactkit inspect"));
  }

  saveTest(): Promise<never> {
    return Promise.reject(new DataError("saving needs the process: run pactkit inspect"));
  }
}
