// A bar for each model call: its height the tokens, split by group, with marks for what happened. The bars are drawn when
// the history changes; what moves with the pointer lies above them.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { groups, type Model } from "./model";
import { count, plural, short } from "./format";

interface Props {
  model: Model;
  version: number; // grows with the model
  at: number;
  against: number; // -1 for none: the first call
  pinned: boolean; // another call than the one before was chosen
  matches: readonly number[]; // calls in which the selector matches
  theme: string;
  onMove(at: number): void;
  onAgainst(at: number): void; // -1 for the call before
}

const height = 150;

/** How wide the column of a call is at most. */
const widest = 56;

/** The place of the bars on the screen. */
interface Frame {
  left: number;
  column: number; // the width of a call
  of(at: number): number; // the middle of a call, from the left of the bars
  call(x: number): number;
}

export function Timeline({ model, version, at, against, pinned, matches, theme, onMove, onAgainst }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef({ model, onMove, onAgainst });
  latest.current = { model, onMove, onAgainst };
  const [frame, setFrame] = useState<Frame>();
  const [hover, setHover] = useState(-1);

  const begun = version > 0;
  useEffect(() => {
    if (!begun) return; // an empty plot would only delay the first bars
    const element = host.current!;
    const place = (u: uPlot): void => setFrame({
      left: u.over.offsetLeft, column: Math.min(Math.max(2, u.valToPos(1, "x") - u.valToPos(0, "x")), widest),
      of: (n) => u.valToPos(n, "x"), call: (x: number) => clamp(Math.round(u.posToVal(x, "x")), latest.current.model),
    });
    const u = new uPlot(options(element, latest, place, setHover), data(model), element);
    plot.current = u;
    const resize = new ResizeObserver(() => u.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      u.destroy();
    };
  }, [model, theme, begun]);

  useEffect(() => plot.current?.setData(data(model)), [version]);

  const shown = hover >= 0 && hover < model.calls.length ? hover : -1;
  return (
    <div class="timeline">
      <div class="bars" ref={host} aria-hidden="true" />
      {frame && (
        <div class="overlay" style={{ left: `${frame.left}px`, height: `${height - 24}px` }}>
          <Matches frame={frame} matches={matches} theme={theme} />
          {pinned && <div class="range" style={range(frame, against, at)} />}
          <div class="column" style={{ width: `${frame.column}px`, transform: `translateX(${frame.of(at) - frame.column / 2}px)` }} />
          <Handle name="against" label="the call before it" at={Math.max(against, 0)} frame={frame} model={model} quiet={!pinned} onMove={onAgainst} onReset={() => onAgainst(-1)} />
          <Handle name="at" label="model call" at={at} frame={frame} model={model} onMove={onMove} />
          {shown >= 0 && <div class={"tip" + (frame.of(shown) > innerWidth / 2 ? " before" : "")} style={{ transform: `translateX(${frame.of(shown)}px)` }}><p>{describe(model, shown)}</p></div>}
        </div>
      )}
    </div>
  );
}

function clamp(at: number, model: Model): number {
  return Math.min(Math.max(at, 0), model.calls.length - 1);
}

function range(frame: Frame, a: number, b: number): { width: string; transform: string } {
  const from = frame.of(Math.min(a, b)), to = frame.of(Math.max(a, b));
  return { width: `${to - from}px`, transform: `translateX(${from}px)` };
}

function describe(model: Model, at: number): string {
  const call = model.calls[at]!;
  const mark = markOf(call);
  const cached = Math.round(100 * cachedPart(call));
  return [call.end ? "after the last call" : `call ${count(at + 1)}`, plural(model.total(at), "token"), cached > 0 ? `${cached} % from the cache` : "", mark?.title ?? ""].filter((s) => s !== "").join(" · ");
}

interface HandleProps {
  name: string;
  label: string;
  at: number;
  frame: Frame;
  model: Model;
  quiet?: boolean;
  onMove(at: number): void;
  onReset?(): void;
}

/** One of the two ends of a range: dragged, or moved with the arrow keys. */
function Handle({ name, label, at, frame, model, quiet, onMove, onReset }: HandleProps) {
  const drag = (e: PointerEvent): void => {
    const element = e.currentTarget as HTMLElement;
    if (e.type === "pointerdown") element.setPointerCapture(e.pointerId);
    else if (!(e.buttons & 1)) return;
    onMove(frame.call(e.clientX - element.parentElement!.getBoundingClientRect().left));
  };
  const keys = (e: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -at, End: model.calls.length }[e.key];
    if (step !== undefined) onMove(clamp(at + step, model));
    else if ((e.key === "Escape" || e.key === "Delete") && onReset) onReset();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div
      class={`handle ${name}` + (quiet ? " quiet" : "")} role="slider" tabIndex={0} aria-label={label} aria-valuemin={1} aria-valuemax={Math.max(model.calls.length, 1)}
      aria-valuenow={at + 1} aria-valuetext={`call ${at + 1} of ${model.calls.length}, ${plural(model.total(at), "token")}`}
      style={{ transform: `translateX(${frame.of(at)}px)` }} onPointerDown={drag} onPointerMove={drag} onKeyDown={keys} onDblClick={onReset}
    />
  );
}

