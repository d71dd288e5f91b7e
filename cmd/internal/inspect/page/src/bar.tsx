// The selector bar: a plain field until the editor is loaded, which takes its place with the text and the focus.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Server } from "./data";
import type { Editor, Word } from "./editor";
import { hint } from "./format";

interface Props {
  server: Server;
  value: string;
  /** Whether there is time to load the editor. */
  ready?: boolean;
  words(): readonly Word[];
  onChange(text: string): void;
}

export function SelectorBar({ server, value, ready = true, words, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef({ value, words, onChange });
  latest.current = { value, words, onChange };
  const [editor, setEditor] = useState<Editor | undefined>();

  useEffect(() => {
    if (!ready) return;
    let made: Editor | undefined, left = false;
    void import("./editor.js").then(({ edit }) => {
      if (left) return;
      const { current } = latest;
      made = edit(host.current!, server, current.value, () => latest.current.words(), (text) => latest.current.onChange(text));
      if (document.activeElement === field.current) made.focus();
      setEditor(made);
    });
    return () => {
      left = true;
      made?.destroy();
      setEditor(undefined);
    };
  }, [server, ready]);

  useEffect(() => editor?.set(value), [editor, value]);

  return (
    <div class="bar-editor">
      {!editor && <input ref={field} placeholder={hint} aria-label="selector" spellcheck={false} value={value} onInput={(e) => onChange(e.currentTarget.value)} />}
      <div ref={host} />
    </div>
  );
}
