// The state as the provider was sent it. The messages that equal those of the call before are the prefix a cache can
// serve; the first that differs is marked.

import { useEffect, useMemo, useState } from "preact/hooks";
import { Difference, asText } from "./detail";
import type { Data } from "./data";
import { cut, message, plural, visible } from "./format";
import { useSettled } from "./hooks";

interface Props {
  data: Data;
  session: number;
  at: number;
  before: number; // the call of the conversation before; -1 for none
}

const formats = ["openai", "anthropic", "openai-responses", "gemini", "flat"];

/** How many messages are shown at first, the last ones, and how many characters of each. */
const most = 100, longest = 20_000;

export function Request({ data, session, at: atNow, before: beforeNow }: Props) {
  const [at, before] = useSettled(`${atNow} ${beforeNow}`, 100).split(" ").map(Number) as [number, number];
  const [format, setFormat] = useState(formats[0]!);
  const [state, set] = useState<{ of: string; now: unknown; then: unknown; error: string }>();
  useEffect(() => {
    let current = true;
    const of = `${at} ${before} ${format}`;
    const older = before >= 0 ? data.thread(session, before, format) : Promise.resolve(undefined);
    Promise.all([data.thread(session, at, format), older]).then(
      ([now, then]) => current && set({ of, now, then, error: "" }),
      (e: unknown) => current && set({ of, now: undefined, then: undefined, error: message(e) }),
    );
    return () => { current = false; };
  }, [session, at, before, format]);
  const list = useMemo(() => state && <Messages now={messages(state.now)} then={messages(state.then)} first={before < 0} />, [state, before < 0]);
  if (!state) return <p class="empty">Reading…</p>;
  const stale = state.of !== `${atNow} ${beforeNow} ${format}`;
  return (
    <div class={"panel-body" + (stale ? " stale" : "")} aria-busy={stale}>
      {data.live && (
        <label>
          Format <select value={format} onChange={(e) => setFormat(e.currentTarget.value)}>{formats.map((f) => <option key={f}>{f}</option>)}</select>
        </label>
      )}
      {state.error && <p class="error" role="alert">{state.error}</p>}
      {list}
    </div>
  );
}

function Messages({ now, then, first }: { now: Message[]; then: Message[]; first: boolean }) {
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(0, now.length - most);
  let same = 0;
  while (same < now.length && same < then.length && JSON.stringify(now[same]) === JSON.stringify(then[same])) same++;
  return (
    <>
      {hidden > 0 && <button class="link" onClick={() => setAll(true)}>show {plural(hidden, "earlier message")}</button>}
      <ol class="thread" start={hidden + 1}>
        {now.slice(hidden).map((m, n) => {
          const i = hidden + n;
          return (
            <li key={i} class={first ? "" : i < same ? "reused" : i === same ? "first" : ""}>
              <header>{visible(m.head)}{!first && i === same && <em> the prefix ends here</em>}</header>
              {i === same && then[i] && then[i].head === m.head
                ? <Difference before={asText(then[i].body)} after={asText(m.body)} />
                : <pre class="plain">{visible(cut(asText(m.body), longest))}</pre>}
            </li>
          );
        })}
      </ol>
    </>
  );
}

interface Message {
  head: string;
  body: unknown;
}

/** The parts of a request in the order in which a provider reads them: tools, instructions, messages. */
function messages(request: unknown): Message[] {
  if (Array.isArray(request)) return request.map(part);
  if (typeof request !== "object" || request === null) return [];
  const r = request as Record<string, unknown>;
  const out: Message[] = [];
  for (const name of ["tools", "system", "instructions", "systemInstruction"]) if (r[name] !== undefined) out.push({ head: name, body: r[name] });
  for (const name of ["messages", "input", "contents"]) if (Array.isArray(r[name])) out.push(...r[name].map(part));
  return out;
}

function part(m: unknown): Message {
  if (typeof m !== "object" || m === null) return { head: "message", body: m };
  const { role, content, ...rest } = m as Record<string, unknown>;
  const more = Object.keys(rest).length > 0;
  return { head: asText(role ?? rest["type"] ?? "message"), body: more ? { ...(content === undefined ? {} : { content }), ...rest } : content };
}
