package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/explain"
	"github.com/pactkit/pactkit/internal/fixtures"
)

// The commands. Each takes the URI of a document and a range or position in it, unless its line
// says otherwise.
const (
	explainCommand   = "pactkit.explain"
	evaluateCommand  = "pactkit.evaluate"
	profileCommand   = "pactkit.profile"
	canonicalCommand = "pactkit.copyCanonical"
	lookupCommand    = "pactkit.selectorsOfNode" // a document with a snapshot, and a position in one of its nodes
	createCommand    = "pactkit.createSelector"  // the same
	reloadCommand    = "pactkit.restart"         // no arguments; reads configuration and fixtures again
	stateCommand     = "pactkit.dumpState"       // no arguments
	applyCommand     = "pactkit.applyEdit"       // a title and an edit; for clients that understand only commands as code actions
)

var commands = []string{
	explainCommand, evaluateCommand, profileCommand, canonicalCommand, lookupCommand, createCommand, reloadCommand, stateCommand, applyCommand,
}

type commandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// execute answers workspace/executeCommand. A command returns Markdown to show.
func (s *server) execute(ctx context.Context, v *view, p *commandParams) (any, error) {
	switch p.Command {
	case reloadCommand:
		s.reload()
		return nil, nil
	case stateCommand:
		return s.dump(), nil
	case applyCommand:
		return s.applyEdit(p)
	case lookupCommand:
		return s.selectorsOfNode(ctx, v, p)
	case createCommand:
		return s.createSelector(ctx, v, p)
	case explainCommand, evaluateCommand, profileCommand, canonicalCommand:
	default:
		return nil, fmt.Errorf("unknown command %s", p.Command)
	}
	uri, at, err := commandTarget(p)
	if err != nil {
		return nil, err
	}
	c, err := s.cursor(ctx, v, uri, at)
	if err != nil {
		return nil, err
	}
	if c == nil || c.selector.Bad {
		return nil, errors.New("there is no selector without errors at this position")
	}
	switch p.Command {
	case canonicalCommand:
		return format.Node(c.selector.Query, format.Options{}), nil
	case explainCommand:
		return s.explained(ctx, v, c), nil
	case profileCommand:
		return profiled(ctx, c), ctx.Err()
	}
	text, err := s.evaluated(ctx, v, c.analysis, c.selector), ctx.Err()
	if s.client.virtualDocuments && s.client.showDocument {
		result := resultURI(uri, at)
		s.resultDocs.anchor(result, keyOf(uri), c.doc.offset(at))
		s.call("window/showDocument", map[string]any{"uri": result, "takeFocus": false})
	}
	return text, err
}

// applyEdit asks the client to apply the edit of a code action.
func (s *server) applyEdit(p *commandParams) (any, error) {
	var title string
	var edit workspaceEdit
	if len(p.Arguments) != 2 || json.Unmarshal(p.Arguments[0], &title) != nil || json.Unmarshal(p.Arguments[1], &edit) != nil {
		return nil, invalidParams(fmt.Errorf("%s takes a title and an edit", p.Command))
	}
	s.call("workspace/applyEdit", map[string]any{"label": title, "edit": edit})
	return nil, nil
}

// commandTarget reads the first two arguments: a document, and a position or a range.
func commandTarget(p *commandParams) (uri string, at protocol.Position, err error) {
	if len(p.Arguments) < 2 {
		return "", at, invalidParams(fmt.Errorf("%s takes a document and a position", p.Command))
	}
	var r struct {
		protocol.Position
		Start *protocol.Position `json:"start"`
	}
	if err := errors.Join(json.Unmarshal(p.Arguments[0], &uri), json.Unmarshal(p.Arguments[1], &r)); err != nil {
		return "", at, invalidParams(err)
	}
	if r.Start != nil {
		return uri, *r.Start, nil
	}
	return uri, r.Position, nil
}

// explained describes what a selector means, how it runs, and how many nodes of the fixtures each
// step finds.
func (s *server) explained(ctx context.Context, v *view, c *cursor) string {
	var b strings.Builder
	writeMeaning(&b, c.selector.Query)
	fmt.Fprintf(&b, "\n```pactsel\n%s\n%s\n```\n", format.Node(c.selector.Query, format.Options{}), c.analysis.compact(c.selector))
	plan := c.analysis.plan(c.selector)
	if plan == nil {
		return b.String()
	}
	for _, x := range c.analysis.snapshot.fixturesOf(ctx, c.analysis.config) {
		steps, err := plan.Trace(ctx, x.Timeline)
		if err != nil {
			continue // the history does not have the queried snapshot
		}
		fmt.Fprintf(&b, "\n`%s`\n\n", base(x.Path))
		for _, st := range steps {
			if !st.Skipped {
				fmt.Fprintf(&b, "- `%s` %s: %s\n", st.Span.Text(c.selector.Text), st.Words, plural(st.Count, "node"))
			}
		}
		s.writeNodes(ctx, v, &b, plan, x)
	}
	c.analysis.snapshot.writeReading(ctx, &b, c.analysis.config)
	return b.String()
}

