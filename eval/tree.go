package eval

import (
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// treeOf returns the tree of a snapshot, whose chunks and indexes the search runs over. The conversion is free.
func treeOf(s *engine.Snapshot) *tree.Snapshot { return (*tree.Snapshot)(s) }
