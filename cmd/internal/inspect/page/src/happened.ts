// What happened at a call, in words.

import { count, plural } from "./format";
import type { Call, Cause, Model, Row } from "./model";

/** One thing that happened at a call. */
export interface Happened {
  text: string;
  bad?: boolean;
  left?: boolean; // it is about nodes that left
  node?: string; // the node that the text names last
}

/** What the causes of the engine mean; the words follow "3 nodes". */
const causes: Record<string, [one: string, many: string]> = {
  compacted: ["was compacted", "were compacted"],
  cleared: ["was cleared: a placeholder stands for the content", "were cleared: placeholders stand for their content"],
  trimmed: ["was cut off: it was among the oldest", "were cut off: they were the oldest"],
  expired: ["expired", "expired"],
  pruned: ["was removed by a policy", "were removed by a policy"],
  deleted: ["was removed", "were removed"],
  edited: ["was edited", "were edited"],
  rewound: ["was dropped: the conversation went on from an earlier point", "were dropped: the conversation went on from an earlier point"],
  "session-cleared": ["was dropped: the user began anew", "were dropped: the user began anew"],
  unknown: ["left, and the log does not say why", "left, and the log does not say why"],
};

/** The events between calls that a log states. */
const eventNames: Record<string, string> = {
  compaction: "The conversation was compacted", clear: "The user began anew", rewind: "The conversation was rewound", rollback: "The conversation was rolled back",
  edit: "The conversation was edited", interrupt: "The user interrupted the model",
};

/** Why something left, as a sentence about so many nodes. */
export function because({ cause, inferred }: Cause, n: number): string {
  const words = causes[cause];
  return `${words ? words[n === 1 ? 0 : 1] : `left: ${cause}`}${inferred ? " (inferred)" : ""}`;
}

/** Departures with the same cause and the same replacement. */
export interface Departed {
  cause: Cause;
  rows: Row[];
}

/** Groups nodes that left by their cause and replacement. */
export function departed(model: Model, rows: readonly Row[]): Departed[] {
  const out = new Map<string, Departed>();
  for (const row of rows) {
    const cause = model.departure(row) ?? { id: row.id, cause: "unknown" };
    const key = JSON.stringify([cause.cause, cause.by, cause.inferred]);
    const group = out.get(key);
    if (group) group.rows.push(row);
    else out.set(key, { cause, rows: [row] });
  }
  return [...out.values()];
}

/** Departures as sentences, one for each cause and replacement; which says more about the nodes. */
function grouped(list: readonly Cause[], which: string): Happened[] {
  const groups = new Map<string, Cause[]>();
  for (const c of list) {
    const key = JSON.stringify([c.cause, c.by, c.inferred]);
    groups.set(key, [...(groups.get(key) ?? []), c]);
  }
  return [...groups.values()].map((list) => {
    const [first] = list as [Cause];
    const text = `${plural(list.length, "node")}${which} ${because(first, list.length)}`;
    return first.by ? { text: `${text}, and replaced by`, node: first.by } : { text };
  });
}

/** What happened at a call, the most important first. */
export function happened(model: Model, at: number): Happened[] {
  const call = model.calls[at]!;
  const out: Happened[] = [];
  for (const e of call.events ?? []) {
    const text = eventNames[e.kind];
    if (text) out.push({ text });
  }
  out.push(...grouped(call.left, "").map((h) => ({ ...h, left: true })), ...grouped(call.unsent ?? [], " that no call was sent"));
  for (const name of call.settings ?? []) out.push({ text: `${name} changed` });
  const broken = call.cache.broken;
  if (broken?.node) out.push({ text: `The cached prefix ends at`, node: broken.node, bad: true });
  else if (broken) out.push({ text: `The cached prefix ends: ${broken.setting ?? broken.by} ${broken.event}`, bad: true });
  return out;
}

/** The calls at which something left, was changed, or the cached prefix ended; and those that failed. */
export function isEvent(call: Call): boolean {
  return call.left.length > 0 || call.failed !== undefined || (call.cache.broken !== null && !call.side);
}

/** The call at which a page opens: the first compaction, the first end of the cached prefix, or the last call that changed something. */
export function mostInteresting(model: Model): number {
  const compacted = model.calls.findIndex((c) => !c.side && (c.left.some((d) => d.cause === "compacted") || c.events?.some((e) => e.kind === "compaction")));
  if (compacted >= 0) return compacted;
  const broken = model.calls.findIndex((c) => c.cache.broken !== null && !c.side);
  if (broken >= 0) return broken;
  for (let at = model.calls.length - 1; at > 0; at--) if (!isEmpty(model, at)) return at;
  return 0;
}

function isEmpty(model: Model, at: number): boolean {
  const { added, removed, changed } = model.compare(model.previous(at), at);
  return added.length + removed.length + changed.length === 0;
}

/** Names a call in a sentence. */
export function callName(model: Model, at: number): string {
  return model.calls[at]?.end ? "the state after the last call" : `call ${count(at + 1)}`;
}
