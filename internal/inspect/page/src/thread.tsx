// The state as the provider was sent it. The messages that equal those of the call before are the prefix a cache can
// serve; the first that differs is marked.

import { useEffect, useState } from "preact/hooks";
import { Difference, asText } from "./detail";
import type { Data } from "./data";
import { visible } from "./format";

interface Props {
  data: Data;
  session: number;
  at: number;
  before: number; // the call of the conversation before; -1 for none
}

const formats = ["openai", "anthropic", "openai-responses", "gemini", "flat"];

export function Thread({ data, session, at, before }: Props) {
  const [format, setFormat] = useState(formats[0]!);
  const [state, set] = useState<{ now: unknown; then: unknown; error: string }>();
  useEffect(() => {
    let current = true;
    const older = before >= 0 ? data.thread(session, before, format) : Promise.resolve(undefined);
    Promise.all([data.thread(session, at, format), older]).then(
      ([now, then]) => current && set({ now, then, error: "" }),
      (e: unknown) => current && set({ now: undefined, then: undefined, error: String(e instanceof Error ? e.message : e) }),
    );
    return () => { current = false; };
  }, [session, at, before, format]);
  if (!state) return <p class="empty">Reading…</p>;
  const now = messages(state.now), then = messages(state.then);
  let same = 0;
  while (same < now.length && same < then.length && JSON.stringify(now[same]) === JSON.stringify(then[same])) same++;
  return (
    <div class="panel-body">
      {data.live && (
        <label>
          Format <select value={format} onChange={(e) => setFormat(e.currentTarget.value)}>{formats.map((f) => <option key={f}>{f}</option>)}</select>
        </label>
      )}
      {state.error && <p class="error" role="alert">{state.error}</p>}
      <ol class="thread">
        {now.map((m, i) => (
          <li key={i} class={before < 0 ? "" : i < same ? "reused" : i === same ? "first" : ""}>
            <header>{visible(m.head)}{before >= 0 && i === same && <em> the prefix ends here</em>}</header>
            {i === same && then[i] && then[i].head === m.head
              ? <Difference before={asText(then[i].body)} after={asText(m.body)} />
              : <pre class="plain">{visible(asText(m.body))}</pre>}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface Message {
  head: string;
  body: unknown;
}

/** The parts of a request in the order in which a provider reads them: tools, instructions, messages. */
function messages(request: unknown): Message[] {
  if (Array.isArray(request)) return request.map(message);
  if (typeof request !== "object" || request === null) return [];
  const r = request as Record<string, unknown>;
  const out: Message[] = [];
  for (const name of ["tools", "system", "instructions", "systemInstruction"]) if (r[name] !== undefined) out.push({ head: name, body: r[name] });
  for (const name of ["messages", "input", "contents"]) if (Array.isArray(r[name])) out.push(...r[name].map(message));
  return out;
}

function message(m: unknown): Message {
  if (typeof m !== "object" || m === null) return { head: "message", body: m };
  const { role, content, ...rest } = m as Record<string, unknown>;
  const more = Object.keys(rest).length > 0;
  return { head: String(role ?? rest["type"] ?? "message"), body: more ? { ...(content === undefined ? {} : { content }), ...rest } : content };
}
