package eval

import (
	"context"
	"errors"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
)

// Plan is a query made ready to run: names are resolved, patterns compiled, and it is known where in a tree its
// nodes can be. It is immutable and safe for concurrent use.
type Plan struct {
	query *ast.Query
}

var errNotImplemented = errors.New("not implemented")

// Compile makes a plan of a query that was parsed without an error. For any other query it returns what is wrong,
// and no plan.
func Compile(q *ast.Query) (*Plan, []diag.Diagnostic) {
	return &Plan{query: q}, nil
}

// Select answers the query over a timeline: its time, its controls and its mode. An error is an [*Error], or that of
// a context that is done.
func (p *Plan) Select(ctx context.Context, t *engine.Timeline, o Options) (*Result, error) {
	return nil, errNotImplemented
}

// Nodes returns what the query selects on one snapshot, each node once and in order, whatever time the query has
// written. Controls are not applied. An error is that of a context that is done.
func (p *Plan) Nodes(ctx context.Context, s *engine.Snapshot) ([]engine.Node, error) {
	return p.AppendNodes(ctx, nil, s)
}

// AppendNodes is [Plan.Nodes] into a slice of the caller's.
func (p *Plan) AppendNodes(ctx context.Context, dst []engine.Node, s *engine.Snapshot) ([]engine.Node, error) {
	return dst, errNotImplemented
}

// TraceStep is what one step of a selector left.
type TraceStep struct {
	Span     ast.Span // of the step in the selector
	Fragment int      // the member of the union, from 0
	Chain    int      // the side of ??, from 0
	Step     int      // from 0; parentheses that only group are counted as the steps in them
	Words    string   // the step in words
	Count    int      // nodes that are left behind it
	Skipped  bool     // not evaluated: an earlier side of ?? has answered
}

// Trace tells what each step leaves of the newest snapshot the query looks at. Where that is several, the others are
// not looked at.
func (p *Plan) Trace(ctx context.Context, t *engine.Timeline) ([]TraceStep, error) {
	return nil, errNotImplemented
}

// String tells in words how the plan runs, one line a step.
func (p *Plan) String() string { return "" }
