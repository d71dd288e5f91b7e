package format

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// normalizeValues is the pass "values".
func normalizeValues(d *draft) {
	eachStep(d, func(s *ast.Step) {
		for i, f := range s.Qualifiers {
			if f, ok := f.(*ast.Filter); ok {
				s.Qualifiers[i] = d.normalizeFilter(f)
			}
		}
	})
}

func (d *draft) normalizeFilter(f *ast.Filter) *ast.Filter {
	var props []ast.Prop
	for i := range f.Props {
		values := d.normalValues(&f.Props[i])
		if values == nil {
			continue
		}
		if props == nil {
			props = d.props.Copy(f.Props)
		}
		props[i].Values = values
	}
	if props == nil {
		return f
	}
	return d.filter(f.Extent, f.Form, props)
}

func (d *draft) filter(at ast.Extent, form ast.FilterForm, props []ast.Prop) *ast.Filter {
	n := d.filters.New()
	n.Extent, n.Form, n.Props = at, form, props
	return n
}

// normalValues returns nil when there is nothing to change.
func (d *draft) normalValues(p *ast.Prop) []ast.Value {
	var values []ast.Value
	for i, v := range p.Values {
		n := normalizeValue(p, v)
		if n != v && values == nil {
			values = d.values.Copy(p.Values)
		}
		if values != nil {
			values[i] = n
		}
	}
	if p.Op == ast.OpIn {
		if values == nil {
			values = d.values.Copy(p.Values)
		}
		slices.SortFunc(values, compareValues)
		values = slices.CompactFunc(values, func(a, b ast.Value) bool {
			return sameValue(a, b) && (a.Text == b.Text || !comparedAsText(p.Name))
		})
	}
	return values
}

// comparedAsText reports whether an attribute compares numbers by their text.
func comparedAsText(name string) bool {
	t := vocab.Lookup(vocab.Attribute, name)
	return t != nil && (t.ValueType == vocab.StringType || t.ValueType == vocab.TagsType)
}

// normalizeValue quotes a word, and spells a type that is compared as a whole as edition 1.0 does.
// Orderings and regular expressions see the stored spelling, so their operands stay as they are.
func normalizeValue(p *ast.Prop, v ast.Value) ast.Value {
	if v.Kind != ast.String {
		return v
	}
	v.Quoted = true
	if p.Name == "nodeType" && (p.Op == ast.OpEq || p.Op == ast.OpNe || p.Op == ast.OpIn) {
		v.Text = vocab.CanonicalType(v.Text)
	}
	return v
}

// equalsString reports whether p is the test name='…'.
func equalsString(p *ast.Prop, name string) bool {
	return p.Op == ast.OpEq && p.Name == name && p.Values[0].Kind == ast.String
}

// sortQualifiers is the pass "qualifiers".
func sortQualifiers(d *draft) {
	eachStep(d, func(s *ast.Step) {
		if len(s.Qualifiers) == 0 {
			return
		}
		_, typed := s.Anchor.(*ast.Any)
		d.seg.reset(typed)
		sorted := d.sorted[:0]
		for _, q := range s.Qualifiers {
			if p, ok := q.(*ast.Positional); ok {
				sorted = append(d.appendSegment(sorted), p)
				d.seg.reset(false)
				continue
			}
			d.add(q)
		}
		sorted = d.appendSegment(sorted)
		s.Qualifiers = d.qualifiers.Copy(sorted)
		d.sorted = sorted
	})
}

// A segment is what is between two positional pseudos of a step. Its members filter independently
// of each other, so they can be sorted and merged.
type segment struct {
	typed    bool        // the first [nodeType='T'] is the type of the step
	own      *ast.Filter // only that test
	zones    [3]*ast.Zone
	tags     []*ast.Tag
	braces   []*ast.Prop
	brackets []*ast.Prop
}

// reset empties the segment and keeps its memory.
func (seg *segment) reset(typed bool) {
	seg.typed, seg.own, seg.zones = typed, nil, [3]*ast.Zone{}
	seg.tags = seg.tags[:0]
	seg.braces = seg.braces[:0]
	seg.brackets = seg.brackets[:0]
}

