// The state at a call as a conversation: messages, calls of tools with their results, and what is new.

import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Content } from "./content";
import type { NodeDetail, Reader } from "./data";
import { Folded, Gone, Settings, Tool } from "./folded";
import { plural, short, visible } from "./format";
import { callName, departed } from "./happened";
import { useContents, useSettled } from "./hooks";
import { groups, type Difference, type Model, type Row } from "./model";

interface Props {
  data: Reader;
  model: Model;
  version: number; // grows with the model
  session: number;
  at: number;
  against: number; // what is not in this call is new; -1 for none
  selected: string;
  found: ReadonlySet<string>;
  onSelect(id: string): void;
}

/** A block, or a call of a tool with its result. */
export interface Entry {
  row: Row;
  result?: Row;
}

/** How many entries are shown before and after the first new one. */
const before = 20, after = 60, more = 100;

export function Conversation({ at: atNow, against: againstNow, ...rest }: Props) {
  const [at, against] = useSettled(`${atNow} ${againstNow}`, 100).split(" ").map(Number) as [number, number];
  const { model, version, selected, found, session, data } = rest;
  // While one moves, what was shown stays. What the next call has, too, stays as it is.
  const body = useMemo(() => <Messages key={model} at={at} against={against} {...rest} />, [data, session, model, version, at, against, selected, found]);
  if (model.calls.length === 0) return <p class="empty">Reading…</p>;
  return <div class={"conversation" + (at === atNow ? "" : " stale")} aria-busy={at !== atNow}>{body}</div>;
}

function Messages({ data, model, version, session, at, against, selected, found, onSelect }: Props) {
  const entries = useMemo(() => pair(model.blocks(at)), [model, version, at]);
  const difference = useMemo(() => model.compare(against, at), [model, version, against, at]);
  const fresh = useMemo(() => marks(difference), [difference]);
  const firstNew = entries.findIndex((e) => isNew(e, fresh));
  const [extra, setExtra] = useState({ up: 0, down: 0 });
  const chosen = selected ? entries.findIndex((e) => e.row.id === selected || e.result?.id === selected) : -1;
  const middle = firstNew >= 0 && against >= 0 ? firstNew : entries.length - 1;
  const start = Math.max(0, Math.min(middle, chosen < 0 ? middle : chosen) - before - extra.up);
  const end = Math.min(entries.length, Math.max(middle, chosen) + after + extra.down);
  const shown = entries.slice(start, end);
  const contents = useContents(data, session, at, shown.filter((e) => isOpen(e.row)).map((e) => e.row));
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => scrollTo(box.current, against < 0 ? null : ".since"), [at, against]);
  useEffect(() => { if (chosen >= 0) scrollTo(box.current, ".entry.selected"); }, [chosen]);
  const gone = difference.removed.length > 0 && <Gone model={model} groups={departed(model, difference.removed)} onSelect={onSelect} />;
  let speaker = "";
  return (
    <div ref={box}>
      {start > 0 && <button class="more" onClick={() => setExtra({ ...extra, up: extra.up + more })}>show earlier: {plural(start, "more entry", "more entries")}</button>}
      {shown.map((entry, n) => {
        const head = speakerOf(entry.row);
        const heading = head !== speaker;
        speaker = head;
        return (
          <Fragment key={entry.row.id}>
            {start + n === firstNew && against >= 0 && <Divider model={model} at={at} against={against} difference={difference}>{gone}</Divider>}
            <Line
              entry={entry} heading={heading ? head : ""} state={stateOf(entry, fresh)} data={data} session={session} at={at}
              selected={start + n === chosen} match={found.has(entry.row.id) || (entry.result !== undefined && found.has(entry.result.id))}
              detail={contents.get(entry.row)} onSelect={onSelect}
            />
          </Fragment>
        );
      })}
      {end < entries.length && <button class="more" onClick={() => setExtra({ ...extra, down: extra.down + more })}>show later: {plural(entries.length - end, "more entry", "more entries")}</button>}
      {firstNew < 0 && against >= 0 && (
        <Divider model={model} at={at} against={against} difference={difference}>{gone}</Divider>
      )}
      {entries.length === 0 && <p class="empty">Nothing was sent.</p>}
    </div>
  );
}

/** Where what this call saw for the first time begins. */
function Divider({ model, at, against, difference, children }: { model: Model; at: number; against: number; difference: Difference; children: preact.ComponentChildren }) {
  const { added, changed } = difference;
  const parts = [added.length > 0 && plural(added.length, "new node"), changed.length > 0 && `${changed.length} changed`].filter(Boolean);
  return (
    <div class="since">
      {children}
      <p class="divider"><span>{parts.length > 0 ? `new in ${callName(model, at)}: ${parts.join(", ")} since ${callName(model, against)}` : `nothing is new since ${callName(model, against)}`}</span></p>
    </div>
  );
}

