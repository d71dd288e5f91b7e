package pactkit;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.lsp4j.*;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;

/** Drives pact-lsp through a session: Drive PROGRAM SAMPLE, where SAMPLE is a copy of editors/sample. */
public final class Drive implements LanguageClient {
  private final BlockingQueue<PublishDiagnosticsParams> pushed = new LinkedBlockingQueue<>();

  public static void main(String[] args) throws Exception {
    var server = new ProcessBuilder(args[0]).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var drive = new Drive();
    var launcher = LSPLauncher.createClientLauncher(drive, server.getInputStream(), server.getOutputStream());
    launcher.startListening();
    try {
      drive.session(launcher.getRemoteProxy(), Path.of(args[1]).toRealPath());
      check(server.waitFor(30, SECONDS) && server.exitValue() == 0, "exit", server.isAlive() ? "it goes on" : server.exitValue());
    } finally {
      server.destroy();
    }
    System.out.println("all steps went well");
    System.exit(0); // the threads of the library may be alive
  }

  private void session(LanguageServer server, Path sample) throws Exception {
    var edits = new WorkspaceEditCapabilities();
    edits.setDocumentChanges(true);
    var workspace = new WorkspaceClientCapabilities();
    workspace.setWorkspaceEdit(edits);
    var text = new TextDocumentClientCapabilities();
    text.setPublishDiagnostics(new PublishDiagnosticsCapabilities(true));
    text.setHover(new HoverCapabilities(List.of(MarkupKind.MARKDOWN), false));
    text.setRename(new RenameCapabilities(true, false));
    var start = new InitializeParams();
    start.setProcessId((int) ProcessHandle.current().pid());
    start.setWorkspaceFolders(List.of(new WorkspaceFolder(sample.toUri().toString(), "sample")));
    start.setCapabilities(new ClientCapabilities(workspace, text, null, null));
    var answer = server.initialize(start).get(30, SECONDS);
    check(answer.getCapabilities().getHoverProvider() != null, "initialize", answer.getServerInfo().getName());
    server.initialized(new InitializedParams());

    var uri = sample.resolve("agent.go").toUri().toString();
    var source = Files.readString(sample.resolve("agent.go"));
    server.getTextDocumentService().didOpen(new DidOpenTextDocumentParams(new TextDocumentItem(uri, "go", 1, source)));
    var found = diagnostics("agent.go").stream().map(d -> d.getCode().getLeft()).toList();
    check(found.contains("legacy/type-name") && found.contains("correctness/unknown-tag"), "diagnostics", found);

    var file = new TextDocumentIdentifier(uri);
    var tag = position(source, "+question", 1);
    var hover = server.getTextDocumentService().hover(new HoverParams(file, tag)).get(30, SECONDS);
    var says = hover.getContents().getRight().getValue();
    check(says.contains("tagged \"question\""), "hover", says.lines().findFirst().orElse(""));

    var list = server.getTextDocumentService().completion(new CompletionParams(file, tag)).get(30, SECONDS).getRight();
    var labels = list.getItems().stream().map(CompletionItem::getLabel).toList();
    check(labels.contains("+answer") && labels.contains("+policy"), "completion", labels);

    var edit = server.getTextDocumentService().rename(new RenameParams(file, tag, "inquiry")).get(60, SECONDS);
    var files = new ArrayList<String>();
    for (var change : edit.getDocumentChanges()) {
      var changed = change.getLeft().getTextDocument().getUri();
      files.add(changed.substring(changed.lastIndexOf('/') + 1) + " " + change.getLeft().getEdits().size());
    }
    files.sort(null);
    check(files.equals(List.of("agent.go 1", "agent.pactsel 2", "agent.py 2", "agent.ts 1", "notes.md 2")), "rename", files);

    var typo = position(source, "+polcy", 1);
    var range = new Range(typo, new Position(typo.getLine(), typo.getCharacter() + "polcy".length()));
    server.getTextDocumentService().didChange(new DidChangeTextDocumentParams(
        new VersionedTextDocumentIdentifier(uri, 2), List.of(new TextDocumentContentChangeEvent(range, "policy"))));
    found = diagnostics("agent.go").stream().map(d -> d.getCode().getLeft()).toList();
    check(!found.contains("correctness/unknown-tag"), "diagnostics after an edit", found);

    check(server.shutdown().get(30, SECONDS) == null, "shutdown", "null");
    server.exit();
  }

  /** Waits for what is pushed for a file. */
  private List<Diagnostic> diagnostics(String name) throws InterruptedException {
    for (;;) {
      var p = pushed.poll(60, SECONDS);
      if (p == null) {
        check(false, "diagnostics", "nothing was pushed for " + name);
      } else if (p.getUri().endsWith("/" + name)) {
        return p.getDiagnostics();
      }
    }
  }

  private static Position position(String source, String text, int in) {
    var before = source.substring(0, source.indexOf(text) + in);
    var line = (int) before.chars().filter(c -> c == '\n').count();
    return new Position(line, before.length() - before.lastIndexOf('\n') - 1);
  }

  private static void check(boolean holds, String step, Object saw) {
    if (!holds) {
      System.out.println("FAIL  " + step + ": " + saw);
      System.exit(1);
    }
    System.out.println("ok    " + step + ": " + saw);
  }

  @Override
  public void publishDiagnostics(PublishDiagnosticsParams p) {
    pushed.add(p);
  }

  @Override
  public void telemetryEvent(Object o) {}

  @Override
  public void showMessage(MessageParams m) {}

  @Override
  public CompletableFuture<MessageActionItem> showMessageRequest(ShowMessageRequestParams p) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void logMessage(MessageParams m) {}

  @Override
  public CompletableFuture<Void> registerCapability(RegistrationParams p) {
    return CompletableFuture.completedFuture(null);
  }
}
