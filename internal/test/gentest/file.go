package gentest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A record is a node of a file: members with their values as JSON text, and children.
type record struct {
	members map[string]string
	kids    []*record
}

// File returns a random history file with everything that a reader has to cope with: siblings at
// the same offset, segments without a core, user types that look like canonical ones, tags as a
// string and as a list, numbers in every spelling, null headers, custom members, content of every
// shape, and too many or too few regions. Each snapshot is a small change of the previous one.
func File(r *rand.Rand, size int) []byte {
	g := &grower{r: r, old: r.IntN(2) == 0}
	root := g.root(size)
	var doc []byte
	version := "PACT/1.0.0"
	if g.old {
		version = pick(r, "PACT/0.1.0", "PACT/0.1")
	}
	doc = append(doc, `{"spec_version":`+quote(version)+`,"snapshots":[`...)
	cycle := int64(r.IntN(4))
	n := 1 + r.IntN(5)
	working := one(r, 4)
	told := one(r, 2) // the file says why nodes left
	before := root.ids()
	for i := range n {
		if i > 0 {
			doc = append(doc, ',')
			for range 1 + r.IntN(4) {
				g.mutate(root)
			}
			cycle += 1 + int64(r.IntN(5)/4)
		}
		doc = append(doc, `{"cycle":`+strconv.FormatInt(cycle, 10)+`,"root":`...)
		doc = root.append(doc)
		after := root.ids()
		if i > 0 && told {
			doc = g.happened(doc, cycle, before, after)
		}
		doc, before = append(doc, '}'), after
	}
	doc = append(doc, ']')
	if working {
		g.mutate(root)
		doc = append(doc, `,"working":{"root":`...)
		doc = append(root.append(doc), '}')
	}
	return append(doc, '}')
}

// ids returns the ids of a tree.
func (n *record) ids() map[string]bool {
	ids := map[string]bool{}
	all(n, func(_, n *record) { ids[n.members["id"]] = true })
	return ids
}

// happened writes facts about a commit that its tree does not show: sometimes that it is a side
// call, and sometimes why nodes left or changed; see [Read].
func (g *grower) happened(doc []byte, cycle int64, before, after map[string]bool) []byte {
	var causes []string
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if id != "" && (after[id] && one(g.r, 12) || !after[id] && one(g.r, 2)) {
			cause := `"` + pick(g.r, reasons...) + `"`
			if one(g.r, 3) {
				cause = `{"cause":` + cause + `,"rule":"` + pick(g.r, rules...) + `","saved":` + strconv.Itoa(g.r.IntN(4)) + "}"
			}
			causes = append(causes, id+":"+cause)
		}
	}
	if len(causes) > 0 {
		doc = append(doc, `,"causes":{`+strings.Join(causes, ",")+"}"...)
	}
	if one(g.r, 4) {
		doc = append(doc, `,"side":{"kind":"summary","of":`+strconv.FormatInt(cycle-1, 10)+"}"...)
	}
	return doc
}

func (n *record) append(doc []byte) []byte {
	doc = append(doc, '{')
	names := make([]string, 0, len(n.members))
	for name := range n.members {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if i > 0 {
			doc = append(doc, ',')
		}
		doc = append(append(append(doc, quote(name)...), ':'), n.members[name]...)
	}
	if len(n.kids) > 0 {
		if len(names) > 0 {
			doc = append(doc, ',')
		}
		doc = append(doc, `"children":[`...)
		for i, k := range n.kids {
			if i > 0 {
				doc = append(doc, ',')
			}
			doc = k.append(doc)
		}
		doc = append(doc, ']')
	}
	return append(doc, '}')
}

func quote(s string) string {
	text, _ := json.Marshal(s) // strings do not fail
	return string(text)
}

// A grower makes nodes whose ids are unique in a tree.
type grower struct {
	r   *rand.Rand
	old bool // edition 0.1
	ids int
}

func (g *grower) id() string {
	g.ids++
	return quote(pick(g.r, "b", "n", "cb:", "Ü", "x-") + strconv.Itoa(g.ids))
}

func (g *grower) root(size int) *record {
	r := g.r
	root := &record{members: map[string]string{}}
	if one(r, 3) {
		root.members["id"] = quote(pick(r, "root", "top", "r:1"))
	}
	for _, region := range []string{"^sys", "^seq", "^ah"} {
		if one(r, 12) {
			continue
		}
		n := &record{members: map[string]string{"nodeType": quote(region)}}
		if one(r, 2) {
			n.members["id"] = quote(pick(r, "id-", "z:", "") + region[1:])
		}
		if one(r, 4) {
			g.headers(n, 4)
		}
		root.kids = append(root.kids, n)
		switch region {
		case "^sys":
			g.fill(n, 1+size/6, 2)
		case "^seq":
			for range r.IntN(size/5 + 2) {
				n.kids = append(n.kids, g.segment(3+r.IntN(6)))
			}
		case "^ah":
			g.turn(n, 1+r.IntN(size/3+1))
		}
	}
	if one(r, 5) { // a second region, or something else, below the root
		n := g.node(pick(r, "^sys", "^ah", "^seq", "block", "seg", "summary"))
		g.fill(n, r.IntN(4+size/4), 2)
		root.kids = append(root.kids, n)
	}
	r.Shuffle(len(root.kids), func(i, j int) { root.kids[i], root.kids[j] = root.kids[j], root.kids[i] })
	return root
}

