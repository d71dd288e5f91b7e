package format

import (
	"strconv"

	"github.com/pactkit/pactkit/ast"
)

// A printer writes a tree without changing it. The style affects only the blanks around what
// follows a position, and the edition only whether a key needs quotes.
type printer struct {
	b       []byte
	style   Style
	edition ast.Edition
}

func (w *printer) str(s string) { w.b = append(w.b, s...) }

func (w *printer) int(n int64) { w.b = strconv.AppendInt(w.b, n, 10) }

func (w *printer) query(q *ast.Query) {
	if q.Time != nil {
		w.time(q.Time)
		w.str(" ")
	}
	for i, f := range q.Union {
		if i > 0 {
			w.str(", ")
		}
		for k := range f.Chains {
			if k > 0 {
				w.str(" ?? ")
			}
			w.member(&f.Chains[k])
		}
	}
	if q.Optional() {
		w.str(" ?")
	}
	for i := range q.Controls() {
		w.str(" ")
		w.control(&q.Controls()[i])
	}
}

func (w *printer) time(t *ast.Time) {
	switch t.Kind {
	case ast.TimeAt:
		w.str(t.From.String())
	case ast.TimeEvery:
		w.str("@*")
	case ast.TimeRange:
		w.str(t.From.String())
		w.str("..")
		w.str(t.To.String())
	case ast.TimePair:
		w.str(t.From.String())
		w.str(",")
		w.str(t.To.String())
	case ast.TimeHistory:
		w.str("@history")
	}
}

// member writes a chain of the union. In canonical style it is one position, and blanks separate
// what follows the parentheses.
func (w *printer) member(c *ast.Chain) {
	first := &c.Steps[0]
	if w.style == Compact || len(c.Steps) > 1 || !isPosition(first.Anchor) {
		w.chain(c)
		return
	}
	w.anchor(first.Anchor)
	for _, q := range first.Qualifiers {
		if f, ok := q.(*ast.Filter); ok {
			w.str(" ")
			w.filter(f, " ")
			continue
		}
		if _, ok := q.(*ast.Tag); ok {
			w.str(" ")
		}
		w.qualifier(q)
	}
}

func isPosition(a ast.Anchor) bool {
	switch a.(type) {
	case *ast.Group, *ast.Coordinates:
		return true
	}
	return false
}

func (w *printer) chain(c *ast.Chain) {
	for i := range c.Steps {
		s := &c.Steps[i]
		switch s.Combinator {
		case ast.Descendant:
			w.str(" ")
		case ast.Child:
			w.str(" > ")
		}
		w.step(s)
	}
}

func (w *printer) step(s *ast.Step) {
	w.anchor(s.Anchor)
	for _, q := range s.Qualifiers {
		w.qualifier(q)
	}
}

func (w *printer) anchor(a ast.Anchor) {
	switch a := a.(type) {
	case *ast.Any:
		if !a.Implied {
			w.str("*")
		}
	case *ast.Region:
		w.str(a.Name.String())
	case *ast.Depth:
		w.depth(a.From, a.To)
	case *ast.Type:
		w.str(".")
		w.str(a.Name)
	case *ast.Key:
		w.key(a)
	case *ast.Zone:
		w.str(a.Name.String())
	case *ast.Coordinates:
		w.coordinates(a)
	case *ast.Group:
		w.str("(")
		w.chain(a.Chain)
		w.str(")")
	}
}

func (w *printer) qualifier(q ast.Qualifier) {
	switch q := q.(type) {
	case *ast.Filter:
		w.filter(q, "")
	case *ast.Tag:
		w.str("+")
		w.str(q.Name)
	case *ast.Key:
		w.key(q)
	case *ast.Zone:
		w.str(q.Name.String())
	case *ast.Positional:
		w.str(q.Name.String())
		if q.Name == ast.NthOf {
			w.str("(")
			w.int(q.N)
			w.str(")")
		}
	}
}

func (w *printer) depth(from, to int64) {
	w.str("d")
	w.int(from)
	if to != from {
		w.str("..d")
		w.int(to)
	}
}

func (w *printer) key(k *ast.Key) {
	w.str("#")
	if k.ID || w.edition == ast.Edition10 && isKeyToken(k.Name) {
		w.str(k.Name)
		return
	}
	w.b = ast.AppendQuote(w.b, k.Name)
}

func (w *printer) coordinates(c *ast.Coordinates) {
	if len(c.List) == 1 {
		w.coordinate(&c.List[0])
		return
	}
	for i := range c.List {
		if i == 0 {
			w.str("(")
		} else {
			w.str(", ")
		}
		w.coordinate(&c.List[i])
	}
	w.str(")")
}

func (w *printer) coordinate(c *ast.Coordinate) {
	w.str("(")
	w.address(c)
	w.str(")")
}

// address writes a coordinate without its parentheses.
func (w *printer) address(c *ast.Coordinate) {
	w.depth(c.From, c.To)
	for _, n := range c.Offsets {
		w.str(",")
		w.int(n)
	}
}

// filter writes a filter, with the given padding inside its brackets.
func (w *printer) filter(f *ast.Filter, pad string) {
	form := f.Form.String()
	w.str(form[:1])
	w.str(pad)
	for i := range f.Props {
		if i > 0 {
			w.str(", ")
		}
		w.prop(&f.Props[i])
	}
	w.str(pad)
	w.str(form[1:])
}

func (w *printer) prop(p *ast.Prop) {
	w.str(p.Name)
	switch p.Op {
	case ast.OpPresent:
	case ast.OpIn:
		w.str(" in [")
		for i, v := range p.Values {
			if i > 0 {
				w.str(", ")
			}
			w.value(v)
		}
		w.str("]")
	default:
		w.str(p.Op.String())
		w.value(p.Values[0])
	}
}

func (w *printer) value(v ast.Value) {
	if v.Kind == ast.String && v.Quoted {
		w.b = ast.AppendQuote(w.b, v.Text)
		return
	}
	w.str(v.Text)
}

func (w *printer) control(c *ast.Control) {
	w.str("@")
	w.str(c.Name)
	switch {
	case c.Quoted:
		w.str("=")
		w.b = ast.AppendQuote(w.b, c.Value)
	case c.HasValue:
		w.str("=")
		w.str(c.Value)
	}
}

// position writes an insertion position whose container the passes have rewritten. A container that
// is a single coordinate needs no extra parentheses.
func (w *printer) position(container *ast.Chain, p *ast.Position) {
	w.str("(")
	only := &container.Steps[0]
	c, ok := only.Anchor.(*ast.Coordinates)
	if ok && len(container.Steps) == 1 && len(only.Qualifiers) == 0 && len(c.List) == 1 {
		w.address(&c.List[0])
	} else {
		w.chain(container)
	}
	w.str(", ")
	switch p.Slot {
	case ast.AtStart:
	case ast.AtEnd:
		w.str("end")
	case ast.After:
		w.str("+")
		w.int(p.N)
	case ast.Before:
		w.str("-")
		w.int(p.N)
	}
	w.str(")")
	if p.Optional {
		w.str(" ?")
	}
}
