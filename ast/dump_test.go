package ast_test

import (
	"reflect"
	"testing"

	"github.com/pactkit/pactkit/ast"
)

func TestDump(t *testing.T) {
	f := &ast.File{
		Span:  ast.Span{Start: 0, End: 20},
		Lines: ast.NewLines("anything"),
		Selectors: []*ast.Selector{{
			Span: ast.Span{Start: 1, End: 9}, Lines: ast.Span{Start: 0, End: 12}, BlankBefore: true,
			Suffix: &ast.Comment{Span: ast.Span{Start: 10, End: 12}, Text: "# x"},
			Query: &ast.Query{
				Extent: ast.Span{Start: 1, End: 9}.Extent(),
				Time:   &ast.Time{Extent: ast.Span{Start: 1, End: 4}.Extent(), From: ast.Instant{Extent: ast.Span{Start: 1, End: 4}.Extent()}},
				Union: []ast.Fragment{{Chains: []ast.Chain{{Steps: []ast.Step{{
					Anchor:     &ast.Any{Implied: true},
					Qualifiers: []ast.Qualifier{&ast.Filter{Props: []ast.Prop{{Name: "a\n", Values: []ast.Value{{}}}}}},
				}, {
					Combinator: ast.Child,
					Anchor:     &ast.Coordinates{List: []ast.Coordinate{{From: 1, To: 2, Offsets: []int64{}}, {Offsets: []int64{0, -1}}}},
				}}}}}},
				Tail: &ast.Tail{Legacy: []ast.Legacy{{Form: ast.LegacyHops, Modern: "m"}}},
			},
		}},
	}
	const want = `File 0-20
  Selector 1-9 Lines=0-12 BlankBefore=true
    Query Query 1-9
      Time Time 1-4 Kind="at"
        From Instant 1-4 Kind="t"
      Fragment 0-0
        Chain 0-0
          Step 0-0
            Anchor Any 0-0 Implied=true
            Filter 0-0 Form="{}"
              Prop 0-0 Name="a\n" Op="="
                Value 0-0 Kind="null"
          Step 0-0 Combinator=">"
            Anchor Coordinates 0-0
              Coordinate 0-0 From=1 To=2
              Coordinate 0-0 Offsets=[0 -1]
      Legacy 0-0 Form="hops" Modern="m"
    Suffix Comment 10-12 Text="# x"
`
	if got := ast.Dump(f); got != want {
		t.Errorf("the dump is\n%s, want\n%s", got, want)
	}
}

// TestEqualIgnores changes only what Equal must ignore.
func TestEqualIgnores(t *testing.T) {
	f := wholeFile()
	f.Span = ast.Span{Start: 5, End: 9}
	f.After = nil
	s := f.Selectors[0]
	s.Before, s.Inside, s.Suffix, s.BlankBefore = nil, nil, nil, true
	s.Query.Tail.Legacy = nil
	for n := range ast.All(f) {
		moved := ast.Span{Start: 7, End: 8}
		if v := reflect.ValueOf(n).Elem().FieldByName("Span"); v.CanSet() {
			v.Set(reflect.ValueOf(moved))
		} else {
			reflect.ValueOf(n).Elem().FieldByName("Extent").Set(reflect.ValueOf(moved.Extent()))
		}
	}
	if !ast.Equal(f, wholeFile()) {
		t.Error("spans, comments and marks of legacy forms make trees differ")
	}
	written := &ast.Step{Anchor: &ast.Any{}}
	implied := &ast.Step{Anchor: &ast.Any{Implied: true}}
	if !ast.Equal(written, implied) {
		t.Error("a written and an implied star differ")
	}
	empty := &ast.Coordinate{Offsets: []int64{}}
	if !ast.Equal(empty, &ast.Coordinate{}) {
		t.Error("no offsets and an empty list of them differ")
	}
}

// TestEqualSees changes one field of one node at a time: Equal must notice every such change.
func TestEqualSees(t *testing.T) {
	ignored := map[string]bool{"Span": true, "Extent": true, "Implied": true, "Legacy": true, "Doubtful": true}
	changes := 0
	var visit func(v reflect.Value, root *ast.Query)
	visit = func(v reflect.Value, root *ast.Query) {
		change := func(set, undo func()) {
			changes++
			set()
			if ast.Equal(root, everything()) {
				t.Errorf("a change of a %v does not show", v.Type())
			}
			undo()
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				visit(v.Elem(), root)
			}
		case reflect.Struct:
			for f, fv := range v.Fields() {
				if !ignored[f.Name] {
					visit(fv, root)
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i), root)
			}
			if n := v.Len(); n > 0 {
				whole := v.Slice(0, n)
				change(func() { v.Set(v.Slice(0, n-1)) }, func() { v.Set(whole) })
			}
		case reflect.String:
			old := v.String()
			change(func() { v.SetString(old + "x") }, func() { v.SetString(old) })
		case reflect.Int64:
			old := v.Int()
			change(func() { v.SetInt(old + 1) }, func() { v.SetInt(old) })
		case reflect.Uint8:
			old := v.Uint()
			next := (old + 1) % 2 // both are words of every enumeration
			change(func() { v.SetUint(next) }, func() { v.SetUint(old) })
		case reflect.Bool:
			old := v.Bool()
			change(func() { v.SetBool(!old) }, func() { v.SetBool(old) })
		}
	}
	q := everything()
	visit(reflect.ValueOf(q), q)
	if changes < 60 {
		t.Errorf("only %d changes were tried", changes)
	}
	if !ast.Equal(q, everything()) {
		t.Error("the changes were not undone")
	}
}
