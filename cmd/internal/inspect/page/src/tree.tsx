// The tree at a call. The document has only its visible rows.

import { useEffect, useRef } from "preact/hooks";
import { groups, type Model, type Shown } from "./model";
import { short, visible } from "./format";
import { useWindow } from "./scroll";

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
  const [first, end] = useWindow(box, list.length, rowHeight);
  const index = selected ? list.findIndex((s) => s.row.id === selected) : -1;
  useEffect(() => {
    const b = box.current!;
    if (index < 0) return;
    if (index * rowHeight < b.scrollTop) b.scrollTop = index * rowHeight;
    else if ((index + 1) * rowHeight > b.scrollTop + b.clientHeight) b.scrollTop = (index + 1) * rowHeight - b.clientHeight;
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
      aria-activedescendant={first <= index && index < end ? `row-${index}` : undefined}
    >
      <div class="tree-rows" role="presentation" style={{ height: `${list.length * rowHeight}px` }}>
        {list.slice(first, end).map((shown, n) => {
          const { row } = shown;
          const at = first + n;
          const state = added.has(row.id) ? " added" : changed.has(row.id) ? " changed" : "";
          return (
            <div
              key={at} id={`row-${at}`} role="treeitem" aria-level={shown.level + 1} aria-selected={row.id === selected}
              aria-expanded={shown.children ? shown.open : undefined} aria-setsize={list.length} aria-posinset={at + 1}
              class={"tree-row" + (row.id === selected ? " selected" : "") + (matches.has(row.id) ? " match" : "") + state}
              style={{ transform: `translateY(${at * rowHeight}px)`, paddingLeft: `${8 + shown.level * 16}px` }}
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
  if (row.id.startsWith("^")) return visible(row.id);
  if (row.type === "seg") return depth === undefined ? "seg" : `d${depth}`;
  const kind = row.kind && row.kind !== "text" ? row.kind : "";
  const key = row.key && row.key !== row.id ? `#${row.key}` : "";
  const parts = [row.role ?? "", kind, row.name ?? "", key].filter((s) => s !== "");
  return visible(parts.length > 0 ? parts.join(" ") : row.type === "cont:log" ? "settings" : row.type);
}

/** A name for the node with an id, of a call or before it, with the beginning of its text. */
export function labelOf(model: Model, id: string, at: number): string {
  const row = model.node(id, at) ?? model.life(id).findLast((r) => r.from <= at) ?? model.life(id)[0];
  if (!row) return visible(id);
  const text = row.text.length > 40 ? `${row.text.slice(0, 40).trimEnd()}…` : row.text;
  return label({ row }) + (text ? ` “${visible(text)}”` : "");
}
