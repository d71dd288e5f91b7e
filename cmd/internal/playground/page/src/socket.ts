// Replaces WebSocket for the inspector's selector bar (esbuild --inject): the language server of
// the playground is the worker, which answers with the findings of each selector, its words and
// their meanings. It has no completion; the bar offers the words of the history.

import { engine, type Finding } from "./engine";

interface Message { id?: number; method?: string; params?: { position?: { character: number }; textDocument?: { text?: string }; contentChanges?: { text: string }[] } }

/** The kinds of words, as their numbers. */
const kinds = ["keyword", "class", "variable", "decorator", "property", "operator", "string", "number"];

export class WebSocket {
  static readonly OPEN = 1;
  readyState = 0;
  onopen: (() => void) | undefined;
  onmessage: ((e: { data: string }) => void) | undefined;
  onclose: (() => void) | undefined;
  private text = "";

  constructor() {
    engine.listeners.add(this.found);
    queueMicrotask(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  close(): void {
    engine.listeners.delete(this.found);
    this.readyState = 3;
    this.onclose?.();
  }

  send(data: string): void {
    const { id, method, params } = JSON.parse(data) as Message;
    this.text = params?.contentChanges?.[0]?.text ?? params?.textDocument?.text ?? this.text;
    if (id === undefined) return;
    this.answer(method, params?.position?.character ?? 0).catch(() => null).then((result) => this.onmessage?.({ data: JSON.stringify({ id, result }) }));
  }

  private async answer(method: string | undefined, at: number): Promise<unknown> {
    switch (method) {
      case "initialize":
        return { capabilities: { semanticTokensProvider: { legend: { tokenTypes: kinds } } } };
      case "textDocument/hover": {
        const { text } = await engine.hover(this.text, at);
        return text === "" ? null : { contents: text };
      }
      case "textDocument/semanticTokens/full": {
        let last = 0;
        const data = (await engine.words(this.text)).flatMap((w) => {
          const token = [0, w.from - last, w.to - w.from, kinds.indexOf(w.kind), 0];
          last = w.from;
          return token;
        });
        return { data };
      }
      default:
        return null;
    }
  }

  private readonly found = (selector: string, findings: Finding[]): void => {
    if (selector !== this.text) return;
    const diagnostics = findings.map((f) => ({
      range: { start: { line: 0, character: f.from }, end: { line: 0, character: f.to } },
      severity: ["error", "warning", "info", "hint"].indexOf(f.severity) + 1, message: f.hint ? `${f.message}; ${f.hint}` : f.message,
    }));
    this.onmessage?.({ data: JSON.stringify({ method: "textDocument/publishDiagnostics", params: { diagnostics } }) });
  };
}
