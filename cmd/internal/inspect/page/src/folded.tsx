// The parts of a conversation that are folded: tools, thinking, the system prompt, and what left.

import { type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Content } from "./content";
import type { Reader } from "./data";
import type { Entry } from "./conversation";
import { Difference, asText } from "./detail";
import { isExact, parseExact } from "./exact";
import { cut, plural, short, visible } from "./format";
import { because, type Departed } from "./happened";
import { useNode } from "./hooks";
import type { Model, Row } from "./model";
import { label, labelOf } from "./tree";

interface Place {
  data: Reader;
  session: number;
  at: number;
}

/** A summary line, and what is made when it is opened. */
function Fold({ class: name, summary, children }: { class: string; summary: ComponentChildren; children(): ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details class={`fold ${name}`} open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && <div class="fold-body">{children()}</div>}
    </details>
  );
}

/** A node that is read when it is opened. */
export function Folded({ row, title, ...place }: Place & { row: Row; title: string }) {
  return (
    <Fold class={title.replaceAll(" ", "-")} summary={<><span class="fold-title">{title}</span> <span class="preview">{visible(words(row.text))}</span></>}>
      {() => <Whole row={row} {...place} />}
    </Fold>
  );
}

function Whole({ row, data, session, at }: Place & { row: Row }) {
  const [detail, error] = useNode(data, session, row, at);
  if (error) return <p class="error" role="alert">{error}</p>;
  if (!detail) return <p class="preview">{visible(words(row.text))}</p>;
  return <Content value={thought(detail.content) ?? detail.content ?? ""} raw={false} />;
}

/** The text of what a model thought, which providers keep with a signature. */
function thought(content: unknown): string | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  const { thinking, text } = content as Record<string, unknown>;
  return [thinking, text].find((t): t is string => typeof t === "string" && t !== "");
}

/** The beginning of that text, from the beginning of the JSON. */
function words(text: string): string {
  return /"(?:thinking|text)":"((?:[^"\\]|\\.)+)/.exec(text)?.[1]?.replaceAll("\\n", " ").replaceAll('\\"', '"') ?? text;
}

/** A call of a tool and its result; or a result without its call. */
export function Tool({ entry, ...place }: Place & { entry: Entry }) {
  const { row, result } = entry;
  const call = row.kind === "call" ? row : undefined;
  const answer = call ? result : row;
  const summary = (
    <>
      <span class="fold-title">{visible(row.name ?? (call ? "tool" : "result"))}</span> {call && <code>{visible(argument(call.text))}</code>}
      {answer ? <span class="preview"> → {visible(answer.text) || "(empty)"}</span> : <span class="preview"> → no result in this call</span>}
    </>
  );
  return (
    <Fold class="tool" summary={summary}>
      {() => (
        <>
          {call && <><h3>arguments <small>{plural(call.tokens, "token")}</small></h3><Arguments row={call} {...place} /></>}
          {answer && <Result row={answer} {...place} />}
        </>
      )}
    </Fold>
  );
}

