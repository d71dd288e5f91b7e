// The history of one session as the page holds it: every version of every node with the calls between which it was
// there. The tree at a call is made from that without asking the server, so moving through time costs no request.

/** Why a node left or changed. */
export interface Cause {
  id: string;
  cause: string;
  by?: string;
  inferred?: boolean;
}

/** A model call, as `pactkit log --json` prints it; or the state after the last one. */
export interface Call {
  history: string;
  cycle: number;
  end?: boolean;
  side: { of: number; kind: string } | null;
  time: string;
  model: string;
  source: { file: string; line?: number; sample: string; call: number } | null;
  messages: number;
  tokens: { in: number; out: number | null; cached: number | null; label: string };
  added: string[];
  left: Cause[];
  changed: { id: string; cause: string }[];
  settings?: string[];
  cache: { before: number; same: number; broken: { by: string; node?: string; setting?: string; event: string } | null; read: number | null };
}

/** What happened at a call, in words. */
export function events(call: Call): string[] {
  const out: string[] = [];
  const into = new Map<string, number>();
  for (const c of call.left) {
    const what = c.cause + (c.by ? ` into ${c.by}` : "");
    into.set(what, (into.get(what) ?? 0) + 1);
  }
  for (const [what, n] of into) out.push(`${what.replace(" into", ` ${n} into`)}${what.includes(" into") ? "" : ` ${n}`}`);
  for (const name of call.settings ?? []) out.push(`${name} changed`);
  const broken = call.cache.broken;
  if (broken) out.push(`the cached prefix ends at ${broken.node ?? broken.setting ?? broken.by}`);
  return out;
}

/** One version of a node. Siblings stand in the order of their offset, instant and index. */
export interface Row {
  id: string;
  parent: string;
  order: [offset: string, instant: string, index: string];
  type: string;
  kind?: string;
  role?: string;
  tags?: string[];
  key?: string;
  name?: string;
  group: number;
  tokens: number;
  text: string;
  from: number;
  to: number;
}

/** What one call changes: the versions that begin with it, and the numbers of those that end before it. */
export interface Step {
  call: Call;
  open: Omit<Row, "from" | "to">[];
  close: number[];
}

/** What a bar of the timeline is split into. A row's group is an index of this list. */
export const groups = ["system", "tools", "user", "assistant", "calls", "results", "other"] as const;

/** A row of the tree as it is shown at a call. */
export interface Shown {
  row: Row;
  level: number;
  depth?: number;
  children: boolean;
  open: boolean;
}

const forever = Number.MAX_SAFE_INTEGER;

export class Model {
  readonly calls: Call[] = [];
  readonly rows: Row[] = [];
  /** Tokens of each call by group. */
  readonly totals: number[][] = groups.map(() => []);
  private readonly children = new Map<string, Row[]>();
  private readonly versions = new Map<string, Row[]>();
  private readonly running = groups.map(() => 0);

  append(step: Step): void {
    const at = this.calls.length;
    for (const n of step.close) {
      const row = this.rows[n];
      if (!row) continue;
      row.to = at;
      this.running[row.group]! -= row.tokens;
    }
    for (const fields of step.open) {
      const row: Row = { ...fields, from: at, to: forever };
      this.rows.push(row);
      this.running[row.group]! += row.tokens;
      insert(this.children, row.parent, row);
      const list = this.versions.get(row.id);
      if (list) list.push(row);
      else this.versions.set(row.id, [row]);
    }
    this.calls.push(step.call);
    this.totals.forEach((list, group) => list.push(this.running[group]!));
  }

  /** Takes back all steps after the first n. */
  truncate(n: number): void {
    if (n >= this.calls.length) return;
    this.calls.length = n;
    const gone = (r: Row): boolean => r.from >= n;
    while (this.rows.length > 0 && gone(this.rows.at(-1)!)) this.rows.pop();
    for (const map of [this.children, this.versions]) for (const [key, list] of map) map.set(key, list.filter((r) => !gone(r)));
    for (const row of this.rows) if (row.to >= n) row.to = forever;
    this.totals.forEach((list, group) => {
      list.length = n;
      this.running[group] = list[n - 1] ?? 0;
    });
  }

