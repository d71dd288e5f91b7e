// Takes the place of WebSocket for the inspector's selector bar (esbuild --inject): the language server of the playground is the
// worker, which tells the findings of each selector. It has no completion of its own; the bar offers the words of the history.

import { engine, type Finding } from "./engine";

interface Message { id?: number; method?: string; params?: { textDocument?: { text?: string }; contentChanges?: { text: string }[] } }

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
    const { id, params } = JSON.parse(data) as Message;
    this.text = params?.contentChanges?.[0]?.text ?? params?.textDocument?.text ?? this.text;
    if (id !== undefined) queueMicrotask(() => this.onmessage?.({ data: JSON.stringify({ id, result: null }) }));
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
