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
  window?: { tokens: number; from: string };
  messages: number;
  missing?: string[];
  failed?: string;
  from_cache?: true;
  tokens: { in: number; out: number | null; cached: number | null; label: string };
  added: string[];
  left: Cause[];
  unsent?: Cause[]; // answers that no call was sent
  changed: { id: string; cause: string }[];
  settings?: string[];
  events?: { cycle: number; kind: string; cause?: string }[];
  cache: { before: number; same: number; broken: { by: string; node?: string; setting?: string; event: string } | null; read: number | null };
}

/** One version of a node, as the server sends it. Siblings stand in the order of their offset, instant and index. */
export interface Fields {
  id: string;
  parent: string;
  order: [offset: string, instant: string, index: string];
  type: string;
  kind?: string;
  role?: string;
  tags?: string[];
  key?: string;
  name?: string;
  call?: string; // the id of the tool call that a result answers
  box?: true; // a container rather than a block
  unsent?: string; // of what no call was sent, the id of the node that follows it, or ""
  group: number;
  bytes: number;
  text: string;
}

/** One version of a node, and the calls between which it was there. */
export interface Row extends Fields {
  /** An estimate from the bytes until the server has counted. */
  tokens: number;
  from: number;
  to: number;
  /** All versions of the nodes below it, at any call. */
  readonly below: Row[];
  readonly shown: Shown;
}

/** What one call changes: the versions that begin with it, and the numbers of those that end before it. */
export interface Step {
  call: Call;
  open: Fields[];
  close: number[];
}

/** The tokens of some versions, the first of which has the number from. */
export interface Counts {
  from: number;
  counts: number[];
  about?: boolean; // some are estimates
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

/** The blocks that two calls do not share, and the containers. */
export interface Difference {
  added: Row[];
  removed: Row[];
  changed: [before: Row, after: Row][];
  boxes: Row[];
}

const forever = Number.MAX_SAFE_INTEGER;

/** How many bytes make a token, about, until they are counted. */
const bytesPerToken = 4;

export class Model {
  readonly calls: Call[] = [];
  readonly rows: Row[] = [];
  /** How many versions the server has counted. */
  counted = 0;
  private readonly below = new Map<string, Row[]>();
  private readonly versions = new Map<string, Row[]>();
  private readonly opened: number[] = []; // by call, the number of the first version that begins with it
  private readonly closed: Row[][] = []; // by call, the versions that end before it
  private sums: number[][] | undefined;

  append({ call, close, open }: Step): void {
    const at = this.calls.length;
    this.calls.push(call);
    this.opened.push(this.rows.length);
    const closed = close.map((n) => this.rows[n]!);
    for (const row of closed) row.to = at;
    this.closed.push(closed);
    for (const fields of open) {
      const row: Row = { ...fields, tokens: Math.round(fields.bytes / bytesPerToken), from: at, to: forever, below: listOf(this.below, fields.id), shown: { level: 0, children: false, open: false } as Shown };
      row.shown.row = row;
      this.rows.push(row);
      insert(listOf(this.below, row.parent), row);
      listOf(this.versions, row.id).push(row);
    }
    this.sums = undefined;
  }

  count({ from, counts, about }: Counts): void {
    counts.forEach((n, i) => {
      const row = this.rows[from + i];
      if (row) row.tokens = n;
    });
    if (!about) this.counted = Math.max(this.counted, from + counts.length);
    this.sums = undefined;
  }

  /** Takes back all steps after the first n. */
  truncate(n: number): void {
    if (n >= this.calls.length) return;
    for (const list of this.closed.slice(n)) for (const row of list) row.to = forever;
    this.rows.length = this.opened[n]!;
    for (const map of [this.below, this.versions]) for (const list of map.values()) keep(list, (r) => r.from < n);
    this.calls.length = this.opened.length = this.closed.length = n;
    this.counted = Math.min(this.counted, this.rows.length);
    this.sums = undefined;
  }

  /** Tokens of each call, by group. */
  get totals(): readonly number[][] {
    if (this.sums) return this.sums;
    const n = this.calls.length;
    const sums = groups.map(() => new Array<number>(n).fill(0));
    for (const row of this.rows) {
      const list = sums[row.group]!;
      list[row.from]! += row.tokens;
      if (row.to < n) list[row.to]! -= row.tokens;
    }
    for (const list of sums) for (let i = 1; i < n; i++) list[i]! += list[i - 1]!;
    return (this.sums = sums);
  }

