package lsp

import (
	"cmp"
	"context"
	"errors"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/store/journal"
)

// nodeActions returns the actions for the node of a fixture at a position.
func (s *server) nodeActions(ctx context.Context, v *view, d *document, at ast.Span, p *actionParams) []action {
	list := []action{}
	if !p.wants(extractKind) || !strings.HasSuffix(d.path, ".json") || !v.snapshot.isFixture(d.path) || nodeAt(d.src, at.Start) == "" {
		return list
	}
	for _, c := range []struct{ title, name string }{
		{"create a selector for this node", createCommand}, {"find the selectors that select this node", lookupCommand},
	} {
		list = append(list, action{Title: c.title, Kind: extractKind, Command: &protocol.Command{
			Title: c.title, Command: c.name, Arguments: []any{d.uri, d.position(at.Start)},
		}})
	}
	return list
}

// node finds the node of a snapshot that a command is about.
func (s *server) node(ctx context.Context, v *view, p *commandParams) (t *engine.Timeline, id string, err error) {
	uri, at, err := commandTarget(p)
	if err != nil {
		return nil, "", err
	}
	d, err := s.document(v, uri)
	if err != nil {
		return nil, "", err
	}
	if id = nodeAt(d.src, d.offset(at)); id == "" {
		return nil, "", errors.New("there is no node with an id at this position")
	}
	t, _, err = journal.Read(d.uri, strings.NewReader(d.src), engine.ReadOptions{MaxBytes: maxFixture})
	return t, id, err
}

// selectorsOfNode finds the selectors of the workspace that select the node at a position of a
// snapshot.
func (s *server) selectorsOfNode(ctx context.Context, v *view, p *commandParams) (any, error) {
	t, id, err := s.node(ctx, v, p)
	if err != nil {
		return nil, err
	}
	list := []protocol.Location{}
	answers := map[string]bool{} // by text: the same selector may occur often
	sn := v.snapshot
	for doc := range s.files(ctx, v, scanTitle) {
		a := doc.analyze(ctx, sn)
		for sel := range a.all(ctx) {
			if sel.Bad || a.doubtful(sel) {
				continue
			}
			found, seen := answers[sel.Text]
			if !seen {
				found = selected(ctx, a.plan(sel), t)[id]
				answers[sel.Text] = found
			}
			if found {
				list = append(list, protocol.Location{URI: doc.uri, Range: doc.rangeOf(sel.Span)})
			}
		}
		if ctx.Err() != nil || len(list) >= maxSymbols {
			break
		}
	}
	sortLocations(list)
	return map[string]any{"id": id, "selectors": list}, ctx.Err()
}

// createSelector returns the simplest selector that selects only the node at a position of a
// snapshot: by its key, by its type and tags, or by its id.
func (s *server) createSelector(ctx context.Context, v *view, p *commandParams) (any, error) {
	t, id, err := s.node(ctx, v, p)
	if err != nil {
		return nil, err
	}
	snapshot := t.At(0)
	if snapshot == nil {
		return nil, errors.New("the history has no snapshot")
	}
	for n := range snapshot.All() {
		if n.ID() != id {
			continue
		}
		for _, text := range candidates(n) {
			q, plan, _ := compiled.Compile(text, parser.Options{})
			if plan == nil {
				continue // a name that a selector cannot have
			}
			if nodes, err := plan.Nodes(ctx, snapshot); err == nil && len(nodes) == 1 && nodes[0].ID() == id {
				return format.Node(q, format.Options{Style: format.Compact}), nil
			}
		}
	}
	return nil, errors.New("the newest state has no such node")
}

// candidates returns selectors that select a node, the simplest first.
func candidates(n engine.Node) []string {
	var list []string
	if key, ok := n.Key(); ok {
		list = append(list, "#"+ast.Quote(key))
	}
	step := cmp.Or(n.UserType(), n.Type())
	if !strings.HasPrefix(step, "^") {
		step = "." + step
	}
	tags, _ := n.Tags()
	list = append(list, step)
	for _, tag := range tags {
		step += "+" + tag
		list = append(list, step)
	}
	return append(list, "*{id="+ast.Quote(n.ID())+"}")
}

// nodeAt returns the id of the innermost object around an offset of a JSON text that has an id. The
// white space before an object belongs to it. In a text that is malformed or nested too deep, only
// the objects before the error count.
func nodeAt(src string, offset int) string {
	s := canonjson.NewScanner(src, canonjson.DefaultDepth)
	best, bestDepth := "", 0
	var walk func(depth int) error
	walk = func(depth int) error {
		start := len(strings.TrimRight(src[:s.Offset()], " \t\r\n:,"))
		switch c := s.Peek(); {
		case depth > canonjson.DefaultDepth:
		case c == '{':
			id := ""
			err := s.Object(func(name string, _ int) (err error) {
				if name == "id" && s.Peek() == '"' {
					id, err = s.Text()
					return err
				}
				return walk(depth + 1)
			})
			if err == nil && start <= offset && offset <= s.Offset() && id != "" && depth > bestDepth {
				best, bestDepth = id, depth
			}
			return err
		case c == '[':
			return s.Array(func(int) error { return walk(depth + 1) })
		}
		return s.Skip()
	}
	_ = walk(1) // objects before an error count
	return best
}