function Result({ row, data, session, at }: Place & { row: Row }) {
  const [detail] = useNode(data, session, row, at);
  const failed = detail?.headers["is_error"] === true;
  return (
    <>
      <h3>result <small>{plural(row.tokens, "token")}</small> {failed && <span class="tag bad">error</span>}</h3>
      {detail ? <Content value={detail.content ?? ""} raw={typeof detail.content === "string" && !/^\s*[[{]/.test(detail.content)} /> : <p class="preview">{visible(row.text)}</p>}
    </>
  );
}

/** The members that say most about a call, the best first. */
const telling = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt"];

/** The argument that says most about a call, from the beginning of its JSON. */
function argument(text: string): string {
  for (const name of telling) {
    const m = new RegExp(`"${name}":\\s*("(?:[^"\\\\]|\\\\.)*"?|\\[[^\\]]*\\]?)`).exec(text);
    if (m) return m[1]!.replace(/^"|"$/g, "").replaceAll("\\n", " ").replaceAll('\\"', '"');
  }
  return text === "{}" ? "" : text;
}

/** The arguments of a call: an edit as a diff, else as they are. */
function Arguments({ row, data, session, at }: Place & { row: Row }) {
  const [detail] = useNode(data, session, row, at);
  if (!detail) return <p class="preview">{visible(row.text)}</p>;
  const args = parse(detail.content);
  const list = edits(args);
  if (list.length > 0) {
    return <>{list.map((e, n) => <figure key={n} class="edit"><figcaption><code>{visible(e.file)}</code></figcaption><Difference before={e.before} after={e.after} /></figure>)}</>;
  }
  const patch = patchOf(args);
  return patch ? <Patch text={patch} /> : <Members value={args} />;
}

/** The members of an object of texts and numbers; anything else as JSON or Markdown. */
function Members({ value }: { value: unknown }) {
  const list = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (list.length === 0 || list.some(([, v]) => typeof v === "object" && !isExact(v))) return <Content value={value ?? ""} raw={false} />;
  return <dl class="members">{list.map(([name, v]) => <div key={name}><dt>{visible(name)}</dt><dd><pre>{visible(cut(asText(v), longest))}</pre></dd></div>)}</dl>;
}

const longest = 20_000;

function parse(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return parseExact(value);
  } catch {
    return value;
  }
}

interface Edit { file: string; before: string; after: string }

/** The replacements that a call of an editing tool asks for. */
function edits(args: unknown): Edit[] {
  if (typeof args !== "object" || args === null) return [];
  const a = args as Record<string, unknown>;
  const file = asText(a["file_path"] ?? a["filePath"] ?? a["path"]);
  const one = (e: Record<string, unknown>): Edit[] => {
    const old = e["old_string"] ?? e["old_str"] ?? e["oldString"], now = e["new_string"] ?? e["new_str"] ?? e["newString"];
    return typeof old === "string" && typeof now === "string" ? [{ file, before: old, after: now }] : [];
  };
  return Array.isArray(a["edits"]) ? a["edits"].flatMap((e) => (typeof e === "object" && e !== null ? one(e as Record<string, unknown>) : [])) : one(a);
}

/** The patch that is the argument of a call, alone or in a command. */
function patchOf(args: unknown): string | undefined {
  const texts = typeof args === "string" ? [args] : typeof args === "object" && args !== null ? Object.values(args).flat().filter((v) => typeof v === "string") : [];
  return texts.find((t) => /^\*\*\* Begin Patch$|^(---|\+\+\+) [^\n]+$/m.test(t) && /^[+-]/m.test(t));
}

function Patch({ text }: { text: string }) {
  return (
    <pre class="diff">
      {text.split("\n").map((line, n) => <span key={n} class={line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : ""}>{visible(line)}{"\n"}</span>)}
    </pre>
  );
}

/** The settings of a request: its tools, and the rest as JSON. */
export function Settings({ row, data, session, at }: Place & { row: Row }) {
  return (
    <Fold class="settings" summary={<><span class="fold-title">tools and settings</span> <span class="preview">{plural(row.tokens, "token")}</span></>}>
      {() => <SettingsBody row={row} data={data} session={session} at={at} />}
    </Fold>
  );
}

function SettingsBody({ row, data, session, at }: Place & { row: Row }) {
  const [detail] = useNode(data, session, row, at);
  if (!detail) return null;
  const tools = ["tools", "functions", "tool_definitions"].flatMap((name) => (Array.isArray(detail.headers[name]) ? (detail.headers[name] as unknown[]) : []));
  return (
    <dl class="tools">
      {tools.map((tool, n) => {
        const t = (typeof tool === "object" && tool !== null ? tool : {}) as Record<string, unknown>;
        const f = (typeof t["function"] === "object" && t["function"] !== null ? t["function"] : t) as Record<string, unknown>;
        return <div key={n}><dt><code>{visible(asText(f["name"] ?? t["type"]))}</code></dt><dd>{visible(asText(f["description"]))}</dd></div>;
      })}
      {tools.length === 0 && <Content value={detail.headers} raw={false} />}
    </dl>
  );
}

/** How many nodes that left are listed at first. */
const most = 30;

/** What left since the call before, by cause. */
export function Gone({ model, groups, onSelect }: { model: Model; groups: Departed[]; onSelect(id: string): void }) {
  return (
    <>
      {groups.map(({ cause, rows }) => (
        <Fold
          key={rows[0]!.id} class="gone-group"
          summary={<><span class="fold-title">{plural(rows.length, "node")} {because(cause, rows.length)}</span> <span class="preview">{short(rows.reduce((n, r) => n + r.tokens, 0))} tokens</span></>}
        >
          {() => (
            <>
              {cause.by && <p>In their place is <button class="link" onClick={() => onSelect(cause.by!)}>{labelOf(model, cause.by, rows[0]!.to)}</button>.</p>}
              <ul class="gone-list">
                {rows.slice(0, most).map((row) => (
                  <li key={row.id}><button class="link" onClick={() => onSelect(row.id)}>{label({ row })}</button> <span class="preview">{visible(row.text)}</span> <span class="number">{short(row.tokens)}</span></li>
                ))}
                {rows.length > most && <li>and {plural(rows.length - most, "more node")}: see the tab changes</li>}
              </ul>
            </>
          )}
        </Fold>
      ))}
    </>
  );
}
