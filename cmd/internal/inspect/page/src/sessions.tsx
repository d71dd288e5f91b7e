// The sessions of a folder: when they were, what they cost, how each grew, and what went wrong in it.

import { useMemo, useRef, useState } from "preact/hooks";
import { clock, count, money, percent, plural, short, visible } from "./format";
import { useWindow } from "./scroll";
import type { Session } from "./data";

const rowHeight = 46;

type Column = "name" | "time" | "model" | "calls" | "tokens" | "full" | "cost";

/** The columns that sort the list, by what. A click on the title of a column sorts the largest first, except names. */
const columns: { id: Column; title: string; value(s: Session): string | number }[] = [
  { id: "name", title: "Session", value: (s) => (s.title ?? s.name).toLowerCase() },
  { id: "time", title: "Time", value: (s) => s.time ?? "" },
  { id: "model", title: "Model", value: (s) => s.model ?? "" },
  { id: "calls", title: "Calls", value: (s) => s.calls },
  { id: "tokens", title: "Largest call", value: (s) => s.tokens },
  { id: "full", title: "Window", value: (s) => s.full ?? 0 },
  { id: "cost", title: "Cost", value: (s) => s.cost ?? 0 },
];

/** What the list can be narrowed to. */
const kinds: { title: string; is(s: Session): boolean }[] = [
  { title: "all sessions", is: () => true },
  { title: "without agents", is: (s) => !s.by },
  { title: "nodes left", is: (s) => s.left > 0 },
  { title: "the cache broke", is: (s) => s.broken > 0 },
  { title: "calls failed", is: (s) => (s.failed ?? 0) > 0 },
  { title: "cannot be read", is: (s) => s.error !== undefined },
];

interface Choice {
  search: string;
  source: string;
  kind: number;
  by: Column;
  down: boolean;
}

/** What was chosen when the list was shown last. */
let chosen: Choice = { search: "", source: "", kind: 0, by: "time", down: true };

export function Sessions({ list, complete, onOpen }: { list: Session[]; complete: boolean; onOpen(n: number): void }) {
  const [choice, set] = useState(chosen);
  const change = (part: Partial<Choice>): void => {
    set((chosen = { ...choice, ...part }));
    setActive(0);
    box.current!.scrollTop = 0;
  };
  const folder = useMemo(() => commonFolder(list), [list]);
  const sources = useMemo(() => [...new Set(list.map((s) => s.source).filter((s) => s))].sort(), [list]);
  const texts = useMemo(() => list.map((s) => [s.name, s.title, s.prompt, s.model, s.source].join("\n").toLowerCase()), [list]);
  const shown = useMemo(() => select(list, texts, choice), [list, texts, choice]);
  const cost = useMemo(() => list.reduce((sum, s) => sum + (s.cost ?? 0), 0), [list]);
  const box = useRef<HTMLDivElement>(null);
  const [first, end] = useWindow(box, shown.length, rowHeight);
  const [active, setActive] = useState(0);
  const here = Math.min(active, Math.max(shown.length - 1, 0));

  const keys = (e: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -here, End: shown.length }[e.key];
    if (step === undefined || shown.length === 0) return;
    const next = Math.min(Math.max(here + step, 0), shown.length - 1);
    const b = box.current!;
    if (next * rowHeight < b.scrollTop) b.scrollTop = next * rowHeight;
    else if ((next + 1) * rowHeight > b.scrollTop + b.clientHeight) b.scrollTop = (next + 1) * rowHeight - b.clientHeight;
    setActive(next);
    requestAnimationFrame(() => requestAnimationFrame(() => b.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()));
    e.preventDefault();
    e.stopPropagation();
  };

  return (
    <main class="sessions">
      <h1>{shown.length < list.length ? `${count(shown.length)} of ` : ""}{plural(list.length, "session")}{complete ? "" : ", and more are being read…"}</h1>
      <p class="about">{folder && <span>in <code>{visible(folder)}</code></span>} {cost > 0 && <span>{money(cost, list.some(isPartial) ? "at-least" : "exact")} all together</span>}</p>
      <div class="filters">
        <input type="search" placeholder="name, title, question, model" aria-label="find sessions" value={choice.search} onInput={(e) => change({ search: e.currentTarget.value })} />
        <select aria-label="source" value={choice.source} onChange={(e) => change({ source: e.currentTarget.value })}>
          <option value="">all sources</option>
          {sources.map((s) => <option key={s} value={s}>{s}</option>)}
        </select>
        <select aria-label="what happened" value={choice.kind} onChange={(e) => change({ kind: Number(e.currentTarget.value) })}>
          {kinds.map((k, n) => <option key={n} value={n}>{k.title}</option>)}
        </select>
      </div>
      <div class="session-table" role="table" aria-label="sessions" aria-rowcount={shown.length + 1}>
        <div role="rowgroup">
          <div class="session head" role="row" aria-rowindex={1}>
            {columns.map((c) => (
              <span key={c.id} role="columnheader" class={`cell ${c.id}`} aria-sort={choice.by !== c.id ? "none" : choice.down ? "descending" : "ascending"}>
                <button class="link" onClick={() => change(choice.by === c.id ? { down: !choice.down } : { by: c.id, down: c.id !== "name" && c.id !== "model" })}>
                  {c.title}{choice.by === c.id ? (choice.down ? " ↓" : " ↑") : ""}
                </button>
              </span>
            ))}
            <span role="columnheader" class="cell growth">Growth</span>
            <span role="columnheader" class="cell happened">What happened</span>
          </div>
        </div>
        <div class="session-rows" ref={box} role="presentation" onKeyDown={keys}>
          <div role="rowgroup" style={{ height: `${shown.length * rowHeight}px` }}>
            {shown.slice(first, end).map((n, i) => (
              <Row key={n} s={list[n]!} at={first + i} folder={folder} tab={first + i === here} onOpen={() => onOpen(n)} />
            ))}
          </div>
        </div>
      </div>
      {shown.length === 0 && <p class="empty">{list.length === 0 ? "" : "No session is like that."}</p>}
    </main>
  );
}

