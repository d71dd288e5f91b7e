// The sessions of a folder: how each grew, and what went wrong in it.

import { plural, short, visible } from "./format";
import type { Session } from "./data";

export function Sessions({ list, complete, onOpen }: { list: Session[]; complete: boolean; onOpen(n: number): void }) {
  return (
    <main class="sessions">
      <h1>{plural(list.length, "session")}{complete ? "" : ", and more are being read…"}</h1>
      <table>
        <thead>
          <tr><th>Session</th><th>Source</th><th>Calls</th><th>Tokens</th><th>Growth</th><th>What happened</th></tr>
        </thead>
        <tbody>
          {list.map((s, n) => (
            <tr key={n}>
              <td>{s.error ? visible(s.name) : <button class="link" onClick={() => onOpen(n)}>{visible(s.name)}</button>} {s.title && <small>{visible(s.title)}</small>}</td>
              <td>{s.source}</td>
              <td class="number">{s.calls}</td>
              <td class="number">{short(s.tokens)}</td>
              <td><Spark values={s.spark} /></td>
              <td>
                {s.left > 0 && <span class="tag">{plural(s.left, "node")} left</span>}
                {s.broken > 0 && <span class="tag bad">cache broke {s.broken} ×</span>}
                {s.error && <span class="error">{visible(s.error)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}

function Spark({ values }: { values: number[] }) {
  const top = Math.max(1, ...values);
  const step = 100 / Math.max(values.length - 1, 1);
  const points = values.map((v, i) => `${(i * step).toFixed(1)},${(20 - (v / top) * 19).toFixed(1)}`).join(" ");
  return <svg class="spark" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label={`from ${values[0] ?? 0} to ${values.at(-1) ?? 0} tokens`}><polyline points={points} /></svg>;
}
