import { render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { SelectorBar } from "../../../inspect/page/src/bar";
import type { Server } from "../../../inspect/page/src/data";
import { plural } from "../../../inspect/page/src/format";
import type { Row, Shown } from "../../../inspect/page/src/model";
import { Tree } from "../../../inspect/page/src/tree";
import "../../../inspect/page/src/style.css";
import { engine, type Answer, type Loaded, type Node } from "./engine";
import "./playground.css";

/** The sessions that come with the page. */
const samples = [
  { name: "refund", title: "A support agent forgets the refund policy" },
  { name: "kept", title: "The same, and the policy stays" },
];

/** What the page shows, kept in the address. The user's own file has no address. */
interface View { q: string; s: string; at: number; node: string }

function readView(): View {
  const p = new URLSearchParams(location.hash.slice(1));
  const at = p.get("at") ?? "";
  return {
    q: p.get("q") ?? ".block+tool", s: samples.some((s) => s.name === p.get("s")) ? p.get("s")! : samples[0]!.name,
    at: /^\d{1,9}$/.test(at) ? Number(at) : -1, node: p.get("node") ?? "",
  };
}

function writeView(v: View): void {
  const p = new URLSearchParams({ q: v.q, s: v.s });
  if (v.at >= 0) p.set("at", String(v.at));
  if (v.node) p.set("node", v.node);
  history.replaceState(null, "", "#" + p.toString());
}

const server = { languageServer: () => "", secret: "" } as unknown as Server;
const none: ReadonlySet<string> = new Set();

function App() {
  const [view, setView] = useState(readView);
  const [file, setFile] = useState<{ name: string; text: string } | undefined>();
  const [loaded, setLoaded] = useState<Loaded | undefined>();
  const [nodes, setNodes] = useState<Node[]>([]);
  const [answer, setAnswer] = useState<Answer | undefined>();
  const [asked, setAsked] = useState<object | undefined>(); // the question that the answer or the error is for
  const [closed, setClosed] = useState<ReadonlySet<string>>(none);
  const [errors, setErrors] = useState<Partial<Record<"load" | "tree" | "ask", string>>>({}); // of the last request of each kind
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
  const report = (kind: keyof typeof errors, message = "") => setErrors((old) => ({ ...old, [kind]: message }));

  useEffect(() => {
    let current = true;
    const read = async () => {
      const { name, text } = file ?? { name: `${view.s}.jsonl`, text: await (await fetch(`samples/${view.s}.jsonl`)).text() };
      const l = await engine.load(name, text);
      if (!current) return;
      report("load");
      setClosed(none);
      setLoaded(l);
    };
    read().catch((e: Error) => { if (current) report("load", e.message); });
    return () => { current = false; };
  }, [view.s, file]);

  const last = (loaded?.states.length ?? 0) - 1;
  const at = view.at < 0 || view.at > last ? last : view.at;
  useEffect(() => {
    if (at >= 0) engine.tree(at).then((n) => { setNodes(n); report("tree"); }, (e: Error) => report("tree", e.message));
  }, [loaded, at]);
  const question = useMemo(() => ({}), [view.q, loaded, at]);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      engine.ask(view.q, at).then((a) => {
        if (!current) return;
        setAnswer(a);
        report("ask");
        setAsked(question);
      }, (e: Error) => {
        if (!current) return;
        report("ask", e.message);
        setAsked(question);
      });
    }, 60);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [question]);

  const error = errors.load || errors.tree || errors.ask;
  const shown = useMemo(() => rowsOf(nodes, closed), [nodes, closed]);
  const selected = nodes.find((n) => n.id === view.node);
  const toggle = (id: string) => setClosed((old) => {
    const next = new Set(old);
    if (!next.delete(id)) next.add(id);
    return next;
  });
  const open = (list: FileList | null) => {
    const f = list?.[0];
    if (f) f.text().then((text) => { setFile({ name: f.name, text }); change({ at: -1, node: "" }); }, (e: Error) => report("load", e.message));
  };

  return (
    <>
      <header class="top">
        <span class="name">pactkit playground</span>
        <h1 class="title">Selectors for what a model was sent. Nothing leaves this page.</h1>
        <label>history <select value={file ? "" : view.s} onChange={(e) => { setFile(undefined); change({ s: e.currentTarget.value, at: -1, node: "" }); }}>
          {file && <option value="">{file.name}</option>}
          {samples.map((s) => <option value={s.name}>{s.title}</option>)}
        </select></label>
        <label class="file">open a log <input type="file" accept=".json,.jsonl,.ndjson" onChange={(e) => open(e.currentTarget.files)} /></label>
        <button onClick={() => setTheme(theme === "dark" ? "light" : "dark")} aria-label={`use the ${theme === "dark" ? "light" : "dark"} theme`}>{theme === "dark" ? "light" : "dark"}</button>
      </header>
      <main class="inspector">
        <div class="query">
          <SelectorBar server={server} value={view.q} words={() => wordsOf(nodes)} onChange={(q) => change({ q })} />
          <label class="time">call <input type="range" min={0} max={Math.max(last, 0)} value={Math.max(at, 0)} disabled={last < 1}
            onInput={(e) => change({ at: Number(e.currentTarget.value) === last ? -1 : Number(e.currentTarget.value) })} />
            <output>{last < 0 ? "…" : `@c${loaded!.states[at]!.cycle} of ${last + 1}`}</output></label>
        </div>
        {error && <p class="error" role="alert">{error}</p>}
        <div class="panes">
          <Tree list={shown} selected={view.node} matches={new Set(answer?.ids ?? [])} added={none} changed={none} onSelect={(id) => change({ node: id })} onToggle={toggle} />
          <section class="panel playground" aria-label="answer" aria-busy={asked !== question} tabIndex={0}>
            {answer ? <Said answer={answer} use={(q) => change({ q })} select={(id) => change({ node: id })} /> : <p class="soft">The program is starting…</p>}
            {selected && <><h2>{selected.id}</h2><pre class="plain" tabIndex={0} aria-label="content">{selected.text}</pre></>}
          </section>
        </div>
      </main>
    </>
  );
}

