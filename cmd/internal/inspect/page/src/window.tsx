// What fills the window at a call, what the call cost, what the cache did, and what compactions took away.

import { type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Cost, Data, Figure, Figures, Share } from "./data";
import { count, duration, message, money, percent, plural, short, tokens, visible } from "./format";
import { useSettled } from "./hooks";
import type { Model } from "./model";
import { labelOf } from "./tree";

interface Props {
  data: Data;
  model: Model;
  session: number;
  at: number;
  figures: Figures | undefined;
  error: string;
  onMove(at: number): void;
  onSelect(id: string): void;
}

export function Window({ data, model, session, at, figures, error, onMove, onSelect }: Props) {
  const settled = useSettled(at, 100);
  const [shares, of, problem] = useShares(data, session, settled, model.calls.length);
  if (error) return <p class={data.live ? "error" : "empty"} role="status">{error}</p>;
  if (!figures) return <p class="empty" role="status">Counting the session…</p>;
  const figure = figures.calls[at];
  return (
    <div class="panel-body figures">
      {figure ? <Fill figure={figure} model={model} at={at} /> : <p class="empty">{model.calls[at]?.end ? "This is the state after the last call: no call was sent it." : "Counting the session…"}</p>}
      {figure && (problem ? <p class="error" role="alert">{problem}</p> : <Shares list={shares} whole={figures.calls[of]?.tokens.in ?? 0} stale={of !== at} />)}
      <Costs figures={figures} figure={figure} model={model} at={at} />
      <Caching figures={figures} figure={figure} model={model} at={at} onSelect={onSelect} onMove={onMove} />
      <Compacted figures={figures} model={model} onMove={onMove} onSelect={onSelect} />
    </div>
  );
}

/** The shares of a call, which is the one before until they are known; undefined until any are. */
function useShares(data: Data, session: number, at: number, length: number): [list: Share[] | undefined, of: number, error: string] {
  const [state, set] = useState<{ list?: Share[]; of: number; error: string }>({ of: at, error: "" });
  useEffect(() => {
    let current = true;
    data.shares(session, at).then((list) => current && set({ list, of: at, error: "" }), (e: unknown) => current && set({ of: at, error: message(e) }));
    return () => { current = false; };
  }, [data, session, at, length]);
  return [state.list, state.of, state.error];
}

function Fill({ figure: { tokens: t, window }, model, at }: { figure: Figure; model: Model; at: number }) {
  if (t.label === "unknown") return <section><h2>Window</h2><p class="soft">The log does not say how many tokens this call had.</p></section>;
  const part = window ? t.in / window.tokens : 0;
  return (
    <section>
      <h2>Window <small>{visible(model.calls[at]!.model)}</small></h2>
      <p class="headline">
        <strong>{tokens(t.in, t.label)}</strong> {window ? <>of {count(window.tokens)} tokens: <strong>{percent(t.in, window.tokens)}</strong>, {count(Math.max(window.tokens - t.in, 0))} free</> : <>tokens; the window of this model is not known</>}
      </p>
      {window && <div class={"meter" + (part > 0.9 ? " full" : "")} role="img" aria-label={`${percent(t.in, window.tokens)} of the window`}><span style={{ width: `${Math.min(100 * part, 100)}%` }} /></div>}
      <p class="soft">{grades[t.label] ?? t.label}{window ? `; the size of the window is from ${visible(window.from)}` : ""}.</p>
    </section>
  );
}

/** What the grades of a count mean. */
const grades: Record<string, string> = {
  exact: "Measured: the provider counted these tokens, according to the log", "at-least": "At least so many: the log counts a part",
  counted: "Counted here, in the vocabulary of the model", estimated: "Estimated from what the provider counted in another call",
};

function Shares({ list, whole, stale }: { list: Share[] | undefined; whole: number; stale: boolean }) {
  const [all, setAll] = useState(false);
  if (!list) return <p class="empty" role="status">Counting what fills it…</p>;
  if (list.length === 0) return null;
  const most = Math.max(...list.map((s) => s.tokens), 1);
  return (
    <section class={stale ? "stale" : ""} aria-busy={stale}>
      <h2>What fills it</h2>
      <div class="shares">{(all ? list : list.slice(0, 12)).map((s) => <ShareLine key={s.title} share={s} whole={whole} most={most} />)}</div>
      {list.length > 12 && !all && <button class="link" onClick={() => setAll(true)}>{plural(list.length - 12, "more part")}</button>}
      <p class="soft key"><span class="bar-key" /> counted <span class="bar-key guess" /> ~ estimated, or ≥ at least</p>
    </section>
  );
}

