package engine

import (
	"github.com/pactkit/pactkit/internal/edition"
	"github.com/pactkit/pactkit/internal/tree"
)

// Edition is a revision of the specification, the same type as ast.Edition. It
// decides how new nodes are spelled (seg, cont, block or mt, mc, cb) and
// whether a live timeline begins with the working state. Its String is "1.0" or
// "0.1", its SpecVersion the spec_version it writes.
type Edition = edition.Edition

// The editions.
const (
	Edition10 = edition.V10 // 1.0, the default
	Edition01 = edition.V01 // 0.1
)

// editionOf returns the edition that a spec_version names, false for an unknown one.
func editionOf(specVersion string) (Edition, bool) { return edition.OfSpec(specVersion) }

// baseName returns the spelling of a base in an edition.
func baseName(b tree.Base, e Edition) string {
	return [...][2]string{tree.BaseBlock: {"block", "cb"}, tree.BaseCont: {"cont", "mc"}, tree.BaseSeg: {"seg", "mt"}}[b][e]
}
