// What can be done with a selector: keep it as a test, or copy it for a shell or a program.

import { useState } from "preact/hooks";
import type { Data, Expect } from "./data";
import { message, visible } from "./format";

const expects: [Expect, string][] = [
  ["answer", "what it selects here"], ["left", "how many of these leave"], ["cache", "how often the cache breaks"], ["tokens", "the tokens of the largest call"],
];

export function Actions({ data, session, at, cycle, name, selector }: { data: Data; session: number; at: number; cycle: number; name: string; selector: string }) {
  const [note, setNote] = useState("");
  const [expect, setExpect] = useState<Expect>("answer");
  const copy = (text: string): void => {
    navigator.clipboard.writeText(text).then(() => setNote("copied"), () => setNote("the browser does not allow copying"));
  };
  const quoted = JSON.stringify(selector);
  const shell = `pactkit eval '${`@c${cycle} ${selector}`.replaceAll("'", `'\\''`)}' '${name.replaceAll("'", `'\\''`)}'`;
  return (
    <span class="actions">
      <button onClick={() => data.saveTest(session, at, selector, expect).then((r) => setNote(`${r.case} in ${r.file}`), (e: unknown) => setNote(message(e)))}>Save as test</button>
      <select aria-label="what the test expects" value={expect} onChange={(e) => setExpect(e.currentTarget.value as Expect)}>
        {expects.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
      <button onClick={() => copy(shell)}>Copy command</button>
      <button onClick={() => copy(`nodes, err := tree.Select(${quoted})`)}>Copy Go</button>
      <button onClick={() => copy(`nodes = history.select(${quoted})`)}>Copy Python</button>
      <span role="status">{visible(note)}</span>
    </span>
  );
}
