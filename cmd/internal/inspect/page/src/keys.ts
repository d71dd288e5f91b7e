// The keys of the page.

import { useEffect, useRef } from "preact/hooks";
import type { Shown } from "./model";
import type { View } from "./state";

interface State {
  at: number;
  last: number;
  node: string;
  list: readonly Shown[];
  found: ReadonlySet<string>;
}

/** Arrows, j and k move in time; c and x choose the call to compare with; n and p go to what was found. */
export function useKeys(state: State, change: (part: Partial<View>) => void): void {
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const key = (e: KeyboardEvent): void => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.target instanceof Element && e.target.closest("input, select, textarea, [contenteditable], [role=tree]")) return;
      const { at, last, node, list, found } = latest.current;
      const go = (n: number): void => change({ at: Math.min(Math.max(n, 0), last) });
      switch (e.key) {
        case "j": case "ArrowRight": go(at + 1); break;
        case "k": case "ArrowLeft": go(at - 1); break;
        case "PageDown": go(at + 10); break;
        case "PageUp": go(at - 10); break;
        case "Home": go(0); break;
        case "End": go(last); break;
        case "c": change({ against: at, tab: "changes" }); break;
        case "x": change({ against: -1 }); break;
        case "n": case "p": {
          const hits = list.filter((s) => found.has(s.row.id)).map((s) => s.row.id);
          const here = hits.indexOf(node);
          const next = hits[(here + (e.key === "n" ? 1 : here < 0 ? 0 : -1) + hits.length) % hits.length];
          if (next) change({ node: next, tab: "node" });
          break;
        }
        case "/": (document.querySelector(".cm-content, .bar-editor input, input[type=search]") as HTMLElement | null)?.focus(); break;
        default: return;
      }
      e.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [change]);
}
