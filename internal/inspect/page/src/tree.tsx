// The tree at a call. Only the rows that can be seen are in the document.

import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { groups, type Shown } from "./model";
import { short, visible } from "./format";

interface Props {
  list: Shown[];
  selected: string;
  matches: ReadonlySet<string>;
  added: ReadonlySet<string>;
  changed: ReadonlySet<string>;
  onSelect(id: string): void;
  onToggle(id: string): void;
}

const rowHeight = 24;

export function Tree({ list, selected, matches, added, changed, onSelect, onToggle }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtual(box, list.length);
  const index = list.findIndex((s) => s.row.id === selected);
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  }, [selected, index >= 0]);

  const keys = (e: KeyboardEvent): void => {
    const here = list[index];
    const go = (to: number): void => {
      const target = list[Math.min(Math.max(to, 0), list.length - 1)];
      if (target) onSelect(target.row.id);
    };
    switch (e.key) {
      case "ArrowDown": go(index + 1); break;
      case "ArrowUp": go(index < 0 ? list.length - 1 : index - 1); break;
      case "Home": go(0); break;
      case "End": go(list.length - 1); break;
      case "PageDown": go(index + 20); break;
      case "PageUp": go(index - 20); break;
      case "ArrowRight":
        if (here?.children && !here.open) onToggle(here.row.id);
        else go(index + 1);
        break;
      case "ArrowLeft":
        if (here?.open) onToggle(here.row.id);
        else if (here) onSelect(list.slice(0, index).findLast((s) => s.level < here.level)?.row.id ?? here.row.id);
        break;
      case "Enter": case " ":
        if (here?.children) onToggle(here.row.id);
        break;
      default: return;
    }
    e.preventDefault();
    e.stopPropagation();
  };

  return (
    <div
      class="tree" role="tree" aria-label="context" tabIndex={0} ref={box} onKeyDown={keys}
      aria-activedescendant={index >= 0 && virtual.getVirtualItems().some((v) => v.index === index) ? `row-${index}` : undefined}
    >
      <div class="tree-rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((v) => {
          const shown = list[v.index];
          if (!shown) return null;
          const { row } = shown;
          const state = added.has(row.id) ? " added" : changed.has(row.id) ? " changed" : "";
          return (
            <div
              key={v.key} id={`row-${v.index}`} role="treeitem" aria-level={shown.level + 1} aria-selected={row.id === selected}
              aria-expanded={shown.children ? shown.open : undefined} aria-setsize={list.length} aria-posinset={v.index + 1}
              class={"tree-row" + (row.id === selected ? " selected" : "") + (matches.has(row.id) ? " match" : "") + state}
              style={{ transform: `translateY(${v.start}px)`, paddingLeft: 8 + shown.level * 14 }}
              onClick={() => onSelect(row.id)} onDblClick={() => shown.children && onToggle(row.id)}
            >
              <span class="twisty" aria-hidden="true" onClick={() => shown.children && onToggle(row.id)}>
                {shown.children ? (shown.open ? "▾" : "▸") : ""}
              </span>
              <span class={`dot group-${groups[row.group]}`} aria-hidden="true" />
              <span class="what">{label(shown)}</span>
              <span class="text">{visible(row.text)}</span>
              <span class="size">{row.tokens > 0 ? short(row.tokens) : ""}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A name for a node: its region or depth, its role and kind, the tool, and its key unless a provider made that. */
export function label({ row, depth }: Pick<Shown, "row" | "depth">): string {
  if (row.id.startsWith("^")) return row.id;
  if (row.type === "seg") return depth === undefined ? "seg" : `d${depth}`;
  const kind = row.kind && row.kind !== "text" ? row.kind : "";
  const key = row.key && row.key !== row.id ? `#${row.key}` : "";
  const parts = [row.role ?? "", kind, row.name ?? "", key].filter((s) => s !== "");
  return parts.length > 0 ? parts.join(" ") : row.type;
}

function useVirtual(box: { current: HTMLDivElement | null }, size: number): Virtualizer<HTMLDivElement, HTMLDivElement> {
  const [, again] = useReducer((n: number) => n + 1, 0);
  const [virtual] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(settings(box, size, again)));
  virtual.setOptions(settings(box, size, again));
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}

function settings(box: { current: HTMLDivElement | null }, size: number, again: (x: undefined) => void) {
  return {
    count: size, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 8,
    scrollToFn: elementScroll, observeElementRect, observeElementOffset, onChange: () => again(undefined),
  };
}