// profiled describes the evaluation of a selector on the fixtures, with its times.
func profiled(ctx context.Context, c *cursor) string {
	var b strings.Builder
	fmt.Fprintf(&b, "```pactsel\n%s\n```\n", c.selector.Text)
	if plan := c.analysis.plan(c.selector); plan != nil {
		for _, x := range c.analysis.snapshot.fixturesOf(ctx, c.analysis.config) {
			if p, err := plan.Profile(ctx, x.Timeline); err != nil {
				fmt.Fprintf(&b, "\n`%s`: %s\n", base(x.Path), err)
			} else {
				fmt.Fprintf(&b, "\n`%s`\n\n```text\n%s```\n", base(x.Path), explain.Profile(p, c.selector.Text))
			}
		}
	}
	c.analysis.snapshot.writeReading(ctx, &b, c.analysis.config)
	return b.String()
}

// writeNodes names the first nodes that a plan finds in a fixture, with links to them.
func (s *server) writeNodes(ctx context.Context, v *view, b *strings.Builder, plan *eval.Plan, x fixtures.Fixture) {
	res, err := plan.Select(ctx, x.Timeline, eval.Options{})
	if err != nil || len(res.Nodes) == 0 {
		return
	}
	link := s.nodeLinks(ctx, v, x.Path)
	shown := min(len(res.Nodes), shownMatches)
	for i, n := range res.Nodes[:shown] {
		b.WriteString([...]string{"\nFound: ", ", "}[min(i, 1)] + link(n.ID()))
	}
	if left := len(res.Nodes) - shown; left > 0 {
		fmt.Fprintf(b, " and %d more", left)
	}
	b.WriteString("\n")
}

// evaluated lists what a selector finds in every fixture.
func (s *server) evaluated(ctx context.Context, v *view, a *analysis, sel *check.Selector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "```pactsel\n%s\n```\n", sel.Text)
	plan, found := a.prepare(sel)
	if plan == nil {
		fmt.Fprintf(&b, "\n%s\n", found[0].Message)
		return b.String()
	}
	fixtures := a.snapshot.fixturesOf(ctx, a.config)
	if reading := a.snapshot.writeReading(ctx, &b, a.config); len(fixtures) == 0 && !reading {
		b.WriteString("\nNo fixture is configured: name one in `.pactkit.toml`, as in `fixtures = \"fixture.json\"`.\n")
	}
	for _, x := range fixtures {
		s.writeResult(ctx, v, &b, plan, sel.Text, x)
	}
	return b.String()
}

func (s *server) writeResult(ctx context.Context, v *view, b *strings.Builder, plan *eval.Plan, text string, x fixtures.Fixture) {
	res, err := plan.Select(ctx, x.Timeline, eval.Options{Text: text})
	if err != nil {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", base(x.Path), err)
		return
	}
	if res.Kind != eval.KindNodes {
		fmt.Fprintf(b, "\n## %s\n\n```json\n%s\n```\n", base(x.Path), res.AppendJSON(nil))
		return
	}
	fmt.Fprintf(b, "\n## %s: %s\n\n", base(x.Path), plural(len(res.Nodes), "node"))
	link := s.nodeLinks(ctx, v, x.Path)
	for _, n := range res.Nodes[:min(len(res.Nodes), maxShown)] {
		fmt.Fprintf(b, "- %s %s %s\n", link(n.ID()), n.Type(), preview(n))
	}
	if len(res.Nodes) == 0 {
		writeEmptyStep(ctx, b, plan, text, x)
	}
	if left := len(res.Nodes) - maxShown; left > 0 {
		fmt.Fprintf(b, "- and %d more\n", left)
	}
}

// writeEmptyStep names the first step of a selector that finds nothing in a fixture.
func writeEmptyStep(ctx context.Context, b *strings.Builder, plan *eval.Plan, text string, x fixtures.Fixture) {
	if st, ok := firstEmpty(ctx, plan, x); ok {
		fmt.Fprintf(b, "The step `%s` finds nothing: %s.\n", st.Span.Text(text), st.Words)
	}
}

// maxShown is how many nodes a result document lists.
const maxShown = 500

// dump returns the state of the server, for bug reports.
func (s *server) dump() any {
	sn := s.session.snapshot()
	docs := []any{}
	for d := range s.docs.all().each() {
		kind := ""
		if d.host != nil {
			kind = d.host.Name()
		}
		docs = append(docs, map[string]any{"uri": d.uri, "version": d.version, "language": d.language, "host": kind, "bytes": len(d.src)})
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return map[string]any{
		"version": s.options.Version, "snapshot": sn.number, "folders": sn.folders, "documents": docs,
		"encoding": s.client.encoding.String(), "pull": s.client.pull, "heap": m.HeapAlloc,
	}
}
