import * as vscode from "vscode";
import type { LanguageClient, Position } from "vscode-languageclient/node";

import type { Subject as Histories } from "./inspector";
import { Preview } from "./preview";

const scheme = "pact-result";

// What a command answers about a position, shown in a preview, or in a document where Markdown cannot be rendered.
interface Answer {
  title: string;
  uri: vscode.Uri;
  ask(client: LanguageClient, uri: string, position: Position): Promise<string>;
}

const documents: Record<string, Answer> = {
  "pactkit.explain": {
    title: "Explanation",
    uri: vscode.Uri.from({ scheme, path: "/Explanation.md" }),
    ask: execute("pactkit.explain"),
  },
  "pactkit.profile": {
    title: "Profile",
    uri: vscode.Uri.from({ scheme, path: "/Profile.md" }),
    ask: execute("pactkit.profile"),
  },
  // Of the command pactkit.evaluate, the server opens a document itself: it stays at its line and column, whereas this
  // one follows its selector.
  "pactkit.evaluate": {
    title: "Result",
    uri: vscode.Uri.from({ scheme, path: "/Result.md" }),
    ask: async (client, uri, position) => (await evaluate(client, uri, position)).text,
  },
};

function execute(command: string): Answer["ask"] {
  return (client, uri, position) =>
    client.sendRequest("workspace/executeCommand", { command, arguments: [uri, position] });
}

// isShown tells whether the answer of a command is shown as a document.
export function isShown(command: string): boolean {
  return command in documents;
}

// What the server answers to pactkit/evaluate.
interface Evaluated {
  text: string;
  selector?: string; // not while it has an error
  fixtures?: string[];
}

function evaluate(client: LanguageClient, uri: string, position: Position): Promise<Evaluated> {
  return client.sendRequest("pactkit/evaluate", { textDocument: { uri }, position });
}

// How long the text has to rest before a result is worked out again.
const rest = 150; // ms

interface Subject {
  document: vscode.TextDocument;
  offset: number; // of a byte of the selector; it moves with the text
  column: vscode.ViewColumn; // of its editor
  last: string; // the last answer that was not an error
}

// Results are the previews or documents with the explanation and the result of a selector. They are live: when the selector, a
// fixture or the configuration changes, so does what they show.
export class Results implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly subjects = new Map<string, Subject>();
  private readonly previews = new Map<string, Preview>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly disposables: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private hints: vscode.Disposable | undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument((e) => this.move(e)),
      vscode.workspace.onDidCloseTextDocument((d) => this.close(d)),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.hints?.dispose();
    [...this.disposables, ...this.previews.values()].forEach((d) => d.dispose());
  }

  // show shows beside the editor what a command answers about the selector at a position.
  async show(command: string, document: vscode.TextDocument, position: vscode.Position): Promise<void> {
    const column = vscode.window.activeTextEditor?.viewColumn ?? vscode.ViewColumn.One;
    this.subjects.set(command, { document, offset: document.offsetAt(position), column, last: "" });
    this.follow(document);
    if (Preview.available()) {
      this.preview(command).reveal(column);
      return this.refresh(command);
    }
    const { uri } = documents[command];
    this.changed.fire(uri);
    const shown = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  private preview(command: string): Preview {
    let preview = this.previews.get(command);
    if (!preview) {
      preview = new Preview(documents[command].title, () => {
        this.previews.delete(command);
        this.subjects.delete(command);
      });
      this.previews.set(command, preview);
    }
    return preview;
  }

  // refresh shows what a command answers now.
  private async refresh(command: string): Promise<void> {
    this.changed.fire(documents[command].uri);
    await this.previews.get(command)?.show(this.text(command), this.subjects.get(command)!.column);
  }

  provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return this.text(this.shownIn(uri));
  }

  // shownIn returns the command whose answer is in a document or, without a document, in the active preview.
  shownIn(uri: vscode.Uri | undefined): string {
    const shows = uri?.scheme === scheme
      ? (command: string) => documents[command].uri.path === uri.path
      : (command: string) => (!uri || uri.scheme === "webview-panel") && this.previews.get(command)?.active;
    return Object.keys(documents).find(shows) ?? "";
  }

  private async text(command: string): Promise<string> {
    const subject = this.subjects.get(command);
    const client = this.client();
    if (!subject || !client) {
      return "No selector was chosen, or the server is not running.\n";
    }
    const at = client.code2ProtocolConverter.asPosition(subject.document.positionAt(subject.offset));
    try {
      const uri = client.code2ProtocolConverter.asUri(subject.document.uri);
      subject.last = await documents[command].ask(client, uri, at);
      return subject.last;
    } catch (e) {
      const why = e instanceof Error ? e.message : String(e);
      return subject.last === "" ? `${why}\n` : `${why}; this was so before:\n\n${subject.last}`;
    }
  }

  // evaluated returns the fixtures that the selector at a position is held against, and the selector.
  async evaluated(document: vscode.TextDocument, position: vscode.Position): Promise<Histories | undefined> {
    const client = this.client();
    if (!client) {
      return undefined;
    }
    const { code2ProtocolConverter: code, protocol2CodeConverter: protocol } = client;
    const { selector, fixtures } = await evaluate(client, code.asUri(document.uri), code.asPosition(position));
    return { paths: (fixtures ?? []).map((uri) => protocol.asUri(uri).fsPath), selector };
  }

  // subject is evaluated for the selector that the answer of a command is about.
  async subject(command: string): Promise<Histories | undefined> {
    const s = this.subjects.get(command);
    return s && this.evaluated(s.document, s.document.positionAt(s.offset));
  }

  // move keeps the offsets of the subjects while their documents are edited.
  private move(e: vscode.TextDocumentChangeEvent): void {
    let touched = false;
    for (const s of this.subjects.values()) {
      if (s.document !== e.document) {
        continue;
      }
      touched = true;
      for (const c of e.contentChanges) {
        if (c.rangeOffset + c.rangeLength <= s.offset) {
          s.offset += c.text.length - c.rangeLength;
        } else if (c.rangeOffset < s.offset) {
          s.offset = Math.min(s.offset, c.rangeOffset + c.text.length);
        }
      }
    }
    if (touched) {
      this.renew();
    }
  }

  // follow listens to what the server says when fixtures or configuration have changed: that the counts beside the
  // selectors are to be asked for again.
  private follow(document: vscode.TextDocument): void {
    this.hints?.dispose();
    const provider = this.client()?.getFeature("textDocument/inlayHint")?.getProvider(document);
    this.hints = provider?.onDidChangeInlayHints.event(() => this.renew());
  }

  private renew(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const command of this.subjects.keys()) {
        void this.refresh(command);
      }
    }, rest);
  }

  private close(d: vscode.TextDocument): void {
    for (const [command, { uri }] of Object.entries(documents)) {
      if (d.uri.toString() === uri.toString()) {
        this.subjects.delete(command);
      }
    }
  }
}
