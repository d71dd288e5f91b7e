import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { Actions } from "./actions";
import { SelectorBar } from "./bar";
import { Changes } from "./changes";
import { Compare } from "./compare";
import { Server, type Data, type Match, type Problem, type Session } from "./data";
import { Detail } from "./detail";
import { clock, count, message, plural, short, visible } from "./format";
import { useCalls, useMatch, useModel } from "./hooks";
import { useKeys } from "./keys";
import { events, groups, type Model } from "./model";
import { Sessions } from "./sessions";
import { useView, type Tab, type View } from "./state";
import { Thread } from "./thread";
import { cachedPart, markOf, signs, Timeline } from "./timeline";
import { Tree } from "./tree";

export function App({ data }: { data: Data }) {
  const [view, change] = useView();
  const [sessions, complete, error] = useSessions(data);
  const [theme, setTheme] = useTheme();
  const session = view.session >= 0 ? view.session : complete && sessions.length === 1 ? 0 : -1;
  const shown = sessions[session];
  useEffect(() => { document.title = shown ? `${visible(shown.name)} · pactkit inspect` : "pactkit inspect"; }, [shown?.name]);
  return (
    <>
      <header class="top">
        <button class="link name" onClick={() => change({ session: -1, node: "", at: -1, against: -1 })}>pactkit inspect</button>
        {shown ? <h1 class="title">{visible(shown.name)} {shown.title && <small>{visible(shown.title)}</small>}</h1> : <span class="title" />}
        <button onClick={() => setTheme(theme === "dark" ? "light" : "dark")} aria-label={`use the ${theme === "dark" ? "light" : "dark"} theme`}>
          {theme === "dark" ? "☀" : "☾"}
        </button>
      </header>
      {error && <p class="error" role="alert">{error}</p>}
      {shown
        ? <Inspector key={session} data={data} sessions={sessions} session={session} view={view} change={change} theme={theme} />
        : (complete ? sessions.length !== 1 : sessions.length > 1) && <Sessions list={sessions} complete={complete} onOpen={(n) => change({ session: n })} />}
    </>
  );
}

/** The sessions, whether these are all, and why they could not be had. */
function useSessions(data: Data): [Session[], boolean, string] {
  const [list, add] = useState<Session[]>([]);
  const [complete, setComplete] = useState(false);
  const [error, setError] = useState("");
  useLayoutEffect(() => { // an effect waits for a frame
    data.sessions((more) => add((old) => [...old, ...more])).then(() => setComplete(true), (e: unknown) => setError(message(e)));
  }, [data]);
  return [list, complete, error];
}

interface InspectorProps {
  data: Data;
  sessions: Session[];
  session: number;
  view: View;
  change(part: Partial<View>): void;
  theme: string;
}

function Inspector({ data, sessions, session, view, change, theme }: InspectorProps) {
  const { model, version, error } = useModel(data, session);
  const last = Math.max(model.calls.length - 1, 0);
  const at = view.at < 0 ? last : Math.min(view.at, last);
  const before = conversationBefore(model, at);
  const pinned = view.against >= 0;
  const against = pinned ? Math.min(view.against, last) : before;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const list = useMemo(() => model.shown(at, closed), [model, version, at, closed]);
  const [match, problems] = useMatch(data, session, at, view.selector, model.calls.length);
  const matches = useCalls(data, session, view.selector, model.calls.length);
  const found = useMemo(() => {
    const words = view.search.toLowerCase();
    const ids = new Set(match.ids);
    if (words) for (const s of list) if (s.row.text.toLowerCase().includes(words) || s.row.id.toLowerCase().includes(words)) ids.add(s.row.id);
    return ids;
  }, [match, view.search, list]);
  const difference = useMemo(() => model.compare(against, at), [model, version, at, against]);
  const [added, changed] = useMemo(() => [new Set(difference.added.map((r) => r.id)), new Set(difference.changed.map(([, r]) => r.id))], [difference]);
  const toggle = useCallback((id: string) => setClosed((old) => {
    const next = new Set(old);
    if (!next.delete(id)) next.add(id);
    return next;
  }), []);
  const select = useCallback((node: string) => change({ node, tab: "node" }), [change]);
  useKeys({ at, last, node: view.node, list, found }, change);
  const call = model.calls[at];

  return (
    <main class="inspector">
      <section class="query" aria-label="selector">
        {data instanceof Server
          ? <SelectorBar server={data} value={view.selector} ready={version > 0} words={() => model.words(at)} onChange={(selector) => change({ selector })} />
          : <p class="soft">Selectors need the process: pactkit inspect FILE.</p>}
        <input
          type="search" placeholder="find text" aria-label="find text" value={view.search}
          onInput={(e) => change({ search: e.currentTarget.value })}
        />
        {data.live && view.selector && <Actions data={data} session={session} at={at} cycle={call?.cycle ?? 0} name={sessions[session]!.name} selector={view.selector} />}
      </section>
      <Found match={match} calls={matches.length} problems={problems} selector={view.selector} found={found.size} />
      {error && <p class="error" role="alert">{visible(error)}</p>}
      <Timeline
        model={model} version={version} at={at} against={against} pinned={pinned} matches={matches} theme={theme}
        onMove={(n) => change({ at: n })} onAgainst={(n) => change({ against: n, tab: "changes" })}
      />
      <Legend model={model} at={at} />
      <p class="call" aria-live="polite">
        {call && <CallLine model={model} at={at} against={pinned ? against : -1} onReset={() => change({ against: -1 })} />}
      </p>
      <div class="panes">
        <Tree
          list={list} selected={view.node} matches={found} added={added} changed={changed}
          onSelect={select} onToggle={toggle}
        />
        <section class="panel">
          <Tabs tab={view.tab} live={data.live} several={sessions.length > 1} onTab={(tab) => change({ tab })} />
          <div role="tabpanel" id="panel" aria-labelledby={`tab-${view.tab}`} tabIndex={0}>
            {view.tab === "node" && <Detail
              data={data} model={model} session={session} at={at} id={view.node}
              onMove={(n) => change({ at: Math.min(n, last) })} onSelect={select} onSelector={(selector) => change({ selector })}
            />}
            {view.tab === "changes" && <Changes model={model} at={at} against={against} found={difference} onSelect={select} />}
            {view.tab === "thread" && <Thread data={data} session={session} at={at} before={before} />}
            {view.tab === "compare" && <Compare data={data} sessions={sessions} session={session} other={view.other} onOther={(other) => change({ other })} />}
          </div>
        </section>
      </div>
    </main>
  );
}

