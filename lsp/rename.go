package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// prepareRename answers textDocument/prepareRename with the word that would be renamed.
func (s *server) prepareRename(ctx context.Context, v *view, p *protocol.PrepareRenameParams) (any, error) {
	c, w, ok, err := s.wordAt(ctx, v, p.TextDocument.URI, p.Position)
	if !ok {
		return nil, err
	}
	if c.region.Grade() != host.Proven {
		return nil, errUnproven
	}
	at, _ := c.bare(w)
	return map[string]any{"range": c.rangeOf(at), "placeholder": w.name}, nil
}

// bare returns the span of the name in a word, without its sigil and its quotes. It returns false
// if the name is written with escapes.
func (c *cursor) bare(w word) (ast.Span, bool) { return bareName(c.region.Text, w) }

func bareName(text string, w word) (ast.Span, bool) {
	written := w.at.Text(text)
	if i := strings.Index(written, w.name); i >= 0 {
		return ast.Span{Start: w.at.Start + i, End: w.at.Start + i + len(w.name)}, true
	}
	return w.at, false
}

var errUnproven = errors.New("nothing proves that this string is a selector of PACT: where its receiver comes from, a comment `pact` or a marker in the configuration would")

// rename answers textDocument/rename: it renames the word in all files of the workspace. It keeps
// the escapes of the strings that contain the word. Uses that cannot be edited are reported in a
// message.
func (s *server) rename(ctx context.Context, v *view, p *protocol.RenameParams) (any, error) {
	c, w, ok, err := s.wordAt(ctx, v, p.TextDocument.URI, p.Position)
	if c == nil {
		return nil, err
	}
	if !ok {
		return nil, errors.New("types, tags, keys and attributes of a tree can be renamed")
	}
	if c.region.Grade() != host.Proven {
		return nil, errUnproven
	}
	if p.NewName == "" || strings.ContainsAny(p.NewName, "\r\n\x00") {
		return nil, errors.New("a name is one line of text")
	}
	if w.kind != lint.KeyWord && !isName(p.NewName) {
		return nil, errors.New("a name has letters, digits, - and _, and begins with a letter")
	}
	var edit workspaceEdit
	var left []unrenamed
	taken := 0 // uses that have the new name already
	for d := range s.files(ctx, v, scanTitle) {
		if p.NewName != w.name {
			taken += len(d.uses(ctx, c.analysis.snapshot, w.kind, p.NewName))
		}
		edits, not := renames(d.uses(ctx, c.analysis.snapshot, w.kind, w.name), p.NewName)
		left = append(left, not...)
		if len(edits) > 0 {
			s.addRenames(&edit, d, edits)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.reportUnrenamed(w, left)
	if taken > 0 {
		s.reportMerged(&edit, fmt.Sprintf("%q has %s already; nothing tells them from those of %q afterwards", p.NewName, plural(taken, "use"), w.name))
	}
	return edit, nil
}

// merged is the change annotation of edits that give a word the name of another.
const merged = "pactkit.merged"

// reportMerged lets the user confirm edits that make two words one, or at least says so.
func (s *server) reportMerged(w *workspaceEdit, text string) {
	if !s.client.annotations || !s.client.documentChanges {
		s.notify("window/showMessage", map[string]any{"type": warningMessage, "message": text})
		return
	}
	for _, change := range w.DocumentChanges {
		for i := range change.Edits {
			if change.Edits[i].AnnotationID == "" {
				change.Edits[i].AnnotationID = merged
			}
		}
	}
	if w.Annotations == nil {
		w.Annotations = map[string]annotation{}
	}
	w.Annotations[merged] = annotation{"Merges two names", text, true}
}

// unrenamed is a use that keeps its name, and why.
type unrenamed struct {
	use
	why string
}

// renaming is an edit of a rename. It is doubtful in a string with unknown parts.
type renaming struct {
	diag.Edit
	doubtful bool
}

// renames returns the edits that rename the uses in one document, and the uses that cannot be
// renamed.
func renames(uses []use, name string) (edits []renaming, left []unrenamed) {
	for _, u := range uses {
		list, err := u.edits(name)
		if err != nil {
			left = append(left, unrenamed{u, err.Error()})
		}
		for _, e := range list {
			edits = append(edits, renaming{e, u.region.Kind == host.Holed})
		}
	}
	slices.SortFunc(edits, func(a, b renaming) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return edits, left
}

// edits renames a use. In a string that consists of several parts, the use must lie entirely in one
// part, without escapes.
func (u *use) edits(name string) ([]diag.Edit, error) {
	if u.region.Grade() != host.Proven {
		return nil, errUnproven
	}
	text := u.renamed(name)
	if u.region.Kind == host.Editable {
		return u.region.Edits([]diag.Edit{{Span: u.at, Text: text}})
	}
	at := u.region.Host(u.at)
	written := u.at.Text(u.region.Text)
	if at.Text(u.doc.src) != written || !isPlain(text) {
		return nil, errors.New(cmp.Or(u.region.Fixed, "it is in an interpolated string"))
	}
	return []diag.Edit{{Span: at, Text: text}}, nil
}

// isPlain reports whether a text needs no escapes in any kind of string.
func isPlain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r >= utf8.RuneSelf || !isWordEnd(byte(r)) && r != '.' && r != '+' && r != '#'
	})
}

