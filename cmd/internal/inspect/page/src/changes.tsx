// What differs between the call that is shown and another one.

import { useState } from "preact/hooks";
import { plural, short, visible } from "./format";
import { events, groups, type Difference, type Model, type Row } from "./model";
import { label } from "./tree";

interface Props {
  model: Model;
  at: number;
  against: number; // -1 for none: the first call
  found: Difference;
  onSelect(id: string): void;
}

/** How many nodes of a list are shown at first. */
const most = 50;

export function Changes({ model, at, against, found, onSelect }: Props) {
  const [all, setAll] = useState(false);
  const call = model.calls[at];
  if (!call) return null;
  const why = (row: Row): string => {
    const cause = model.calls[row.to]?.left.find((c) => c.id === row.id);
    return cause ? cause.cause + (cause.by ? ` into ${cause.by}` : "") + (cause.inferred ? " (inferred)" : "") : "";
  };
  const section = (title: string, rows: Row[], state: string, note: (r: Row) => string) => rows.length > 0 && (
    <section>
      <h2>{title} <small>{plural(rows.length, "node")}, {plural(rows.reduce((n, r) => n + r.tokens, 0), "token")}</small></h2>
      <ul class={`changes ${state}`}>
        {rows.slice(0, all ? rows.length : most).map((row) => (
          <li key={row.id}>
            <button class="link" onClick={() => onSelect(row.id)}>
              <span class={`dot group-${groups[row.group]}`} aria-hidden="true" />
              {label({ row })} <code>{visible(row.id)}</code>
            </button>
            <span class="text">{visible(row.text)}</span>
            <span class="why">{visible(note(row))}</span>
            <span class="size">{short(row.tokens)}</span>
          </li>
        ))}
        {rows.length > most && !all && <li><button class="link" onClick={() => setAll(true)}>and {plural(rows.length - most, "more node")}</button></li>}
      </ul>
    </section>
  );
  const nothing = found.added.length + found.removed.length + found.changed.length === 0;
  return (
    <div class="panel-body">
      <p>
        {call.end ? "The state after the last call" : `Call ${at + 1}`}{against < 0 ? ", before which nothing was sent." : ` against call ${against + 1}.`}
        {events(call).map((e) => <strong key={e}> {visible(e)}.</strong>)}
      </p>
      {nothing && <p class="empty">{against < 0 ? "It was sent nothing." : "The two calls were sent the same."}</p>}
      {section("Left", found.removed, "removed", why)}
      {section("Added", found.added, "added", () => "")}
      {section("Changed", found.changed.map(([, now]) => now), "changed", (r) => (model.life(r.id).some((o) => o !== r && o.parent !== r.parent) ? "moved" : ""))}
    </div>
  );
}
