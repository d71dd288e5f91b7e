package gentest

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// Selector returns a random selector in an edition of the language, legacy forms included. It is made from a node of
// the timeline and mostly finds that. Now and then it does not parse.
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
	snap  *engine.Snapshot // what the selector is made from
	back  int
	old   bool
	timed bool // a time is written
	wide  bool // the time is a range or a pair
}

func (w *writer) time() string {
	r, n := w.r, w.t.Len()
	cycle := func(back int) string {
		s := w.t.At(back)
		if s == w.t.Working() {
			return "@c" + strconv.Itoa(r.IntN(9))
		}
		return "@c" + strconv.FormatInt(s.Cycle(), 10)
	}
	ago := func(back int) string {
		if back == 0 {
			return "@t0"
		}
		return "@t-" + strconv.Itoa(back)
	}
	if one(r, 2) {
		return ""
	}
	w.timed = true
	a, b := r.IntN(n), r.IntN(n)
	w.back = a
	beyond := func(back int) int { // now and then further than there is
		if one(r, 8) {
			return n + r.IntN(3)
		}
		return back
	}
	switch r.IntN(12) {
	case 0, 1, 2:
		return ago(a)
	case 3:
		return cycle(a)
	case 4:
		return pick(r, ago(beyond(a)), "@t+1", "@c99", "@t+0")
	case 5, 6:
		return "@*"
	}
	w.wide = true
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		return pick(r, ago(beyond(a)), ago(beyond(a)), "@t+1") + pick(r, "..", ":", " .. ") + ago(beyond(b))
	case 4:
		return cycle(a) + pick(r, "..", ":") + pick(r, cycle(b), "@c99", "@c0")
	case 5:
		return ago(beyond(a)) + "," + ago(b)
	case 6:
		return cycle(a) + "," + cycle(b)
	case 7:
		return ago(a) + ".." + pick(r, "@t-*", "-"+strconv.Itoa(beyond(b)), "0")
	}
	return "@history"
}

