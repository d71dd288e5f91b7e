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
  const [open, setOpen] = useState(false);
  const copy = (text: string): void => {
    navigator.clipboard.writeText(text).then(() => setNote("copied"), () => setNote("the browser does not allow copying"));
  };
  const quoted = JSON.stringify(selector);
  const shell = `pactkit eval '${`@c${cycle} ${selector}`.replaceAll("'", `'\\''`)}' '${name.replaceAll("'", `'\\''`)}'`;
  const close = (e: KeyboardEvent): void => {
    if (e.key !== "Escape") return;
    setOpen(false);
    document.getElementById("use")?.focus();
  };
  return (
    <span class="actions" onKeyDown={close}>
      <button id="use" aria-expanded={open} disabled={!selector} onClick={() => setOpen(!open)}>Use ▾</button>
      {open && selector && (
        <div class="menu" role="group" aria-label="use the selector">
          <p>
            <button onClick={() => data.saveTest(session, at, selector, expect).then((r) => setNote(`${r.case} in ${r.file}`), (e: unknown) => setNote(message(e)))}>Save as test</button>
            <select aria-label="what the test expects" value={expect} onChange={(e) => setExpect(e.currentTarget.value as Expect)}>
              {expects.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
            </select>
          </p>
          <p>
            <button onClick={() => copy(shell)}>Copy command</button>
            <button onClick={() => copy(`nodes, err := tree.Select(${quoted})`)}>Copy Go</button>
            <button onClick={() => copy(`nodes = history.select(${quoted})`)}>Copy Python</button>
          </p>
          <p role="status">{visible(note)}</p>
        </div>
      )}
    </span>
  );
}
