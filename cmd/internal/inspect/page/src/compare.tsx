// Two runs side by side: what both were sent, and where they part.

import { useEffect, useState } from "preact/hooks";
import type { Compared, Data, Session } from "./data";
import { message, plural, visible } from "./format";

interface Props {
  data: Data;
  sessions: Session[];
  session: number;
  other: number;
  onOther(n: number): void;
}

export function Compare({ data, sessions, session, other, onOther }: Props) {
  const [state, set] = useState<{ found?: Compared; error?: string }>({});
  useEffect(() => {
    if (other < 0) return;
    let current = true;
    set({});
    data.compare(session, other).then(
      (found) => current && set({ found }),
      (e: unknown) => current && set({ error: message(e) }),
    );
    return () => { current = false; };
  }, [session, other]);
  return (
    <div class="panel-body">
      <label>
        Compare with <select value={String(other)} onChange={(e) => onOther(Number(e.currentTarget.value))}>
          <option value="-1">…</option>
          {sessions.map((s, n) => n !== session && <option key={n} value={String(n)}>{visible(s.name)}</option>)}
        </select>
      </label>
      {state.error && <p class="error" role="alert">{state.error}</p>}
      {state.found && (
        <>
          <p>
            {state.found.same > 0 ? `The first ${plural(state.found.same, "call")} ${state.found.same === 1 ? "was" : "were"} sent the same.` : "The runs differ from the first call on."}
            {state.found.parted ? ` What differs first: ${state.found.parted}.` : " The runs are the same."}
          </p>
          <table class="compare">
            <thead><tr><th>this run</th><th>the other</th></tr></thead>
            <tbody>
              {state.found.rows.map((r, n) => (
                <tr key={n} class={r.state}>
                  {r.state === "same"
                    ? <td colSpan={2}>{visible(r.text)}</td>
                    : <><td>{r.a && <Side id={r.a} text={r.text} />}</td><td>{r.b && <Side id={r.b} text={r.text} />}</td></>}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  );
}

function Side({ id, text }: { id: string; text: string }) {
  return <><code>{visible(id)}</code> {visible(text)}</>;
}