/** A line below the calls at which the selector finds something. */
function Matches({ frame, matches, theme }: { frame: Frame; matches: readonly number[]; theme: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const c = canvas.current!, scale = devicePixelRatio;
    c.width = c.clientWidth * scale;
    c.height = c.clientHeight * scale;
    const ctx = c.getContext("2d")!;
    ctx.fillStyle = getComputedStyle(c).color;
    for (const at of matches) ctx.fillRect((frame.of(at) - frame.column / 2) * scale, 0, Math.ceil(frame.column * scale), c.height);
  }, [frame, matches, theme]);
  return <canvas class="matches" ref={canvas} aria-hidden="true" />;
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

interface Latest { current: Pick<Props, "model" | "onMove" | "onAgainst"> }

function options(element: HTMLElement, latest: Latest, place: (u: uPlot) => void, hover: (at: number) => void): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const text = color("--text-soft"), line = color("--line");
  const colors = Object.fromEntries(["--warn", "--bad", "--text-soft", "--back"].map((name) => [name, color(name)]));
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "11px system-ui" };
  return {
    width: Math.max(element.clientWidth, 200),
    height,
    padding: [14, 8, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: calls }, y: { range: (_u, _min, max) => [0, Math.max(max, 1)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24, values: (_u, list) => list.map((v) => (Number.isInteger(v) ? String(v + 1) : "")) },
      { ...axis, size: 48, space: 36, values: (_u, list) => list.map((v) => short(v)) },
    ],
    series: [
      {},
      ...[...groups].reverse().map((name) => ({
        label: name, fill: color(`--group-${name}`), stroke: "transparent", width: 0, points: { show: false },
        paths: uPlot.paths.bars!({ size: [0.9, 40], gap: 0 }),
      })),
    ],
    hooks: {
      draw: [(u) => marks(u, colors, latest.current.model), place],
      ready: [(u) => pointer(u, latest, hover)],
    },
  };
}

/** What the axis of the calls spans. It goes by the data, because uPlot makes a range of a hundred of a single call. */
function calls(u: uPlot): uPlot.Range.MinMax {
  return [-0.7, Math.max(u.data[0].length, 1) - 0.3];
}

/** Draws what happened at each call, and, paler, how much of it was read from a cache. */
function marks(u: uPlot, colors: Record<string, string>, model: Model): void {
  const { ctx, bbox } = u;
  const scale = devicePixelRatio;
  const width = Math.min(0.9 * Math.abs(u.valToPos(1, "x", true) - u.valToPos(0, "x", true)), 40 * scale);
  ctx.save();
  ctx.fillStyle = colors["--back"]!;
  ctx.globalAlpha = 0.45;
  model.calls.forEach((call, at) => {
    const part = cachedPart(call);
    const top = u.valToPos(part * model.total(at), "y", true);
    if (part > 0) ctx.fillRect(u.valToPos(at, "x", true) - width / 2, top, width, bbox.top + bbox.height - top);
  });
  ctx.globalAlpha = 1;
  ctx.textAlign = "center";
  ctx.font = `${11 * scale}px system-ui`;
  model.calls.forEach((call, at) => {
    const mark = markOf(call);
    if (!mark) return;
    ctx.fillStyle = colors[mark.color]!;
    ctx.fillText(mark.sign, u.valToPos(at, "x", true), bbox.top - 4 * scale);
  });
  ctx.restore();
}

/** How much of a call was read from a cache, as the log says: from 0 to 1. */
export function cachedPart({ tokens }: Model["calls"][number]): number {
  return tokens.cached && tokens.in > 0 ? Math.min(tokens.cached / tokens.in, 1) : 0;
}

/** What the signs above the bars mean. */
export const signs: { sign: string; color: string; title: string; causes: string[] }[] = [
  { sign: "▼", color: "--warn", title: "compacted", causes: ["compacted"] },
  { sign: "○", color: "--warn", title: "cleared", causes: ["cleared", "session-cleared"] },
  { sign: "↺", color: "--warn", title: "rewound", causes: ["rewound"] },
  { sign: "−", color: "--warn", title: "trimmed", causes: ["trimmed", "pruned", "expired"] },
  { sign: "✕", color: "--bad", title: "cache broke", causes: [] },
  { sign: "•", color: "--text-soft", title: "side call", causes: [] },
];

/** The most important thing that happened at a call. */
export function markOf(call: Model["calls"][number]): (typeof signs)[number] | undefined {
  return signs.find((s) => s.causes.length > 0 && call.left.some((c) => s.causes.includes(c.cause)))
    ?? (call.cache.broken ? signs.at(-2) : call.side ? signs.at(-1) : undefined);
}

/** Click and drag choose a call; with Shift, the one to compare with. */
function pointer(u: uPlot, latest: Latest, hover: (at: number) => void): void {
  const under = (e: PointerEvent): number => clamp(Math.round(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x")), latest.current.model);
  const choose = (e: PointerEvent): void => {
    const { model, onMove, onAgainst } = latest.current;
    if (model.calls.length > 0) (e.shiftKey ? onAgainst : onMove)(under(e));
  };
  u.over.addEventListener("pointerdown", (e) => {
    u.over.setPointerCapture(e.pointerId);
    choose(e);
  });
  u.over.addEventListener("pointermove", (e) => {
    hover(under(e));
    if (e.buttons & 1) choose(e);
  });
  u.over.addEventListener("pointerleave", () => hover(-1));
}
