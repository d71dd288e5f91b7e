package eval_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// This file and naive_range_test.go are a second evaluator, written from the language reference
// sentence by sentence and without regard for speed, to compare the real one with. It works on the
// JSON that a snapshot exports and shares no code with the package under test. The sections in the
// comments are those of docs/reference/language.md.

// A tree is one snapshot.
type tree struct {
	snap  *engine.Snapshot
	cycle *big.Rat
	root  *node
	nodes []*node       // in document order; an implied core comes before the children of its owner
	place map[int]*node // the region or segment at a depth
	all   naiveTimeline // the history that it is a state of
	ids   map[string]*node
}

// A node is one node of a tree, or an implied core.
type node struct {
	tree    *tree
	headers map[string]any // as exported, numbers as json.Number; no children
	parent  *node
	kids    []*node // in canonical order, without the implied core

	defaulted map[string]bool // headers that the file leaves out, of those whose default may change
	core      *node           // the implied core, or nil
	implied   bool            // the node is an implied core
	parents   []*node         // what n is a child of: its parent and, at offset 0, the implied core of that (D28)
	numbers   map[string]*big.Rat
	lived     map[string]any
	region    string // root, sys, seq or ah for the root and for a region in its place
	depth     *int
	at        int // place in document order
	level     int // distance from the root
}

func newTree(s *engine.Snapshot) *tree {
	dec := json.NewDecoder(bytes.NewReader(s.AppendJSON(nil)))
	dec.UseNumber()
	var doc struct {
		Cycle json.Number
		Root  map[string]any
	}
	if err := dec.Decode(&doc); err != nil {
		panic(err) // an export that is not JSON
	}
	t := &tree{snap: s, cycle: number(doc.Cycle.String()), place: map[int]*node{}}
	t.root = t.grow(doc.Root, nil)
	var raw map[string]any
	if err := json.Unmarshal(s.AppendReference(nil), &raw); err != nil {
		panic(err)
	}
	t.root.setDefaulted(raw)
	t.root.region = "root"
	t.regions()
	t.number(t.root)
	return t
}

// grow makes the nodes and puts siblings into canonical order (Results).
func (t *tree) grow(headers map[string]any, parent *node) *node {
	n := &node{tree: t, headers: headers, parent: parent}
	if parent != nil {
		n.level = parent.level + 1
	}
	kids, _ := headers["children"].([]any)
	delete(headers, "children")
	for _, k := range kids {
		n.kids = append(n.kids, t.grow(k.(map[string]any), n))
	}
	if parent != nil {
		slices.SortFunc(n.kids, canonical)
	}
	return n
}

// setDefaulted finds what the file leaves out by the reference form, which adds no default.
func (n *node) setDefaulted(raw map[string]any) {
	n.defaulted = map[string]bool{"cycle": raw["cycle"] == nil, "nodeType": raw["nodeType"] == nil}
	kids, _ := raw["children"].([]any)
	for _, k := range n.kids {
		i := slices.IndexFunc(kids, func(r any) bool {
			raw := r.(map[string]any)
			id, _ := raw["id"].(string)
			if id == "" { // a region
				id, _ = raw["nodeType"].(string)
			}
			return id == k.id()
		})
		k.setDefaulted(kids[i].(map[string]any))
	}
}

// canonical is the order of siblings: offset, created_at_ns, creation_index, id. What is missing counts as 0.
func canonical(a, b *node) int {
	for _, name := range []string{"offset", "created_at_ns", "creation_index"} {
		if c := a.num(name).Cmp(b.num(name)); c != 0 {
			return c
		}
	}
	return strings.Compare(a.id(), b.id())
}

// regions finds the regions below the root and gives depths and implied cores.
func (t *tree) regions() {
	var kids []*node
	for _, r := range []string{"sys", "seq", "ah"} { // D5: in this order, whatever their ids
		i := slices.IndexFunc(t.root.kids, func(n *node) bool { return n.headers["nodeType"] == "^"+r })
		if i < 0 {
			continue
		}
		n := t.root.kids[i]
		n.region = r
		t.root.kids = slices.Delete(t.root.kids, i, i+1)
		kids = append(kids, n)
		switch r {
		case "sys":
			t.settle(n, -1)
		case "ah":
			t.settle(n, 0)
		case "seq":
			for i, segment := range n.kids { // oldest first; depth 1 is the last
				t.settle(segment, len(n.kids)-i)
			}
		}
	}
	slices.SortFunc(t.root.kids, canonical) // any other node below the root
	t.root.kids = append(kids, t.root.kids...)
	t.cores(t.root)
}

