// The selector bar: an editor of one line with the words, colours and findings of pact-lsp.

import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap, placeholder, type DecorationSet } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import type { Server } from "./data";
import { plural } from "./format";
import { LanguageServer, type Mark } from "./language";

interface Props {
  server: Server;
  value: string;
  words(): readonly Word[]; // asked for when a word is to be completed
  onChange(text: string): void;
}

/** A tag, type or key of the history, with its sigil, and how many nodes have it. */
export interface Word {
  text: string;
  count: number;
}

/** Offers the words of the history for the one that is being written. */
function complete(words: readonly Word[], context: CompletionContext): CompletionResult | null {
  const here = context.matchBefore(/[.+#][\w:-]*$/);
  if (!here) return null;
  const options = words.filter((w) => w.text[0] === here.text[0]).map((w) => ({ label: w.text, detail: plural(w.count, "node"), boost: 1 }));
  return { from: here.from, options };
}

const external = Annotation.define<boolean>();
const setMarks = StateEffect.define<Mark[]>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, tr) {
    for (const e of tr.effects) {
      if (e.is(setMarks)) {
        const end = tr.newDoc.length;
        return Decoration.set(e.value.filter((m) => m.from < m.to && m.to <= end).map((m) => Decoration.mark({ class: `tok-${m.type}` }).range(m.from, m.to)), true);
      }
    }
    return old.map(tr.changes);
  },
  provide: (f) => EditorView.decorations.from(f),
});

export function SelectorBar({ server, value, words, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;
  const known = useRef(words);
  known.current = words;

  useEffect(() => {
    const language = new LanguageServer(server.languageServer(), server.secret, (list) => {
      const v = view.current;
      if (v) v.dispatch(setDiagnostics(v.state, list.filter((d) => d.to <= v.state.doc.length)));
    });
    const color = async (v: EditorView): Promise<void> => {
      const list = await language.marks();
      if (list && view.current === v) v.dispatch({ effects: setMarks.of(list) });
    };
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(), marks, placeholder("a selector, such as  .seg .block+tool"),
          EditorState.transactionFilter.of((tr) => (tr.newDoc.lines > 1 ? [] : tr)),
          autocompletion({ override: [(c) => complete(known.current(), c), (c) => language.complete(c)] }),
          hoverTooltip(async (_v, pos) => {
            const text = await language.hover(pos);
            return text ? { pos, create: () => ({ dom: Object.assign(document.createElement("div"), { className: "hover", textContent: text }) }) } : null;
          }),
          keymap.of([{ key: "Enter", run: () => true }, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "selector", spellcheck: "false" }),
          EditorView.updateListener.of((u) => {
            if (!u.docChanged) return;
            const text = u.state.doc.toString();
            void language.change(text).then(() => color(u.view));
            if (u.transactions.some((t) => t.annotation(external))) return;
            changed.current(text);
          }),
        ],
      }),
    });
    view.current = editor;
    void language.change(value).then(() => color(editor));
    return () => {
      view.current = undefined;
      editor.destroy();
      language.close();
    };
  }, [server]);

  useEffect(() => {
    const v = view.current;
    // While one types, the value that comes back is older than the text.
    if (v && !v.hasFocus && v.state.doc.toString() !== value) {
      v.dispatch({ changes: { from: 0, to: v.state.doc.length, insert: value }, annotations: external.of(true) });
    }
  }, [value]);

  return <div class="bar-editor" ref={host} />;
}
