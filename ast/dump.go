package ast

import (
	"fmt"
	"reflect"
	"strings"
)

// Dump renders a tree for debugging and tests: one node per line, with byte ranges. Programs must
// not depend on its form.
func Dump(n Node) string {
	var d dumper
	d.spans = true
	d.value(reflect.ValueOf(n), 0, "")
	return d.b.String()
}

// Equal reports whether two trees mean the same: it ignores positions, blanks and comments, and the
// legacy forms that were used.
func Equal(a, b Node) bool {
	var x, y dumper
	x.value(reflect.ValueOf(a), 0, "")
	y.value(reflect.ValueOf(b), 0, "")
	return x.b.String() == y.b.String()
}

type dumper struct {
	b     strings.Builder
	spans bool
}

var (
	spanType   = reflect.TypeFor[Span]()
	extentType = reflect.TypeFor[Extent]()
	linesType  = reflect.TypeFor[*Lines]()
	tailType   = reflect.TypeFor[*Tail]()
	legacyType = reflect.TypeFor[[]Legacy]()

	commentType  = reflect.TypeFor[*Comment]()
	commentsType = reflect.TypeFor[[]*Comment]()

	stringerType = reflect.TypeFor[fmt.Stringer]()
)

// value writes one node: its type and its scalar fields on one line, then the nodes below it.
func (d *dumper) value(v reflect.Value, depth int, label string) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	fmt.Fprintf(&d.b, "%s%s%s", strings.Repeat("  ", depth), label, v.Type().Name())
	if s, ok := v.Interface().(interface{ Bounds() Span }); ok && d.spans {
		fmt.Fprintf(&d.b, " %d-%d", s.Bounds().Start, s.Bounds().End)
	}
	below := d.fields(v, depth)
	d.b.WriteByte('\n')
	for _, write := range below {
		write()
	}
}

// fields writes the scalar fields of a node, and returns functions that write the nodes below it.
func (d *dumper) fields(v reflect.Value, depth int) (below []func()) {
	for f, fv := range v.Fields() {
		name := f.Name
		switch {
		case f.Type == tailType: // its fields are shown as fields of the query
			if !fv.IsNil() {
				below = append(below, d.fields(fv.Elem(), depth)...)
			}
		case f.Type == linesType || (f.Type == spanType || f.Type == extentType) && f.Anonymous:
		case f.Type == spanType:
			if d.spans {
				s := fv.Interface().(Span)
				fmt.Fprintf(&d.b, " %s=%d-%d", name, s.Start, s.End)
			}
		case !d.spans && (f.Type == legacyType || f.Type == commentType || f.Type == commentsType ||
			name == "BlankBefore"):
		case fv.Kind() == reflect.Slice && fv.Type().Elem().Kind() != reflect.Int64:
			for i := range fv.Len() {
				e := fv.Index(i)
				below = append(below, func() { d.value(e, depth+1, "") })
			}
		case d.spans && fv.Kind() == reflect.Struct && fv.IsZero():
			// the second instant of a single time
		case fv.Kind() == reflect.Struct || fv.Kind() == reflect.Pointer || fv.Kind() == reflect.Interface:
			below = append(below, func() { d.value(fv, depth+1, name+" ") })
		case !d.spans && (name == "Implied" || name == "Doubtful"):
			// matters of spelling
		case f.Type.Implements(stringerType):
			if s := fv.Interface().(fmt.Stringer).String(); s != "" {
				fmt.Fprintf(&d.b, " %s=%q", name, s)
			}
		case fv.IsZero() || fv.Kind() == reflect.Slice && fv.Len() == 0:
		case fv.Kind() == reflect.String:
			fmt.Fprintf(&d.b, " %s=%q", name, fv.String())
		default:
			fmt.Fprintf(&d.b, " %s=%v", name, fv.Interface())
		}
	}
	return below
}
