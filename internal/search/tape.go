package search

import (
	"strconv"
	"strings"

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

// text is a value of the log. A string is not decoded.
type text = canonjson.Value

// The forms of values.
const (
	absent  = canonjson.Absent
	null    = canonjson.Null
	plain   = canonjson.Plain
	escaped = canonjson.Escaped
	coded   = canonjson.Coded
	other   = canonjson.Other
)

// node is a node of the newest tree of a log.
type node struct {
	base    base
	isLog   bool  // of the type cont:log
	turn    int32 // from 1; 0 for what is in no turn
	from    int32 // cycle of the first snapshot that has it
	parent  int32 // of a core: its segment, which it is in once the turn is finished
	number  int32 // in the id; 0 for an id of the log
	joined  int32 // cycle of the first snapshot in which the content ends with a newline, if that was added; otherwise 0
	id      string
	role    string
	kind    string
	name    text
	call    string // the member call_id
	key     string
	content text
}

// contentAt returns the content of a node in the snapshot of a cycle.
func (n *node) contentAt(cycle int32) text {
	if n.joined > cycle {
		return text{Raw: strings.TrimSuffix(n.content.Raw, `\n`), Form: n.content.Form}
	}
	return n.content
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

// tape is the newest tree of a log. Its nodes are in document order, except ^ah, which follows
// ^seq. Nothing ever leaves the tree, so the tree of an earlier cycle is the nodes that existed
// then; the core of an unfinished turn is in ^ah.
type tape struct {
	nodes  []node
	head   int32   // where ^ah is
	cycles int32   // snapshots of the log, whose cycles are counted from 1 here
	first  int32   // cycle of the first one that the tape has
	before int32   // cycles of the history before these
	unsent bool    // the log has messages that no call was sent: containers keep them, which the tape leaves out
	sealed []int32 // for each turn, the cycle of the first snapshot that shows it finished
	// name is what the record of the log calls it; empty if it has no name.
	name string
}

// reset empties a tape. Its contents stay in memory until forget.
func (t *tape) reset() {
	*t = tape{nodes: t.nodes[:0], sealed: t.sealed[:0]}
}

// view is a tape as one snapshot shows it.
type view struct {
	*tape
	cycle    int32
	finished int32 // turns
}

func (t *tape) at(cycle int32) view {
	v := view{tape: t, cycle: cycle}
	for v.finished < int32(len(t.sealed)) && t.sealed[v.finished] <= cycle {
		v.finished++
	}
	return v
}

// has reports whether the snapshot has a node.
func (v *view) has(n *node) bool { return n.from <= v.cycle }

// up returns the parent of a node, or -1 for the root.
func (v *view) up(n *node) int32 {
	if n.base == baseCont && n.turn > v.finished {
		return v.head
	}
	return n.parent
}

// depth returns the depth of a node; ok is false for the root and ^seq.
func (v *view) depth(n *node) (depth int64, ok bool) {
	switch {
	case n.turn > v.finished, n.base == baseHead:
		return 0, true
	case n.turn > 0:
		return int64(v.finished-n.turn) + 1, true
	case n.base == baseRoot || n.base == baseSeq:
		return 0, false
	}
	return -1, true
}

// level counts from the region, or from the segment.
func (v *view) level(n *node) int {
	level := 0
	for n.base != baseSeg && !n.base.isRegion() {
		level++
		n = &v.nodes[v.up(n)]
	}
	return level
}
