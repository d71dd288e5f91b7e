package gentest

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
)

// qualifier writes a pseudo, zone, tag, key or filter, mostly one that the node passes.
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

// filter writes tests of a node in brackets or braces.
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

// attributes are those of the vocabulary, and some that no vocabulary has.
var attributes = func() []string {
	names := []string{"status", "n", "x:y", "missing"}
	for term := range vocab.All(vocab.Attribute) {
		names = append(names, term.Name)
	}
	return names
}()

// oddTests are tests that the values of a node do not suggest.
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
		names = append(names, "age", "born_turn", "entered", "left", "cause", "rule", "saved")
	}
	name := pick(r, names...)
	if one(r, 8) {
		name = pick(r, attributes...)
	}
	term := vocab.Lookup(vocab.Attribute, name)
	if term != nil && term.NeedsTime && !w.timed {
		name, term = "cycle", nil
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
	case "entered", "left":
		v = engine.Value{}
		if s := w.t.At(r.IntN(w.t.Len())); !one(r, 3) {
			v = number(strconv.FormatInt(s.Cycle(), 10))
		}
	case "cause":
		v = engine.Text(pick(r, "expired", "pruned", "deleted", "compacted", "edited", "unknown", "of my own"))
	case "rule":
		v = engine.Text(pick(r, rules...))
	case "content_hash":
		v = engine.Text(n.ContentHash())
	case "tag":
		v = engine.Value{}
		if list := tagsOf(n); len(list) > 0 {
			v = engine.Text(pick(r, list...))
		}
	default:
		if term != nil && term.Derived && term.ValueType == vocab.NumberType { // age and saved
			v = number(strconv.Itoa(r.IntN(4)))
		}
	}
	if name != "cause" && name != "rule" && one(r, 10) { // the value of another node
		v = w.node().Header(name)
	}
	return name + w.compare(v)
}

func number(s string) engine.Value { v, _ := engine.JSON([]byte(s)); return v }

// compare writes an operator and an operand, mostly such that v passes.
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

func tagsOf(n engine.Node) []string { list, _ := n.Tags(); return list }
