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

// editionClues holds what a file tells about its edition.
type editionClues struct {
	versioned bool   // it has a spec_version
	modern    bool   // a node has a type of edition 1.0
	old       *Error // the note about the first node with a type of edition 0.1
}

// seeTypes looks for types of either edition in the tree that was read last.
func (rd *timelineReader) seeTypes() {
	if rd.opts.Edition != nil || rd.clues.modern {
		return
	}
	for i, r := range rd.tree.recs {
		switch e, ok := edition.OfType(r.Type); {
		case !ok:
		case e == Edition10:
			rd.clues.modern = true
			return
		case rd.clues.old == nil:
			rd.clues.old = rd.sc.errorAt(rd.tree.at[i], ErrFileEdition,
				"there is no spec_version; because of the type %q, this is read as edition 0.1", r.Type)
		}
	}
}

// looksOld reports whether a file without a spec_version is read as edition 0.1: some node has a
// type of 0.1, and none has one of 1.0 (decision D42).
func (rd *timelineReader) looksOld() bool {
	return !rd.clues.versioned && rd.clues.old != nil && !rd.clues.modern
}

// baseName returns the spelling of a base in an edition.
func baseName(b tree.Base, e Edition) string {
	return [...][2]string{tree.BaseBlock: {"block", "cb"}, tree.BaseCont: {"cont", "mc"}, tree.BaseSeg: {"seg", "mt"}}[b][e]
}