// interpolated is the change annotation of edits in strings with unknown parts.
const interpolated = "pactkit.interpolated"

func (s *server) addRenames(w *workspaceEdit, d *document, edits []renaming) {
	plain := make([]diag.Edit, len(edits))
	for i, e := range edits {
		plain[i] = e.Edit
	}
	s.addEdits(w, d, plain)
	if !s.client.annotations || !s.client.documentChanges {
		return
	}
	list := w.DocumentChanges[len(w.DocumentChanges)-1].Edits
	for i, e := range edits {
		if e.doubtful {
			list[i].AnnotationID = interpolated
			w.Annotations = map[string]annotation{interpolated: {"In interpolated strings", "Other parts of these strings are not known.", true}}
		}
	}
}

// maxListed bounds the uses that a message lists.
const maxListed = 10

// reportUnrenamed shows which uses of a word keep their name.
func (s *server) reportUnrenamed(w word, left []unrenamed) {
	if len(left) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %q could not be renamed:", plural(len(left), "use"), w.name)
	for _, u := range left[:min(len(left), maxListed)] {
		at := u.location().Range.Start
		fmt.Fprintf(&b, " %s:%d:%d (%s);", cmp.Or(u.doc.path, u.doc.uri), at.Line+1, at.Character+1, u.why)
	}
	text := strings.TrimSuffix(b.String(), ";")
	if more := len(left) - maxListed; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	s.notify("window/showMessage", map[string]any{"type": warningMessage, "message": text})
}

// sigils maps kinds of words to the characters that begin them outside tests.
var sigils = map[lint.WordKind]string{lint.TypeWord: ".", lint.TagWord: "+", lint.KeyWord: "#"}

// inHoled finds a word in strings with unknown parts. They have no tree, so it searches their text.
// A word next to a hole may be a part of another word.
func (a *analysis) inHoled(d *document, kind lint.WordKind, name string) []use {
	sigil, ok := sigils[kind]
	if !ok {
		return nil
	}
	var out []use
	for i := range a.File.Regions {
		r := &a.File.Regions[i]
		if r.Kind != host.Holed || !strings.Contains(r.Text, sigil+name) {
			continue
		}
		for at := range parser.Unquoted(r.Text) {
			end := at + len(sigil) + len(name)
			if !strings.HasPrefix(r.Text[at:], sigil+name) || end < len(r.Text) && (isWordEnd(r.Text[end]) || r.Text[end] == ':') {
				continue // a hole also ends a word
			}
			out = append(out, use{d, r, word{kind, name, ast.Span{Start: at, End: end}, nil}})
		}
	}
	return out
}

// renamed returns the text of a use with another name: with its sigil, and in quotes if it has or
// needs them.
func (u *use) renamed(name string) string {
	written := u.at.Text(u.region.Text)
	quote := func() string {
		return strings.TrimPrefix(format.Node(&ast.Query{Union: []ast.Fragment{{Chains: []ast.Chain{{Steps: []ast.Step{{
			Anchor: &ast.Key{Name: name},
		}}}}}}}, format.Options{Style: format.Compact, Edition: ast.Edition01}), "#")
	}
	switch u.node.(type) {
	case nil:
		return sigils[u.kind] + name // in an interpolated string
	case *ast.Type:
		return "." + name
	case *ast.Tag:
		return "+" + name
	case *ast.Key:
		if strings.HasPrefix(written, "#") && isName(name) && !strings.ContainsAny(written, `'"`) {
			return "#" + name
		}
		return "#" + quote()
	}
	if u.kind == lint.AttributeWord || isName(name) && !strings.ContainsAny(written, `'"`) {
		return name
	}
	return quote()
}
