import * as vscode from "vscode";

// The extension of VS Code that renders Markdown. It can be disabled.
const markdown = () => vscode.extensions.getExtension("vscode.markdown-language-features");

// A Preview is a panel beside an editor with Markdown as VS Code renders it. VS Code's own preview of a document would drop
// links to files, take the focus, go over to the next Markdown file that is looked at, and end when its document is closed
// for being in no editor.
export class Preview implements vscode.Disposable {
  static readonly viewType = "pactkit.result";
  private readonly panel: vscode.WebviewPanel;
  private newest: Promise<string> | undefined;

  static available(): boolean {
    return markdown() !== undefined;
  }

  constructor(title: string, closed: () => void) {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.panel = vscode.window.createWebviewPanel(Preview.viewType, title, where, {
      enableCommandUris: [showNode],
      enableFindWidget: true,
      localResourceRoots: [media()],
    });
    this.panel.onDidDispose(() => {
      this.newest = undefined;
      closed();
    });
  }

  dispose(): void {
    this.panel.dispose();
  }

  get active(): boolean {
    return this.panel.active;
  }

  // reveal brings the panel to the front; from the column of the editor it moves to the one beside it.
  reveal(column: vscode.ViewColumn): void {
    this.panel.reveal(this.panel.viewColumn === column ? vscode.ViewColumn.Beside : undefined, true);
  }

  // show shows a text, whose links to nodes open in a column, unless a newer one was shown before it was there.
  async show(text: Promise<string>, column: vscode.ViewColumn): Promise<void> {
    this.newest = text;
    const html = await vscode.commands.executeCommand<string>("markdown.api.render", linked(await text, column));
    if (this.newest === text) {
      this.panel.webview.html = page(this.panel.webview, html);
    }
  }
}

const showNode = "pactkit.showNode";

// registerShowNode registers the command that the links of previews call.
export function registerShowNode(): vscode.Disposable {
  return vscode.commands.registerCommand(showNode, (uri: string, line: number, viewColumn: vscode.ViewColumn) => {
    const selection = new vscode.Range(line - 1, 0, line - 1, 0);
    return vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection, viewColumn });
  });
}

// linked turns links to lines of files, which the Markdown of VS Code drops, into links to the command.
function linked(text: string, column: vscode.ViewColumn): string {
  return text.replace(/\]\((file:\S+)#L(\d+)\)/g, (_, uri: string, line: string) => {
    const args = encodeURIComponent(JSON.stringify([uri, Number(line), column]));
    return `](<command:${showNode}?${args}>)`;
  });
}

function media(): vscode.Uri {
  return vscode.Uri.joinPath(markdown()!.extensionUri, "media");
}

// page is an HTML page that looks like VS Code's preview, and can load nothing but its style.
function page(webview: vscode.Webview, body: string): string {
  const style = webview.asWebviewUri(vscode.Uri.joinPath(media(), "markdown.css"));
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}">
<link rel="stylesheet" href="${style}">
</head>
<body>${body}</body>
</html>`;
}