/** The findings about a selector. */
function Said({ answer: a, use, select }: { answer: Answer; use(q: string): void; select(id: string): void }) {
  return (
    <>
      <p class="found" role="status">{a.evaluated ? (a.range ? "differences between states" : plural(a.ids?.length ?? 0, "node")) : a.error ?? (a.canonical ? "" : "not a selector yet")}</p>
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

/** The members of a row that the tree draws. The others are for the inspector's model of time, which the playground does not use. */
type Drawn = Pick<Row, "id" | "type" | "kind" | "role" | "key" | "name" | "group" | "tokens" | "text">;

/** The rows of a tree, except those below closed nodes. */
function rowsOf(nodes: Node[], closed: ReadonlySet<string>): Shown[] {
  const out: Shown[] = [];
  const hidden = new Set<string>();
  for (const n of nodes) {
    if (hidden.has(n.parent)) {
      hidden.add(n.id);
      continue;
    }
    const open = n.children && !closed.has(n.id);
    if (n.children && !open) hidden.add(n.id);
    const drawn: Drawn = { ...n, group: groupOf(n), tokens: 0, text: n.text.slice(0, 200).replace(/\s+/g, " ") };
    out.push({ row: drawn as Row, level: n.level, children: n.children, open, ...(n.depth === undefined ? {} : { depth: n.depth }) });
  }
  return out;
}

/** The index in the inspector's list of groups: system, tools, user, assistant, calls, results, other. */
function groupOf(n: Node): number {
  const is = (role: string) => n.role === role || (n.role === undefined && n.tags?.includes(role) === true);
  if (n.kind?.includes("result") || is("tool")) return 5;
  if (n.kind?.includes("call")) return 4;
  return is("system") ? 0 : is("user") ? 2 : is("assistant") ? 3 : 6;
}

/** The types, tags and keys of a tree, with their sigils, by how many nodes have them. */
function wordsOf(nodes: Node[]): { text: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const n of nodes) {
    for (const w of [`.${n.type}`, ...(n.tags ?? []).map((t) => `+${t}`), ...(n.key && /^[A-Za-z_][\w-]*$/.test(n.key) ? [`#${n.key}`] : [])]) {
      if (!w.startsWith(".^")) counts.set(w, (counts.get(w) ?? 0) + 1);
    }
  }
  return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
}

render(<App />, document.getElementById("app")!);
