// A bar for each model call: its height the tokens, split by group, with marks for what happened.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { groups, type Model } from "./model";
import { count, short } from "./format";

interface Props {
  model: Model;
  version: number; // grows with the model
  at: number;
  against: number;
  matches: readonly number[]; // calls in which the selector matches
  theme: string;
  onMove(at: number): void;
  onAgainst(at: number): void;
}

export function Timeline({ model, version, at, against, matches, theme, onMove, onAgainst }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef({ model, at, against, matches, onMove, onAgainst });
  latest.current = { model, at, against, matches, onMove, onAgainst };

  useEffect(() => {
    const element = host.current!;
    const u = new uPlot(options(element, latest), data(model), element);
    plot.current = u;
    const resize = new ResizeObserver(() => u.setSize({ width: element.clientWidth, height: 150 }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      u.destroy();
    };
  }, [model, theme]);

  useEffect(() => plot.current?.setData(data(model)), [version]);
  useEffect(() => plot.current?.redraw(false, false), [at, against, matches]);

  const label = `call ${at + 1} of ${model.calls.length}, ${count(total(model, at))} tokens`;
  return (
    <div
      class="timeline" ref={host} role="slider" tabIndex={0} aria-label="model calls" aria-valuemin={1}
      aria-valuemax={Math.max(model.calls.length, 1)} aria-valuenow={at + 1} aria-valuetext={label}
    />
  );
}

function total(model: Model, at: number): number {
  return model.totals.reduce((sum, list) => sum + (list[at] ?? 0), 0);
}

/** The series, the tallest first, so that each bar covers the lower part of the one before it. */
function data(model: Model): uPlot.AlignedData {
  const n = model.calls.length;
  const x = Array.from({ length: n }, (_, i) => i);
  const sums: number[][] = [];
  let below: number[] = new Array<number>(n).fill(0);
  for (const list of model.totals) {
    below = list.map((v, i) => v + below[i]!);
    sums.push(below);
  }
  return [x, ...sums.reverse()];
}

function color(element: Element, name: string): string {
  return getComputedStyle(element).getPropertyValue(name).trim();
}

function options(element: HTMLElement, latest: { current: Omit<Props, "version" | "theme"> }): uPlot.Options {
  const text = color(element, "--text-soft"), line = color(element, "--line");
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "11px system-ui" };
  return {
    width: Math.max(element.clientWidth, 200),
    height: 150,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: (_u, min, max) => [min - 0.7, max + 0.7] }, y: { range: (_u, _min, max) => [0, Math.max(max, 1) * 1.15] } },
    axes: [
      { ...axis, size: 24, values: (_u, list) => list.map((v) => (Number.isInteger(v) ? String(v + 1) : "")) },
      { ...axis, size: 48, values: (_u, list) => list.map((v) => short(v)) },
    ],
    series: [
      {},
      ...[...groups].reverse().map((name) => ({
        label: name, fill: color(element, `--group-${name}`), stroke: "transparent", width: 0, points: { show: false },
        paths: uPlot.paths.bars!({ size: [0.9, 40], gap: 0 }),
      })),
    ],
    hooks: {
      draw: [(u) => marks(u, element, latest.current)],
      ready: [(u) => pointer(u, latest)],
    },
  };
}

/** Draws the chosen calls, and what happened at each. */
function marks(u: uPlot, element: Element, p: Omit<Props, "version" | "theme">): void {
  const { ctx, bbox } = u;
  const scale = devicePixelRatio;
  const width = Math.max(2 * scale, Math.abs(u.valToPos(1, "x", true) - u.valToPos(0, "x", true)));
  ctx.save();
  const column = (at: number, fill: string, alpha: number): void => {
    ctx.globalAlpha = alpha;
    ctx.fillStyle = fill;
    ctx.fillRect(u.valToPos(at, "x", true) - width / 2, bbox.top, width, bbox.height);
  };
  if (p.against >= 0) column(p.against, color(element, "--accent-soft"), 0.35);
  column(p.at, color(element, "--accent"), 0.3);
  ctx.globalAlpha = 1;
  ctx.fillStyle = color(element, "--match");
  for (const at of p.matches) {
    ctx.fillRect(u.valToPos(at, "x", true) - width / 2, bbox.top + bbox.height - 3 * scale, width, 3 * scale);
  }
  ctx.textAlign = "center";
  ctx.font = `${11 * scale}px system-ui`;
  p.model.calls.forEach((call, at) => {
    const mark = markOf(call);
    if (!mark) return;
    ctx.fillStyle = color(element, mark.color);
    ctx.fillText(mark.sign, u.valToPos(at, "x", true), bbox.top + 10 * scale);
  });
  ctx.restore();
}

/** The most important thing that happened at a call. */
export function markOf(call: Model["calls"][number]): { sign: string; color: string; title: string } | undefined {
  const causes = new Set(call.left.map((c) => c.cause));
  if (causes.has("compacted")) return { sign: "▼", color: "--warn", title: "compacted" };
  if (causes.has("cleared") || causes.has("session-cleared")) return { sign: "○", color: "--warn", title: "cleared" };
  if (causes.has("rewound")) return { sign: "↺", color: "--warn", title: "rewound" };
  if (causes.has("trimmed") || causes.has("pruned") || causes.has("expired")) return { sign: "−", color: "--warn", title: "trimmed" };
  if (call.cache.broken) return { sign: "✕", color: "--bad", title: "cache broke" };
  if (call.side) return { sign: "•", color: "--text-soft", title: "side call" };
  return undefined;
}

/** Click and drag choose a call; with Shift, the one to compare with. */
function pointer(u: uPlot, latest: { current: Omit<Props, "version" | "theme"> }): void {
  const choose = (e: PointerEvent): void => {
    const { model, onMove, onAgainst } = latest.current;
    const at = Math.round(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x"));
    if (model.calls.length === 0) return;
    (e.shiftKey ? onAgainst : onMove)(Math.min(Math.max(at, 0), model.calls.length - 1));
  };
  u.over.addEventListener("pointerdown", (e) => {
    u.over.setPointerCapture(e.pointerId);
    choose(e);
  });
  u.over.addEventListener("pointermove", (e) => {
    if (e.buttons & 1) choose(e);
  });
}
