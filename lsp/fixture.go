package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/fileuri"
	"github.com/pactkit/pactkit/lint"
)

// members maps kinds of words to the members of a node that contain them.
var members = map[lint.WordKind]string{
	lint.TypeWord: `"nodeType"`, lint.TagWord: `"tag"`, lint.KeyWord: `"key"`,
}

// inFixture finds the first occurrence of a word in the text of a fixture. Only plain JSON files
// can be shown.
func (s *server) inFixture(ctx context.Context, v *view, path string, w word) (protocol.Location, bool) {
	info, err := atomicfile.Stat(path)
	if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, ".jsonl") {
		return protocol.Location{}, false
	}
	d, err := s.document(v, fileuri.Of(path))
	if err != nil {
		return protocol.Location{}, false
	}
	name, err := json.Marshal(w.name)
	if err != nil {
		return protocol.Location{}, false
	}
	quoted := string(name)
	member := members[w.kind]
	if w.kind == lint.AttributeWord {
		member, quoted = quoted, ""
	}
	for at := 0; ; {
		i := strings.Index(d.src[at:], member)
		if i < 0 {
			return protocol.Location{}, false
		}
		at += i + len(member)
		value := d.src[at:]
		if end := strings.IndexAny(value, "}{\n"); end >= 0 {
			value = value[:end]
		}
		if quoted == "" {
			return protocol.Location{URI: d.uri, Range: d.rangeOf(ast.Span{Start: at - len(member), End: at})}, true
		}
		if k := strings.Index(firstValue(value), quoted); k >= 0 {
			return protocol.Location{URI: d.uri, Range: d.rangeOf(ast.Span{Start: at + k, End: at + k + len(quoted)})}, true
		}
	}
}

// firstValue returns the beginning of a JSON text up to the end of its first value.
func firstValue(s string) string {
	if i := strings.IndexByte(s, '['); i >= 0 && strings.TrimLeft(s[:i], ": \t") == "" {
		if before, _, ok := strings.Cut(s, "]"); ok {
			return before
		}
		return s
	}
	if before, _, ok := strings.Cut(s, ","); ok {
		return before
	}
	return s
}

var nodeID = regexp.MustCompile(`"id"\s*:\s*("(?:[^"\\]|\\.)*")`)

// nodeIDs yields the ids in the text of a fixture, with the spans of their strings.
func (d *document) nodeIDs() iter.Seq2[string, ast.Span] {
	return func(yield func(string, ast.Span) bool) {
		for _, m := range nodeID.FindAllStringSubmatchIndex(d.src, -1) {
			at := ast.Span{Start: m[2], End: m[3]}
			var id string
			if json.Unmarshal([]byte(at.Text(d.src)), &id) == nil && !yield(id, at) {
				return
			}
		}
	}
}

// nodeLinks returns a function that writes the id of a node as Markdown, with a link to its first
// occurrence if the client can show the text of the fixture.
func (s *server) nodeLinks(ctx context.Context, v *view, path string) func(id string) string {
	lines := map[string]int{}
	if strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".jsonl") {
		if d, err := s.document(v, fileuri.Of(path)); err == nil {
			for id, at := range d.nodeIDs() {
				if lines[id] == 0 {
					line, _ := d.lines.Line(at.Start)
					lines[id] = line + 1
				}
			}
		}
	}
	return func(id string) string {
		if line := lines[id]; line > 0 {
			return fmt.Sprintf("[`%s`](%s#L%d)", id, fileuri.Of(path), line)
		}
		return "`" + id + "`"
	}
}

// matched locates the nodes that a selector finds in fixtures whose text can be shown.
func (s *server) matched(ctx context.Context, v *view, c *cursor) []protocol.Location {
	list := []protocol.Location{}
	plan := c.analysis.plan(c.selector)
	if plan == nil {
		return list
	}
	for _, x := range c.analysis.snapshot.fixturesOf(ctx, c.analysis.config) {
		d, err := s.document(v, fileuri.Of(x.Path))
		if err != nil {
			continue // compressed, or too large
		}
		res, err := plan.Select(ctx, x.Timeline, eval.Options{})
		if err != nil || res.Kind != eval.KindNodes || len(res.Nodes) == 0 {
			continue
		}
		first := map[string]ast.Span{}
		for id, at := range d.nodeIDs() {
			if _, seen := first[id]; !seen {
				first[id] = at
			}
		}
		for _, n := range res.Nodes[:min(len(res.Nodes), maxActions)] {
			if at, ok := first[n.ID()]; ok {
				list = append(list, protocol.Location{URI: d.uri, Range: d.rangeOf(at)})
			}
		}
	}
	return list
}
