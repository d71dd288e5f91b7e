// What the page shows, kept in the address so that every state can be linked to.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export type Tab = "node" | "changes" | "thread" | "compare";

export interface View {
  session: number;
  at: number; // a call; -1 is the last
  against: number; // the call that changes are shown against; -1 is the one before
  node: string;
  tab: Tab;
  selector: string;
  search: string;
  other: number; // the session to compare with; -1 for none
}

const start: View = { session: -1, at: -1, against: -1, node: "", tab: "changes", selector: "", search: "", other: -1 };

const names: [keyof View, string][] = [
  ["session", "s"], ["at", "at"], ["against", "vs"], ["node", "node"], ["tab", "tab"], ["selector", "q"], ["search", "find"], ["other", "other"],
];

export function readView(hash: string): View {
  const q = new URLSearchParams(hash.replace(/^#/, ""));
  const view: Record<string, unknown> = { ...start };
  for (const [name, short] of names) {
    const v = q.get(short);
    if (v === null) continue;
    if (typeof start[name] !== "number") view[name] = v;
    else if (/^\d+$/.test(v)) view[name] = Number(v);
  }
  if (!["node", "changes", "thread", "compare"].includes(String(view["tab"]))) view["tab"] = "changes";
  return view as unknown as View;
}

export function writeView(view: View): string {
  const q = new URLSearchParams();
  for (const [name, short] of names) {
    if (view[name] !== start[name]) q.set(short, String(view[name]));
  }
  return "#" + q.toString();
}

/** Browsers refuse an address that changes too often, so it is written when moving through time pauses. */
const pause = 150;

/** The view in the address, and a function that changes parts of it. */
export function useView(): [View, (change: Partial<View>) => void] {
  const [view, set] = useState(() => readView(location.hash));
  const timer = useRef(0);
  const latest = useRef(view);
  useEffect(() => {
    const changed = () => set((latest.current = readView(location.hash)));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const change = useCallback((part: Partial<View>) => {
    set((latest.current = { ...latest.current, ...part }));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => history.replaceState(null, "", writeView(latest.current)), pause);
  }, []);
  return [view, change];
}
