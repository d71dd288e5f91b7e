import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { Actions } from "./actions";
import { SelectorBar } from "./bar";
import { CallLine, Legend } from "./callline";
import { Changes } from "./changes";
import { Compare } from "./compare";
import { Conversation } from "./conversation";
import { Server, type Data, type Match, type Problem, type Session } from "./data";
import { Detail } from "./detail";
import { count, message, plural, visible } from "./format";
import { isEvent, mostInteresting } from "./happened";
import { Help } from "./help";
import { useCalls, useFigures, useMatch, useModel } from "./hooks";
import { useKeys } from "./keys";
import { isMatch, useMatches } from "./matches";
import { Page } from "./page";
import { Request } from "./request";
import { Sessions } from "./sessions";
import { tabs, useView, type View } from "./state";
import { Tabs } from "./tabs";
import { Timeline } from "./timeline";
import { Tree } from "./tree";
import { Window } from "./window";

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
      {error && sessions.length === 0 && <Page title="The page cannot get the sessions" text={error} hint="Run pactkit inspect again, and open the address that it prints." bad />}
      {error && sessions.length > 0 && <p class="error banner" role="alert">{error}</p>}
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

function Inspector({ data, sessions, session, view, change: changeView, theme }: InspectorProps) {
  const { model, version, error } = useModel(data, session);
  const last = Math.max(model.calls.length - 1, 0);
  const opensAt = useMemo(() => mostInteresting(model), [model, version]);
  const at = Math.min(view.at < 0 ? opensAt : view.at, last);
  const before = model.previous(at);
  const pinned = view.against >= 0;
  const against = pinned ? Math.min(view.against, last) : before;
  // The page stays where the reader has done something.
  const change = useCallback((part: Partial<View>) => changeView(view.at < 0 ? { at, ...part } : part), [changeView, view.at < 0 ? at : -1]);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const list = useMemo(() => model.shown(at, closed), [model, version, at, closed]);
  const [match, problems, matchAt] = useMatch(data, session, at, view.selector, model.calls.length);
  const matches = useCalls(data, session, view.selector, model.calls.length);
  const found = useMemo(() => {
    const words = view.search.toLowerCase();
    const ids = new Set(match.ids);
    if (words) for (const s of list) if (isMatch(s.row, words)) ids.add(s.row.id);
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
  const shownTabs = data.live && sessions.length > 1 ? tabs : tabs.filter((t) => t !== "compare");
  const toMatch = useMatches({ model, at, node: view.node, list, found, current: !view.selector || matchAt === at, selected: matches, search: view.search }, (part) => change(view.tab === "conversation" ? part : { ...part, tab: "node" }));
  const [figures, figuresError] = useFigures(data, session, view.tab === "window", model.calls.length);
  const [help, setHelp] = useState(false);
  const move = (by: number): void => change({ at: Math.min(Math.max(at + by, 0), last) });
  const toEvent = (direction: 1 | -1): void => {
    const next = direction > 0 ? model.calls.findIndex((c, n) => n > at && isEvent(c)) : model.calls.findLastIndex((c, n) => n < at && isEvent(c));
    if (next >= 0) change({ at: next });
  };
  useKeys({
    move, event: toEvent, match: toMatch, help: () => setHelp(true),
    tab: (n) => shownTabs[n] && change({ tab: shownTabs[n] }), pin: () => change({ against: at, tab: "changes" }), unpin: () => change({ against: -1 }),
  });
  if (model.calls.length === 0) return <Waiting error={error} version={version} />;
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
        {data.live && <Actions data={data} session={session} at={at} cycle={call?.cycle ?? 0} name={sessions[session]!.name} selector={view.selector} />}
        <button class="icon" onClick={() => setHelp(true)} aria-label="keys" title="keys: ?">?</button>
        <Found stale={match.ids.length > 0 && matchAt !== at} match={match} calls={matches.length} problems={problems} selector={view.selector} search={view.search} found={found.size} />
      </section>
      {error && <p class="error banner" role="alert">{visible(error)}</p>}
      <Timeline
        model={model} version={version} at={at} against={against} pinned={pinned} matches={matches} theme={theme}
        sessions={sessions} session={session} onOpen={(n) => changeView({ session: n, node: "", at: -1, against: -1 })}
        onMove={(n) => change({ at: n })} onAgainst={(n) => change({ against: n, tab: "changes" })}
      />
      <Legend model={model} at={at} />
      <CallLine
        model={model} version={version} at={at} against={pinned ? against : -1} difference={difference}
        onMove={move} onEvent={toEvent} onReset={() => change({ against: -1 })} onSelect={select}
      />
      <div class="panes">
        <Tree
          list={list} selected={view.node} matches={found} added={added} changed={changed}
          onSelect={select} onToggle={toggle}
        />
        <section class="panel" aria-label="details">
          <Tabs tab={view.tab} list={shownTabs} onTab={(tab) => change({ tab })} />
          <div role="tabpanel" id="panel" aria-labelledby={`tab-${view.tab}`} tabIndex={0}>
            {view.tab === "conversation" && <Conversation
              data={data} model={model} version={version} session={session} at={at} against={against} selected={view.node} found={found} onSelect={select}
            />}
            {view.tab === "changes" && <Changes model={model} at={at} against={against} found={difference} onSelect={select} />}
            {view.tab === "window" && <Window
              data={data} model={model} session={session} at={at} figures={figures} error={figuresError} onMove={(n) => change({ at: n })} onSelect={select}
            />}
            {view.tab === "node" && <Detail
              data={data} model={model} session={session} at={at} id={view.node}
              onMove={(n) => change({ at: Math.min(n, last) })} onSelect={select} onSelector={(selector) => change({ selector })}
            />}
            {view.tab === "request" && <Request data={data} session={session} at={at} before={before} />}
            {view.tab === "compare" && <Compare data={data} sessions={sessions} session={session} other={view.other} onOther={(other) => change({ other })} />}
          </div>
        </section>
      </div>
      {help && <Help onClose={() => setHelp(false)} />}
    </main>
  );
}

/** What is shown until the first call has arrived, or instead of it. */
function Waiting({ error, version }: { error: string; version: number }) {
  if (error) return <Page title="This session cannot be shown" text={visible(error)} hint="The file may have been moved, or be damaged: pactkit doctor FILE says more." bad />;
  if (version > 0) return <Page title="There are no calls in this session" text="The history has no call of a model and no state." hint="If calls are missing, pactkit doctor FILE says how the file was read." />;
  return <p class="empty" role="status">Reading the session…</p>;
}

/** A problem and what to do about it. */
function sentence(p: Problem): string {
  return visible(p.message) + (p.hint ? `. ${visible(p.hint)}` : "");
}

/** What the selector finds, step by step, or what is wrong with it. */
function Found({ stale, match, calls, problems, selector, search, found }: { stale: boolean; match: Match; calls: number; problems: Problem[]; selector: string; search: string; found: number }) {
  if (problems.length > 0) return <p class="found error" role="status">{sentence(problems[0]!)}</p>;
  if (!selector) return <p class="found" role="status">{search && (found > 0 ? `${plural(found, "node")} at this call` : "no node at this call has this text")}</p>;
  if (match.ids.length === 0 && calls === 0 && match.steps.length === 0) return <p class="found" role="status">…</p>;
  return (
    <p class={"found" + (stale ? " stale" : "")} role="status">
      <strong>{plural(match.ids.length, "node")}</strong> at this call, {calls > 0 ? `matches in ${plural(calls, "call")}` : "and no call has a match"}
      {match.ids.length === 0 && calls > 0 && <>: <kbd>n</kbd> goes to one</>}
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
