// What differs between the call that is shown and another one.

import { useState } from "preact/hooks";
import { plural, short, visible } from "./format";
import { because, callName, departed, happened } from "./happened";
import { groups, type Difference, type Model, type Row } from "./model";
import { label, labelOf } from "./tree";

interface Props {
  model: Model;
  at: number;
  against: number; // -1 for none: the first call
  found: Difference;
  onSelect(id: string): void;
}

export function Changes({ model, at, against, found, onSelect }: Props) {
  const call = model.calls[at];
  if (!call) return null;
  const { added, removed, changed, boxes } = found;
  const nothing = added.length + removed.length + changed.length === 0;
  const name = callName(model, at);
  return (
    <div class="panel-body">
      <p>{name[0]!.toUpperCase() + name.slice(1)}{against < 0 ? ", before which nothing was sent." : ` against ${callName(model, against)}.`}</p>
      {against === model.previous(at) && (
        <ul class="happened">
          {happened(model, at).filter((h) => !h.left).map((h) => (
            <li key={h.text} class={h.bad ? "bad" : ""}>{visible(h.text)}{h.node && <> <button class="link" onClick={() => onSelect(h.node!)}>{labelOf(model, h.node, at)}</button></>}.</li>
          ))}
        </ul>
      )}
      {nothing && <p class="empty">{against < 0 ? "It was sent nothing." : "The two calls were sent the same blocks."}</p>}
      {departed(model, removed).map(({ cause, rows }) => (
        <Section
          key={rows[0]!.id} title="Left" rows={rows} state="removed" onSelect={onSelect}
          why={<>{visible(because(cause, rows.length))}{cause.by && <>, and replaced by <button class="link" onClick={() => onSelect(cause.by!)}>{labelOf(model, cause.by, at)}</button></>}</>}
        />
      ))}
      <Section title="Added" rows={added} state="added" onSelect={onSelect} />
      <Section title="Changed" rows={changed.map(([, now]) => now)} state="changed" onSelect={onSelect} />
      {boxes.length > 0 && (
        <details>
          <summary>{plural(boxes.length, "container")}</summary>
          <Section title="Containers" rows={boxes} state="boxes" onSelect={onSelect} />
        </details>
      )}
    </div>
  );
}

/** How many nodes of a list are shown at first. */
const most = 50;

interface SectionProps {
  title: string;
  rows: Row[];
  state: string;
  why?: preact.ComponentChildren;
  onSelect(id: string): void;
}

function Section({ title, rows, state, why, onSelect }: SectionProps) {
  const [all, setAll] = useState(false);
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{title} <small>{plural(rows.length, "node")}, {plural(rows.reduce((n, r) => n + r.tokens, 0), "token")}</small></h2>
      {why && <p class="why">They {why}.</p>}
      <ul class={`changes ${state}`}>
        {rows.slice(0, all ? rows.length : most).map((row) => (
          <li key={row.id}>
            <button class="link" onClick={() => onSelect(row.id)} title={visible(row.id)}>
              <span class={`dot group-${groups[row.group]}`} aria-hidden="true" />
              {label({ row })}
            </button>
            <span class="text">{visible(row.text)}</span>
            <span class="size">{short(row.tokens)}</span>
          </li>
        ))}
        {rows.length > most && !all && <li><button class="link" onClick={() => setAll(true)}>and {plural(rows.length - most, "more node")}</button></li>}
      </ul>
    </section>
  );
}
