// Drives the program named by the first argument over its standard streams, in the folder named by the second, with
// the protocol library that editors use. It ends with an error at the first answer that is not as it should be.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as lsp from 'vscode-languageserver-protocol/node.js';

const [program, folder] = process.argv.slice(2);
const uri = name => pathToFileURL(join(folder, name)).href;
const server = spawn(program, ['--stdio', '--stdio', `--clientProcessId=${process.pid}`], { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = new Promise(resolve => server.on('exit', resolve));
const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
const registered = [];
const progress = [];
connection.onRequest(lsp.RegistrationRequest.type, p => { registered.push(...p.registrations); });
connection.onRequest(lsp.InlayHintRefreshRequest.type, () => {});
connection.onRequest(lsp.CodeLensRefreshRequest.type, () => {});
connection.onRequest(lsp.DiagnosticRefreshRequest.type, () => {});
connection.onProgress(lsp.WorkDoneProgress.type, 'scan', p => progress.push(p.kind));
connection.listen();

const refused = async (code, f) => {
  await assert.rejects(f, e => { assert.equal(e.code, code, e.message); return true; });
};
const position = (line, character) => ({ line, character });
// What the server asks by itself comes when it comes.
const until = async (holds, what) => {
  for (const end = Date.now() + 20_000; !holds(); await new Promise(r => setTimeout(r, 10))) {
    assert.ok(Date.now() < end, what);
  }
};

await refused(lsp.ErrorCodes.ServerNotInitialized, () => connection.sendRequest('textDocument/hover', {}));
const { capabilities } = await connection.sendRequest(lsp.InitializeRequest.type, {
  processId: process.pid, rootUri: pathToFileURL(folder).href,
  workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'e2e' }],
  capabilities: {
    general: { positionEncodings: ['utf-16'] },
    workspace: { didChangeWatchedFiles: { dynamicRegistration: true }, diagnostics: { refreshSupport: true }, workspaceEdit: { documentChanges: true } },
    textDocument: {
      diagnostic: {}, formatting: { dynamicRegistration: true }, inlayHint: {}, rename: { prepareSupport: true },
      semanticTokens: { requests: { full: { delta: true }, range: true }, tokenTypes: [], tokenModifiers: [], formats: ['relative'] },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
      completion: { completionItem: { snippetSupport: true } },
    },
  },
});
assert.equal(capabilities.positionEncoding, 'utf-16');
assert.equal(capabilities.documentFormattingProvider, undefined);
await connection.sendNotification(lsp.InitializedNotification.type, {});

const textDocument = { uri: uri('a.pactsel') };
await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
  textDocument: { ...textDocument, languageId: 'pact-selector', version: 1, text: '# 😀𝄞\n.cb+user\n' },
});
const found = async () => (await connection.sendRequest(lsp.DocumentDiagnosticRequest.type, { textDocument })).items;
assert.deepEqual((await found()).map(d => d.code), ['legacy/type-name']);
await until(() => registered.some(r => r.method === 'textDocument/formatting'), 'formatting is registered');

const actions = await connection.sendRequest(lsp.CodeActionRequest.type, {
  textDocument, range: { start: position(1, 1), end: position(1, 1) }, context: { diagnostics: await found() },
});
const fix = actions.find(a => a.kind === 'quickfix');
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
  textDocument: { ...textDocument, version: 2 }, contentChanges: fix.edit.documentChanges[0].edits.map(e => ({ range: e.range, text: e.newText })),
});
assert.deepEqual(await found(), []);
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
  textDocument: { ...textDocument, version: 3 },
  contentChanges: [
    { range: { start: position(0, 3), end: position(0, 4) }, text: 'x' }, // from inside a surrogate pair: from its start
    { range: { start: position(9, 9), end: position(99, 0) }, text: '.seg+us' }, // past the end: at the end
  ],
});
const list = await connection.sendRequest(lsp.CompletionRequest.type, { textDocument, position: position(2, 7) });
assert.ok(list.items.some(i => i.label === '+user'), JSON.stringify(list));
const edits = await connection.sendRequest(lsp.DocumentFormattingRequest.type, { textDocument, options: { tabSize: 2, insertSpaces: true } });
assert.ok(edits.length > 0);
const hover = await connection.sendRequest(lsp.HoverRequest.type, { textDocument, position: position(1, 2) });
assert.match(JSON.stringify(hover.contents), /f\.json/);
const hints = await connection.sendRequest(lsp.InlayHintRequest.type, { textDocument, range: { start: position(0, 0), end: position(9, 0) } });
assert.ok(hints.some(h => h.label === '1 node'), JSON.stringify(hints));

writeFileSync(join(folder, 'b.py'), "# pact\nx = ctx.select('+user')\n");
await connection.sendNotification(lsp.DidChangeWatchedFilesNotification.type, { changes: [{ uri: uri('b.py'), type: 1 }] });
const renamed = await connection.sendRequest(lsp.RenameRequest.type, { textDocument, position: position(1, 8), newName: 'human' });
assert.deepEqual(renamed.documentChanges.map(c => c.textDocument.uri), [uri('a.pactsel'), uri('b.py')]);
const all = await connection.sendRequest(lsp.WorkspaceDiagnosticRequest.type, { previousResultIds: [], workDoneToken: 'scan' });
assert.ok(Array.isArray(all.items));
assert.equal(progress[0], 'begin');
assert.equal(progress.at(-1), 'end');

const waiting = new lsp.CancellationTokenSource();
const long = connection.sendRequest(lsp.WorkspaceDiagnosticRequest.type, {
  previousResultIds: all.items.map(i => ({ uri: i.uri, value: i.resultId })).concat({ uri: uri('a.pactsel'), value: (await connection.sendRequest(lsp.DocumentDiagnosticRequest.type, { textDocument })).resultId }),
}, waiting.token);
setTimeout(() => waiting.cancel(), 50);
await refused(lsp.LSPErrorCodes.RequestCancelled, () => long);
await refused(lsp.ErrorCodes.MethodNotFound, () => connection.sendRequest('no/such', {}));
await refused(lsp.LSPErrorCodes.RequestFailed, () => connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri: uri('none') }, position: position(0, 0) }));

await connection.sendRequest(lsp.ShutdownRequest.type);
await connection.sendNotification(lsp.ExitNotification.type);
assert.equal(await ended, 0);
