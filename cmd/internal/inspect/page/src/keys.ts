// The keys of the page.

import { useEffect, useRef } from "preact/hooks";

/** What keys do, as the page lists them. */
export const keyList: [keys: string[], does: string][] = [
  [["e", "E"], "the next, the previous event: what left, what broke the cache, what failed"],
  [["n", "p"], "the next, the previous match of the selector or the text, across calls"],
  [["j", "k"], "the next, the previous call; also → and ←"],
  [["Page Down", "Page Up"], "ten calls on, ten calls back"],
  [["Home", "End"], "the first, the last call"],
  [["1", "…", "6"], "the tabs, in their order"],
  [["c", "x"], "compare with this call from now on; with the previous call again"],
  [["t"], "to the tree: arrows and Enter move, open and close there"],
  [["/", "f"], "to the selector, to the text to find; Escape leaves them"],
  [["?"], "this list"],
];

export interface Keys {
  move(by: number): void;
  event(direction: 1 | -1): void;
  match(direction: 1 | -1): void;
  tab(n: number): void;
  pin(): void;
  unpin(): void;
  help(): void;
}

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

/** Where letters are written. */
const written = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** Calls what a key does, wherever the focus is except in a field. A panel that has the focus scrolls with its own keys. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (e: KeyboardEvent): void => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || document.querySelector("dialog[open]")) return;
      const target = e.target instanceof HTMLElement ? e.target : document.body;
      if (target.closest(written)) {
        if (e.key === "Escape") target.blur();
        return;
      }
      const { current: k } = latest;
      const scrolls = target.closest("[role=tabpanel]") !== null;
      switch (e.key) {
        case "j": case "ArrowRight": k.move(1); break;
        case "k": case "ArrowLeft": k.move(-1); break;
        case "PageDown": case "PageUp": case "Home": case "End":
          if (scrolls) return;
          k.move({ PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[e.key]);
          break;
        case "e": k.event(1); break;
        case "E": k.event(-1); break;
        case "n": k.match(1); break;
        case "p": k.match(-1); break;
        case "c": k.pin(); break;
        case "x": k.unpin(); break;
        case "t": focus(".tree"); break;
        case "/": focus(".cm-content, .bar-editor input, input[type=search]"); break;
        case "f": focus("input[type=search]"); break;
        case "?": k.help(); break;
        default:
          if (!/^[1-9]$/.test(e.key)) return;
          k.tab(Number(e.key) - 1);
      }
      e.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
