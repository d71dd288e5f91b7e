package search

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/normal"
	"github.com/pactkit/pactkit/parser"
)

// Query is a selector that is ready to run on many sessions. It is immutable and safe for
// concurrent use.
type Query struct {
	tree *ast.Query
	plan *eval.Plan
	tape *plan // nil for a query that needs a history
	ever bool
}

// Compile makes a query of a selector. It returns nil if the selector has errors; the diagnostics
// also include warnings.
func Compile(text string, o parser.Options) (*Query, []diag.Diagnostic) {
	tree, p, found := compiled.Compile(text, o)
	if p == nil {
		return nil, found
	}
	return &Query{tree: tree, plan: p, tape: newPlan(tree)}, found
}

// Ever returns the query that searches each node that was ever in a session, in each content that
// it had: in the newest snapshot in which the selector finds it. A selector that has a time is an
// error.
func (q *Query) Ever() (*Query, error) {
	if q.tree.Time != nil {
		return nil, errors.New("the selector already names the snapshots to search; leave out its time")
	}
	tree := q.tree.Clone()
	tree.Time = &ast.Time{Kind: ast.TimeEvery}
	p, found := eval.Compile(tree)
	if p == nil {
		return nil, &eval.Error{Diagnostics: found}
	}
	return &Query{tree: tree, plan: p, ever: true}, nil
}

// IsFast reports whether the query can be answered without a history, if the log has a tape and the
// tape has the answer.
func (q *Query) IsFast() bool { return q.tape != nil }

// Match is a node that a query found.
type Match struct {
	Cycle int64 // of the snapshot
	// First and Last are the cycles of the first and the last snapshot that have the node with this
	// content, for a query made by Ever; otherwise 0.
	First, Last int64
	Change      string // of a range: added, removed or changed; else empty
	ID, Type    string
	Role, Kind  string
	Content     string // in canonical JSON; empty if the node has none
}

// Timeline answers the query over a history. A snapshot that the history does not have has no
// matches.
func (q *Query) Timeline(ctx context.Context, t *engine.Timeline) ([]Match, error) {
	o := eval.Options{}
	if q.ever {
		o.Again = hasOtherContent
	}
	r, err := q.plan.Select(ctx, t, o)
	if err != nil {
		if isNoSnapshot(err) {
			return nil, nil
		}
		return nil, err
	}
	var out []Match
	add := func(n engine.Node, change string) {
		m := matchOf(n)
		m.Change = change
		out = append(out, m)
	}
	switch r.Kind {
	case eval.KindNodes:
		for _, n := range r.Nodes {
			add(n, "")
		}
		if q.ever {
			spans(t, out)
		}
	case eval.KindLatest:
		for _, l := range r.Latest {
			add(l.Node, "")
		}
	default:
		for _, d := range r.Range.Diffs {
			for _, n := range d.Added {
				add(n, "added")
			}
			for _, n := range d.Removed {
				add(n, "removed")
			}
			for _, c := range d.Changed {
				add(c.Newer, "changed")
			}
		}
	}
	return out, nil
}

// hasOtherContent reports whether an older version of a node has another content to the provider.
func hasOtherContent(older, newer engine.Node) bool {
	kind, _ := older.Kind()
	format := normal.FormatOf(newer.Header("provenance").String())
	a, b := older.Content().String(), newer.Content().String()
	return a != b && normal.Content(format, kind, a) != normal.Content(format, kind, b)
}

// spans finds the cycles of the first and the last snapshot that has each node of matches, in which
// the versions of a node come from the newest to the oldest. Its cost is proportional to what the
// snapshots do not share.
func spans(t *engine.Timeline, list []Match) {
	if len(list) == 0 {
		return
	}
	lives, newer := t.Lives(), map[string]*Match{}
	for i := range list {
		m := &list[i]
		m.First, m.Last = lives.Ends(m.ID)
		if n := newer[m.ID]; n != nil {
			m.Last, n.First = m.Cycle, returnsAt(t, m)
		}
		newer[m.ID] = m
	}
}

// returnsAt returns the cycle of the first state after that of a match which has the node.
func returnsAt(t *engine.Timeline, m *Match) int64 {
	back := sort.Search(t.Len(), func(back int) bool { return t.At(back).Cycle() <= m.Cycle })
	for back--; back > 0; back-- {
		if _, ok := t.At(back).Find(m.ID); ok {
			break
		}
	}
	return t.At(max(back, 0)).Cycle()
}

// isNoSnapshot reports whether an error says that the history does not have the snapshot.
func isNoSnapshot(err error) bool {
	e, ok := errors.AsType[*eval.Error](err)
	return ok && !slices.ContainsFunc(e.Diagnostics, func(d diag.Diagnostic) bool { return d.Code != diag.SnapshotUnknown })
}

// matchOf makes a match of a node.
func matchOf(n engine.Node) Match {
	m := Match{Cycle: n.Snapshot().Cycle(), ID: n.ID(), Type: n.Type(), Content: n.Content().String()}
	m.Role, _ = n.Role()
	m.Kind, _ = n.Kind()
	return m
}

// match makes a match of a node of a tape. It copies the texts that the tape refers to.
func (t *tape) match(at, cycle int32) Match {
	n := &t.nodes[at]
	return Match{
		Cycle: int64(cycle), ID: strings.Clone(n.idOf()), Type: n.typeOf(), Role: n.role, Kind: strings.Clone(n.kind),
		Content: strings.Clone(canonical(n.contentAt(cycle - t.before))),
	}
}

// canonical returns the value in canonical JSON, or "" for a missing one. The value is known to be
// valid.
func canonical(t text) string {
	raw := t.Raw
	switch t.Form {
	case absent:
		return ""
	case plain, escaped, coded:
		raw = `"` + raw + `"`
	}
	s, _ := canonjson.Canonical(raw) // it was checked
	return s
}
