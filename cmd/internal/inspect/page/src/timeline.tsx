// A bar for each model call: its height the tokens, split by group, with marks for what happened. The bars are drawn when
// the history changes; what moves with the pointer lies above them.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Session } from "./data";
import { groups, type Model } from "./model";
import { count, plural, short } from "./format";
import { Lanes } from "./lanes";

interface Props {
  model: Model;
  version: number; // grows with the model
  at: number;
  against: number; // -1 for none: the first call
  pinned: boolean; // another call than the one before was chosen
  matches: readonly number[]; // calls in which the selector matches
  theme: string;
  sessions: Session[];
  session: number;
  onMove(at: number): void;
  onAgainst(at: number): void; // -1 for the call before
  onOpen(session: number): void;
}

/** The calls that can be seen, from the first to the last, also in parts; undefined for all. */
type Zoom = [from: number, to: number] | undefined;

/** How many calls can be seen at least. */
const fewest = 10;

const height = 150;

/** How wide the column of a call is at most. */
const widest = 56;

/** The place of the bars on the screen. */
export interface Frame {
  left: number;
  width: number;
  column: number; // the width of a call
  of(at: number): number; // the middle of a call, from the left of the bars
  call(x: number): number;
}

export function Timeline({ model, version, at, against, pinned, matches, theme, sessions, session, onMove, onAgainst, onOpen }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const [zoom, setZoom] = useState<Zoom>(undefined);
  const latest = useRef({ model, zoom, setZoom, onMove, onAgainst });
  latest.current = { model, zoom, setZoom, onMove, onAgainst };
  const [frame, setFrame] = useState<Frame>();
  const [hover, setHover] = useState(-1);

  const begun = version > 0;
  useEffect(() => {
    if (!begun) return; // an empty plot would only delay the first bars
    const element = host.current!;
    const place = (u: uPlot): void => setFrame({
      left: u.over.offsetLeft, width: u.over.clientWidth, column: Math.min(Math.max(2, u.valToPos(1, "x") - u.valToPos(0, "x")), widest),
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
  useLayoutEffect(() => plot.current?.setScale("x", { min: 0, max: 1 }), [zoom]); // the range comes from the zoom; the bars are those that the buttons name
  useEffect(() => setZoom((z) => (z && (at < z[0] || at > z[1]) ? within(model, at - (z[1] - z[0]) / 2, z[1] - z[0]) : z)), [at, version]);

  const scale = (factor: number): void => setZoom(zoomed(model, zoom, at, factor));
  const keys = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "+" || e.key === "=") scale(0.5);
    else if (e.key === "-") scale(2);
    else if (e.key === "0") setZoom(undefined);
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const visibleAt = (n: number): boolean => !zoom || (n >= zoom[0] && n <= zoom[1]);
  const shown = hover >= 0 && hover < model.calls.length ? hover : -1;
  return (
    <>
    <div class="timeline" onKeyDown={keys}>
      <div class="bars" ref={host} aria-hidden="true" />
      {model.calls.length > fewest && (
        <div class="zoom" role="group" aria-label="zoom">
          {zoom && <span>{count(Math.ceil(zoom[0]) + 1)}–{count(Math.floor(zoom[1]) + 1)}</span>}
          {zoom && <button onClick={() => setZoom(undefined)} title="all calls: 0">all</button>}
          <button onClick={() => scale(2)} disabled={!zoom} aria-label="zoom out" title="zoom out: −">−</button>
          <button onClick={() => scale(0.5)} disabled={zoom && zoom[1] - zoom[0] <= fewest} aria-label="zoom in" title="zoom in: +, or Ctrl and the wheel">+</button>
        </div>
      )}
      {frame && (
        <div class="overlay" style={{ left: `${frame.left}px`, height: `${height - 24}px` }}>
          <Matches frame={frame} matches={matches} theme={theme} />
          {zoom && <Pan zoom={zoom} model={model} frame={frame} onPan={(from) => setZoom(within(model, from, zoom[1] - zoom[0]))} />}
          {pinned && <div class="range" style={range(frame, against, at)} />}
          {visibleAt(at) && <div class="column" style={{ width: `${frame.column}px`, transform: `translateX(${frame.of(at) - frame.column / 2}px)` }} />}
          {visibleAt(Math.max(against, 0)) && <Handle name="against" label="the call before it" at={Math.max(against, 0)} frame={frame} model={model} quiet={!pinned} onMove={onAgainst} onReset={() => onAgainst(-1)} />}
          <Handle name="at" label="model call" at={at} frame={frame} model={model} onMove={onMove} />
          {shown >= 0 && <div class={"tip" + (frame.of(shown) > innerWidth / 2 ? " before" : "")} style={{ transform: `translateX(${frame.of(shown)}px)` }}><p>{describe(model, shown)}</p></div>}
        </div>
      )}
    </div>
    {frame && <Lanes model={model} version={version} frame={frame} sessions={sessions} session={session} onOpen={onOpen} />}
    </>
  );
}

/** A part of the calls of a length, moved to where there are calls. */
function within(model: Model, from: number, length: number): Zoom {
  const last = model.calls.length - 1;
  if (length >= last) return undefined;
  const first = Math.min(Math.max(from, 0), last - length);
  return [first, first + length];
}

/** Fewer or more calls around one. */
function zoomed(model: Model, zoom: Zoom, around: number, factor: number): Zoom {
  const [from, to] = zoom ?? [0, model.calls.length - 1];
  const length = Math.max((to - from) * factor, Math.min(fewest, model.calls.length - 1));
  const part = Math.min(Math.max((around - from) / (to - from || 1), 0), 1);
  return within(model, from + part * (to - from) - part * length, length);
}

/** The part of all calls that can be seen, which is dragged to see another one. */
function Pan({ zoom, model, frame, onPan }: { zoom: [number, number]; model: Model; frame: Frame; onPan(from: number): void }) {
  const last = model.calls.length - 1;
  const start = useRef({ x: 0, from: 0 });
  const drag = (e: PointerEvent): void => {
    const element = e.currentTarget as HTMLElement;
    if (e.type === "pointerdown") {
      element.setPointerCapture(e.pointerId);
      start.current = { x: e.clientX, from: zoom[0] };
    } else if (e.buttons & 1) onPan(start.current.from + ((e.clientX - start.current.x) / frame.width) * last);
  };
  const left = (zoom[0] / last) * frame.width, width = Math.max(((zoom[1] - zoom[0]) / last) * frame.width, 16);
  return <div class="pan" aria-hidden="true" style={{ width: `${width}px`, transform: `translateX(${Math.min(left, frame.width - width)}px)` }} onPointerDown={drag} onPointerMove={drag} />;
}

function clamp(at: number, model: Model): number {
  return Math.min(Math.max(at, 0), model.calls.length - 1);
}

function range(frame: Frame, a: number, b: number): { width: string; transform: string } {
  const from = Math.max(frame.of(Math.min(a, b)), 0), to = Math.max(Math.min(frame.of(Math.max(a, b)), frame.width), from);
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

/** One of the two ends of a range: dragged, or moved with the arrow keys. It waits at the edge while its call cannot be seen. */
function Handle({ name, label, at, frame, model, quiet, onMove, onReset }: HandleProps) {
  const x = frame.of(at);
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
      class={`handle ${name}` + (quiet ? " quiet" : "") + (x < 0 || x > frame.width ? " away" : "")} role="slider" tabIndex={0} aria-label={label} aria-valuemin={1} aria-valuemax={Math.max(model.calls.length, 1)}
      aria-valuenow={at + 1} aria-valuetext={`call ${at + 1} of ${model.calls.length}, ${plural(model.total(at), "token")}`}
      style={{ transform: `translateX(${Math.min(Math.max(x, 0), frame.width)}px)` }} onPointerDown={drag} onPointerMove={drag} onKeyDown={keys} onDblClick={onReset}
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
    let from = 0, to = 0; // matches side by side are one rectangle
    const fill = (): void => ctx.fillRect(from, 0, to - from, c.height);
    for (const at of matches) {
      const left = Math.floor((frame.of(at) - frame.column / 2) * scale);
      if (left > to) {
        fill();
        from = left;
      }
      to = left + Math.ceil(frame.column * scale);
    }
    fill();
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

interface Latest { current: Pick<Props, "model" | "onMove" | "onAgainst"> & { zoom: Zoom; setZoom(z: Zoom): void } }

function options(element: HTMLElement, latest: Latest, place: (u: uPlot) => void, hover: (at: number) => void): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const text = color("--text-soft"), line = color("--line");
  const fills = [...groups].reverse().map((name) => color(`--group-${name}`));
  const colors = Object.fromEntries(["--warn", "--bad", "--text-soft", "--back"].map((name) => [name, color(name)]));
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "11px system-ui" };
  return {
    width: Math.max(element.clientWidth, 200),
    height,
    padding: [14, 8, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: (u) => seen(u, latest.current.zoom) }, y: { range: (_u, _min, max) => [0, Math.max(max, 1)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24, values: (_u, list) => list.map((v) => (Number.isInteger(v) ? String(v + 1) : "")) },
      { ...axis, size: 48, space: 36, values: (_u, list) => list.map((v) => short(v)) },
    ],
    series: [
      {},
      ...groups.map(() => ({ points: { show: false }, paths: () => null })),
    ],
    hooks: {
      draw: [(u) => draw(u, fills, colors, latest.current.model), place],
      ready: [(u) => pointer(u, latest, hover)],
    },
  };
}

/** What the axis of the calls spans. It goes by the data, because uPlot makes a range of a hundred of a single call. */
function seen(u: uPlot, zoom: Zoom): uPlot.Range.MinMax {
  const [from, to] = zoom ?? [0, Math.max(u.data[0].length, 1) - 1];
  return [from - 0.7, to + 0.7];
}

/** The calls that can be seen, and where their bars stand on the canvas. */
interface Places { first: number; last: number; step: number; middle(at: number): number }

function places(u: uPlot, model: Model): Places {
  const { min, max } = u.scales["x"]!, left = u.valToPos(0, "x", true), step = u.valToPos(1, "x", true) - left;
  return {
    first: Math.max(Math.floor(min!), 0), last: Math.min(Math.ceil(max!), u.data[0].length - 1, model.calls.length - 1),
    step, middle: (at) => left + at * step,
  };
}

/**
 * Fills a bar of so many tokens at each call that can be seen, with the color of the context. There is a gap between wide
 * bars only. Of calls that share a pixel, the tallest bar is drawn, and narrow bars side by side that are equally tall are
 * one rectangle. Bars are not parts of a path, because Chromium needs seconds to fill a path of ten thousand bars.
 */
function fill(u: uPlot, { first, last, step, middle }: Places, tokens: (at: number) => number): void {
  const bottom = Math.round(u.valToPos(0, "y", true)), rise = bottom - u.valToPos(1, "y", true);
  if (step >= 5) {
    const width = Math.round(Math.min(0.9 * step, 40 * devicePixelRatio));
    for (let at = first; at <= last; at++) u.ctx.fillRect(Math.round(middle(at) - width / 2), bottom, width, -tokens(at) * rise);
    return;
  }
  let from = 0, tall = 0; // the rectangle
  const add = (x: number, high: number): void => {
    if (high === tall) return;
    if (tall > 0) u.ctx.fillRect(from, bottom, x - from, -tall);
    from = x;
    tall = high;
  };
  let x = 0, high = 0; // the pixel
  for (let at = first; at <= last; at++) {
    const here = Math.round(middle(at) - step / 2);
    if (here !== x) {
      add(x, high);
      x = here;
      high = 0;
    }
    high = Math.max(high, Math.round(tokens(at) * rise));
  }
  add(x, high);
  add(Math.max(x + 1, Math.round(middle(last) + step / 2)), 0);
}

/** Draws the bars, each of which covers the lower part of the one before it; paler, what was read from a cache; and what happened. */
function draw(u: uPlot, fills: string[], colors: Record<string, string>, model: Model): void {
  const { ctx, bbox } = u, scale = devicePixelRatio, shown = places(u, model);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
  ctx.clip();
  fills.forEach((color, n) => {
    ctx.fillStyle = color;
    fill(u, shown, (at) => u.data[n + 1]![at]!);
  });
  ctx.fillStyle = colors["--back"]!;
  ctx.globalAlpha = 0.45;
  fill(u, shown, (at) => cachedPart(model.calls[at]!) * model.total(at));
  ctx.globalAlpha = 1;
  ctx.textAlign = "center";
  ctx.font = `${11 * scale}px system-ui`;
  const drawn = new Map<string, number>(); // where a sign was drawn last
  for (let at = shown.first; at <= shown.last; at++) {
    const mark = markOf(model.calls[at]!), x = Math.round(shown.middle(at));
    if (!mark || drawn.get(mark.sign) === x) continue;
    drawn.set(mark.sign, x);
    ctx.fillStyle = colors[mark.color]!;
    ctx.fillText(mark.sign, x, bbox.top - 4 * scale);
  }
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
  u.over.addEventListener("wheel", (e) => {
    const { model, zoom, setZoom } = latest.current;
    const sideways = e.shiftKey && e.deltaX === 0 ? e.deltaY : e.deltaX;
    if (e.ctrlKey || e.metaKey) setZoom(zoomed(model, zoom, u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x"), Math.exp(e.deltaY / 300)));
    else if (zoom && Math.abs(sideways) > Math.abs(e.shiftKey ? 0 : e.deltaY)) setZoom(within(model, zoom[0] + (sideways / u.over.clientWidth) * (zoom[1] - zoom[0]), zoom[1] - zoom[0]));
    else return;
    e.preventDefault();
  }, { passive: false });
}