// settle assigns a depth to a subtree.
func (t *tree) settle(n *node, depth int) {
	t.place[depth] = n
	var all func(*node)
	all = func(n *node) {
		n.depth = &depth
		for _, k := range n.kids {
			all(k)
		}
	}
	all(n)
}

// cores gives an implied core to each segment, and to the head, without a container among its children (D28).
func (t *tree) cores(n *node) {
	for _, k := range n.kids {
		t.cores(k)
	}
	if n.base() != "seg" && n.region != "ah" {
		return
	}
	if slices.ContainsFunc(n.kids, func(k *node) bool { return k.base() == "cont" }) {
		return
	}
	n.core = &node{
		tree: t, parent: n, implied: true, depth: n.depth, level: n.level + 1,
		headers: map[string]any{
			"nodeType": "cont", "parent_id": n.id(), "offset": json.Number("0"), "priority": json.Number("0"),
			"created_at_ns": json.Number("0"), "creation_index": json.Number("0"), "cycle": json.Number(t.cycle.RatString()),
		},
	}
}

// number puts the nodes into document order: depth first, a node before its children. It also says what each is a child of.
func (t *tree) number(n *node) {
	n.at = len(t.nodes)
	t.nodes = append(t.nodes, n)
	if n.parent != nil {
		n.parents = []*node{n.parent}
		if n.parent.core != nil && n.num("offset").Sign() == 0 {
			n.parents = append(n.parents, n.parent.core)
		}
	}
	if n.core != nil {
		n.core.at = len(t.nodes)
		n.core.parents = []*node{n}
		t.nodes = append(t.nodes, n.core)
	}
	for _, k := range n.kids {
		t.number(k)
	}
}

func (n *node) id() string { s, _ := n.headers["id"].(string); return s }

// num returns a numeric header, 0 for one that is missing or null.
func (n *node) num(name string) *big.Rat {
	if x := n.numbers[name]; x != nil {
		return x
	}
	x, ok := n.headers[name].(json.Number)
	if !ok {
		return rat(0)
	}
	if n.numbers == nil {
		n.numbers = map[string]*big.Rat{}
	}
	n.numbers[name] = number(x.String())
	return n.numbers[name]
}

var bases = map[string]string{"seg": "seg", "mt": "seg", "cont": "cont", "mc": "cont", "block": "block", "cb": "block"}

// base is the canonical base of a node's type: any type that has no other is of base block.
func (n *node) base() string {
	if n.region != "" {
		return "region"
	}
	nodeType, _ := n.headers["nodeType"].(string)
	head, _, _ := strings.Cut(nodeType, ":")
	return cmp.Or(bases[head], "block")
}

// user is the user type: what follows a canonical base, else the whole type; "" for a canonical type.
func (n *node) user() string {
	nodeType, _ := n.headers["nodeType"].(string)
	head, rest, _ := strings.Cut(nodeType, ":")
	if bases[head] != "" {
		return rest
	}
	return nodeType
}

// below reports whether n lies below m.
func (n *node) below(m *node) bool {
	for _, p := range n.parents {
		if p == m || p.below(m) {
			return true
		}
	}
	return false
}

// A step is a step whose grouping parentheses are gone (D15).
type step struct {
	combinator ast.Combinator
	anchor     ast.Anchor
	qualifiers []ast.Qualifier
}

// flatten removes the parentheses that only group: qualifiers of the group apply to its last step.
func flatten(c *ast.Chain) []step {
	var out []step
	for _, s := range c.Steps {
		group, ok := s.Anchor.(*ast.Group)
		if !ok {
			out = append(out, step{s.Combinator, s.Anchor, s.Qualifiers})
			continue
		}
		inner := flatten(group.Chain)
		inner[0].combinator = s.Combinator
		last := &inner[len(inner)-1]
		last.qualifiers = slices.Concat(last.qualifiers, s.Qualifiers)
		out = append(out, inner...)
	}
	return out
}

