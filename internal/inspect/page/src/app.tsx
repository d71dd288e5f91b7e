import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { SelectorBar } from "./bar";
import { Changes } from "./changes";
import { Compare } from "./compare";
import { Server, type Data, type Keep, type Match, type Problem, type Session } from "./data";
import { Detail } from "./detail";
import { count, plural, visible } from "./format";
import { events, groups, Model, type Step } from "./model";
import { Sessions } from "./sessions";
import { useView, type Tab, type View } from "./state";
import { Thread } from "./thread";
import { Timeline } from "./timeline";
import { Tree } from "./tree";

const none: Match = { ids: [], calls: [], steps: [] };

export function App({ data }: { data: Data }) {
  const [view, change] = useView();
  const [sessions, setSessions] = useState<Session[]>();
  const [error, setError] = useState("");
  const [theme, setTheme] = useTheme();
  useEffect(() => {
    data.sessions().then(setSessions, (e: unknown) => setError(message(e)));
  }, [data]);
  const session = view.session >= 0 ? view.session : sessions?.length === 1 ? 0 : -1;
  return (
    <>
      <header class="top">
        <button class="link name" onClick={() => change({ session: -1, node: "", at: -1, against: -1 })}>pactkit inspect</button>
        {session >= 0 ? <h1 class="title">{visible(sessions?.[session]?.name ?? "")}</h1> : <span class="title" />}
        <button onClick={() => setTheme(theme === "dark" ? "light" : "dark")} aria-label={`use the ${theme === "dark" ? "light" : "dark"} theme`}>
          {theme === "dark" ? "light" : "dark"}
        </button>
      </header>
      {error && <p class="error" role="alert">{error}</p>}
      {sessions && (session >= 0 && sessions[session]
        ? <Inspector key={session} data={data} sessions={sessions} session={session} view={view} change={change} theme={theme} />
        : <Sessions list={sessions} onOpen={(n) => change({ session: n })} />)}
    </>
  );
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
  const against = view.against >= 0 ? Math.min(view.against, last) : Math.max(before, 0);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const list = useMemo(() => model.shown(at, closed), [model, version, at, closed]);
  const [match, problems] = useMatch(data, session, at, view.selector);
  const found = useMemo(() => {
    const words = view.search.toLowerCase();
    const ids = new Set(match.ids);
    if (words) for (const s of list) if (s.row.text.toLowerCase().includes(words) || s.row.id.toLowerCase().includes(words)) ids.add(s.row.id);
    return ids;
  }, [match, view.search, list]);
  const [added, changed] = useMemo(() => {
    const c = model.compare(against, at);
    return [new Set(c.added.map((r) => r.id)), new Set(c.changed.map(([, r]) => r.id))];
  }, [model, version, at, against]);
  const words = useMemo(() => model.words(at), [model, version, at]);
  const toggle = useCallback((id: string) => setClosed((old) => {
    const next = new Set(old);
    if (!next.delete(id)) next.add(id);
    return next;
  }), []);
  useKeys(model, at, list, found, change);
  const call = model.calls[at];

  return (
    <main class="inspector">
      <section class="query" aria-label="selector">
        {data instanceof Server
          ? <SelectorBar server={data} value={view.selector} words={words} onChange={(selector) => change({ selector })} />
          : <p class="soft">Selectors need the process: pactkit inspect FILE.</p>}
        <input
          type="search" placeholder="find text" aria-label="find text" value={view.search}
          onInput={(e) => change({ search: e.currentTarget.value })}
        />
        {data.live && view.selector && <Actions data={data} session={session} at={at} cycle={call?.cycle ?? 0} name={sessions[session]!.name} selector={view.selector} />}
      </section>
      <Found match={match} problems={problems} selector={view.selector} found={found.size} />
      {error && <p class="error" role="alert">{error}</p>}
      <Timeline
        model={model} version={version} at={at} against={view.against} matches={match.calls} theme={theme}
        onMove={(n) => change({ at: n })} onAgainst={(n) => change({ against: n, tab: "changes" })}
      />
      <p class="call" aria-live="polite">
        {call && <>
          <strong>{call.end ? "after the last call" : `call ${count(at + 1)}`}</strong> of {count(model.calls.length)} <code>@c{call.cycle}</code> {call.side && <span class="tag">side call{call.side.kind ? `: ${visible(call.side.kind)}` : ""}</span>}
          {" "}{visible(call.model ?? "")} {visible(call.time ?? "")} {plural(model.totals.reduce((n, t) => n + (t[at] ?? 0), 0), "token")}
          {" "}<span class="plus">+{call.added.length}</span> <span class="minus">−{call.left.length}</span> <span class="tilde">~{call.changed.length}</span>
          {events(call).map((e) => <span key={e} class="tag">{visible(e)}</span>)}
        </>}
      </p>
      <ul class="legend" aria-label="groups">{groups.map((g) => <li key={g}><span class={`dot group-${g}`} aria-hidden="true" />{g}</li>)}</ul>
      <div class="panes">
        <Tree
          list={list} selected={view.node} matches={found} added={added} changed={changed}
          onSelect={(node) => change({ node })} onToggle={toggle}
        />
        <section class="panel">
          <Tabs tab={view.tab} live={data.live} several={sessions.length > 1} onTab={(tab) => change({ tab })} />
          <div role="tabpanel" id="panel" aria-labelledby={`tab-${view.tab}`} tabIndex={0}>
            {view.tab === "node" && <Detail
              data={data} model={model} session={session} at={at} id={view.node}
              onMove={(n) => change({ at: Math.min(n, last) })} onSelect={(node) => change({ node })}
            />}
            {view.tab === "changes" && <Changes model={model} at={at} against={against} onSelect={(node) => change({ node, tab: "node" })} />}
            {view.tab === "thread" && <Thread data={data} session={session} at={at} before={before} />}
            {view.tab === "compare" && <Compare data={data} sessions={sessions} session={session} other={view.other} onOther={(other) => change({ other })} />}
          </div>
        </section>
      </div>
    </main>
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

/** What the selector finds, step by step, or what is wrong with it. */
function Found({ match, problems, selector, found }: { match: Match; problems: Problem[]; selector: string; found: number }) {
  if (problems.length > 0) return <p class="found error" role="status">{visible(problems[0]!.message)}{problems[0]!.hint ? `. ${visible(problems[0]!.hint)}` : ""}</p>;
  if (!selector) return <p class="found" role="status">{found > 0 ? plural(found, "node") : ""}</p>;
  return (
    <p class="found" role="status">
      <strong>{plural(match.ids.length, "node")}</strong> at this call, matches in {plural(match.calls.length, "call")}
      {match.steps.map((s, n) => <span key={n} class="step"><code>{visible(s.text)}</code> {count(s.count)}</span>)}
    </p>
  );
}

function Actions({ data, session, at, cycle, name, selector }: { data: Data; session: number; at: number; cycle: number; name: string; selector: string }) {
  const [note, setNote] = useState("");
  const copy = (text: string): void => {
    navigator.clipboard.writeText(text).then(() => setNote("copied"), () => setNote("the browser does not allow copying"));
  };
  const quoted = JSON.stringify(selector);
  const shell = `pactkit eval '${`@c${cycle} ${selector}`.replaceAll("'", `'\\''`)}' '${name.replaceAll("'", `'\\''`)}'`;
  return (
    <span class="actions">
      <button onClick={() => data.saveTest(session, at, selector).then((r) => setNote(`${r.case} in ${r.file}`), (e: unknown) => setNote(message(e)))}>Save as test</button>
      <button onClick={() => copy(shell)}>Copy command</button>
      <button onClick={() => copy(`nodes, err := tree.Select(${quoted})`)}>Copy Go</button>
      <button onClick={() => copy(`nodes = history.select(${quoted})`)}>Copy Python</button>
      <span role="status">{visible(note)}</span>
    </span>
  );
}

/** Reads the steps of a session, and follows it while it grows. */
function useModel(data: Data, session: number): { model: Model; version: number; error: string } {
  const [model] = useState(() => new Model());
  const [version, setVersion] = useState(0);
  const [error, setError] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    const add = (steps: (Step | Keep)[]): void => {
      for (const s of steps) {
        if ("keep" in s) model.truncate(s.keep);
        else model.append(s);
      }
      setVersion((n) => n + 1);
    };
    model.truncate(0);
    data.steps(session, add, stop.signal).catch((e: unknown) => {
      if (!stop.signal.aborted) setError(message(e));
    });
    return () => stop.abort();
  }, [data, session]);
  return { model, version, error };
}

