// Going from match to match, across calls.

import { useEffect, useRef } from "preact/hooks";
import type { Model, Shown } from "./model";
import type { View } from "./state";

interface Place {
  model: Model;
  at: number;
  node: string;
  list: readonly Shown[];
  found: ReadonlySet<string>;
  /** Whether found is of the call at. */
  current: boolean;
  selected: readonly number[]; // the calls in which the selector matches
  search: string;
}

/** The calls at which a match may enter. */
function entries({ model, selected, search }: Place): number[] {
  const out = new Set(selected.filter((at) => model.hasEntered(at)));
  const words = search.toLowerCase();
  if (words) for (const row of model.rows) if (isMatch(row, words)) out.add(row.from);
  return [...out].sort((a, b) => a - b);
}

/** Whether a node has some words, in lower case, in its text or its id. */
export function isMatch(row: { text: string; id: string }, words: string): boolean {
  return row.text.toLowerCase().includes(words) || row.id.toLowerCase().includes(words);
}

/** A function that goes to the next or the previous match: in this call or, after its last one, at the next call with a new one. */
export function useMatches(place: Place, change: (part: Partial<View>) => void): (direction: 1 | -1) => void {
  const pending = useRef<1 | -1 | 0>(0);
  const { model, at, node, list, found, current } = place;
  const hits = (): string[] => list.filter((s) => found.has(s.row.id)).map((s) => s.row.id);
  useEffect(() => {
    if (pending.current === 0 || !current) return;
    const all = hits();
    const fresh = all.filter((id) => model.node(id, at)?.from === at);
    const next = pending.current > 0 ? fresh[0] ?? all[0] : fresh.at(-1) ?? all.at(-1);
    pending.current = 0;
    if (next) change({ node: next });
  }, [at, current, found]);
  return (direction) => {
    const all = hits();
    const here = all.indexOf(node);
    const next = here < 0 ? (direction > 0 ? all[0] : all.at(-1)) : all[here + direction];
    if (next) {
      change({ node: next });
      return;
    }
    const calls = entries(place);
    const call = direction > 0 ? calls.find((n) => n > at) : calls.findLast((n) => n < at);
    if (call === undefined) return;
    pending.current = direction;
    change({ at: call });
  };
}
