// pact-lsp over a WebSocket, for the selector bar: completion, hover, findings and the words' colours.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Diagnostic } from "@codemirror/lint";

interface Position { line: number; character: number }
interface Range { start: Position; end: Position }
interface Item { label: string; kind?: number; detail?: string; documentation?: string | { value: string }; sortText?: string; textEdit?: { newText: string; range: Range }; insertText?: string }

export interface Mark { from: number; to: number; type: string }

/** A text of the server without the numbers of decisions, which readers of the reference follow, such as (D8). */
function plain(text: string): string {
  return text.replace(/ \((?:[A-Z]\d+(?:, )?)+\)/g, "");
}

/** One document, the selector, held open on the server. The positions of the protocol are UTF-16 units, as the page's. */
export class LanguageServer {
  private socket: WebSocket | undefined;
  private next = 1;
  private readonly pending = new Map<number, (result: unknown) => void>();
  private readonly ready: Promise<void>;
  private version = 0;
  private legend: string[] = [];
  private text = "";
  private readonly uri = "untitled:inspector.pactsel";

  constructor(address: string, private readonly token: string, private readonly onFindings: (list: Diagnostic[]) => void) {
    this.ready = new Promise((resolve) => {
      const socket = new WebSocket(address, ["pactkit"]);
      this.socket = socket;
      socket.onopen = () => void this.start().then(resolve);
      socket.onmessage = (e) => this.receive(JSON.parse(String(e.data)));
      socket.onclose = () => {
        this.socket = undefined;
        for (const answer of this.pending.values()) answer(undefined);
        this.pending.clear();
      };
    });
  }

  close(): void {
    this.socket?.close();
  }

  private async start(): Promise<void> {
    const result = (await this.request("initialize", {
      processId: null, rootUri: null, initializationOptions: { token: this.token },
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        textDocument: {
          completion: { completionItem: { documentationFormat: ["markdown", "plaintext"] } },
          hover: { contentFormat: ["plaintext"] }, publishDiagnostics: {},
          semanticTokens: { requests: { full: true }, tokenTypes: tokenTypes, tokenModifiers: [], formats: ["relative"] },
        },
      },
    })) as { capabilities?: { semanticTokensProvider?: { legend: { tokenTypes: string[] } } } } | undefined;
    this.legend = result?.capabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
    this.notify("initialized", {});
    this.notify("textDocument/didOpen", { textDocument: { uri: this.uri, languageId: "pactsel", version: this.version, text: this.text } });
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  private notify(method: string, params: unknown): void {
    this.send({ method, params });
  }

  private request(method: string, params: unknown): Promise<unknown> {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve(undefined);
    const id = this.next++;
    return new Promise((resolve) => {
      this.pending.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  private receive(message: { id?: number; method?: string; params?: unknown; result?: unknown }): void {
    if (message.method === undefined) {
      this.pending.get(message.id!)?.(message.result);
      this.pending.delete(message.id!);
    } else if (message.method === "textDocument/publishDiagnostics") {
      const { diagnostics } = message.params as { diagnostics: { range: Range; severity?: number; message: string; code?: string }[] };
      this.onFindings(diagnostics.map((d) => ({
        from: this.offset(d.range.start), to: this.offset(d.range.end), message: plain(d.message),
        severity: d.severity === 1 ? "error" : d.severity === 2 ? "warning" : "info",
      })));
    } else if (message.id !== undefined) {
      const empty = message.method === "workspace/configuration" ? (message.params as { items: unknown[] }).items.map(() => null) : null;
      this.send({ id: message.id, result: empty });
    }
  }

  /** The selector is one line, so a position is a column. */
  private offset(p: Position): number {
    return p.line > 0 ? this.text.length : Math.min(p.character, this.text.length);
  }

  async change(text: string): Promise<void> {
    this.text = text;
    await this.ready;
    this.version++;
    this.notify("textDocument/didChange", { textDocument: { uri: this.uri, version: this.version }, contentChanges: [{ text }] });
  }

  async complete(context: CompletionContext): Promise<CompletionResult | null> {
    await this.ready;
    const result = (await this.request("textDocument/completion", this.at(context.pos))) as { items: Item[] } | Item[] | null | undefined;
    const items = Array.isArray(result) ? result : result?.items ?? [];
    if (items.length === 0 || context.aborted) return null;
    const range = items[0]!.textEdit?.range;
    const from = range ? this.offset(range.start) : context.pos;
    return {
      from,
      options: items.map((item): Completion => {
        const option: Completion = { label: item.textEdit?.newText ?? item.insertText ?? item.label, displayLabel: item.label };
        if (item.detail) option.detail = item.detail;
        if (item.documentation) option.info = plain(typeof item.documentation === "string" ? item.documentation : item.documentation.value);
        return option;
      }),
    };
  }

  async hover(pos: number): Promise<string | undefined> {
    await this.ready;
    const result = (await this.request("textDocument/hover", this.at(pos))) as { contents: string | { value: string } } | null | undefined;
    return result ? plain(typeof result.contents === "string" ? result.contents : result.contents.value) : undefined;
  }

  /** The colours of the text, or undefined if it changed in the meantime. */
  async marks(): Promise<Mark[] | undefined> {
    await this.ready;
    const version = this.version;
    const result = (await this.request("textDocument/semanticTokens/full", { textDocument: { uri: this.uri } })) as { data: number[] } | null | undefined;
    if (!result || version !== this.version) return undefined;
    const out: Mark[] = [];
    let line = 0, at = 0;
    for (let i = 0; i + 4 < result.data.length; i += 5) {
      const [lines, columns, length, type] = result.data.slice(i, i + 4) as [number, number, number, number];
      at = lines > 0 ? columns : at + columns;
      line += lines;
      if (line === 0) out.push({ from: at, to: at + length, type: this.legend[type] ?? "" });
    }
    return out;
  }

  private at(pos: number) {
    return { textDocument: { uri: this.uri }, position: { line: 0, character: pos } };
  }
}

const tokenTypes = [
  "namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter", "variable", "property", "enumMember", "event",
  "function", "method", "macro", "keyword", "modifier", "comment", "string", "number", "regexp", "operator", "decorator", "label",
];