function useMatch(data: Data, session: number, at: number, selector: string): [Match, Problem[]] {
  const [state, set] = useState<[Match, Problem[]]>([none, []]);
  useEffect(() => {
    if (!selector.trim() || !data.live) {
      set([none, []]);
      return;
    }
    const stop = new AbortController();
    data.select(session, at, selector, stop.signal).then(
      (r) => set(Array.isArray(r) ? [none, r] : [r, []]),
      (e: unknown) => { if (!stop.signal.aborted) set([none, [{ message: message(e), from: 0, to: 0 }]]); },
    );
    return () => stop.abort();
  }, [data, session, at, selector]);
  return state;
}

/** Arrows, j and k move in time; n and p go to what was found. */
function useKeys(model: Model, at: number, list: ReturnType<Model["shown"]>, found: ReadonlySet<string>, change: (part: Partial<View>) => void): void {
  const latest = useRef({ at, list, found });
  latest.current = { at, list, found };
  useEffect(() => {
    const key = (e: KeyboardEvent): void => {
      const target = e.target as Element;
      if (e.ctrlKey || e.metaKey || e.altKey || target.closest("input, select, textarea, [contenteditable], [role=tree]")) return;
      const { at: now, list: rows, found: ids } = latest.current;
      const last = model.calls.length - 1;
      const go = (n: number): void => change({ at: Math.min(Math.max(n, 0), last) });
      switch (e.key) {
        case "j": case "ArrowRight": go(now + 1); break;
        case "k": case "ArrowLeft": go(now - 1); break;
        case "PageDown": go(now + 10); break;
        case "PageUp": go(now - 10); break;
        case "Home": go(0); break;
        case "End": go(last); break;
        case "n": case "p": {
          const hits = rows.filter((s) => ids.has(s.row.id)).map((s) => s.row.id);
          const here = hits.indexOf(new URLSearchParams(location.hash.slice(1)).get("node") ?? "");
          const next = hits[(here + (e.key === "n" ? 1 : -1) + hits.length) % hits.length];
          if (next) change({ node: next });
          break;
        }
        case "/": (document.querySelector(".cm-content, input[type=search]") as HTMLElement | null)?.focus(); break;
        default: return;
      }
      e.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [model]);
}

function useTheme(): [string, (t: string) => void] {
  const [theme, set] = useState(() => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  useEffect(() => { document.documentElement.dataset["theme"] = theme; }, [theme]);
  return [theme, set];
}

function message(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
