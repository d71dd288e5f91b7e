package lsp

import (
	"context"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
)

// The kinds of code action that the server defines.
const (
	fixAllKind    = "source.fixAll.pactkit"
	normalizeKind = "source.normalize.pactkit"
	rewriteKind   = "refactor.rewrite.pactkit"
	extractKind   = "refactor.extract.pactkit" // of a selector, or of the node of a fixture
)

var actionKinds = []string{
	"quickfix", fixAllKind, normalizeKind, rewriteKind, rewriteKind + ".format", rewriteKind + ".split", rewriteKind + ".merge", extractKind,
}

// action is a code action. It replaces the type of glsp, whose diagnostics glsp cannot unmarshal.
type action struct {
	Title       string            `json:"title"`
	Kind        string            `json:"kind"`
	Diagnostics []diagnostic      `json:"diagnostics,omitempty"`
	Preferred   bool              `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit    `json:"edit,omitempty"`
	Command     *protocol.Command `json:"command,omitempty"`
}

// workspaceEdit is a set of edits of documents, with versions if the client supports them.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []documentChange      `json:"documentChanges,omitempty"`
	Annotations     map[string]annotation `json:"changeAnnotations,omitempty"`
}

// textEdit is an edit that may have a change annotation. It has a new text or, for clients that
// support it, a snippet (LSP 3.18).
type textEdit struct {
	Range        protocol.Range `json:"range"`
	NewText      *string        `json:"newText,omitempty"`
	Snippet      *snippet       `json:"snippet,omitempty"`
	AnnotationID string         `json:"annotationId,omitempty"`
}

// snippet is text with placeholders.
type snippet struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// annotation is a change annotation: a label for several edits, and whether the user has to confirm
// them.
type annotation struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Confirm     bool   `json:"needsConfirmation"`
}

// documentChange edits a document, or creates a file.
type documentChange struct {
	Kind         string         `json:"kind,omitempty"`
	URI          string         `json:"uri,omitempty"`
	Options      map[string]any `json:"options,omitempty"`
	TextDocument *edited        `json:"textDocument,omitempty"`
	Edits        []textEdit     `json:"edits,omitempty"`
}

// edited is the document, in a version, to which edits apply.
type edited struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

// createFile creates a file unless it exists.
func createFile(uri string) documentChange {
	return documentChange{Kind: "create", URI: uri, Options: map[string]any{"ignoreIfExists": true}}
}

// edit makes a workspace edit of one document.
func (s *server) edit(d *document, edits []diag.Edit) *workspaceEdit {
	var w workspaceEdit
	s.addEdits(&w, d, edits)
	return &w
}

func (s *server) addEdits(w *workspaceEdit, d *document, edits []diag.Edit) {
	list := make([]textEdit, len(edits))
	for i, e := range edits {
		list[i] = textEdit{Range: d.rangeOf(e.Span), NewText: &e.Text}
	}
	if !s.client.documentChanges {
		if w.Changes == nil {
			w.Changes = map[string][]textEdit{}
		}
		w.Changes[d.uri] = list
		return
	}
	e := documentChange{TextDocument: &edited{URI: d.uri}, Edits: list}
	if d.open {
		e.TextDocument.Version = &d.version
	}
	w.DocumentChanges = append(w.DocumentChanges, e)
}

type actionParams struct {
	docParams
	Range   protocol.Range `json:"range"`
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// wants reports whether the client requested actions of a kind. Kinds are hierarchical: source
// includes source.fixAll.
func (p *actionParams) wants(kind string) bool {
	return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
		return kind == only || len(kind) > len(only) && kind[:len(only)] == only && kind[len(only)] == '.'
	})
}

// actions answers textDocument/codeAction.
func (s *server) actions(ctx context.Context, v *view, p *actionParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || !s.client.literalActions && !s.client.applyEdit {
		return nil, err
	}
	list := s.actionsAt(ctx, v, d, p)
	if s.client.literalActions {
		return list, nil
	}
	commands := []protocol.Command{} // a client without action literals understands only commands
	for _, x := range list {
		if x.Command == nil {
			x.Command = &protocol.Command{Title: x.Title, Command: applyCommand, Arguments: []any{x.Title, x.Edit}}
		}
		commands = append(commands, *x.Command)
	}
	return commands, nil
}

// actionsAt lists the actions of a range.
func (s *server) actionsAt(ctx context.Context, v *view, d *document, p *actionParams) []action {
	at := d.span(p.Range)
	list := s.nodeActions(ctx, v, d, at, p)
	if d.host == nil {
		return list
	}
	a := d.analyze(ctx, v.snapshot)
	if p.wants("quickfix") {
		list = append(list, s.quickFixes(ctx, v, d, a, at)...)
	}
	list = append(list, s.rewrites(ctx, d, a, at, p)...)
	for _, x := range s.unionActions(ctx, d, a, at) {
		if p.wants(x.Kind) {
			list = append(list, x)
		}
	}
	if sel := a.selectorAt(ctx, at.Start); sel != nil && p.wants(extractKind) {
		if x, ok := s.extract(ctx, v, d, a, sel); ok {
			list = append(list, x)
		}
	}
	// Actions on the whole document are offered only if the client requests their kind, as it does
	// on saving.
	for _, kind := range []string{fixAllKind, normalizeKind} {
		if len(p.Context.Only) > 0 && p.wants(kind) {
			if x, ok := s.wholeDocument(ctx, d, a, kind); ok {
				list = append(list, x)
			}
		}
	}
	return list
}

// touches reports whether two spans overlap or touch.
func touches(a, b ast.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// A client may request the actions of a whole document, so there are bounds on the fixes and
// rewrites that are offered. Each suppression is tested on the whole document.
const (
	maxActions      = 100
	maxSuppressions = 10
)

// quickFixes are the fixes of the findings in a span, then comments that silence them.
func (s *server) quickFixes(ctx context.Context, v *view, d *document, a *analysis, at ast.Span) []action {
	var list, silencing []action
	found := a.result(ctx).Findings
	for i := range found {
		f := &found[i]
		if !touches(f.Span, at) {
			continue
		}
		if len(list)+len(silencing) >= maxActions {
			break
		}
		x := s.diagnosticOf(d, f)
		fixes := f.Fixes
		if f.Severity != diag.Error && a.hasError(ctx, f.Span) {
			fixes = nil // the meaning of the selector is unknown, so nothing proves that it stays the same
		}
		for k, fix := range fixes {
			title := fix.Title
			switch {
			case a.grade(f.Span) == host.Likely:
				title += " (nothing proves that this is a selector of PACT)"
			case !fix.Safe:
				title += " (may change what is selected)"
			}
			list = append(list, action{
				Title: title, Kind: "quickfix", Diagnostics: []diagnostic{x}, Preferred: k == 0 && fix.Safe && s.client.preferred, Edit: s.edit(d, fix.Edits),
			})
		}
		known := a.grade(f.Span) != host.Unproven
		if len(silencing) < maxSuppressions && known {
			if e, ok := check.Silence(ctx, d.host, d.path, d.src, a.options, a.result(ctx), []check.Finding{*f}, ""); ok {
				silencing = append(silencing, action{
					Title: "ignore " + f.Rule.ID + " here", Kind: "quickfix", Diagnostics: []diagnostic{x}, Edit: s.withReason(s.edit(d, []diag.Edit{e})),
				})
			}
		}
		if x, ok := s.addWord(ctx, v, d, a, f); ok && known {
			list = append(list, x)
		}
	}
	return append(list, silencing...)
}

// withReason makes the reason at the end of a suppression comment a placeholder.
func (s *server) withReason(w *workspaceEdit) *workspaceEdit {
	if !s.client.snippetEdits {
		return w
	}
	e := &w.DocumentChanges[0].Edits[0]
	text := strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`).Replace(*e.NewText)
	at := strings.LastIndex(text, "-- ") + len("-- ")
	e.NewText, e.Snippet = nil, &snippet{"snippet", text[:at] + "${0:reason}" + text[at:]}
	return w
}

