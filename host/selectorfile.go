package host

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// SelectorFile is the host of *.pactsel, files that hold nothing but selectors and comments.
type SelectorFile struct{}

// Name returns "selector file".
func (SelectorFile) Name() string { return "selector file" }

// Match reports whether a name ends in .pactsel.
func (SelectorFile) Match(path string) bool { return strings.HasSuffix(path, ".pactsel") }

// Regions returns the whole file.
func (SelectorFile) Regions(src string) ([]Region, []diag.Diagnostic) {
	return []Region{{Span: ast.Span{Start: 0, End: len(src)}, Many: true}}, nil
}
