package gentest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// Selector returns a random selector in an edition of the language, legacy forms included. It is
// made from a node of the timeline and usually finds it. Sometimes it does not parse.
func Selector(r *rand.Rand, t *engine.Timeline, e ast.Edition) string {
	w := &writer{r: r, t: t, old: e == ast.Edition01}
	time := w.time()
	w.snap = t.At(w.back)
	n := 1
	if one(r, 4) {
		n = 2 + r.IntN(2)
	}
	var fragments []string
	for range n {
		fragments = append(fragments, w.fragment(n > 1))
	}
	union := strings.Join(fragments, pick(r, ", ", ","))
	if time != "" && !one(r, 12) {
		time += " "
	}
	return strings.Join(append([]string{time + union}, w.controls()...), " ")
}

// A writer writes one selector.
type writer struct {
	r     *rand.Rand
	t     *engine.Timeline
	snap  *engine.Snapshot // the tree that the selector is made from
	back  int
	old   bool
	timed bool // a time is written
	wide  bool // the time is a range or a pair
}

// fragment writes one fragment. union tells whether it is one of several.
func (w *writer) fragment(union bool) string {
	r := w.r
	if one(r, 8) {
		return w.chain(union, one(r, 2)) + pick(r, " ?? ", "??") + w.chain(union, false)
	}
	if !union && one(r, 24) {
		return w.legacy()
	}
	return w.chain(union, false)
}

// legacy writes forms that are whole fragments.
func (w *writer) legacy() string {
	n := w.node()
	depth, _ := n.Depth()
	d := "d" + strconv.Itoa(depth)
	switch w.r.IntN(6) {
	case 0:
		return "?? {" + w.test(n, false) + "}"
	case 1:
		return "within(" + d + ", seg) ?? {" + w.test(n, false) + "}"
	case 2:
		return "(" + d + ", seg, cont[offset=" + w.offset(n) + "], *:block)"
	case 3:
		return "(" + d + ", " + w.offset(n) + ":" + pick(w.r, "cont", "block", "summary") + ")"
	case 4:
		return "(d-1..d3, .seg ." + pick(w.r, "block", "summary", "note") + ")"
	}
	return pick(w.r, "*@+", "*@-", "*:block", "^seq *:block", "^root *:summary")
}

// offset returns the offset of a node as text, or 0 if it is not a whole number.
func (w *writer) offset(n engine.Node) string {
	if i, ok := n.Offset().Int64(); ok {
		return strconv.FormatInt(i, 10)
	}
	return "0"
}

// node picks a node, rarely the root or a region.
func (w *writer) node() engine.Node {
	n := anyNode(w.r, w.snap)
	for range 3 {
		if n.Base() != engine.BaseRegion || one(w.r, 8) {
			break
		}
		n = anyNode(w.r, w.snap)
	}
	return n
}

// chain writes steps that lead to a node, or nearly so.
func (w *writer) chain(union, lost bool) string {
	r := w.r
	target := w.node()
	way := []engine.Node{target}
	for p, ok := target.Parent(); ok; p, ok = p.Parent() {
		way = append(way, p)
	}
	slices.Reverse(way)
	var s strings.Builder
	placed := false
	steps := 0
	group := !union && one(r, 16)
	last := -1
	for i, n := range way {
		final := i == len(way)-1
		if !final && !one(r, 3) {
			continue
		}
		if lost || one(r, 40) {
			n = w.node()
		}
		if steps > 0 {
			joint := pick(r, " ", " ", " ", " ", "  ", "\t", "\n # why\n")
			if last == i-1 && one(r, 2) {
				joint = pick(r, " > ", ">")
			}
			s.WriteString(joint)
		}
		if p := n; !final && (p.Base() == engine.BaseSeg || p.Type() == "^ah") && one(r, 3) { // through the core, implied or not
			text, at := w.anchor(n, steps > 0)
			placed = placed || at
			s.WriteString(text)
			s.WriteString(pick(r, " > ", " ") + pick(r, ".cont", ".mc", ":core", "*:core", ".cont:first"))
			steps += 2
			last = -1
			continue
		}
		text, at := w.step(n, steps > 0)
		placed = placed || at
		s.WriteString(text)
		steps++
		last = i
	}
	out := s.String()
	if placed && union || group {
		out = "(" + out + ")"
		if one(r, 3) {
			out += w.qualifier(target)
		}
	}
	return out
}

// step writes an anchor with qualifiers, and reports whether it names a depth.
func (w *writer) step(n engine.Node, later bool) (string, bool) {
	s, placed := w.anchor(n, later)
	for one(w.r, 3) {
		s += w.qualifier(n)
	}
	return s, placed
}