// chain finds what a chain selects.
func (t *tree) chain(c *ast.Chain) []*node {
	left := t.steps(c)
	return left[len(left)-1]
}

// steps finds what each step of a chain leaves, implied cores left out.
func (t *tree) steps(c *ast.Chain) [][]*node {
	var out [][]*node
	var left []*node
	steps := flatten(c)
	for i, s := range steps {
		var found []*node
		for _, n := range t.anchored(s.anchor) {
			// The first step is searched anywhere below the root, including the root itself (D14).
			if i == 0 || slices.ContainsFunc(left, func(m *node) bool { return related(m, n, s.combinator, steps[i-1]) }) {
				found = append(found, n)
			}
		}
		left = t.qualify(found, s.qualifiers)
		out = append(out, slices.DeleteFunc(slices.Clone(left), func(n *node) bool { return n.implied }))
	}
	return out
}

// related reports whether n, found by the step after a combinator, belongs to m, which the step before it left.
func related(m, n *node, c ast.Combinator, before step) bool {
	if c == ast.Child {
		return slices.Contains(n.parents, m)
	}
	if _, zone := before.anchor.(*ast.Zone); zone && m == n { // D7
		return true
	}
	return n.below(m)
}

// anchored returns what a step looks for, in document order.
func (t *tree) anchored(a ast.Anchor) []*node {
	var is func(n *node) bool
	switch a := a.(type) {
	case *ast.Any:
		is = func(n *node) bool { return n.region == "" }
	case *ast.Region:
		region := map[ast.RegionName]string{ast.Root: "root", ast.Sys: "sys", ast.Seq: "seq", ast.Head: "ah"}[a.Name]
		is = func(n *node) bool { return n.region == region }
	case *ast.Depth:
		at := t.depths(a.From, a.To)
		is = func(n *node) bool { return slices.Contains(at, n) }
	case *ast.Type: // `.T` is `*[nodeType='T']`
		is = func(n *node) bool { return n.region == "" && n.isType(a.Name) }
	case *ast.Key: // `#k` is `*{key='k'}`, or of `id` (D6)
		is = func(n *node) bool { return n.region == "" && n.keyed(a) }
	case *ast.Zone:
		is = func(n *node) bool { return n.zone(a.Name) }
	case *ast.Coordinates:
		var at []*node
		for i := range a.List {
			at = append(at, t.walk(&a.List[i])...)
		}
		is = func(n *node) bool { return slices.Contains(at, n) }
	default:
		panic("an anchor that the page does not name")
	}
	var out []*node
	for _, n := range t.nodes {
		if is(n) {
			out = append(out, n)
		}
	}
	return out
}

// walk goes down from a depth by offsets.
func (t *tree) walk(place *ast.Coordinate) []*node {
	at := t.depths(place.From, place.To)
	for _, offset := range place.Offsets {
		var next []*node
		for _, n := range t.nodes {
			if n.parent != nil && n.num("offset").Cmp(rat(offset)) == 0 &&
				slices.ContainsFunc(n.parents, func(p *node) bool { return slices.Contains(at, p) }) {
				next = append(next, n)
			}
		}
		at = next
	}
	return at
}

// depths returns the nodes at the depths of a range.
func (t *tree) depths(from, to int64) []*node {
	var out []*node
	for d, n := range t.place {
		if int64(d) >= from && int64(d) <= to {
			out = append(out, n)
		}
	}
	return out
}

// qualify applies qualifiers from left to right (D3).
func (t *tree) qualify(nodes []*node, qs []ast.Qualifier) []*node {
	for _, q := range qs {
		if p, ok := q.(*ast.Positional); ok {
			nodes = positional(nodes, p)
			continue
		}
		var left []*node
		for _, n := range nodes {
			if n.holds(q) {
				left = append(left, n)
			}
		}
		nodes = left
	}
	return nodes
}

