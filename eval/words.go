package eval

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
)

// String describes in words how the plan runs, one line per step.
func (p *Plan) String() string {
	var b strings.Builder
	for i, f := range p.union {
		for k, c := range f {
			switch {
			case k > 0:
				b.WriteString("if nothing was found, ")
			case i > 0:
				b.WriteString("then, without what was found before, ")
			}
			b.WriteString(c.where() + "\n")
			for n, s := range c.steps {
				fmt.Fprintf(&b, "  %d. %s\n", n+1, s.words())
			}
			if c.sameKey {
				b.WriteString("  sorted: the deepest first, then the newest\n")
			}
		}
	}
	return b.String()
}

// where describes in words where a chain is searched for.
func (c *chain) where() string {
	switch {
	case c.id != nil:
		return "look up the id " + ast.Quote(c.id.text) + ":"
	case c.key != nil:
		return "look up the key " + ast.Quote(c.key.text) + ":"
	}
	var parts []string
	for r, name := range [...]string{"^sys", "^seq", "^ah", "what else is below ^root"} {
		if !c.scope.regions.has(rootOf[r]) {
			continue
		}
		if engine.Region(r) == engine.RegionSeq {
			name += depths(c.scope.from, c.scope.to)
		}
		parts = append(parts, name)
	}
	text := "search the whole tree"
	if c.scope != everywhere {
		text = "search " + join(parts, "and")
	}
	if len(parts) == 0 {
		text = "search ^root and the regions themselves"
	}
	if c.positional {
		text += ", each region as a whole, since siblings are counted"
	}
	return text + ":"
}

func depths(from, to int64) string {
	switch {
	case from == to:
		return fmt.Sprintf(" at depth %d", from)
	case to != math.MaxInt64:
		return fmt.Sprintf(" at the depths %d to %d", from, to)
	case from > 1:
		return fmt.Sprintf(" from depth %d on", from)
	}
	return ""
}

// words describes in words what a step finds.
func (s *step) words() string {
	var text strings.Builder
	text.WriteString(map[ast.Combinator]string{ast.First: "", ast.Descendant: "below that, ", ast.Child: "children of that: "}[s.combinator])
	switch {
	case s.roots != 0:
		text.WriteString(map[rootSet]string{rootNode: "^root", seqNode: "^seq"}[s.roots])
	case len(s.coordinates) > 0:
		text.WriteString(coordinatesInWords(s.coordinates))
	case s.zone:
		text.WriteString("nodes, which themselves count as below,")
	default:
		text.WriteString("nodes")
	}
	for _, p := range s.parts {
		var tests []string
		for _, t := range p.tests {
			tests = append(tests, t.words())
		}
		if len(tests) > 0 {
			text.WriteString(" " + join(tests, "and"))
		}
		if p.position != nil {
			text.WriteString(map[ast.PositionalName]string{
				ast.FirstOf: "; of siblings the first",
				ast.LastOf:  "; of siblings the last",
				ast.NthOf:   "; of siblings number " + strconv.FormatInt(p.position.N, 10),
			}[p.position.Name])
		}
	}
	return text.String()
}

// coordinatesInWords names a few coordinates one by one.
func coordinatesInWords(coordinates []coordinate) string {
	if len(coordinates) > 4 {
		return fmt.Sprintf("one of %d coordinates", len(coordinates))
	}
	var out []string
	for _, p := range coordinates {
		text := "depth " + strconv.FormatInt(p.from, 10)
		if p.from != p.to {
			text = fmt.Sprintf("depths %d to %d", p.from, p.to)
		}
		for _, o := range p.offsets {
			text += ", offset " + strconv.FormatInt(o, 10)
		}
		out = append(out, text)
	}
	return join(out, "or")
}

// words describes in words what a test requires.
func (t *test) words() string {
	switch t.kind {
	case testType:
		var names []string
		for _, name := range t.types.names {
			names = append(names, name.text)
		}
		if t.not {
			return "not of type " + join(names, "or")
		}
		return "of type " + join(names, "or")
	case testTag:
		return "tagged " + ast.Quote(t.text)
	case testKey:
		return "with the key " + ast.Quote(t.text)
	case testID:
		return "with the id " + ast.Quote(t.text)
	case testZone:
		return map[ast.ZoneName]string{ast.Pre: "with an offset below 0", ast.Core: "with offset 0", ast.Post: "with an offset above 0"}[t.zone]
	case testEphemeral:
		return "that are ephemeral"
	case testSticky:
		return "that are sticky"
	}
	if t.op == ast.OpPresent {
		return "with " + t.name
	}
	var values []string
	for _, l := range t.lits {
		if l.kind == ast.String {
			values = append(values, ast.Quote(l.text))
		} else {
			values = append(values, l.text)
		}
	}
	text := "with " + t.name + " " + t.op.String() + " " + join(values, "or")
	if t.class == vocab.NumberType && !t.comparable(&t.lits[0]) {
		text += ", which never holds"
	}
	return text
}

func join(list []string, word string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
}
