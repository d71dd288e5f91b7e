// A language server of CSS: vscode-css-languageservice as its own server uses it, except that it
// checks a document immediately and not after a pause.
import { getCSSLanguageService } from "vscode-css-languageservice";
import { createConnection, ProposedFeatures, TextDocuments, TextDocumentSyncKind } from "vscode-languageserver/node.js";
import { TextDocument } from "vscode-languageserver-textdocument";

const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);
const css = getCSSLanguageService();
const sheets = new Map(); // by URI: a version and its tree

function sheet(document) {
  const known = sheets.get(document.uri);
  if (known?.version === document.version) {
    return known.tree;
  }
  const tree = css.parseStylesheet(document);
  sheets.set(document.uri, { version: document.version, tree });
  return tree;
}

function at(answer) {
  return ({ textDocument, position }) => {
    const document = documents.get(textDocument.uri);
    return document && answer(document, position, sheet(document));
  };
}

connection.onInitialize(() => ({
  capabilities: { textDocumentSync: TextDocumentSyncKind.Incremental, completionProvider: {}, hoverProvider: true },
}));
connection.onCompletion(at((document, position, tree) => css.doComplete(document, position, tree)));
connection.onHover(at((document, position, tree) => css.doHover(document, position, tree)));
documents.onDidChangeContent(({ document }) => {
  const diagnostics = css.doValidation(document, sheet(document));
  connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
});
documents.listen(connection);
connection.listen();
