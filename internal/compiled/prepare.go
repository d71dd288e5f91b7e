// Package prepare turns texts into what the engine runs: selectors into plans, insertion positions
// into a container and a slot among its children, addresses into instants. It caches the results
// for the texts used last, for the whole program.
package compiled

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// Query is a selector ready to run. It does not keep the syntax tree in memory.
type Query struct {
	Text     string // as it was given; of a container, the whole position
	Plan     *eval.Plan
	Warnings []diag.Diagnostic // warnings of the parser and the compiler
	Now      bool              // it reads @t0, written or not
	Compares bool              // it queries several snapshots, and its answer is more than nodes
	Optional bool              // a trailing ?
	Key      string            // set when the selector is a key and nothing else
}

// Position is an insertion position ready to be looked up.
type Position struct {
	Container *Query
	IsCore    bool // the container is (d0,0), the core of the active head
	Slot      ast.Slot
	N         int64 // the child that After and Before count by, from 1
}

// Plans depend only on their source, so all callers share them.
var (
	queries   cache[*Query]
	positions cache[*Position]
)

// Select prepares a selector for a query. For a selector with errors it returns nil and all
// diagnostics.
func Select(text string, e ast.Edition) (*Query, []diag.Diagnostic) {
	return queries.get(source{text: text, edition: e}, newQuery)
}

// Target prepares a selector that names the node to change, in which a trailing ? is allowed.
func Target(text string, e ast.Edition) (*Query, []diag.Diagnostic) {
	return queries.get(source{text: text, edition: e, mutation: true}, newQuery)
}

// Insertion prepares an insertion position.
func Insertion(text string, e ast.Edition) (*Position, []diag.Diagnostic) {
	return positions.get(source{text: text, edition: e}, newPosition)
}

// Compile parses a selector and compiles it to a plan, caching neither. The plan is nil if there
// are errors; the diagnostics include warnings, such as those about legacy forms. The tree is never
// nil.
func Compile(text string, o parser.Options) (*ast.Query, *eval.Plan, []diag.Diagnostic) {
	tree, found := parser.ParseSelector(text, o)
	if diag.HasErrors(found) {
		return tree, nil, found
	}
	plan, wrong := eval.Compile(tree)
	return tree, plan, append(found, wrong...)
}

// Instant returns the snapshot at an address. The error has the code [engine.ErrSnapshotUnknown] if
// t has no such snapshot.
func Instant(t *engine.Timeline, address ast.Instant) (*engine.Snapshot, error) {
	if address.Kind == ast.Relative {
		return t.Address(int(-address.N))
	}
	if s, _ := t.OfCycle(address.N); s != nil {
		return s, nil
	}
	has := "no sealed snapshot"
	if oldest, newest, ok := t.Cycles(); ok && oldest == newest {
		has = fmt.Sprintf("only that of cycle %d", oldest)
	} else if ok {
		has = fmt.Sprintf("those of cycles %d to %d", oldest, newest)
	}
	return nil, &engine.Error{Code: engine.ErrSnapshotUnknown, Msg: fmt.Sprintf("there is no snapshot @c%d: the timeline has %s", address.N, has)}
}

func newQuery(s source) (q *Query, heavy bool, wrong []diag.Diagnostic) {
	tree, plan, found := Compile(s.text, parser.Options{Edition: s.edition, Mutation: s.mutation})
	if plan == nil {
		return nil, false, found
	}
	q = &Query{Text: s.text, Plan: plan, Warnings: found, Now: tree.Time == nil, Optional: tree.Optional(), Key: keyOfQuery(tree)}
	if t := tree.Time; t != nil {
		q.Now = t.Kind == ast.TimeAt && t.From.Kind == ast.Relative && t.From.N == 0
		union := slices.ContainsFunc(tree.Controls(), func(c ast.Control) bool { return c.Name == "mode" && c.Value == "union" })
		q.Compares = t.Kind != ast.TimeAt && t.Kind != ast.TimeEvery && !union
	}
	return q, isHeavy(tree), nil
}

// isHeavy reports whether the patterns of a query take much memory: a short text can repeat
// something many times.
func isHeavy(q ast.Node) bool {
	size := 0
	for n := range ast.All(q) {
		p, ok := n.(*ast.Prop)
		if !ok || p.Op != ast.OpMatch || !strings.Contains(p.Values[0].Text, "{") {
			continue // without repetition, a pattern has about two instructions per character
		}
		re, _ := syntax.Parse(p.Values[0].Text, syntax.Perl) // it compiled for the plan
		program, _ := syntax.Compile(re.Simplify())
		size += len(program.Inst)
	}
	return size > cachePatterns
}

func newPosition(s source) (p *Position, heavy bool, wrong []diag.Diagnostic) {
	tree, found := parser.ParsePosition(s.text, parser.Options{Edition: s.edition})
	if tree == nil {
		return nil, false, found
	}
	chain := tree.Container
	fragment := ast.Fragment{Extent: chain.Extent, Chains: []ast.Chain{*chain}}
	plan, wrong := eval.Compile(&ast.Query{Extent: chain.Extent, Union: []ast.Fragment{fragment}})
	if plan == nil {
		return nil, false, wrong
	}
	return &Position{
		Container: &Query{Text: s.text, Plan: plan, Warnings: found, Now: true, Key: keyOf(chain), Optional: tree.Optional},
		IsCore:    isCore(chain), Slot: tree.Slot, N: tree.N,
	}, isHeavy(chain), nil
}

// keyOfQuery returns the key of a selector that is a key and nothing else, else "".
func keyOfQuery(q *ast.Query) string {
	if len(q.Union) != 1 || len(q.Union[0].Chains) != 1 || len(q.Controls()) > 0 {
		return ""
	}
	return keyOf(&q.Union[0].Chains[0])
}

func keyOf(c *ast.Chain) string {
	if len(c.Steps) != 1 {
		return ""
	}
	k, ok := c.Steps[0].Anchor.(*ast.Key)
	if !ok || k.ID || len(c.Steps[0].Qualifiers) > 0 {
		return ""
	}
	return k.Name
}

// isCore reports whether a container is written (d0,0).
func isCore(c *ast.Chain) bool {
	if len(c.Steps) != 1 || len(c.Steps[0].Qualifiers) > 0 {
		return false
	}
	coordinates, ok := c.Steps[0].Anchor.(*ast.Coordinates)
	if !ok || len(coordinates.List) != 1 {
		return false
	}
	p := coordinates.List[0]
	return p.From == 0 && p.To == 0 && slices.Equal(p.Offsets, []int64{0})
}
