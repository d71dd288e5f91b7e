package corpus

import (
	"strconv"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// base is the base of the type of a node.
type base uint8

const (
	baseRoot base = iota
	baseSys
	baseSeq
	baseHead
	baseSeg
	baseCont
	baseBlock
)

// isRegion reports whether a node is the root or a region.
func (b base) isRegion() bool { return b <= baseHead }

var baseNames = [...]string{"^root", "^sys", "^seq", "^ah", "seg", "cont", "block"}

// form is what kind of JSON a value is.
type form uint8

const (
	absent form = iota
	null
	plain   // a string without escapes
	escaped // a string with escapes
	other   // anything else
)

// text is a value of the log. A string stands without its quotes, as it is written.
type text struct {
	raw  string
	form form
}

// string returns what a text stands for, if it is a string.
func (t text) string() (string, bool) {
	switch t.form {
	case plain:
		return t.raw, true
	case escaped:
		return canonjson.Unescape(t.raw), true
	}
	return "", false
}

// node is a node of the newest tree of a log.
type node struct {
	base    base
	isLog   bool  // of the type cont:log
	turn    int32 // from 1; 0 for what is not in ^seq
	parent  int32
	number  int32 // in the id; 0 for an id of the log
	id      string
	role    string
	kind    string
	name    text
	call    string // the member call_id
	key     string
	content text
}

// idOf returns the id of a node.
func (n *node) idOf() string {
	if n.number == 0 {
		return n.id
	}
	return baseNames[n.base] + ":" + strconv.Itoa(int(n.number))
}

// typeOf returns the type of a node.
func (n *node) typeOf() string {
	if n.isLog {
		return "cont:log"
	}
	return baseNames[n.base]
}

// tape is the tree of a log, its nodes in document order. Turns are only added, so the tree of an earlier cycle is the
// beginning of it, but for ^ah.
type tape struct {
	nodes []node
	turns int32
	// name is what the record of the log calls it; empty if it has no name.
	name string
}

// reset empties a tape.
func (t *tape) reset() {
	clear(t.nodes)
	t.nodes, t.turns, t.name = t.nodes[:0], 0, ""
}

// depthOf returns the depth of a node seen from the last turn of a snapshot; ok is false for the root and ^seq.
func (n *node) depthOf(last int32, t *tape) (depth int64, ok bool) {
	switch {
	case n.turn > 0:
		return int64(last-n.turn) + 1, true
	case n.base == baseHead:
		return 0, true
	case n.base == baseRoot || n.base == baseSeq:
		return 0, false
	}
	return -1, true
}
