// What the page shows, kept in the address so that every state can be linked to.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** The tabs of the panel, in their order. */
export const tabs = ["conversation", "changes", "window", "node", "request", "compare"] as const;
export type Tab = (typeof tabs)[number];

export interface View {
  session: number;
  at: number; // a call; -1 is the most interesting one
  against: number; // the call that changes are shown against; -1 is the one before
  node: string;
  tab: Tab;
  selector: string;
  search: string;
  other: number; // the session to compare with; -1 for none
}

const start: View = { session: -1, at: -1, against: -1, node: "", tab: "conversation", selector: "", search: "", other: -1 };

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
  if (!tabs.includes(view["tab"] as Tab)) view["tab"] = start.tab;
  return view as unknown as View;
}

export function writeView(view: View): string {
  const q = new URLSearchParams();
  for (const [name, short] of names) {
    if (view[name] !== start[name]) q.set(short, String(view[name]));
  }
  return "#" + q.toString();
}

/** Browsers refuse an address that changes too often, so it is written when moving through time pauses, in milliseconds. */
const pause = 150;

/** Changes that follow each other faster are one step back, in milliseconds. */
const gesture = 1000;

/** The view in the address, and a function that changes parts of it. Back takes back what was changed. */
export function useView(): [View, (change: Partial<View>) => void] {
  const [view, set] = useState(() => readView(location.hash));
  const timer = useRef(0);
  const changed = useRef(-gesture);
  const latest = useRef(view);
  useEffect(() => {
    const back = (): void => {
      clearTimeout(timer.current);
      changed.current = -gesture;
      set((latest.current = readView(location.hash)));
    };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const change = useCallback((part: Partial<View>) => {
    const now = performance.now();
    if (now - changed.current > gesture) {
      history.replaceState(null, "", writeView(latest.current)); // the pause may not be over
      history.pushState(null, "", writeView(latest.current));
    }
    changed.current = now;
    set((latest.current = { ...latest.current, ...part }));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => history.replaceState(null, "", writeView(latest.current)), pause);
  }, []);
  return [view, change];
}
