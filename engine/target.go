package engine

// Position is where a node goes: see [AtDepth] and [Under].
type Position struct {
	parent string
	depth  int
	offset int64
}

// AtDepth returns the position at an offset of a depth: 0 is the active head, k > 0
// the k-th newest segment, -1 ^sys. At offset 0 of the head a block goes into the
// core container. A node at offset 0 of k > 0, or a segment, goes into a new segment
// at depth k; those at k and below move one down.
func AtDepth(depth int, offset int64) Position { return Position{depth: depth, offset: offset} }

// Under returns the position at an offset below the node with an id.
func Under(parentID string, offset int64) Position {
	return Position{parent: parentID, offset: offset}
}

// Target names an existing node: see [ByID] and [ByKey].
type Target struct{ id, key string }

// ByID names the node with an id.
func ByID(id string) Target { return Target{id: id} }

// ByKey names the only live node with a key.
func ByKey(key string) Target { return Target{key: key} }
