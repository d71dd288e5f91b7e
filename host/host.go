// Package host finds the selectors inside the files that hold them. A host is one kind of file; what it
// yields is ranges of the file, and all that works on selectors works on those ranges and touches nothing
// else.
package host

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Region is a part of a host file that is written in the selector language.
type Region struct {
	ast.Span      // in the host file
	Many     bool // a selector file, with comments and one selector a line, rather than one selector
}

// Host reads one kind of file. Hosts are safe for concurrent use.
type Host interface {
	// Name is the kind of file, in a word or two.
	Name() string
	// Match tells by a file's path, with slashes, whether the host reads it.
	Match(path string) bool
	// Regions returns the selectors of a file in source order, disjoint, and the reasons for which others could not be
	// had.
	Regions(src string) ([]Region, []diag.Diagnostic)
}

// All returns the hosts in the order in which they are asked.
func All() []Host { return []Host{SelectorFile{}} }

// For returns the host of a file, or nil when no host reads such files.
func For(path string) Host {
	for _, h := range All() {
		if h.Match(path) {
			return h
		}
	}
	return nil
}