/** Which call is shown, and what happened at it. */
function CallLine({ model, at, against, onReset }: { model: Model; at: number; against: number; onReset(): void }) {
  const call = model.calls[at]!;
  const counted = model.counted >= model.rows.length;
  return (
    <>
      <span><strong>{call.end ? "after the last call" : `call ${count(at + 1)}`}</strong> of {count(model.calls.length)} <code>@c{call.cycle}</code></span>
      <span class="facts">
        {call.model && <span>{visible(call.model)}</span>}
        {call.time && <time title={visible(call.time)}>{visible(clock(call.time))}</time>}
        <span>{counted ? "" : "about "}{plural(model.total(at), "token")}</span>
        {call.tokens.label === "exact" && <span title="what the provider counted, according to the log">{count(call.tokens.in)} in</span>}
        <span><span class="plus">+{call.added.length}</span> <span class="minus">−{call.left.length}</span> <span class="tilde">~{call.changed.length}</span></span>
      </span>
      {call.side && <span class="tag quiet">side call{call.side.kind ? `: ${visible(call.side.kind)}` : ""}</span>}
      {call.failed && <span class="tag bad">failed: {visible(call.failed)}</span>}
      {call.from_cache && <span class="tag quiet">answered from a cache</span>}
      {call.missing && <span class="tag quiet">not in this log: {visible(call.missing.join(", "))}</span>}
      {events(call).map((e) => <span key={e} class={"tag" + (e.startsWith("the cached") ? " bad" : "")}>{visible(e)}</span>)}
      {against >= 0 && <button class="chip" onClick={onReset} title="compare with the call before">against call {count(against + 1)} ✕</button>}
    </>
  );
}

/** The groups with their tokens at a call, and the signs above the bars that occur. */
function Legend({ model, at }: { model: Model; at: number }) {
  const used = useMemo(() => new Set(model.calls.map((c) => markOf(c)?.sign)), [model, model.calls.length]);
  const cached = useMemo(() => model.calls.some((c) => cachedPart(c) > 0), [model, model.calls.length]);
  return (
    <ul class="legend" aria-label="legend">
      {groups.map((g, n) => <li key={g} class={model.totals[n]![at] ? "" : "none"}><span class={`dot group-${g}`} aria-hidden="true" />{g} <span class="number">{short(model.totals[n]![at] ?? 0)}</span></li>)}
      {cached && <li><span class="dot cached" aria-hidden="true" />pale: read from the cache</li>}
      {signs.map((s) => used.has(s.sign) && <li key={s.sign} class="sign"><span style={{ color: `var(${s.color})` }} aria-hidden="true">{s.sign}</span> {s.title}</li>)}
    </ul>
  );
}

/** The call of the conversation before one; -1 for the first. */
function conversationBefore(model: Model, at: number): number {
  const of = model.calls[at]?.side?.of;
  if (of !== undefined) return model.calls.findIndex((c) => c.cycle === of);
  for (let n = at - 1; n >= 0; n--) if (!model.calls[n]?.side) return n;
  return -1;
}

function Tabs({ tab, live, several, onTab }: { tab: Tab; live: boolean; several: boolean; onTab(t: Tab): void }) {
  const list: Tab[] = live && several ? ["node", "changes", "thread", "compare"] : ["node", "changes", "thread"];
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

/** A problem and what to do about it. */
function sentence(p: Problem): string {
  return visible(p.message) + (p.hint ? `. ${visible(p.hint)}` : "");
}

/** What the selector finds, step by step, or what is wrong with it. */
function Found({ match, calls, problems, selector, found }: { match: Match; calls: number; problems: Problem[]; selector: string; found: number }) {
  if (problems.length > 0) return <p class="found error" role="status">{sentence(problems[0]!)}</p>;
  if (!selector) return <p class="found" role="status">{found > 0 ? plural(found, "node") : ""}</p>;
  return (
    <p class="found" role="status">
      <strong>{plural(match.ids.length, "node")}</strong> at this call, matches in {plural(calls, "call")}
      {match.steps.map((s, n) => <span key={n} class="step"><code>{visible(s.text)}</code> {count(s.count)}</span>)}
      {match.warnings?.map((w) => <span key={w.message} class="step warning">{sentence(w)}</span>)}
    </p>
  );
}

function useTheme(): [string, (t: string) => void] {
  const [theme, set] = useState(() => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  useLayoutEffect(() => { document.documentElement.dataset["theme"] = theme; }, [theme]); // before the timeline reads the colours
  return [theme, set];
}
