package ast_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
)

// withExtents makes package cmp compare the spans of nodes too.
var withExtents = cmp.AllowUnexported(ast.Extent{})

func TestCloneIsEqual(t *testing.T) {
	q := everything()
	c := q.Clone()
	if d := cmp.Diff(q, c, withExtents); d != "" {
		t.Errorf("a clone differs (-original +clone):\n%s", d)
	}
	if bare := (&ast.Query{}).Clone(); !cmp.Equal(bare, &ast.Query{}, withExtents) {
		t.Errorf("the clone of an empty query is %#v", bare)
	}
}

// scramble changes every field of a tree in place.
func scramble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scramble(v.Elem())
		}
	case reflect.Struct:
		if e, ok := v.Interface().(ast.Extent); ok {
			v.Set(reflect.ValueOf(ast.Span{Start: e.Start() + 100, End: e.End() + 100}.Extent()))
			return
		}
		for _, field := range v.Fields() {
			scramble(field)
		}
	case reflect.Slice:
		for i := range v.Len() {
			scramble(v.Index(i))
		}
	case reflect.String:
		v.SetString(v.String() + "!")
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 100)
	case reflect.Uint8:
		v.SetUint(v.Uint() + 1)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	}
}

// TestCloneSharesNothing changes everything in a clone and checks that the original is unaffected.
func TestCloneSharesNothing(t *testing.T) {
	q := everything()
	scramble(reflect.ValueOf(q.Clone()))
	if d := cmp.Diff(everything(), q, withExtents); d != "" {
		t.Errorf("a change of the clone shows in the original:\n%s", d)
	}
}

// TestScramble makes sure that the test above can fail.
func TestScramble(t *testing.T) {
	q := everything()
	scramble(reflect.ValueOf(q))
	want := everything()
	for n := range ast.All(want) {
		if n.Bounds().Start < 100 && n.Bounds().Start > 0 {
			continue
		}
		t.Errorf("%T has no span to change", n)
	}
	for n := range ast.All(q) {
		if n.Bounds().Start <= 100 {
			t.Errorf("%T was not changed", n)
		}
	}
}
