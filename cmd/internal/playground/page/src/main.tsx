import { render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { SelectorBar } from "../../../inspect/page/src/bar";
import { CallLine, Legend } from "../../../inspect/page/src/callline";
import { Changes } from "../../../inspect/page/src/changes";
import { Conversation } from "../../../inspect/page/src/conversation";
import type { Server } from "../../../inspect/page/src/data";
import { Detail } from "../../../inspect/page/src/detail";
import { plural } from "../../../inspect/page/src/format";
import { isEvent, mostInteresting } from "../../../inspect/page/src/happened";
import { Tabs } from "../../../inspect/page/src/tabs";
import { Timeline } from "../../../inspect/page/src/timeline";
import { Tree } from "../../../inspect/page/src/tree";
import "uplot/dist/uPlot.min.css";
import "../../../inspect/page/src/style.css";
import { engine, type Answer } from "./engine";
import { useAnswer, useHistory, useMatches } from "./hooks";
import "./playground.css";

/** The sessions that come with the page. */
const samples = [
  { name: "refund", title: "A support agent forgets the refund policy" },
  { name: "kept", title: "The same, and the policy stays" },
];

const tabs = ["answer", "conversation", "changes", "node"] as const;
type Tab = (typeof tabs)[number];

/** What the page shows, kept in the address. The user's own file has no address. */
interface View {
  q: string;
  s: string;
  at: number; // a step; -1 for the most interesting one
  vs: number; // the step that it is compared with; -1 for the one before
  node: string;
  tab: Tab;
}

function readView(): View {
  const p = new URLSearchParams(location.hash.slice(1));
  const step = (name: string): number => (/^\d{1,9}$/.test(p.get(name) ?? "") ? Number(p.get(name)) : -1);
  return {
    q: p.get("q") ?? ".block+tool{content~'Refund policy'}", s: samples.some((s) => s.name === p.get("s")) ? p.get("s")! : samples[0]!.name,
    at: step("at"), vs: step("vs"), node: p.get("node") ?? "", tab: tabs.find((t) => t === p.get("tab")) ?? "answer",
  };
}

function writeView(v: View): void {
  const p = new URLSearchParams({ q: v.q, s: v.s });
  for (const name of ["at", "vs"] as const) if (v[name] >= 0) p.set(name, String(v[name]));
  if (v.node) p.set("node", v.node);
  if (v.tab !== "answer") p.set("tab", v.tab);
  history.replaceState(null, "", "#" + p.toString());
}

const server = { languageServer: () => "", secret: "" } as unknown as Server;
const none: ReadonlySet<string> = new Set();

function App() {
  const [view, setView] = useState(readView);
  const [file, setFile] = useState<{ name: string; text: string } | undefined>();
  const [closed, setClosed] = useState<ReadonlySet<string>>(none);
  const [theme, setTheme] = useState(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  useLayoutEffect(() => { document.documentElement.dataset["theme"] = theme; }, [theme]);
  useEffect(() => {
    const changed = () => setView(readView());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const change = (part: Partial<View>) => setView((old) => {
    const next = { ...old, ...part };
    writeView(next);
    return next;
  });
  const [{ model, version, whole }, loadError, setLoadError] = useHistory(view.s, file);
  useEffect(() => setClosed(none), [model]);

  const last = model.calls.length - 1;
  const opensAt = useMemo(() => (last < 0 ? -1 : mostInteresting(model)), [model, version]);
  const at = view.at < 0 ? opensAt : Math.min(view.at, last);
  const against = view.vs >= 0 ? Math.min(view.vs, last) : last < 0 ? -1 : model.previous(at);
  const [answer, askError, current] = useAnswer(view.q, model, at);
  const matches = useMatches(view.q, model, whole);
  const error = loadError || askError;
  const found = useMemo(() => new Set(answer?.ids ?? []), [answer]);
  const list = useMemo(() => model.shown(at, closed), [model, version, at, closed]);
  const difference = useMemo(() => model.compare(against, at), [model, version, at, against]);
  const [added, changed] = useMemo(() => [new Set(difference.added.map((r) => r.id)), new Set(difference.changed.map(([, r]) => r.id))], [difference]);
  const toggle = (id: string) => setClosed((old) => {
    const next = new Set(old);
    if (!next.delete(id)) next.add(id);
    return next;
  });
  const open = (list: FileList | null | undefined) => {
    const f = list?.[0];
    if (f) f.text().then((text) => { setFile({ name: f.name, text }); change({ at: -1, vs: -1, node: "" }); }, (e: Error) => setLoadError(e.message));
  };
  const ask = (q: string) => change({ q, tab: "answer" });
  const select = (node: string) => change({ node, tab: "node" });
  const move = (n: number) => change({ at: Math.min(Math.max(n, 0), last) });
  const toEvent = (direction: 1 | -1): void => {
    const next = direction > 0 ? model.calls.findIndex((c, n) => n > at && isEvent(c)) : model.calls.findLastIndex((c, n) => n < at && isEvent(c));
    if (next >= 0) move(next);
  };

  return (
    <>
      <header class="top">
        <span class="name">pactkit playground</span>
        <h1 class="title">Selectors for what a model was sent. Nothing leaves this page.</h1>
        <label>history <select value={file ? "" : view.s} onChange={(e) => { setFile(undefined); change({ s: e.currentTarget.value, at: -1, vs: -1, node: "" }); }}>
          {file && <option value="">{file.name}</option>}
          {samples.map((s) => <option value={s.name}>{s.title}</option>)}
        </select></label>
        <label class="file">open a log <input type="file" accept=".json,.jsonl,.ndjson" onChange={(e) => open(e.currentTarget.files)} /></label>
        <button onClick={() => setTheme(theme === "dark" ? "light" : "dark")} aria-label={`use the ${theme === "dark" ? "light" : "dark"} theme`}>{theme === "dark" ? "light" : "dark"}</button>
      </header>
      <main class="inspector" onDragOver={(e) => e.preventDefault()} onDrop={(e) => { e.preventDefault(); open(e.dataTransfer?.files); }}>
        <div class="query"><SelectorBar server={server} value={view.q} words={() => model.words(at)} onChange={ask} /></div>
        {error && <p class="error" role="alert">{error}</p>}
        {last >= 0 && (
          <>
            <Timeline
              model={model} version={version} at={at} against={against} pinned={view.vs >= 0} matches={matches} theme={theme} sessions={[]} session={0}
              onMove={move} onAgainst={(n) => change({ vs: n, tab: "changes" })} onOpen={() => undefined}
            />
            <Legend model={model} at={at} />
            <CallLine
              model={model} version={version} at={at} against={view.vs >= 0 ? against : -1} difference={difference}
              onMove={(by) => move(at + by)} onEvent={toEvent} onReset={() => change({ vs: -1 })} onSelect={select}
            />
          </>
        )}
        <div class="panes">
          <Tree list={list} selected={view.node} matches={found} added={added} changed={changed} onSelect={select} onToggle={toggle} />
          <section class="panel playground" aria-label="details">
            <Tabs tab={view.tab} list={tabs} onTab={(tab) => change({ tab })} />
            <div role="tabpanel" id="panel" aria-labelledby={`tab-${view.tab}`} aria-busy={!current} tabIndex={0}>
              {view.tab === "answer" && (answer ? <Said answer={answer} calls={matches.length} all={last + 1} use={ask} select={select} /> : <p class="soft">The program is starting…</p>)}
              {view.tab === "conversation" && <Conversation data={engine} model={model} version={version} session={0} at={at} against={against} selected={view.node} found={found} onSelect={select} />}
              {view.tab === "changes" && <Changes model={model} at={at} against={against} found={difference} onSelect={select} />}
              {view.tab === "node" && <Detail data={engine} model={model} session={0} at={at} id={view.node} onMove={move} onSelect={select} onSelector={ask} />}
            </div>
          </section>
        </div>
      </main>
    </>
  );
}

/** The findings about a selector. */
function Said({ answer: a, calls, all, use, select }: { answer: Answer; calls: number; all: number; use(q: string): void; select(id: string): void }) {
  return (
    <>
      <p class="found" role="status">{a.evaluated ? (a.range ? "differences between states" : plural(a.ids?.length ?? 0, "node")) : a.error ?? (a.canonical ? "" : "not a selector yet")}</p>
      {calls > 0 && <p class="soft">In {calls} of {plural(all, "call")} it finds something: they have a line below them.</p>}
      {a.findings.length > 0 && <ul class="findings">{a.findings.map((f) => <li class={f.severity}><b>{f.severity}</b> {f.message}{f.hint && <>; {f.hint}</>} <code>{f.code}</code></li>)}</ul>}
      {a.ids && a.ids.length > 0 && <p class="ids">{a.ids.slice(0, 50).map((id) => <button class="link" onClick={() => select(id)}>{id}</button>)}{a.ids.length > 50 && ` and ${a.ids.length - 50} more`}</p>}
      {a.range && <pre class="plain" tabIndex={0} aria-label="differences">{a.range}</pre>}
      {a.meaning && <><h2>In words</h2><pre class="plain words">{a.meaning.join("\n")}</pre></>}
      {a.steps && a.steps.length > 1 && <><h2>Step by step</h2><table class="steps"><tbody>{a.steps.map((s) => <tr class={s.count === 0 ? "nothing" : ""}><td><code>{s.text}</code></td><td class="number">{s.count}</td></tr>)}</tbody></table></>}
      {a.canonical && (
        <>
          <h2>Formatted</h2>
          <table class="forms"><tbody>
            {([["compact", a.compact], ["canonical", a.canonical], ["corrected", a.fixed]] as const).map(([name, text]) => text &&
              <tr><th scope="row">{name}</th><td><code>{text}</code></td><td><button onClick={() => use(text)} aria-label={`use the ${name} form`}>use</button></td></tr>)}
          </tbody></table>
          <details><summary>How it is evaluated</summary><pre class="plain">{a.plan}</pre></details>
        </>
      )}
    </>
  );
}

render(<App />, document.getElementById("app")!);
