// The tabs of the panel.

import { useLayoutEffect } from "preact/hooks";

export function Tabs<T extends string>({ tab, list, onTab }: { tab: T; list: readonly T[]; onTab(t: T): void }) {
  useLayoutEffect(() => { // before that of what the panel shows, which may scroll
    document.getElementById("panel")!.scrollTop = 0;
    const button = document.getElementById(`tab-${tab}`)!, row = button.parentElement!;
    row.scrollLeft = Math.min(Math.max(row.scrollLeft, button.offsetLeft + button.offsetWidth - row.clientWidth), button.offsetLeft);
  }, [tab]);
  const keys = (e: KeyboardEvent): void => {
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = list[(list.indexOf(tab) + step + list.length) % list.length]!;
    onTab(next);
    document.getElementById(`tab-${next}`)?.focus();
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div role="tablist" class="tabs" aria-label="details" onKeyDown={keys}>
      {list.map((t) => (
        <button key={t} id={`tab-${t}`} role="tab" aria-selected={t === tab} aria-controls="panel" tabIndex={t === tab ? 0 : -1} onClick={() => onTab(t)}>{t}</button>
      ))}
    </div>
  );
}
