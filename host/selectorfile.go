package host

import (
	"github.com/pactkit/pactkit/ast"
)

// SelectorFile is the host of *.pactsel files, which contain only selectors and comments.
type SelectorFile struct{}

var selectorFile = describe("selector file")

// Name returns "selector file".
func (SelectorFile) Name() string { return selectorFile.Name() }

// Extensions implements [Host].
func (SelectorFile) Extensions() []string { return selectorFile.Extensions() }

// Embeds returns false.
func (SelectorFile) Embeds() bool { return false }

// Find returns the whole file.
func (SelectorFile) Find(src string, _ *Markers) File {
	return File{Regions: []Region{NewRegion(src, ast.Span{Start: 0, End: len(src)}, Selectors)}}
}
