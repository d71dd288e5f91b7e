// The agents that the calls of a session started, as lanes below its timeline, and the way back from an agent or a fork.

import { useMemo } from "preact/hooks";
import { plural, visible } from "./format";
import type { Session } from "./data";
import type { Model } from "./model";
import type { Frame } from "./timeline";

/** An agent, and the calls of the session between which it ran. */
interface Agent {
  n: number; // in the list of sessions
  session: Session;
  from: number;
  to: number;
}

export function Lanes({ model, version, frame, sessions, session, onOpen }: { model: Model; version: number; frame: Frame; sessions: Session[]; session: number; onOpen(n: number): void }) {
  const lanes = useMemo(() => pack(agents(model, sessions, session)), [model, version, sessions, session]);
  const by = sessions[session]?.by;
  const parent = by ? sessions.findIndex((s) => s.path === sessions[session]!.path && (s.history ?? "") === by.history) : -1;
  const fork = sessions[session]?.fork;
  const base = fork?.name ? sessions.findIndex((s) => s.name === fork.name) : -1;
  const from = fork && `forked from ${visible(fork.history ?? "another history")} at @c${fork.cycle}`;
  if (lanes.length === 0 && parent < 0 && !from) return null;
  return (
    <div class="lanes" style={{ paddingLeft: `${frame.left}px` }}>
      {parent >= 0 && <button class="link" onClick={() => onOpen(parent)}>↑ started by {visible(by!.history || sessions[parent]!.name)}, @c{by!.cycle}</button>}
      {from && (base >= 0 ? <button class="link" onClick={() => onOpen(base)}>↑ {from}</button> : <span class="soft">{from}</span>)}
      {lanes.map((list, n) => (
        <div key={n} class="lane">
          {list.map((a) => {
            const left = Math.max(frame.of(a.from), 0), right = Math.min(frame.of(a.to), frame.width);
            return right > 0 && left < frame.width && (
              <button key={a.n} class="agent" style={{ transform: `translateX(${left}px)`, width: `${Math.max(right - left, 8)}px` }} onClick={() => onOpen(a.n)}
                title={visible(a.session.prompt ?? "")} aria-label={`${visible(a.session.history ?? a.session.name)}, ${plural(a.session.calls, "call")}`}>
                {visible(a.session.history ?? a.session.name)} · {plural(a.session.calls, "call")}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The agents of a session in the order in which they were started. An agent ends before the first call that was later than its last one. */
function agents(model: Model, sessions: Session[], session: number): Agent[] {
  const own = sessions[session];
  const out: Agent[] = [];
  sessions.forEach((s, n) => {
    if (!own || n === session || !s.by || s.path !== own.path || s.by.history !== (own.history ?? "")) return;
    const from = model.calls.findIndex((c) => c.cycle === s.by!.cycle);
    if (from < 0) return;
    const end = model.calls.findIndex((c, i) => i > from && c.time !== "" && s.time !== undefined && Date.parse(c.time) >= Date.parse(s.time));
    out.push({ n, session: s, from, to: end < 0 ? Math.min(from + 1, model.calls.length - 1) : end });
  });
  return out.sort((a, b) => a.from - b.from || a.n - b.n);
}

/** Puts agents into as few lanes as show each by itself. */
function pack(list: Agent[]): Agent[][] {
  const lanes: Agent[][] = [];
  for (const a of list) {
    const free = lanes.find((l) => l.at(-1)!.to < a.from);
    if (free) free.push(a);
    else lanes.push([a]);
  }
  return lanes;
}
