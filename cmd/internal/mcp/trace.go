package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/parser"
)

var traceTool = tool{
	name: "trace", title: "Follow a node",
	doc: `Show the life of one message, call or result: when it entered, changed and left, why (cause; inferred if the log does not say so), what stands for it now (stand), which calls were sent it (seen).`,
	output: `{"type":"object","properties":{
"trace":{"type":"object","description":"As pactkit trace --json prints it; content and lists may be cut."},
` + warningsSchema + moreSchema,
}

// traceInput are the arguments of trace.
type traceInput struct {
	Path    string `json:"path" jsonschema:"a file, or FILE#NAME"`
	Node    string `json:"node" jsonschema:"an id, or a selector that matches one node in the newest state in which it matches any"`
	Content int    `json:"content,omitempty" jsonschema:"how many characters of the content (default 1000)"`
	logInputs
}

// tracedContent is how many characters of the content of a node are shown unless the client says
// otherwise.
const tracedContent = 1000

func (s *Server) trace(ctx context.Context, in traceInput) (*page, error) {
	x, err := s.one(ctx, in.Path, in.logInputs)
	if err != nil {
		return nil, err
	}
	id, err := s.nodeOf(ctx, x.Timeline, s.edition(x.Timeline), in.Node)
	if err != nil {
		return nil, err
	}
	l, ok, err := calls.Trace(ctx, x.Timeline, id, calls.Options{History: x.Address()})
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNoNode(fmt.Sprintf("no call was sent the node %s, and the model did not answer with it", id), "")
	}
	p := &page{}
	if !calls.HasID(x.Timeline, in.Node) {
		if warnings := s.unknown(ctx, x.Timeline, in.Node); len(warnings) > 0 {
			p.set("warnings", warnings)
		}
	}
	if in.Content <= 0 {
		in.Content = tracedContent
	}
	var isCut bool
	if l.Content, isCut = cut(l.Content, min(in.Content, maxAnswer)); isCut {
		p.note("the content is cut: ask again with a larger content")
	}
	var names []string
	l.Events = head(l.Events, "events", &names)
	l.Seen = head(l.Seen, "seen", &names)
	l.Stand = head(l.Stand, "stand", &names)
	l.StandFor = head(l.StandFor, "stand_for", &names)
	l.Refer = head(l.Refer, "refer", &names)
	if len(names) > 0 {
		p.note("there is more than is listed: " + strings.Join(names, ", "))
	}
	p.set("trace", l)
	return p, nil
}

// nodeOf returns the id of the node that a text names: an id that a state had, or what a selector
// selects in the newest state in which it selects anything, or in the one that it names.
func (s *Server) nodeOf(ctx context.Context, t *engine.Timeline, edition ast.Edition, text string) (string, error) {
	if calls.HasID(t, text) {
		return text, nil
	}
	if !strings.ContainsAny(text, " .#{[+>*(@^") { // every selector has one of these
		hint := "select finds ids by content"
		if near := names.Nearest(text, calls.IDs(t)); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return "", errNoNode(fmt.Sprintf("no node ever had the id %q", text), hint)
	}
	q, plan, found := compiled.Compile(text, parser.Options{Edition: edition})
	if plan == nil {
		return "", selectorFailure(found)
	}
	var nodes []engine.Node
	if q.Time != nil {
		r, err := plan.Select(ctx, t, eval.Options{Text: text})
		if err != nil {
			return "", err
		}
		if r.Kind != eval.KindNodes {
			return "", &failure.Failure{Code: ErrArgument, Message: "a range does not name a node", Hint: "leave out the time, or name one state"}
		}
		nodes = r.Nodes
	} else {
		for _, snap := range t.All() {
			var err error
			if nodes, err = plan.Nodes(ctx, snap); err != nil {
				return "", err
			}
			if len(nodes) > 0 {
				break
			}
		}
	}
	switch len(nodes) {
	case 0:
		hint := "select with ever looks at all states"
		if meant := s.misspelled(ctx, text, edition); len(meant) > 0 {
			hint = strings.Join(meant, "; ")
		}
		return "", errNoNode("no state has a node that the selector selects", hint)
	case 1:
		return nodes[0].ID(), nil
	}
	var ids []string
	for _, n := range nodes[:min(len(nodes), maxIDs)] {
		ids = append(ids, n.ID())
	}
	return "", &failure.Failure{Code: "E_SELECTOR_AMBIGUOUS", Message: fmt.Sprintf("%d nodes match", len(nodes)), Hint: "name one of them: " + strings.Join(ids, " ")}
}
