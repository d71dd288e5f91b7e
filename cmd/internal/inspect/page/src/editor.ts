// The editor of the selector bar: one line with the words, colours and findings of pact-lsp. It is most of the page's code.

import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap, placeholder, type DecorationSet } from "@codemirror/view";
import type { Server } from "./data";
import { hint, plural } from "./format";
import { LanguageServer, type Mark } from "./language";

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

export interface Editor {
  focus(): void;
  /** Replaces the text with one that comes from elsewhere. */
  set(text: string): void;
  destroy(): void;
}

/** Makes an editor. It calls words when a word is to be completed, and onChange when the reader has changed the text. */
export function edit(parent: HTMLElement, server: Server, text: string, words: () => readonly Word[], onChange: (text: string) => void): Editor {
  let open = true;
  const language = new LanguageServer(server.languageServer(), server.secret, (list) => {
    if (open) view.dispatch(setDiagnostics(view.state, list.filter((d) => d.to <= view.state.doc.length)));
  });
  const color = async (): Promise<void> => {
    const list = await language.marks();
    if (list && open) view.dispatch({ effects: setMarks.of(list) });
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      selection: { anchor: text.length },
      extensions: [
        history(), marks, placeholder(hint),
        EditorState.transactionFilter.of((tr) => (tr.newDoc.lines > 1 ? [] : tr)),
        autocompletion({ override: [(c) => complete(words(), c), (c) => language.complete(c)] }),
        hoverTooltip(async (_v, pos) => {
          const found = await language.hover(pos);
          return found ? { pos, create: () => ({ dom: Object.assign(document.createElement("div"), { className: "hover", textContent: found }) }) } : null;
        }),
        keymap.of([
          { key: "Enter", run: () => true }, ...completionKeymap,
          { key: "Escape", run: (v) => { v.contentDOM.blur(); return true; } }, ...historyKeymap, ...defaultKeymap,
        ]),
        EditorView.contentAttributes.of({ "aria-label": "selector", spellcheck: "false" }),
        EditorView.updateListener.of((u) => {
          if (!u.docChanged) return;
          const now = u.state.doc.toString();
          if (!u.transactions.some((t) => t.annotation(external))) onChange(now);
          void language.change(now).then(color);
        }),
      ],
    }),
  });
  void language.change(text).then(color);
  return {
    focus: () => view.focus(),
    set: (now) => {
      // While one types, a text that comes back is older than the editor's.
      if (view.hasFocus || view.state.doc.toString() === now) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: now }, annotations: external.of(true) });
    },
    destroy: () => {
      open = false;
      view.destroy();
      language.close();
    },
  };
}