// grade returns how sure it is that a span is in a selector. Outside strings there is no doubt.
func (a *analysis) grade(at ast.Span) host.Grade {
	i := slices.IndexFunc(a.File.Regions, func(r host.Region) bool { return r.Contains(at) })
	if i < 0 {
		return host.Proven
	}
	return a.File.Regions[i].Grade()
}

// rewrites returns the actions that change the style of the selectors in a span.
func (s *server) rewrites(ctx context.Context, d *document, a *analysis, at ast.Span, p *actionParams) []action {
	var list []action
	rewrite := check.Rewriter(d.src, &a.File, a.options)
	for sel := range a.selectors(ctx, at) {
		if len(list) >= maxActions {
			break
		}
		for _, style := range []format.Style{format.Canonical, format.Compact} {
			kind := rewriteKind
			if style == a.options.Format.Style {
				kind += ".format"
			}
			if !p.wants(kind) {
				continue
			}
			text, ok := rewrite(sel, style)
			if !ok {
				continue
			}
			edits, err := a.region(sel).Edits([]diag.Edit{{Span: sel.Query.Bounds(), Text: text}})
			if err != nil {
				continue // the string cannot contain the text
			}
			list = append(list, action{Title: "write in " + style.String() + " form", Kind: kind, Edit: s.edit(d, edits)})
		}
	}
	return list[:min(len(list), maxActions)]
}

// wholeDocument returns the action that corrects or formats every selector of a document.
func (s *server) wholeDocument(ctx context.Context, d *document, a *analysis, kind string) (action, bool) {
	if a.refused {
		return action{}, false
	}
	o := a.options
	title := "fix all selectors"
	var text string
	if kind == fixAllKind {
		fixed, err := check.Fix(ctx, d.host, d.src, o, false)
		if err != nil {
			s.options.Log.Error("fix", "uri", d.uri, "error", err)
			return action{}, false
		}
		text = fixed.Text
	} else {
		title = "format all selectors"
		formatted, err := check.FormatFile(d.host, d.src, o)
		if err != nil {
			s.options.Log.Error("format", "uri", d.uri, "error", err)
			return action{}, false
		}
		text = formatted.Text
	}
	edits := minimalEdits(d.src, text)
	if len(edits) == 0 {
		return action{}, false
	}
	return action{Title: title, Kind: kind, Edit: s.edit(d, edits)}, true
}
