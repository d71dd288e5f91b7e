// Which call is shown, what happened at it, and the way to the next one.

import { useMemo } from "preact/hooks";
import { clock, count, percent, plural, short, visible } from "./format";
import { happened, isEvent } from "./happened";
import { groups, type Difference, type Model } from "./model";
import { cachedPart, markOf, signs } from "./timeline";
import { labelOf } from "./tree";

interface Props {
  model: Model;
  version: number; // grows with the model
  at: number;
  against: number; // the call that was chosen to compare with; -1 for the one before
  difference: Difference;
  onMove(by: number): void;
  onEvent(direction: 1 | -1): void;
  onReset(): void;
  onSelect(node: string): void;
}

export function CallLine({ model, version, at, against, difference, onMove, onEvent, onReset, onSelect }: Props) {
  const list = useMemo(() => model.calls.flatMap((c, n) => (isEvent(c) ? [n] : [])), [model, version]);
  const call = model.calls[at];
  if (!call) return null;
  const here = list.indexOf(at);
  return (
    <section class="call" aria-label="call">
      <p class="call-line">
        <span class="steps">
          <button onClick={() => onMove(-1)} disabled={at === 0} aria-label="the previous call">‹</button>
          <button onClick={() => onMove(1)} disabled={at === model.calls.length - 1} aria-label="the next call">›</button>
        </span>
        <span class="which" aria-live="polite"><strong>{call.end ? "after the last call" : `call ${count(at + 1)}`}</strong> of {count(model.calls.length)} <code>@c{call.cycle}</code></span>
        <Facts model={model} at={at} difference={difference} />
        {against >= 0 && <button class="chip" onClick={onReset} title="compare with the call before">against call {count(against + 1)} ✕</button>}
        {list.length > 0 && (
          <span class="steps events">
            <button onClick={() => onEvent(-1)} disabled={list[0]! >= at} aria-label="the previous event">‹</button>
            <span>{here >= 0 ? `event ${count(here + 1)} of ${count(list.length)}` : plural(list.length, "event")}</span>
            <button onClick={() => onEvent(1)} disabled={list.at(-1)! <= at} aria-label="the next event">›</button>
          </span>
        )}
      </p>
      <What model={model} at={at} onSelect={onSelect} />
    </section>
  );
}

function Facts({ model, at, difference: { added, removed, changed } }: { model: Model; at: number; difference: Difference }) {
  const call = model.calls[at]!;
  const total = model.total(at);
  const window = call.window?.tokens;
  const sent = call.tokens.label === "unknown" ? total : call.tokens.in;
  return (
    <span class="facts">
      {call.model && <span>{visible(call.model)}</span>}
      {call.time && <time title={visible(call.time)}>{visible(clock(call.time))}</time>}
      <span>{model.counted >= model.rows.length ? "" : "about "}{plural(total, "token")}</span>
      {call.tokens.label === "exact" && <span title="what the provider counted, according to the log">{count(call.tokens.in)} in</span>}
      {window && !call.end && <span title={`the window has ${count(window)} tokens, according to ${visible(call.window!.from)}`}>{percent(sent, window)} of the window</span>}
      <span class="delta">
        <span class="plus" title="nodes added">+{count(added.length)}</span> <span class="minus" title="nodes that left">−{count(removed.length)}</span> <span class="tilde" title="nodes changed">~{count(changed.length)}</span>
      </span>
    </span>
  );
}

/** What happened, in sentences, on one line: the tab "changes" has all of it. */
function What({ model, at, onSelect }: { model: Model; at: number; onSelect(node: string): void }) {
  const call = model.calls[at]!;
  const list = happened(model, at);
  return (
    <p class="what-happened">
      {call.side && <span class="tag quiet">side call{call.side.kind ? `: ${visible(call.side.kind)}` : ""}</span>}
      {call.failed && <span class="tag bad">failed: {visible(call.failed)}</span>}
      {call.from_cache && <span class="tag quiet">answered from a cache</span>}
      {list.map((h) => (
        <span key={h.text} class={h.bad ? "tag bad" : "tag"}>
          <span>{visible(h.text)}{h.node && " "}</span>{h.node && <button class="link" onClick={() => onSelect(h.node!)}>{labelOf(model, h.node, at)}</button>}
        </span>
      ))}
      {call.missing && <span class="missing">not in this log: {visible(call.missing.join(", "))}</span>}
    </p>
  );
}

/** The groups with their tokens at a call, and the signs above the bars that occur. */
export function Legend({ model, at }: { model: Model; at: number }) {
  const used = useMemo(() => new Set(model.calls.map((c) => markOf(c)?.sign)), [model, model.calls.length]);
  const cached = useMemo(() => model.calls.some((c) => cachedPart(c) > 0), [model, model.calls.length]);
  return (
    <ul class="legend" aria-label="legend">
      {groups.map((g, n) => <li key={g} class={model.totals[n]![at] ? "" : "none"}><span class={`dot group-${g}`} aria-hidden="true" />{g} <span class="number">{short(model.totals[n]![at] ?? 0)}</span></li>)}
      {cached && <li><span class="dot cached" aria-hidden="true" />pale: read from the cache</li>}
      {signs.map((s) => used.has(s.sign) && <li key={s.sign} class="sign"><span style={{ color: `var(${s.color})` }} aria-hidden="true">{s.sign}</span> {s.title}</li>)}
    </ul>
  );
}