// positional keeps one of each set of siblings in play. An implied core counts only where no real sibling is.
func positional(nodes []*node, p *ast.Positional) []*node {
	var out []*node
	for _, n := range nodes {
		var siblings []*node
		for _, m := range nodes {
			if m.parent == n.parent && !m.implied {
				siblings = append(siblings, m)
			}
		}
		if len(siblings) == 0 {
			siblings = []*node{n}
		}
		i := int64(0)
		switch p.Name {
		case ast.LastOf:
			i = int64(len(siblings)) - 1
		case ast.NthOf:
			i = p.N - 1
		}
		if i >= 0 && i < int64(len(siblings)) && siblings[i] == n {
			out = append(out, n)
		}
	}
	return out
}

// holds reports whether a node passes a qualifier that looks at it alone.
func (n *node) holds(q ast.Qualifier) bool {
	switch q := q.(type) {
	case *ast.Tag:
		return slices.Contains(n.tags(), q.Name)
	case *ast.Key:
		return n.keyed(q)
	case *ast.Zone:
		return n.zone(q.Name)
	case *ast.Filter:
		for i := range q.Props {
			if !n.prop(&q.Props[i]) {
				return false
			}
		}
		return true
	}
	panic("a qualifier that the page does not name")
}

func (n *node) keyed(k *ast.Key) bool {
	if k.ID {
		return !n.implied && n.id() == k.Name
	}
	return n.headers["key"] == k.Name
}

// zone reports whether a node is before, in or after the core. Regions and segments are in no zone.
func (n *node) zone(z ast.ZoneName) bool {
	if n.region != "" || n.base() == "seg" {
		return false
	}
	return n.num("offset").Sign() == map[ast.ZoneName]int{ast.Pre: -1, ast.Core: 0, ast.Post: 1}[z]
}

