package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// node is a node of the tree that all libraries are given.
type node struct {
	id       string
	base     string // root, region, seg, cont or block
	class    string // ^sys and so on, or the user type of a block, if it has one
	key      string
	tags     []string
	priority int
	offset   int
	depth    int // of the segment that contains it; 0 outside segments
	parent   int
	end      int // the index after that of its last descendant
	level    int
}

var (
	kinds = []string{"note", "summary", "plan", "tool_call", "tool_result"}
	words = []string{"user", "assistant", "draft", "audit", "pinned", "open"}
)

// newTree returns a tree of about n nodes in document order, with three regions and segments of 5
// to 22 nodes.
func newTree(n int) []node {
	r := rand.New(rand.NewPCG(uint64(n), 4))
	t := []node{{id: "root", base: "root", parent: -1}}
	add := func(parent int, d node) int {
		d.parent, d.level = parent, t[parent].level+1
		if d.id == "" {
			d.id = fmt.Sprint("n", len(t))
		}
		t = append(t, d)
		return len(t) - 1
	}
	block := func(parent, offset int) {
		d := node{base: "block", offset: offset, priority: r.IntN(10)}
		switch k := r.IntN(1000); {
		case k < 4:
			d.class = "redaction"
		case k < 400:
			d.class = kinds[k%len(kinds)]
		}
		if r.IntN(20) == 0 {
			d.key = fmt.Sprint("k", len(t))
		}
		for i, w := range words {
			if r.IntN(1<<i+1) == 0 {
				d.tags = append(d.tags, w)
			}
		}
		add(parent, d)
	}
	sys := add(0, node{id: "^sys", base: "region", class: "^sys"})
	for range 10 {
		block(sys, 0)
	}
	seq := add(0, node{id: "^seq", base: "region", class: "^seq"})
	for len(t) < n-12 {
		size := 3 + r.IntN(16)
		seg := add(seq, node{base: "seg"})
		if r.IntN(3) == 0 {
			block(seg, -1)
		}
		core := add(seg, node{base: "cont"})
		for range size {
			block(core, 0)
		}
		if r.IntN(3) == 0 {
			block(seg, 1)
		}
	}
	head := add(0, node{id: "^ah", base: "region", class: "^ah"})
	core := add(head, node{base: "cont"})
	for range 8 {
		block(core, 0)
	}
	segments := 0
	for i := len(t) - 1; i >= 0; i-- {
		t[i].end = max(t[i].end, i+1)
		if p := t[i].parent; p >= 0 {
			t[p].end = max(t[p].end, t[i].end)
		}
		if t[i].base == "seg" {
			segments++
			for k := i; k < t[i].end; k++ {
				t[k].depth = segments
			}
		}
	}
	return t
}

// snapshot loads the tree into the engine.
func snapshot(b testing.TB, t []node) *engine.Snapshot {
	b.Helper()
	var write func(i int) map[string]any
	write = func(i int) map[string]any {
		n := t[i]
		m := map[string]any{"id": n.id, "priority": n.priority, "offset": n.offset, "created_at_ns": i}
		switch {
		case n.class != "":
			m["nodeType"] = n.class
		case n.base == "root":
			m["nodeType"] = "^root"
		default:
			m["nodeType"] = n.base
		}
		if n.key != "" {
			m["key"] = n.key
		}
		if len(n.tags) > 0 {
			m["tag"] = n.tags
		}
		var kids []any
		for k := i + 1; k < n.end; k = t[k].end {
			kids = append(kids, write(k))
		}
		if kids != nil {
			m["children"] = kids
		}
		return m
	}
	data, err := json.Marshal(map[string]any{"root": write(0)})
	if err != nil {
		b.Fatal(err)
	}
	tl, err := engine.Read("tree.json", bytes.NewReader(data), engine.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return tl.At(0)
}
