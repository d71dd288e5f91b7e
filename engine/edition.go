package engine

import (
	"github.com/pactkit/pactkit/internal/edition"
	"github.com/pactkit/pactkit/internal/tree"
)

// Edition is a revision of the specification. It is the same type as ast.Edition. It determines the
// spelling of new types (seg, cont, block or mt, mc, cb) and whether a live timeline includes the
// working state. Its String method returns "1.0" or "0.1", and its SpecVersion method the
// spec_version of files.
type Edition = edition.Edition

// The editions.
const (
	Edition10 = edition.V10 // 1.0, the default
	Edition01 = edition.V01 // 0.1
)

// editionOf returns the edition that a spec_version names. For an unknown one, it returns false.
func editionOf(specVersion string) (Edition, bool) { return edition.OfSpec(specVersion) }

// baseName returns the spelling of a base in an edition.
func baseName(b tree.Base, e Edition) string {
	return [...][2]string{tree.BaseBlock: {"block", "cb"}, tree.BaseCont: {"cont", "mc"}, tree.BaseSeg: {"seg", "mt"}}[b][e]
}
