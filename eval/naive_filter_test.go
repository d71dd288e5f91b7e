package eval_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

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

// positional keeps one of each set of siblings. An implied core counts only where no real
// sibling is.
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
	panic(fmt.Sprintf("unknown qualifier %T", q))
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

// isType is the test of `.T` and of `[nodeType='T']` (D18). A user type that is named like a
// canonical type or a region cannot be selected by name.
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
	numeric = strings.Fields("offset ttl cad priority cycle created_at_ns creation_index depth age born_turn entered left saved")
	textual = strings.Fields("id nodeType parent_id created_at_iso kind role key content content_hash cause rule")
	derived = strings.Fields("depth age born_turn entered left cause rule saved")
)

// TestNaiveTypes compares the types of attributes in the naive evaluator, which is written without
// the vocabulary, with those of ast/vocab.
func TestNaiveTypes(t *testing.T) {
	for term := range vocab.All(vocab.Attribute) {
		if got, want := slices.Contains(numeric, term.Name), term.ValueType == vocab.NumberType; got != want {
			t.Errorf("%s in the list numeric: %t, want %t", term.Name, got, want)
		}
		if got, want := slices.Contains(textual, term.Name), term.ValueType == vocab.StringType; got != want {
			t.Errorf("%s in the list textual: %t, want %t", term.Name, got, want)
		}
		if got, want := slices.Contains(derived, term.Name), term.Derived; got != want {
			t.Errorf("%s in the list derived: %t, want %t", term.Name, got, want)
		}
	}
}

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
	case "entered", "left", "cause", "rule", "saved":
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
	why := func(cause map[string]any) {
		if life["cause"] == nil {
			maps.Copy(life, cause)
		}
	}
	inferred := func(cause string) { why(map[string]any{"cause": cause}) }
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
			inferred("deleted")
		case mortal && number(ttl.String()).Cmp(rat(newer.snap.Cycle()-older.snap.Cycle())) <= 0:
			inferred("expired")
		default:
			inferred("unknown")
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

// recorded is what the history records with a state about a node: the cause, and the rule and the
// tokens of a policy.
func (s state) recorded(id string) map[string]any {
	if info := s.snap.Info(); info != nil {
		for _, c := range info.Causes {
			if c.ID == id {
				life := map[string]any{"cause": c.Cause}
				if c.Rule != "" {
					life["rule"] = c.Rule
				}
				if c.Rule != "" || c.Saved != 0 {
					life["saved"] = json.Number(fmt.Sprint(c.Saved))
				}
				return life
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
