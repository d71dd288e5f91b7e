package gentest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

var identifier = regexp.MustCompile(`^[\pL_]([\pL\pM\p{Nd}_-]*[\pL\pM\p{Nd}_])?$`)

// anchor writes an anchor that finds a node. In a later step it does not begin with a filter, which
// would qualify the step before.
func (w *writer) anchor(n engine.Node, later bool) (text string, placed bool) {
	r := w.r
	if n.Base() == engine.BaseRegion {
		return w.region(n)
	}
	var forms []string
	add := func(times int, s string) {
		for range times {
			forms = append(forms, s)
		}
	}
	depth, inside := n.Depth()
	if p, _ := n.Parent(); inside && depth > 0 && p.Base() == engine.BaseRegion && !one(r, 3) {
		d := strconv.Itoa(depth)
		s := pick(r, "d"+d, "d"+d, "depth("+d+")", "d0..d"+d, "d"+d+".."+strconv.Itoa(depth+2),
			".mt:depth("+d+")", ":depth(1-"+d+")", ":depth({1.."+d+"})", ".seg:depth(>="+d+")", "*:depth("+d+","+strconv.Itoa(depth+2)+")", "(d"+d+")", "((d"+d+"),(d0))")
		return s, true
	}
	if inside && one(r, 5) {
		if s, ok := w.coordinate(n, depth); ok {
			return s, true
		}
	}
	bases := map[engine.Base][]string{
		engine.BaseSeg: {"seg", "mt"}, engine.BaseCont: {"cont", "mc"}, engine.BaseBlock: {"block", "cb"},
	}[n.Base()]
	base := bases[0]
	if w.old != one(r, 5) {
		base = bases[1]
	}
	add(3, "."+base)
	user := n.UserType()
	if dotted(user) {
		add(3, "."+user)
		add(1, "."+base+"."+user)
		if identifier.MatchString(user) {
			add(1, "."+base+":"+user)
			add(1, "*:"+user)
		}
	}
	if head, part, ok := strings.Cut(user, ":"); ok && identifier.MatchString(head) && identifier.MatchString(part) {
		add(2, "."+user)
	}
	if key, ok := n.Key(); ok && !w.old {
		add(2, w.key(key))
	}
	if w.old {
		if id := n.ID(); identifier.MatchString(id) || strings.HasPrefix(id, "cb:") {
			add(2, "#"+id)
		}
	} else if strings.HasPrefix(n.ID(), "cb:") {
		add(1, "#"+n.ID())
	}
	if one(r, 4) {
		add(2, w.zone(n))
	}
	add(1, "*")
	if later {
		return pick(r, forms...), false
	}
	for _, t := range tagsOf(n) {
		if identifier.MatchString(t) {
			add(2, "+"+t)
		}
	}
	if one(r, 3) {
		add(2, w.filter(n))
	}
	return pick(r, forms...), false
}

// region writes an anchor that finds ^root or a region.
func (w *writer) region(n engine.Node) (text string, placed bool) {
	r := w.r
	if _, top := n.Parent(); !top {
		return pick(r, "^root", "^root", ".root"), false
	}
	switch n.Type() {
	case "^sys":
		s := pick(r, "^sys", "^sys", ".sys", "d-1", "depth(-1)", "d-1..0", ":depth(-1)", "*:depth(<0)", ".mt:depth( <= -1 )")
		return s, s[0] == 'd'
	case "^ah":
		s := pick(r, "^ah", "^ah", ".ah", "d0", "depth(0)", "d0..d0")
		return s, s[0] == 'd'
	}
	return pick(r, "^seq", ".seq"), false
}

// dotted reports whether a type consists of identifiers joined by dots.
func dotted(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !identifier.MatchString(part) {
			return false
		}
	}
	return true
}

// key writes #key, in quotes where they are needed, and sometimes where they are not.
func (w *writer) key(key string) string {
	if identifier.MatchString(key) && !one(w.r, 4) {
		return "#" + key
	}
	return "#" + literal(w.r, key)
}

// coordinate writes the address of a node: its depth and the offsets that lead to it.
func (w *writer) coordinate(n engine.Node, depth int) (string, bool) {
	var offsets []string
	for p, ok := n.Parent(); ok; p, ok = n.Parent() {
		if n.Base() == engine.BaseRegion || p.Type() == "^seq" && p.Base() == engine.BaseRegion {
			break
		}
		i, exact := n.Offset().Int64()
		if !exact {
			return "", false
		}
		offsets = append(offsets, strconv.FormatInt(i, 10))
		n = p
	}
	offsets = append(offsets, "d"+strconv.Itoa(depth))
	slices.Reverse(offsets)
	if one(w.r, 4) && n.Base() != engine.BaseCont { // the core, implied or not
		offsets = slices.Insert(offsets, 1, "0")
	}
	if one(w.r, 6) {
		offsets[0] = "d-1.." + strconv.Itoa(depth+1)
	}
	s := "(" + strings.Join(offsets, pick(w.r, ",", ", ")) + ")"
	if one(w.r, 6) {
		s = "(" + s + ", (d" + strconv.Itoa(w.r.IntN(3)) + ",0))"
	}
	return s, true
}

// zone writes the zone of a node, or sometimes another zone.
func (w *writer) zone(n engine.Node) string {
	switch o := n.Offset(); {
	case one(w.r, 12):
		return pick(w.r, ":pre", ":core", ":post")
	case o.Cmp(engine.Int(0)) < 0:
		return ":pre"
	case o.Cmp(engine.Int(0)) > 0:
		return ":post"
	}
	return ":core"
}