interface LineProps {
  entry: Entry;
  heading: string;
  state: string;
  data: Reader;
  session: number;
  at: number;
  selected: boolean;
  match: boolean;
  detail: NodeDetail | undefined;
  onSelect(id: string): void;
}

/** One block of the conversation. */
function Line({ entry, heading, state, data, session, at, selected, match, detail, onSelect }: LineProps) {
  const { row } = entry;
  return (
    <article class={`entry edge-${groups[row.group]} ${state}` + (selected ? " selected" : "") + (match ? " match" : "")} aria-label={heading || undefined}>
      {heading && <h2>{visible(heading)}</h2>}
      <div class="entry-body">
        {row.unsent !== undefined ? <Folded data={data} session={session} at={at} row={row} title={notSent} />
          : row.box ? <Settings data={data} session={session} at={at} row={row} />
          : row.kind === "call" || row.kind === "result" || row.role === "tool" ? <Tool data={data} session={session} at={at} entry={entry} />
          : isOpen(row) ? <Text row={row} detail={detail} />
          : <Folded data={data} session={session} at={at} row={row} title={titleOf(row)} />}
      </div>
      <p class="entry-side">
        {state && <span class="tag new">{state}</span>}
        <span class="number" title={plural(row.tokens + (entry.result?.tokens ?? 0), "token")}>{short(row.tokens + (entry.result?.tokens ?? 0))}</span>
        <button class="link" onClick={() => onSelect(row.id)} title="when this came, changed and left, and why">life</button>
      </p>
    </article>
  );
}

/** From so many tokens on, a text is cut until it is opened. */
const long = 600;

function Text({ row, detail }: { row: Row; detail: NodeDetail | undefined }) {
  const [open, setOpen] = useState(false);
  const cut = row.tokens > long && !open;
  return (
    <>
      <div class={"text-body" + (cut ? " cut" : "")}>
        {detail ? <Content value={detail.content ?? ""} raw={false} /> : <p class="preview">{visible(row.text)}</p>}
      </div>
      {row.tokens > long && <button class="link" onClick={() => setOpen(!open)}>{open ? "show less" : `show all ${plural(row.tokens, "token")}`}</button>}
    </>
  );
}

/** Pairs calls of tools with their results. */
function pair(rows: readonly Row[]): Entry[] {
  const calls = new Map<string, Entry>();
  const out: Entry[] = [];
  for (const row of rows) {
    const call = row.kind === "result" && row.call ? calls.get(row.call) : undefined;
    if (call && !call.result) {
      call.result = row;
      continue;
    }
    const entry: Entry = { row };
    out.push(entry);
    if (row.kind === "call") calls.set(row.call ?? row.id, entry);
  }
  return out;
}

/** What the log has, such as the thoughts of the model, and no call was sent. */
const notSent = "not sent";

/** Whose words a block is. */
function speakerOf(row: Row): string {
  if (row.unsent !== undefined) return notSent;
  if (row.box) return "request";
  if (row.kind === "call" || row.kind === "result") return "assistant";
  return row.role || (groups[row.group] ?? "other");
}

/** The kinds and texts that are folded. */
function titleOf(row: Row): string {
  if (/thinking|reasoning/.test(row.kind ?? "")) return "thinking";
  if (row.role === "system" || groups[row.group] === "system") return "system prompt";
  return /^<(system-reminder|environment_context|user_instructions|permissions instructions)>/.test(row.text) ? "added by the client" : "";
}

function isOpen(row: Row): boolean {
  return !row.box && row.kind !== "call" && row.kind !== "result" && row.role !== "tool" && titleOf(row) === "";
}

/** What is new and what changed, by id. */
function marks({ added, changed, boxes }: Difference): ReadonlyMap<string, string> {
  return new Map([...added.map((r): [string, string] => [r.id, "new"]), ...changed.map(([, r]): [string, string] => [r.id, "changed"]), ...boxes.map((r): [string, string] => [r.id, "changed"])]);
}

function isNew({ row, result }: Entry, fresh: ReadonlyMap<string, string>): boolean {
  return !row.box && (fresh.has(row.id) || (result !== undefined && fresh.has(result.id)));
}

function stateOf({ row, result }: Entry, fresh: ReadonlyMap<string, string>): string {
  const own = fresh.get(row.id), answer = result && fresh.get(result.id);
  return own ?? (answer === "new" ? "new result" : answer ?? "");
}

/** Scrolls the panel to an element, or to its top. A page that scrolls as a whole, on a narrow screen, stays where it is. */
function scrollTo(box: HTMLElement | null, what: string | null): void {
  const panel = box?.closest("[role=tabpanel]");
  const target = what && box?.querySelector(what);
  if (!panel) return;
  if (!target) {
    if (what === null) panel.scrollTop = 0;
    return;
  }
  const [place, around] = [target.getBoundingClientRect(), panel.getBoundingClientRect()];
  if (what === ".since" || place.top < around.top || place.bottom > around.bottom) panel.scrollTop += place.top - around.top - 8;
}
