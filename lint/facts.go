package lint

import (
	"context"

	"github.com/pactkit/pactkit/ast"
)

// Facts is what a project's fixtures and configuration say about its trees. Implementations are
// safe for concurrent use.
type Facts interface {
	// Known reports whether a word occurs in a fixture or in the configuration. sure is true if
	// any of them has words of the kind at all.
	Known(kind WordKind, name string) (known, sure bool)
	// Near returns the known word that a misspelled one most likely stands for, or "".
	Near(kind WordKind, name string) string
	// Match evaluates a query on all fixtures. It returns false if there are none, if the query has
	// no answer in any of them, or if ctx is done.
	Match(ctx context.Context, q *ast.Query, src string) (Matches, bool)
}

// WordKind is a class of words that trees define.
type WordKind uint8

// The kinds of words.
const (
	TypeWord WordKind = iota
	TagWord
	KeyWord
	AttributeWord
	ControlWord
	IDWord
)

// Matches is what a query selects in the fixtures.
type Matches struct {
	Fixtures int      // that were searched
	Nodes    int      // selected, in all of them together
	Of       int      // nodes in the fixtures, without ^root and the regions
	Empty    ast.Span // from the start of the query: the first step that finds nothing in any fixture; zero for a union, or without one
	Sets     string   // equal for two queries that select the same nodes in the same order in every fixture
}