// tags are the tag, or the members of a list of tags that are strings.
func (n *node) tags() []string {
	switch v := n.headers["tag"].(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, m := range v {
			if s, ok := m.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// isType is the test of `.T` and of `[nodeType='T']` (D18). A user type that is named like a canonical type or a region
// cannot be selected by name.
func (n *node) isType(t string) bool {
	for { // a canonical base before a colon has no meaning
		head, rest, colon := strings.Cut(t, ":")
		if !colon || bases[head] == "" {
			break
		}
		t = rest
	}
	switch {
	case t == "":
		return false
	case bases[t] != "":
		return n.base() == bases[t]
	case slices.Contains([]string{"root", "sys", "seq", "ah"}, t):
		return n.region == t
	case n.user() == t:
		return true
	}
	// `.a.b.c`: any way of cutting at a dot whose two sides match.
	for i := range len(t) {
		if t[i] == '.' && n.isType(t[:i]) && n.isType(t[i+1:]) {
			return true
		}
	}
	return false
}

var (
	numeric = strings.Fields("offset ttl cad priority cycle created_at_ns creation_index depth age born_turn entered left")
	textual = strings.Fields("id nodeType parent_id created_at_iso kind role key content content_hash cause")
)

// value returns an attribute, nil when it is missing or null.
func (n *node) value(name string) any {
	switch name {
	case "children":
		return nil
	case "depth":
		if n.depth == nil {
			return nil
		}
		return json.Number(big.NewInt(int64(*n.depth)).String())
	case "born_turn":
		return n.headers["cycle"]
	case "age":
		return json.Number(new(big.Rat).Sub(n.tree.cycle, n.num("cycle")).FloatString(40))
	case "content_hash":
		return n.contentHash()
	case "entered", "left", "cause":
		return n.life()[name]
	}
	return n.headers[name]
}

// life are the attributes of the life of a node (D40).
func (n *node) life() map[string]any {
	if n.implied || n.lived != nil {
		return n.lived
	}
	cycle := func(s state) any { return json.Number(fmt.Sprint(s.snap.Cycle())) }
	var states []state // oldest first; a side call counts for its own nodes
	for _, s := range slices.Backward(n.tree.all) {
		if !s.side || s.tree == n.tree {
			states = append(states, s)
		}
	}
	at := slices.IndexFunc(states, func(s state) bool { return s.tree == n.tree })
	first := at
	for first > 0 && states[first-1].named(n.id()) != nil {
		first--
	}
	life := map[string]any{"entered": cycle(states[first])}
	why := func(cause any) {
		if life["cause"] == nil {
			life["cause"] = cause
		}
	}
	for i := at + 1; i < len(states) && life["left"] == nil; i++ {
		older, newer := states[i-1], states[i]
		why(newer.recorded(n.id()))
		if newer.named(n.id()) != nil {
			continue
		}
		life["left"] = cycle(newer)
		for _, s := range n.tree.all { // newest first
			if s.side && older.snap.Cycle() < s.snap.Cycle() && s.snap.Cycle() < newer.snap.Cycle() {
				why(s.recorded(n.id()))
			}
		}
		ttl, mortal := older.named(n.id()).headers["ttl"].(json.Number)
		switch {
		case !newer.sealed:
			why("deleted")
		case mortal && number(ttl.String()).Cmp(rat(newer.snap.Cycle()-older.snap.Cycle())) <= 0:
			why("expired")
		default:
			why("unknown")
		}
	}
	n.lived = life
	return life
}

// named returns the node of a state with an id.
func (s state) named(id string) *node {
	if s.ids == nil {
		s.ids = map[string]*node{}
		for _, n := range s.nodes {
			if !n.implied {
				s.ids[n.id()] = n
			}
		}
	}
	return s.ids[id]
}

// recorded is the cause that the history records for a node with a state, nil for none.
func (s state) recorded(id string) any {
	if info := s.snap.Info(); info != nil {
		for _, c := range info.Causes {
			if c.ID == id {
				return c.Cause
			}
		}
	}
	return nil
}

// contentHash is the stored hash, else the computed one.
func (n *node) contentHash() any {
	if h := n.headers["content_hash"]; h != nil {
		return h
	}
	if n.implied {
		return nil
	}
	found, _ := n.tree.snap.Find(n.id())
	return found.ComputedHash()
}

// prop is one test of an attribute.
func (n *node) prop(p *ast.Prop) bool {
	switch {
	case p.Flag && p.Name == "ephemeral": // ttl is 0 or 1 and there is no cad
		ttl, ok := n.headers["ttl"].(json.Number)
		return ok && (number(ttl.String()).Cmp(rat(0)) == 0 || number(ttl.String()).Cmp(rat(1)) == 0) && n.headers["cad"] == nil
	case p.Flag && p.Name == "sticky": // ttl=1 and cad=1 (D9)
		ttl, ok1 := n.headers["ttl"].(json.Number)
		cad, ok2 := n.headers["cad"].(json.Number)
		return ok1 && ok2 && number(ttl.String()).Cmp(rat(1)) == 0 && number(cad.String()).Cmp(rat(1)) == 0
	}
	v := n.value(p.Name)
	switch p.Op {
	case ast.OpPresent:
		return v != nil
	case ast.OpIn:
		return slices.ContainsFunc(p.Values, func(lit ast.Value) bool { return n.equal(p.Name, v, lit) })
	case ast.OpEq:
		return n.equal(p.Name, v, p.Values[0])
	case ast.OpNe:
		lit := p.Values[0]
		if slices.Contains(numeric, p.Name) && lit.Kind != ast.Null && literal(lit) == nil {
			return false // a value that is not a number never matches, whatever the operator
		}
		return !n.equal(p.Name, v, lit)
	case ast.OpMatch: // searched anywhere in a string or boolean (D8)
		re := regexp.MustCompile(p.Values[0].Text)
		if p.Name == "tag" {
			return slices.ContainsFunc(n.tags(), re.MatchString)
		}
		s, ok := word(v)
		return ok && re.MatchString(s)
	}
	if p.Name == "tag" {
		return slices.ContainsFunc(n.tags(), func(t string) bool { return n.ordered(p, t) })
	}
	return n.ordered(p, v)
}

// equal is `=` with one value.
func (n *node) equal(name string, v any, lit ast.Value) bool {
	if v == nil || lit.Kind == ast.Null {
		return v == nil && lit.Kind == ast.Null
	}
	switch {
	case name == "nodeType":
		return n.isType(lit.Text)
	case name == "tag":
		return slices.Contains(n.tags(), lit.Text)
	case slices.Contains(numeric, name):
		x, y := v.(json.Number), literal(lit)
		return y != nil && number(x.String()).Cmp(y) == 0
	case slices.Contains(textual, name):
		s, ok := scalar(v)
		return ok && s == lit.Text
	}
	if x, ok := v.(json.Number); ok { // `=` keeps types apart
		return lit.Kind == ast.Number && number(x.String()).Cmp(number(lit.Text)) == 0
	}
	s, ok := word(v)
	return ok && lit.Kind != ast.Number && s == lit.Text
}

// ordered is one of `<` `<=` `>` `>=`.
func (n *node) ordered(p *ast.Prop, v any) bool {
	lit := p.Values[0]
	if v == nil || lit.Kind == ast.Null {
		return false
	}
	s, ok := scalar(v)
	if !ok {
		return false // a list or an object is never ordered
	}
	var c int
	x, y := number(s), literal(lit)
	if _, text := v.(string); text {
		x = spelled(s)
	}
	switch {
	case slices.Contains(numeric, p.Name):
		if y == nil {
			return false
		}
		c = x.Cmp(y)
	case slices.Contains(textual, p.Name) || p.Name == "tag":
		c = strings.Compare(s, lit.Text)
	case x != nil && y != nil: // numbers on both sides first
		c = x.Cmp(y)
	default:
		c = strings.Compare(s, lit.Text)
	}
	switch p.Op {
	case ast.OpLt:
		return c < 0
	case ast.OpLe:
		return c <= 0
	case ast.OpGt:
		return c > 0
	}
	return c >= 0
}

// word returns a string, and a boolean as the string true or false.
func word(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return map[bool]string{true: "true", false: "false"}[v], true
	}
	return "", false
}

// scalar returns a string, boolean or number as text.
func scalar(v any) (string, bool) {
	if x, ok := v.(json.Number); ok {
		return x.String(), true
	}
	return word(v)
}

func rat(i int64) *big.Rat { return new(big.Rat).SetInt64(i) }

// literal returns the number that a literal is, quoted or not; nil if it is not one.
func literal(v ast.Value) *big.Rat {
	if v.Kind == ast.Number || v.Kind == ast.String {
		return spelled(v.Text)
	}
	return nil
}

// spelled reads a number as the language writes them, without an exponent.
func spelled(s string) *big.Rat {
	if strings.ContainsAny(s, "eE") {
		return nil
	}
	return number(s)
}

var aNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$`)

// number reads a number exactly, with an exponent as in JSON; nil if s is not one.
func number(s string) *big.Rat {
	if !aNumber.MatchString(s) {
		return nil
	}
	r, _ := new(big.Rat).SetString(s)
	return r
}

// sameKey reports whether the last step of a chain requires a key.
func sameKey(c *ast.Chain) bool {
	steps := flatten(c)
	last := steps[len(steps)-1]
	if k, ok := last.anchor.(*ast.Key); ok && !k.ID {
		return true
	}
	for _, q := range last.qualifiers {
		switch q := q.(type) {
		case *ast.Key:
			if !q.ID {
				return true
			}
		case *ast.Filter:
			for _, p := range q.Props {
				if p.Name == "key" && p.Op == ast.OpEq && p.Values[0].Kind != ast.Null {
					return true
				}
			}
		}
	}
	return false
}

// newestFirst is the order of a same-key set: depth, created_at_ns and creation_index descending, id ascending; what
// has no depth comes last.
func newestFirst(a, b *node) int {
	switch {
	case a.depth != nil && b.depth == nil:
		return -1
	case a.depth == nil && b.depth != nil:
		return 1
	case a.depth != nil && *a.depth != *b.depth:
		return cmp.Compare(*b.depth, *a.depth)
	}
	for _, name := range []string{"created_at_ns", "creation_index"} {
		if c := b.num(name).Cmp(a.num(name)); c != 0 {
			return c
		}
	}
	return strings.Compare(a.id(), b.id())
}

// union finds what the fragments select, from left to right, each node where it is seen first.
func (t *tree) union(q *ast.Query) []*node {
	var out []*node
	for _, f := range q.Union {
		var found []*node
		for i := range f.Chains { // L ?? R: R's result when L's is empty
			c := &f.Chains[i]
			if found = t.chain(c); len(found) > 0 {
				if sameKey(c) {
					slices.SortFunc(found, newestFirst)
				}
				break
			}
		}
		for _, n := range found {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}
