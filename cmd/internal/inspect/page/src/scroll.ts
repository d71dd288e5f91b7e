// Long lists. The document has only their visible rows.

import { useLayoutEffect, useState } from "preact/hooks";

/** How many rows a printed page shows at most. */
const mostPrinted = 2000;

/** The rows of a list that can be seen, and some around them; all when the page is printed. */
export function useWindow(box: { current: HTMLDivElement | null }, size: number, rowHeight: number): [first: number, end: number] {
  const [place, set] = useState({ top: 0, height: 800 });
  const [printing, print] = useState(false);
  useLayoutEffect(() => {
    const b = box.current!;
    const look = (): void => set((old) => (old.top === b.scrollTop && old.height === b.clientHeight ? old : { top: b.scrollTop, height: b.clientHeight }));
    const resize = new ResizeObserver(look);
    resize.observe(b);
    const begin = (): void => print(true), end = (): void => print(false);
    b.addEventListener("scroll", look, { passive: true });
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      resize.disconnect();
      b.removeEventListener("scroll", look);
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  if (printing) return [0, Math.min(size, mostPrinted)];
  const around = 8;
  const first = Math.floor(place.top / rowHeight) - around;
  return [Math.max(first, 0), Math.min(first + Math.ceil(place.height / rowHeight) + 2 * around + 1, size)];
}