  /** Tokens of a call. */
  total(at: number): number {
    return this.totals.reduce((sum, list) => sum + (list[at] ?? 0), 0);
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

  /**
   * The tree at a call in document order, without what is below closed nodes. It is made for each frame while one moves, so
   * its elements are those of the tree before, with other values.
   */
  shown(at: number, closed: ReadonlySet<string>): Shown[] {
    const out: Shown[] = [];
    const walk = (list: readonly Row[], level: number): void => {
      let segments = -1;
      for (const row of list) {
        if (row.from > at || row.to <= at) continue;
        const shown = row.shown;
        shown.level = level;
        shown.children = isAnyAlive(row.below, at);
        shown.open = shown.children && !closed.has(row.id);
        if (row.type === "seg") {
          if (segments < 0) segments = list.filter((r) => r.type === "seg" && alive(r, at)).length;
          shown.depth = segments--;
        }
        out.push(shown);
        if (shown.open) walk(row.below, level + 1);
      }
    };
    walk(listOf(this.below, ""), 0);
    return out;
  }

  /** The blocks of a call in document order, and the containers that have a text: the settings of the request.
   *  What no call was sent stands before what followed it, or at the end of the call with which it came. */
  blocks(at: number): Row[] {
    const out: Row[] = [], unsent = new Map<string, Row[]>();
    const walk = (list: readonly Row[]): void => {
      for (const row of list) {
        if (!alive(row, at)) continue;
        if (row.unsent !== undefined) {
          if (row.unsent || row.from === at) unsent.set(row.unsent, [...(unsent.get(row.unsent) ?? []), row]);
        } else if (!row.box || row.bytes > 0) out.push(row);
        walk(row.below);
      }
    };
    walk(listOf(this.below, ""));
    return unsent.size === 0 ? out : [...out.flatMap((row) => [...(unsent.get(row.id) ?? []), row]), ...(unsent.get("") ?? [])];
  }

  /** What two calls do not share; before the first call, -1, there is nothing. It costs what changed between them, and not what they hold. */
  compare(before: number, after: number): Difference {
    const low = Math.min(before, after), high = Math.max(before, after);
    const came = this.rows.slice(this.opened[low + 1] ?? this.rows.length, this.opened[high + 1] ?? this.rows.length).filter((r) => alive(r, high));
    const left = this.closed.slice(low + 1, high + 1).flat().filter((r) => alive(r, low));
    const [added, removed] = before <= after ? [came, left] : [left, came];
    const out: Difference = { added: [], removed: [], changed: [], boxes: [] };
    for (const row of added) {
      const old = this.node(row.id, before);
      if (row.box) out.boxes.push(row);
      else if (old) out.changed.push([old, row]);
      else out.added.push(row);
    }
    for (const row of removed) if (!this.node(row.id, after)) (row.box ? out.boxes : out.removed).push(row);
    return out;
  }

  /** The call of the conversation before one; -1 for the first. */
  previous(at: number): number {
    const of = this.calls[at]?.side?.of;
    if (of !== undefined) return this.calls.findIndex((c) => c.cycle === of);
    for (let n = at - 1; n >= 0; n--) if (!this.calls[n]?.side) return n;
    return -1;
  }

  /** Whether a version begins with a call. */
  hasEntered(at: number): boolean {
    return (this.opened[at + 1] ?? this.rows.length) > (this.opened[at] ?? 0);
  }

  /** Why a version was the last one of its node. */
  departure(row: Row): Cause | undefined {
    return this.calls[row.to]?.left.find((c) => c.id === row.id);
  }

  /** Why a node left, of the calls up to one; the latest that says so. */
  cause(id: string, upTo: number): { call: number; cause: Cause } | undefined {
    const last = this.life(id).at(-1);
    if (!last || last.to > upTo) return undefined;
    const cause = this.departure(last);
    return cause && { call: last.to, cause };
  }
}

export function alive(row: Row, at: number): boolean {
  return row.from <= at && at < row.to;
}

function isAnyAlive(list: readonly Row[], at: number): boolean {
  for (const row of list) if (row.from <= at && at < row.to) return true;
  return false;
}

function listOf(map: Map<string, Row[]>, key: string): Row[] {
  let list = map.get(key);
  if (!list) map.set(key, (list = []));
  return list;
}

/** Takes out of a list what does not fit. */
function keep(list: Row[], fits: (r: Row) => boolean): void {
  let n = 0;
  for (const row of list) if (fits(row)) list[n++] = row;
  list.length = n;
}

/** Inserts a row among its siblings. Most come last, so the search begins there. */
function insert(list: Row[], row: Row): void {
  let low = 0, high = list.length;
  if (high === 0 || compareOrder(list[high - 1]!, row) <= 0) low = high;
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
