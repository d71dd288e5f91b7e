// Where the page gets what it shows: from the process that serves it, or from the file it was written into.

import type { Step } from "./model";

export interface Session {
  name: string;
  source: string;
  calls: number;
  tokens: number;
  left: number;
  broken: number;
  errors: number;
  spark: number[];
}

/** The whole of a node at a call. */
export interface NodeDetail {
  headers: Record<string, unknown>;
  content?: unknown;
  file?: string;
  line?: number;
}

export interface Match {
  /** Ids of the nodes that match at the call. */
  ids: string[];
  /** Numbers of the calls at which something matches. */
  calls: number[];
  /** What each step of the selector leaves. */
  steps: { text: string; count: number }[];
}

export interface Problem {
  message: string;
  hint?: string;
  from: number;
  to: number;
}

export interface Keep {
  keep: number;
}

/** Two runs side by side. */
export interface Compared {
  same: number;
  parted: string;
  rows: { a?: string; b?: string; state: "same" | "changed" | "only-a" | "only-b"; text: string }[];
}

export interface Data {
  readonly live: boolean;
  sessions(): Promise<Session[]>;
  /** Gives the steps of a session, then those that come while it grows; an element { keep } takes all after so many back. */
  steps(session: number, each: (steps: (Step | Keep)[]) => void, signal: AbortSignal): Promise<void>;
  node(session: number, at: number, id: string): Promise<NodeDetail>;
  select(session: number, at: number, selector: string, signal: AbortSignal): Promise<Match | Problem[]>;
  thread(session: number, at: number, format: string): Promise<unknown>;
  compare(session: number, other: number): Promise<Compared>;
  saveTest(session: number, at: number, selector: string): Promise<{ file: string; case: string }>;
}

/** A failure that the server explains. */
export class DataError extends Error {}

/** The process that serves the page. Requests carry the token of the address. */
export class Server implements Data {
  readonly live = true;
  constructor(private readonly token: string) {}

  private async get(path: string, query: Record<string, string | number>, init: RequestInit = {}): Promise<Response> {
    const q = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
    const r = await fetch(`api/${path}?${q}`, { ...init, headers: { Authorization: `Bearer ${this.token}` } });
    if (!r.ok) throw new DataError((await r.text()).trim() || r.statusText);
    return r;
  }

  private async json<T>(path: string, query: Record<string, string | number>, init?: RequestInit): Promise<T> {
    return (await (await this.get(path, query, init)).json()) as T;
  }

  sessions(): Promise<Session[]> {
    return this.json("sessions", {});
  }

  async steps(session: number, each: (steps: (Step | Keep)[]) => void, signal: AbortSignal): Promise<void> {
    const r = await this.get("steps", { session }, { signal });
    const reader = r.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      if (lines.length > 0) each(lines.map((l) => JSON.parse(l) as Step | Keep));
    }
  }

  node(session: number, at: number, id: string): Promise<NodeDetail> {
    return this.json("node", { session, at, id });
  }

  async select(session: number, at: number, selector: string, signal: AbortSignal): Promise<Match | Problem[]> {
    return this.json("select", { session, at, selector }, { signal });
  }

  thread(session: number, at: number, format: string): Promise<unknown> {
    return this.json("thread", { session, at, format });
  }

  compare(session: number, other: number): Promise<Compared> {
    return this.json("compare", { session, other });
  }

  saveTest(session: number, at: number, selector: string): Promise<{ file: string; case: string }> {
    return this.json("test", { session, at, selector }, { method: "POST" });
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

/** What `pactkit inspect --html` writes into the page. */
export interface Embedded {
  sessions: Session[];
  steps: Step[][];
  nodes: Record<string, NodeDetail>[];
  threads: unknown[][];
}

export class Embed implements Data {
  readonly live = false;
  constructor(private readonly data: Embedded) {}

  sessions(): Promise<Session[]> {
    return Promise.resolve(this.data.sessions);
  }

  steps(session: number, each: (steps: Step[]) => void): Promise<void> {
    each(this.data.steps[session]!);
    return Promise.resolve();
  }

  node(session: number, at: number, id: string): Promise<NodeDetail> {
    const versions = Object.entries(this.data.nodes[session] ?? {});
    let best: NodeDetail | undefined, bestAt = -1;
    for (const [key, detail] of versions) {
      const cut = key.indexOf(" ");
      const from = Number(key.slice(0, cut));
      if (key.slice(cut + 1) === id && from <= at && from > bestAt) [best, bestAt] = [detail, from];
    }
    return best ? Promise.resolve(best) : Promise.reject(new DataError(`no node ${id}`));
  }

  thread(session: number, at: number): Promise<unknown> {
    return Promise.resolve(this.data.threads[session]?.[at]);
  }

  select(): Promise<never> {
    return Promise.reject(new DataError("selectors need the process: run pactkit inspect"));
  }

  compare(): Promise<never> {
    return Promise.reject(new DataError("comparing needs the process: run pactkit inspect"));
  }

  saveTest(): Promise<never> {
    return Promise.reject(new DataError("saving needs the process: run pactkit inspect"));
  }
}
