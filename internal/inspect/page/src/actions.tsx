// What can be done with a selector: keep it as a test, or copy it for a shell or a program.

import { useState } from "preact/hooks";
import type { Data } from "./data";
import { message, visible } from "./format";

export function Actions({ data, session, at, cycle, name, selector }: { data: Data; session: number; at: number; cycle: number; name: string; selector: string }) {
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
