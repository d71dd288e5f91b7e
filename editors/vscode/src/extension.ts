// The client of pact-lsp in VS Code. All that is known of selectors is in the server; here is what only an editor can
// do: start the server, say which selector a command is about, and show what a command answers.
import * as vscode from "vscode";
import { type ExecuteCommandSignature, LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";

import { Inspector, type Subject } from "./inspector";
import { registerShowNode } from "./preview";
import { programPath } from "./program";
import { isShown, Results } from "./results";

// The languages whose documents can hold selectors: selector files, and what the server looks into for strings.
const languages = [
  "pact-selector", "go", "python", "javascript", "javascriptreact", "typescriptreact", "typescript", "rust",
  "java", "ruby", "json", "jsonc", "yaml", "toml", "markdown",
];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const results = new Results(() => client);
  const inspector = new Inspector();
  context.subscriptions.push(
    results,
    inspector,
    registerShowNode(),
    vscode.commands.registerCommand("pactkit.openInInspector", (uri?: vscode.Uri, all?: vscode.Uri[]) => inspect(inspector, results, uri, all)),
    vscode.commands.registerCommand("pactkit.restartServer", () => restart(results)),
    vscode.workspace.onDidChangeConfiguration(async (e) => {
      if (e.affectsConfiguration("pactkit.program")) {
        inspector.dispose();
      }
      if (e.affectsConfiguration("pactkit.server")) {
        await restart(results);
      }
    }),
  );
  await start(results);
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
}

async function restart(results: Results): Promise<void> {
  const old = client;
  client = undefined;
  await old?.dispose();
  await start(results);
}

async function start(results: Results): Promise<void> {
  const settings = vscode.workspace.getConfiguration("pactkit.server");
  const command = programPath("pact-lsp", settings.get("path", ""));
  const options: LanguageClientOptions = {
    documentSelector: languages.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    outputChannelName: "PACT selectors",
    synchronize: { configurationSection: "pactkit" },
    middleware: { executeCommand: (name, args, next) => execute(results, name, args, next) },
  };
  client = new LanguageClient("pactkit", "PACT selectors", { command, args: settings.get("arguments", []) }, options);
  try {
    await client.start();
  } catch (e) {
    client = undefined;
    const install = "go install github.com/pactkit/pactkit/cmd/pact-lsp@latest";
    const chosen = await vscode.window.showErrorMessage(
      `pact-lsp could not be started: ${e instanceof Error ? e.message : e}. It is installed with \`${install}\`.`,
      "Open Settings",
    );
    if (chosen) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "pactkit.server.path");
    }
  }
}

// execute handles the commands of the server. The palette calls them without arguments, a menu with the URI that
// the menu is for: in both cases they are about the selector at the cursor. execute shows the answer.
async function execute(results: Results, name: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  if (!client) {
    return undefined;
  }
  if (name === "pactkit.restart") {
    return next(name, args);
  }
  if (name === "pactkit.dumpState") {
    const content = JSON.stringify(await next(name, args), undefined, 2);
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "json", content }));
  }
  const target = typeof args[0] === "string" ? given(client, args) : cursor();
  if (!target) {
    return vscode.window.showInformationMessage("Put the cursor into a selector first.");
  }
  if (isShown(name)) {
    return results.show(name, target.document, target.position);
  }
  const answer: unknown = await next(name, [
    client.code2ProtocolConverter.asUri(target.document.uri),
    client.code2ProtocolConverter.asPosition(target.position),
  ]);
  if ((name === "pactkit.copyCanonical" || name === "pactkit.createSelector") && typeof answer === "string") {
    await vscode.env.clipboard.writeText(answer);
    vscode.window.setStatusBarMessage(`Copied ${answer}`, 5000);
  }
  if (name === "pactkit.createSelector" && typeof answer === "string") {
    const created = await vscode.workspace.openTextDocument({ language: "pact-selector", content: `${answer}\n` });
    await vscode.window.showTextDocument(created, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  } else if (name === "pactkit.selectorsOfNode") {
    await showSelectors(client, target, answer as { id: string; selectors: Location[] });
  }
  return answer;
}

// inspect opens histories in the inspector: those chosen in the explorer, the one in the editor, or the fixtures of the
// selector at the cursor or of the result that is shown, with that selector.
async function inspect(inspector: Inspector, results: Results, uri?: vscode.Uri, all?: vscode.Uri[]): Promise<unknown> {
  const subject = await histories(results, uri, all);
  if (!subject || subject.paths.length === 0) {
    return vscode.window.showInformationMessage(
      "Choose a history, or put the cursor into a selector for which `.pactkit.toml` names fixtures.",
    );
  }
  return inspector.open(subject);
}

async function histories(results: Results, uri?: vscode.Uri, all?: vscode.Uri[]): Promise<Subject | undefined> {
  const shown = vscode.window.activeTextEditor;
  const document = uri ?? shown?.document.uri;
  const command = results.shownIn(document);
  if (command) {
    return results.subject(command);
  }
  if (!document) {
    return undefined;
  }
  const inSelectors = shown?.document.languageId === "pact-selector" && shown.document.uri.toString() === document.toString();
  if (!inSelectors && (uri || /\.(json|jsonl|ndjson)$/i.test(document.path))) {
    return { paths: (all?.length ? all : [document]).map((u) => u.fsPath) };
  }
  return shown && results.evaluated(shown.document, shown.selection.active);
}

interface Target {
  document: vscode.TextDocument;
  position: vscode.Position;
}

function cursor(): Target | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && { document: editor.document, position: editor.selection.active };
}

// given reads the arguments that a code lens of the server has: a URI and a position or range.
function given(client: LanguageClient, args: unknown[]): Target | undefined {
  const uri = client.protocol2CodeConverter.asUri(args[0] as string).toString();
  const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri);
  const at = args[1] as { line: number; character: number } & { start?: { line: number; character: number } };
  return document && at && { document, position: client.protocol2CodeConverter.asPosition(at.start ?? at) };
}

interface Location {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

async function showSelectors(client: LanguageClient, target: Target, found: { id: string; selectors: Location[] }) {
  const locations = found.selectors.map(
    (l) => new vscode.Location(client.protocol2CodeConverter.asUri(l.uri), client.protocol2CodeConverter.asRange(l.range)),
  );
  await vscode.commands.executeCommand(
    "editor.action.goToLocations", target.document.uri, target.position, locations, "peek",
    `No selector of the workspace matches the node ${found.id}.`,
  );
}
