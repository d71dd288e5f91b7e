package engine

// Position says where a node goes: see [AtDepth] and [Under].
type Position struct {
	parent string
	depth  int
	offset int64
}

// AtDepth is the place at an offset of a depth: 0 is the active head, k the
// k-th newest segment, -1 ^sys. At offset 0 of the head a block goes into the
// core container. Inserting at offset 0 of k > 0, or inserting a segment,
// splices a new segment in at depth k.
func AtDepth(depth int, offset int64) Position { return Position{depth: depth, offset: offset} }

// Under is the place at an offset below the node with the given id.
func Under(parentID string, offset int64) Position {
	return Position{parent: parentID, offset: offset}
}

// Target names an existing node: see [ByID] and [ByKey].
type Target struct{ id, key string }

// ByID names the node with an id.
func ByID(id string) Target { return Target{id: id} }

// ByKey names the only live node with a key.
func ByKey(key string) Target { return Target{key: key} }