// add puts a qualifier into the current segment.
func (d *draft) add(q ast.Qualifier) {
	seg := &d.seg
	switch q := q.(type) {
	case *ast.Zone:
		seg.zones[q.Name] = q
	case *ast.Tag:
		seg.tags = append(seg.tags, q)
	case *ast.Filter:
		if _, alone := ownType(q); alone && q.Form == ast.Brackets && seg.wantsType() {
			seg.own = q
			return
		}
		for i := range q.Props {
			d.addProp(&q.Props[i])
		}
	}
}

func (seg *segment) wantsType() bool { return seg.typed && seg.own == nil }

func (d *draft) addProp(p *ast.Prop) {
	seg := &d.seg
	switch {
	case seg.wantsType() && equalsString(p, "nodeType"):
		seg.own = d.filter(p.Extent, ast.Brackets, append(d.props.Room(1), *p))
	case equalsString(p, "tag") && ast.IsName(p.Values[0].Text):
		t := d.tags.New()
		t.Extent, t.Name = p.Extent, p.Values[0].Text
		seg.tags = append(seg.tags, t)
	case isBehavior(p):
		seg.brackets = append(seg.brackets, p)
	default:
		seg.braces = append(seg.braces, p)
	}
}

// isBehavior reports whether a test belongs in square brackets: a flag, or a test of an attribute
// that governs the lifetime of a node.
func isBehavior(p *ast.Prop) bool {
	if p.Flag {
		return true
	}
	t := vocab.Lookup(vocab.Attribute, p.Name)
	return t != nil && t.Group == vocab.Behavior
}

// appendSegment appends what is in the current segment in canonical order: type, zones, tags,
// braces, brackets.
func (d *draft) appendSegment(out []ast.Qualifier) []ast.Qualifier {
	seg := &d.seg
	if seg.own != nil {
		out = append(out, seg.own)
		seg.brackets = slices.DeleteFunc(seg.brackets, func(p *ast.Prop) bool { return sameProp(p, &seg.own.Props[0]) })
	}
	for _, z := range seg.zones {
		if z != nil {
			out = append(out, z)
		}
	}
	slices.SortStableFunc(seg.tags, func(a, b *ast.Tag) int { return cmp.Compare(a.Name, b.Name) })
	for i, t := range seg.tags {
		if i == 0 || t.Name != seg.tags[i-1].Name {
			out = append(out, t)
		}
	}
	out = d.appendFilter(out, ast.Braces, seg.braces)
	return d.appendFilter(out, ast.Brackets, seg.brackets)
}

// appendFilter appends one filter with the given tests, sorted and each once, unless there are
// none.
func (d *draft) appendFilter(out []ast.Qualifier, form ast.FilterForm, props []*ast.Prop) []ast.Qualifier {
	if len(props) == 0 {
		return out
	}
	if len(props) > 1 {
		slices.SortStableFunc(props, compareProps)
		props = slices.CompactFunc(props, sameProp)
	}
	list := d.props.Room(len(props))
	for _, p := range props {
		list = append(list, *p)
	}
	return append(out, d.filter(list[0].Extent, form, list))
}

// compareProps is the canonical order of the tests in one pair of brackets.
func compareProps(a, b *ast.Prop) int {
	if a == b {
		return 0
	}
	if c := cmp.Or(
		cmp.Compare(propOrder(a), propOrder(b)),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Op, b.Op),
	); c != 0 {
		return c
	}
	return cmp.Compare(propText(a), propText(b))
}

func sameProp(a, b *ast.Prop) bool {
	return a.Flag == b.Flag && compareProps(a, b) == 0
}

// Attributes without a defined order come after those that have one, and flags after all of them.
const (
	unordered = 1 << 20
	flags     = 1 << 21
)

func propOrder(p *ast.Prop) int {
	if p.Flag {
		return flags + vocab.Lookup(vocab.Flag, p.Name).Order
	}
	if t := vocab.Lookup(vocab.Attribute, p.Name); t != nil && t.Order > 0 {
		return t.Order
	}
	return unordered
}

func propText(p *ast.Prop) string {
	var w printer
	w.prop(p)
	return string(w.b)
}