// segment makes a child of ^seq, sometimes of a type other than seg.
func (g *grower) segment(size int) *record {
	nodeType := g.spell("seg")
	if one(g.r, 6) {
		nodeType = pick(g.r, "mt:turn", "seg:turn", "seg", "mt", "block", "cont", "summary")
	}
	n := g.node(nodeType)
	if nodeType == g.spell("seg") && one(g.r, 3) {
		delete(n.members, "nodeType")
	}
	g.turn(n, size)
	return n
}

// turn fills a segment or the head, with a core or without one.
func (g *grower) turn(n *record, size int) {
	if one(g.r, 3) {
		g.fill(n, size, 2)
		return
	}
	core := g.node(g.spell("cont"))
	core.members["offset"] = "0"
	g.fill(core, size, 2)
	n.kids = append(n.kids, core)
	g.fill(n, g.r.IntN(3), 2)
}

// fill adds about size nodes below a parent, nested a few levels.
func (g *grower) fill(parent *record, size, levels int) {
	for size > 0 {
		n := g.node(g.nodeType())
		parent.kids = append(parent.kids, n)
		size--
		if levels > 0 && size > 0 && one(g.r, 3) {
			below := 1 + g.r.IntN(size)
			g.fill(n, below, levels-1)
			size -= below
		}
	}
}

// spell returns the name of a canonical type, mostly the name in the edition of the file.
func (g *grower) spell(base string) string {
	old := map[string]string{"seg": "mt", "cont": "mc", "block": "cb"}[base]
	if g.old != one(g.r, 12) {
		return old
	}
	return base
}

var userTypes = []string{
	"summary", "note", "log.entry", "custom:note", "block.summary", "item", "seg:turn", "überblick",
	"sys", "^ah", "cb:block", "cont", "cb:cont:x", "A.b.c", "p.q.r.s.t", "mc:summary", "cont:section", "mt:turn",
}

func (g *grower) nodeType() string {
	switch g.r.IntN(10) {
	case 0, 1, 2, 3:
		return g.spell("block")
	case 4, 5:
		return g.spell("cont")
	case 6, 7:
		return pick(g.r, "summary", "note", g.spell("block")+":summary", g.spell("block")+":note", g.spell("cont")+":section")
	case 8:
		return pick(g.r, userTypes...)
	}
	return g.spell("seg")
}

func (g *grower) node(nodeType string) *record {
	n := &record{members: map[string]string{"id": g.id(), "nodeType": quote(nodeType)}}
	if nodeType == g.spell("block") && one(g.r, 3) {
		delete(n.members, "nodeType")
	}
	if !one(g.r, 3) {
		n.members["offset"] = g.number(4)
	}
	g.headers(n, 12)
	return n
}

// number writes a small number in one of many spellings: different texts can have the same value.
func (g *grower) number(most int) string {
	i := g.r.IntN(most) - 1
	s := strconv.Itoa(i)
	switch g.r.IntN(14) {
	case 0:
		return s + ".0"
	case 1:
		return s + "e0"
	case 2:
		return strconv.Itoa(i*10) + "e-1"
	case 3:
		return pick(g.r, "0.5", "-0.50", "1e3", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
			"1e30", "-0", "-0.0", "2.5E0")
	case 4:
		return "null"
	case 5, 6:
		return "0"
	}
	return s
}

var (
	keys     = []string{"summary", "nav.item", "k1", "k2", "two words", "a:b", "", "Ünï"}
	reasons  = []string{"compacted", "cleared", "edited", "expired", "rewound", "unknown", "of my own"}
	rules    = []string{"limit 1", "clear .block", "x"}
	tags     = []string{"user", "assistant", "draft", "tool", "two words", "a.b"}
	kinds    = []string{"text", "json", "tool_call", "", "Text"}
	statuses = []string{"open", "done", "Done", "5", "05", "1e1", "true", "null", "it's \"x\"\\\n", "日本"}
)