function ShareLine({ share, whole, most }: { share: Share; whole: number; most: number }) {
  const inner = share.shares ?? [];
  const line = (
    <span class="share">
      <span class="share-name" title={visible(share.title)}>{visible(share.title)}</span>
      <span class="share-bar" aria-hidden="true"><span class={share.label === "exact" || share.label === "counted" ? "" : "guess"} style={{ width: `${Math.max((100 * share.tokens) / most, 0)}%` }} /></span>
      <span class="number">{tokens(share.tokens, share.label)}</span>
      <span class="number">{percent(Math.max(share.tokens, 0), whole)}</span>
      <span class="number">{share.cost == null ? "" : money(share.cost, "estimated")}</span>
    </span>
  );
  if (inner.length === 0) return <div class="leaf">{line}</div>;
  return (
    <details>
      <summary>{line}</summary>
      <div>{inner.map((s) => <ShareLine key={`${s.what} ${s.title}`} share={s} whole={whole} most={most} />)}</div>
    </details>
  );
}

const costs: [keyof Cost, string][] = [["input", "input"], ["cache_read", "read from the cache"], ["cache_write", "written to the cache"], ["output", "output"], ["total", "in all"]];

function Costs({ figures, figure, model, at }: { figures: Figures; figure: Figure | undefined; model: Model; at: number }) {
  const sum = (upTo: number): Record<string, number> => {
    const out: Record<string, number> = {};
    for (const f of figures.calls.slice(0, upTo)) for (const [name] of costs) out[name] = (out[name] ?? 0) + Number(f.cache.cost?.[name] ?? 0);
    return out;
  };
  const [until, all] = [sum(at + 1), sum(figures.calls.length)];
  const priced = figures.calls.find((f) => f.cache.cost)?.cache.cost;
  const unknown = [...new Set(figures.calls.flatMap((f, n) => (f.cache.no_cost === "unknown model" ? [model.calls[n]?.model || "a call that names no model"] : [])))];
  if (!priced && unknown.length === 0) return null;
  const exact = figures.calls.every((f) => !f.cache.cost || f.cache.cost.label === "exact") ? "exact" : "estimated";
  return (
    <section>
      <h2>Cost</h2>
      {priced && (
        <table class="costs">
          <thead><tr><th scope="col"><span class="hidden">kind</span></th><th scope="col">this call</th><th scope="col">up to here</th><th scope="col">session</th></tr></thead>
          <tbody>
            {costs.map(([name, words]) => (
              <tr key={name} class={name}>
                <th scope="row">{words}</th>
                <td class="number">{figure?.cache.cost ? money(Number(figure.cache.cost[name]), figure.cache.cost.label) : "–"}</td>
                <td class="number">{money(until[name]!, exact)}</td><td class="number">{money(all[name]!, exact)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {priced && <p class="soft">{priced.from === "configuration" ? "Prices from the configuration." : `US dollars; prices from ${visible(priced.from)}.`}{exact === "exact" ? "" : " ~ marks an estimate."}</p>}
      {unknown.length > 0 && <p class="warning">No price is known of {unknown.map(visible).join(", ")}: its calls are not in these sums.</p>}
    </section>
  );
}

const whys: Record<string, (m: NonNullable<Figure["cache"]["miss"]>) => string> = {
  idle: (m) => `${duration(m.idle ?? 0)} passed since the call before, and the cache keeps what it has for ${duration(m.lifetime ?? 0)}`,
  model: () => "the call before was of another model",
  unknown: () => "the requests do not explain why",
};

function Caching({ figures, figure, model, at, onSelect, onMove }: { figures: Figures; figure: Figure | undefined; model: Model; at: number; onSelect(id: string): void; onMove(at: number): void }) {
  const breaks = figures.calls.flatMap((f, n) => (f.cache.broken || f.cache.miss ? [n] : []));
  const known = figures.calls.some((f) => f.cache.read !== null);
  const written = figures.calls.reduce((n, f) => n + (f.tokens.written ?? 0), 0), again = figures.calls.reduce((n, f) => n + (f.rewritten ?? 0), 0);
  const { read, broken, miss, cost } = figure?.cache ?? {};
  if (!known && breaks.length === 0) return null;
  return (
    <section>
      <h2>Cache</h2>
      {read != null && figure && <p><strong>{count(read)}</strong> of {count(figure.tokens.in)} tokens were read from the cache: {percent(read, figure.tokens.in)}.</p>}
      {read == null && figure && <p class="soft">The log does not say what this call read from the cache.</p>}
      {broken && (
        <p class="warning">
          The prefix that a cache could use ends at {broken.node ? <button class="link" onClick={() => onSelect(broken.node!)}>{labelOf(model, broken.node, at)}</button> : visible(broken.setting ?? broken.by)} ({visible(broken.event)}):
          {" "}{plural(broken.resent ?? 0, "token")} were sent again{cost && cost.break > 0 ? `, for ${money(cost.break, "estimated")} more than reading them` : ""}.
        </p>
      )}
      {miss && <p class="warning">{plural(miss.tokens, "token")} were not read that the cache had: {(whys[miss.why] ?? whys["unknown"]!)(miss)}{miss.cost ? `. That cost ${money(miss.cost, "estimated")} more` : ""}.</p>}
      {breaks.length > 0 && (
        <p>In the session: {breaks.slice(0, 20).map((n) => <button key={n} class={"jump" + (n === at ? " here" : "")} onClick={() => onMove(n)} title={figures.calls[n]!.cache.broken ? "the prefix ended" : "not read"}>{figures.calls[n]!.cache.broken ? "✕" : "◌"} call {count(n + 1)}</button>)}{breaks.length > 20 && ` and ${breaks.length - 20} more`}</p>
      )}
      {written > 0 && <p class="soft">{short(written)} tokens were written to the cache in the session, {short(again)} of them again: each was written {(written / Math.max(written - again, 1)).toFixed(2)} times.</p>}
    </section>
  );
}

function Compacted({ figures, model, onMove, onSelect }: { figures: Figures; model: Model; onMove(at: number): void; onSelect(id: string): void }) {
  if (figures.compactions.length === 0) return null;
  return (
    <section>
      <h2>Compactions</h2>
      <ol class="compactions">
        {figures.compactions.map((c) => {
          const call = model.calls.findIndex((x) => x.cycle >= c.cycle);
          const sum = c.again.reduce((n, a) => n + a.tokens, 0), paid = c.again.reduce((n, a) => n + (a.cost ?? 0), 0);
          const facts: ComponentChildren[] = [
            c.before > 0 && `${short(c.before)} tokens before`, c.after > 0 && `${short(c.after)} after`,
            c.free != null && c.window && `${percent(c.free, c.window.tokens)} of the window was free`,
          ].filter(Boolean);
          return (
            <li key={c.cycle}>
              <p>
                <button class="jump" onClick={() => onMove(Math.max(call, 0))}>▼ call {count(call + 1)}</button>
                {c.inferred ? "inferred, the log does not state it" : c.trigger ? visible(c.trigger) : ""} <span class="soft">{facts.join(", ")}</span>
              </p>
              <p>Left: {c.left.map((k) => `${visible(`${k.what} ${k.name ?? ""}`.trim())} ${count(k.nodes)}`).join(", ") || "nothing"}.{c.by && <> In their place: <button class="link" onClick={() => onSelect(c.by!)}>{labelOf(model, c.by, call)}</button>.</>}</p>
              {c.again.length === 0 ? <p class="soft">Nothing of it was fetched again.</p> : (
                <details>
                  <summary>{plural(c.again.length, "result")} fetched again, ~{short(sum)} tokens{paid > 0 ? `, ${money(paid, "estimated")}` : ""}</summary>
                  <ul>{c.again.slice(0, 100).map((a) => <li key={a.id}><button class="link" onClick={() => onSelect(a.id)}>{visible(a.tool)}</button> at @c{a.cycle}: the same {a.same}{a.file && <> <code>{visible(a.file)}</code></>}, {short(a.tokens)} tokens</li>)}</ul>
                </details>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