function Row({ s, at, folder, tab, onOpen }: { s: Session; at: number; folder: string; tab: boolean; onOpen(): void }) {
  const name = visible(s.name.slice(folder.length));
  const open = (text: string) => (s.error
    ? <span class="unread" data-row={at} tabIndex={tab ? 0 : -1}>{text}</span>
    : <button class="link" data-row={at} tabIndex={tab ? 0 : -1} onClick={onOpen}>{text}</button>);
  return (
    <div class="session" role="row" aria-rowindex={at + 2} style={{ transform: `translateY(${at * rowHeight}px)` }}>
      <span role="cell" class="cell name" title={visible(s.name)}>
        {open(s.title ? visible(s.title) : name)}
        <small>{[visible(s.prompt ?? ""), s.title ? name : "", s.source].filter((t) => t !== "").join(" · ")}</small>
      </span>
      <span role="cell" class="cell time">{s.time && <time title={visible(s.time)}>{visible(clock(s.time)).slice(0, 16)}</time>}</span>
      <span role="cell" class="cell model" title={visible(s.model ?? "")}>{visible(s.model ?? "")}{(s.models ?? 0) > 1 && <small>and {s.models! - 1} more</small>}</span>
      <span role="cell" class="cell calls">{s.error ? "" : count(s.calls)}</span>
      <span role="cell" class="cell tokens">{s.tokens > 0 ? short(s.tokens) : ""}</span>
      <span role="cell" class="cell full">{s.full ? <Fill part={s.full} /> : ""}</span>
      <span role="cell" class="cell cost" title={s.cost && isPartial(s) ? `the price of ${plural(s.calls - s.priced!, "call")} is unknown` : undefined}>
        {s.cost ? money(s.cost, isPartial(s) ? "at-least" : "exact") : ""}
      </span>
      <span role="cell" class="cell growth">{!s.error && <Spark values={s.spark} />}</span>
      <span role="cell" class="cell happened">
        {s.by && <span class="tag quiet">agent</span>}
        {s.fork && <span class="tag quiet">fork</span>}
        {s.left > 0 && <span class="tag">{plural(s.left, "node")} left</span>}
        {s.broken > 0 && <span class="tag bad">cache broke {count(s.broken)} ×</span>}
        {(s.failed ?? 0) > 0 && <span class="tag bad">{plural(s.failed!, "call")} failed</span>}
        {s.error && <span class="error" title={visible(s.error)}>{visible(s.error)}</span>}
      </span>
    </div>
  );
}

/** The numbers of the sessions that are chosen, in the order that is chosen. */
function select(list: Session[], texts: string[], { search, source, kind, by, down }: Choice): number[] {
  const words = search.toLowerCase().split(/\s+/).filter((w) => w !== "");
  const value = columns.find((c) => c.id === by)!.value;
  const out: { n: number; value: string | number }[] = [];
  list.forEach((s, n) => {
    if ((source === "" || s.source === source) && kinds[kind]!.is(s) && words.every((w) => texts[n]!.includes(w))) out.push({ n, value: value(s) });
  });
  const sign = down ? -1 : 1;
  out.sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : a.n - b.n));
  return out.map((e) => e.n);
}

/** The folder of all files, with its last slash; empty if they have none in common. */
function commonFolder(list: Session[]): string {
  if (list.length < 2) return "";
  let folder = list[0]!.path.slice(0, list[0]!.path.lastIndexOf("/") + 1);
  for (const s of list) {
    while (!s.name.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  }
  return folder;
}

/** Whether some calls have no price. */
function isPartial(s: Session): boolean {
  return (s.priced ?? 0) < s.calls;
}

function Fill({ part }: { part: number }) {
  return <span class="fill"><span class={part > 0.8 ? "much" : ""} style={{ width: `${Math.min(100 * part, 100)}%` }} /><em>{percent(part, 1)}</em></span>;
}

function Spark({ values }: { values: number[] }) {
  const top = Math.max(1, ...values);
  const step = 100 / Math.max(values.length - 1, 1);
  const points = values.map((v, i) => `${(i * step).toFixed(1)},${(20 - (v / top) * 19).toFixed(1)}`).join(" ");
  return <svg class="spark" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label={`from ${values[0] ?? 0} to ${values.at(-1) ?? 0} tokens`}><polyline points={points} /></svg>;
}