func (w *writer) controls() []string {
	r := w.r
	var out []string
	add := func(chance int, s string) {
		if one(r, chance) {
			out = append(out, s)
		}
	}
	if w.wide {
		add(2, "@mode="+pick(r, "pairwise", "union", "latest", "reduce"))
	}
	add(5, "@order="+pick(r, "pre", "post", "bfs", "path", "turn:asc,pre", "turn:desc,pre"))
	if one(r, 5) {
		out = append(out, "@limit="+strconv.Itoa(r.IntN(5)))
		add(3, "@p="+strconv.Itoa(1+r.IntN(3)))
	} else {
		add(12, "@first")
	}
	add(8, "@skip="+strconv.Itoa(r.IntN(3)))
	add(16, "@unique")
	add(24, pick(r, "@foo", "@foo=bar", "@x='a b'", "@foo=1:2"))
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

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

// chain writes steps that lead to a node, or lose the way.
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

// step writes an anchor with qualifiers, and tells whether it names a depth.
func (w *writer) step(n engine.Node, later bool) (string, bool) {
	s, placed := w.anchor(n, later)
	for one(w.r, 3) {
		s += w.qualifier(n)
	}
	return s, placed
}

var identifier = regexp.MustCompile(`^[\pL_]([\pL\pM\p{Nd}_-]*[\pL\pM\p{Nd}_])?$`)

// anchor writes what finds a node; a later step must not begin with a filter, which would qualify the one before.
func (w *writer) anchor(n engine.Node, later bool) (text string, placed bool) {
	r := w.r
	if n.Base() == engine.BaseRegion {
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

func dotted(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !identifier.MatchString(part) {
			return false
		}
	}
	return true
}

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

func tagsOf(n engine.Node) []string { list, _ := n.Tags(); return list }

// qualifier writes what narrows a step and mostly leaves a node in it.
func (w *writer) qualifier(n engine.Node) string {
	r := w.r
	switch r.IntN(12) {
	case 0, 1:
		return pick(r, ":first", ":last", ":nth(1)", ":nth(2)")
	case 2:
		return w.zone(n)
	case 3, 4:
		for _, t := range tagsOf(n) {
			if identifier.MatchString(t) {
				return pick(r, "", " ") + "+" + t
			}
		}
	case 5:
		if key, ok := n.Key(); ok && !w.old {
			return w.key(key)
		}
	}
	return pick(r, "", "", " ") + w.filter(n)
}

func (w *writer) filter(n engine.Node) string {
	brackets := one(w.r, 2)
	tests := []string{w.test(n, brackets)}
	for one(w.r, 3) {
		tests = append(tests, w.test(n, brackets))
	}
	s := strings.Join(tests, pick(w.r, ",", ", "))
	if brackets {
		return "[" + s + "]"
	}
	return "{" + s + "}"
}

var attributes = []string{
	"id", "nodeType", "parent_id", "offset", "ttl", "cad", "priority", "cycle", "created_at_ns", "created_at_iso", "creation_index",
	"key", "tag", "kind", "role", "content", "content_hash", "removable", "depth", "status", "n", "x:y", "lang", "missing", "pinned",
}

// oddTests are tests that a node seldom gives reason to write.
var oddTests = []string{
	"ephemeral", "children", "nodeType in ['seg', 'block', null]", "nodeType!='seg'", "nodeType='^ah'", "nodeType='block.cb:summary'",
	"nodeType!='block.p.q.r.s.t'", "nodeType='p.q.r.s.t.cont'", "nodeType in ['sys', '^sys', 'cb:cont:x']",
	"nodeType='note.block.note'", "nodeType~'^c'", "nodeType<'cc'", "ttl='x'", "ttl!='x'", "offset=true", "priority<'1e1'",
	"content=5", "content<'6'", "n<'7'", "n>'x'", "id=5",
}

// test writes one test, mostly one that the node passes.
func (w *writer) test(n engine.Node, brackets bool) string {
	r := w.r
	if brackets && one(r, 12) {
		return pick(r, "ephemeral", "sticky")
	}
	if one(r, 24) {
		return pick(r, oddTests...)
	}
	names := n.Headers()
	names = append(names, "offset", "depth", "ttl", "status", "n")
	if w.timed {
		names = append(names, "age", "born_turn")
	}
	name := pick(r, names...)
	if one(r, 8) {
		name = pick(r, attributes...)
	}
	if (name == "age" || name == "born_turn") && !w.timed {
		name = "cycle"
	}
	v := n.Header(name)
	switch name {
	case "depth":
		v = engine.Value{}
		if d, ok := n.Depth(); ok {
			v = number(strconv.Itoa(d))
		}
	case "born_turn":
		v = n.Header("cycle")
	case "age":
		v = number(strconv.Itoa(r.IntN(4)))
	case "content_hash":
		v = engine.Text(n.ContentHash())
	case "tag":
		v = engine.Value{}
		if list := tagsOf(n); len(list) > 0 {
			v = engine.Text(pick(r, list...))
		}
	}
	if one(r, 10) { // the value of another node
		v = w.node().Header(name)
	}
	return name + w.compare(v)
}

func number(s string) engine.Value { v, _ := engine.JSON([]byte(s)); return v }

// compare writes an operator and a value that v mostly passes.
func (w *writer) compare(v engine.Value) string {
	r := w.r
	if v.IsZero() || v.IsNull() {
		return pick(r, "=null", "=None", "!='x'", "!=1", "=null", "")
	}
	if one(r, 10) {
		return pick(r, "", "!=null")
	}
	if x, ok := v.Number(); ok {
		s := x.String()
		if strings.ContainsAny(s, "eE") {
			s = "'" + s + "'"
		}
		switch r.IntN(9) {
		case 0, 1, 2:
			return "=" + s
		case 3:
			return ">=" + s
		case 4:
			return "<=" + s
		case 5:
			return "> -3"
		case 6:
			return pick(r, "<1", "<100", "<'10'", ">-0.5", "<x")
		case 7:
			return " in [" + s + ", " + pick(r, "7", "'open'", "null") + "]"
		}
		return "!=" + pick(r, "2", "1.0", "0.50", "'1'", "null", "'x'")
	}
	s, ok := v.Text()
	if !ok {
		s = v.String() // a boolean, a list or an object
		if s != "true" && s != "false" {
			return pick(r, "", "!='x'", "!=1", "='x'", "<'x'")
		}
	}
	switch r.IntN(9) {
	case 0, 1, 2:
		return "=" + literal(r, s)
	case 3:
		return "!=" + literal(r, pick(r, "x", "open", "5"))
	case 4:
		return pick(r, ">=", "<=", ">", "<") + literal(r, pick(r, s, s, "m", "5", "10"))
	case 5:
		return " in [" + literal(r, s) + pick(r, "", ", null", ", 5", ", 'a'") + "]"
	case 6:
		return "=[" + literal(r, "b") + "," + literal(r, s) + "]"
	case 7:
		return "~" + quoted(r, pick(r, "^"+regexp.QuoteMeta(s)+"$", "^.", "(?i)"+regexp.QuoteMeta(s), "e", "(?s)^.*$", ""))
	}
	return "=" + literal(r, s)
}

// literal writes a string, bare when it can be.
func literal(r *rand.Rand, s string) string {
	if (identifier.MatchString(s) || s == "true") && one(r, 2) && s != "null" && s != "None" {
		return s
	}
	return quoted(r, s)
}

// quoted writes a string in quotes of either kind.
func quoted(r *rand.Rand, s string) string {
	q := pick(r, '\'', '"')
	var b strings.Builder
	b.WriteRune(q)
	for _, c := range s {
		switch {
		case c == q || c == '\\':
			b.WriteRune('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case unicode.IsControl(c):
			b.WriteString(`\u00` + string("0123456789abcdef"[c>>4&15]) + string("0123456789abcdef"[c&15]))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteRune(q)
	return b.String()
}