  /** The version of a node at a call. */
  node(id: string, at: number): Row | undefined {
    return this.versions.get(id)?.find((r) => alive(r, at));
  }

  /** The types, tags and plain keys of a call, with their sigils, by how many nodes have them. */
  words(at: number): { text: string; count: number }[] {
    const counts = new Map<string, number>();
    for (const row of this.rows) {
      if (!alive(row, at)) continue;
      const list = [`.${row.type}`, ...(row.tags ?? []).map((t) => `+${t}`), ...(row.key && /^[A-Za-z_][\w-]*$/.test(row.key) ? [`#${row.key}`] : [])];
      for (const w of list) if (!w.startsWith(".^")) counts.set(w, (counts.get(w) ?? 0) + 1);
    }
    return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  }

  /** All versions of a node, the oldest first. */
  life(id: string): readonly Row[] {
    return this.versions.get(id) ?? [];
  }

  childrenAt(parent: string, at: number): Row[] {
    return (this.children.get(parent) ?? []).filter((r) => alive(r, at));
  }

  /** The tree at a call in document order, without what is below closed nodes. */
  shown(at: number, closed: ReadonlySet<string>): Shown[] {
    const out: Shown[] = [];
    const walk = (parent: string, level: number): void => {
      const list = this.childrenAt(parent, at);
      const segments = list.filter((r) => r.type === "seg").length;
      let seen = 0;
      for (const row of list) {
        const below = this.childrenAt(row.id, at).length > 0;
        const open = below && !closed.has(row.id);
        const shown: Shown = { row, level, children: below, open };
        if (row.type === "seg") shown.depth = segments - seen++;
        out.push(shown);
        if (open) walk(row.id, level + 1);
      }
    };
    walk("", 0);
    return out;
  }

  /** The nodes at a call and at no other of two: those that came, and those that left. */
  compare(before: number, after: number): { added: Row[]; removed: Row[]; changed: [Row, Row][] } {
    const added: Row[] = [], removed: Row[] = [], changed: [Row, Row][] = [];
    for (const row of this.rows) {
      const then = alive(row, before), now = alive(row, after);
      if (then === now) continue;
      const other = this.node(row.id, then ? after : before);
      if (now && !other) added.push(row);
      else if (then && !other) removed.push(row);
      else if (now && other) changed.push([other, row]);
    }
    return { added, removed, changed };
  }

  /** Why a node left, of the calls up to one; the latest that says so. */
  cause(id: string, upTo: number): { call: number; cause: Cause } | undefined {
    const last = this.life(id).at(-1);
    if (!last || last.to > upTo) return undefined;
    const cause = this.calls[last.to]?.left.find((c) => c.id === id);
    return cause && { call: last.to, cause };
  }
}

export function alive(row: Row, at: number): boolean {
  return row.from <= at && at < row.to;
}

/** Inserts a row among its siblings. Most come last, so the search begins there. */
function insert(children: Map<string, Row[]>, parent: string, row: Row): void {
  const list = children.get(parent);
  if (!list) {
    children.set(parent, [row]);
    return;
  }
  let low = 0, high = list.length;
  if (compareOrder(list[high - 1]!, row) <= 0) low = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareOrder(list[middle]!, row) <= 0) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, row);
}

function compareOrder(a: Row, b: Row): number {
  for (let i = 0; i < 3; i++) {
    const c = compareNumbers(a.order[i]!, b.order[i]!);
    if (c !== 0) return c;
  }
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Compares two numbers as text; those of nanoseconds do not fit a double. */
function compareNumbers(a: string, b: string): number {
  if (a === b) return 0;
  if (/^-?\d+$/.test(a) && /^-?\d+$/.test(b)) {
    const x = BigInt(a), y = BigInt(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return Number(a) - Number(b);
}