// value writes a JSON value of any shape.
func (g *grower) value() string {
	switch g.r.IntN(12) {
	case 0:
		return "null"
	case 1:
		return pick(g.r, "true", "false")
	case 2:
		return pick(g.r, `[]`, `["open"]`, `{"a":1}`, `[1,[2]]`, `{}`)
	case 3, 4, 5:
		if s := g.number(9); s != "null" {
			return s
		}
		return "10"
	case 6:
		return pick(g.r, "5.0", "5e0", "5", "10", "9007199254740993", "9007199254740992")
	}
	return quote(pick(g.r, statuses...))
}

// headers gives a node a random choice of the optional headers.
func (g *grower) headers(n *record, most int) {
	r := g.r
	set := func(chance int, name string, value func() string) {
		if one(r, chance) {
			n.members[name] = value()
		}
	}
	word := func(list []string) func() string { return func() string { return quote(pick(r, list...)) } }
	num := func(most int) func() string { return func() string { return g.number(most) } }
	set(4, "key", word(keys))
	set(3, "tag", func() string {
		switch r.IntN(6) {
		case 0:
			return `[` + quote(pick(r, tags...)) + `,` + quote(pick(r, tags...)) + `]`
		case 1:
			return `[7,` + quote(pick(r, tags...)) + `,null]`
		case 2:
			return pick(r, `[]`, "null", `""`)
		}
		return quote(pick(r, tags...))
	})
	set(4, "ttl", num(4))
	set(8, "cad", num(4))
	set(5, "priority", num(most))
	set(4, "cycle", num(6))
	set(4, "created_at_ns", num(4))
	set(5, "creation_index", num(4))
	set(8, "created_at_iso", func() string { return pick(r, `"2025-08-01T00:00:00Z"`, `"2025-08-02"`, "null") })
	set(5, "kind", word(kinds))
	set(4, "role", word([]string{"user", "assistant", "system"}))
	set(3, "content", func() string {
		if one(r, 3) {
			return g.value()
		}
		return quote(pick(r, "", "Hello", "line one\nline two\n", "error: no", "Hello\nworld", "5"))
	})
	set(12, "content_hash", func() string { return pick(r, `"abc"`, `"ABC"`, "null") })
	set(10, "removable", func() string { return pick(r, "true", "false", "null") })
	set(16, "pinned", func() string { return pick(r, "true", "false") })
	set(5, "status", g.value)
	set(6, "n", g.value)
	set(12, "x:y", g.value)
	set(16, "age", g.value)
	set(16, "depth", g.value)
	set(16, "ephemeral", g.value)
	set(16, "lang", word([]string{"en", "de"}))
	set(16, "phase", g.value)
	set(16, "mime", word([]string{"text/plain", "application/json"}))
	set(20, "data_x", g.value)
	if one(r, 12) {
		for _, name := range []string{"kind", "role", "key", "content"} {
			if one(r, 3) {
				n.members[name] = "null"
			}
		}
	}
}

// all visits every node below a node, with its parent.
func all(parent *record, visit func(parent, n *record)) {
	for _, n := range parent.kids {
		visit(parent, n)
		all(n, visit)
	}
}

// mutate makes one small change to a tree. Earlier snapshots are already written, as text.
func (g *grower) mutate(root *record) {
	type place struct{ parent, n *record }
	var places []place
	var regions []*record
	for _, k := range root.kids {
		regions = append(regions, k)
		all(k, func(p, n *record) { places = append(places, place{p, n}) })
	}
	if len(regions) == 0 {
		return
	}
	if len(places) == 0 || one(g.r, 5) {
		g.fill(pick(g.r, regions...), 1, 0)
		return
	}
	at := pick(g.r, places...)
	switch g.r.IntN(8) {
	case 0: // removed, with its descendants
		at.parent.kids = slices.DeleteFunc(at.parent.kids, func(n *record) bool { return n == at.n })
	case 1:
		g.fill(at.n, 1, 1)
	case 2: // moved, but not below itself
		at.parent.kids = slices.DeleteFunc(at.parent.kids, func(n *record) bool { return n == at.n })
		to := pick(g.r, regions...)
		to.kids = append(to.kids, at.n)
	case 3: // the head becomes a segment
		var seq, head *record
		for _, k := range regions {
			switch k.members["nodeType"] {
			case `"^seq"`:
				seq = k
			case `"^ah"`:
				head = k
			}
		}
		if seq == nil || head == nil {
			return
		}
		s := g.node(g.spell("seg"))
		s.members["offset"] = "0"
		s.members["created_at_ns"] = strconv.Itoa(10 + g.ids)
		s.kids, head.kids = head.kids, nil
		seq.kids = append(seq.kids, s)
	case 4:
		at.n.members["content"] = quote(pick(g.r, "changed", "Hello\nthere", "line one\nline 2\n"))
	case 5:
		delete(at.n.members, pick(g.r, "key", "tag", "ttl", "content", "status", "n"))
	default:
		g.headers(at.n, 12)
	}
}
