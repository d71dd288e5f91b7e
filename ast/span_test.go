package ast_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
)

func TestSpan(t *testing.T) {
	s := ast.Span{Start: 2, End: 5}
	if s.Bounds() != s || s.Len() != 3 || s.Text("0123456") != "234" {
		t.Error(s, s.Len(), s.Text("0123456"))
	}
	for _, c := range []struct {
		inner ast.Span
		want  bool
	}{
		{s, true}, {ast.Span{Start: 3, End: 4}, true}, {ast.Span{Start: 2, End: 2}, true}, {ast.Span{Start: 5, End: 5}, true},
		{ast.Span{Start: 1, End: 3}, false}, {ast.Span{Start: 4, End: 6}, false}, {ast.Span{Start: 6, End: 6}, false},
	} {
		if s.Contains(c.inner) != c.want {
			t.Errorf("%v contains %v: want %v", s, c.inner, c.want)
		}
	}
}

func TestExtent(t *testing.T) {
	for _, s := range []ast.Span{{}, {Start: 2, End: 5}, {Start: 4, End: 4}, {Start: 0, End: math.MaxInt32}} {
		e := s.Extent()
		if e.Bounds() != s || e.Start() != s.Start || e.End() != s.End || e.Bounds().Extent() != e {
			t.Errorf("the extent of %v is %v", s, e.Bounds())
		}
	}
	if got := (ast.Span{Start: 2, End: 5}).Extent().Text("0123456"); got != "234" {
		t.Error(got)
	}
}

// TestLines compares every offset with a count of the line endings before it.
func TestLines(t *testing.T) {
	for _, src := range []string{
		"", "a", "\n", "\r", "\r\n", "\n\r", "a\nb", "a\r\nb\r\n", "a\rb\r", "\r\r\n\n\r\n", "é\n\u2028\u0085\v\f", "\n\n\n", "a\r\n\rb\n\r\nc",
	} {
		l := ast.NewLines(src)
		starts := []int{0}
		for i := range len(src) {
			if src[i] == '\n' || src[i] == '\r' && !strings.HasPrefix(src[i:], "\r\n") {
				starts = append(starts, i+1)
			}
		}
		if l.Count() != len(starts) {
			t.Errorf("%q has %d lines, want %d", src, l.Count(), len(starts))
			continue
		}
		for i, want := range starts {
			if got := l.Start(i); got != want {
				t.Errorf("line %d of %q starts at %d, want %d", i, src, got, want)
			}
		}
		for offset := range len(src) + 3 {
			want := 0
			for want+1 < len(starts) && starts[want+1] <= offset {
				want++
			}
			if line, start := l.Line(offset); line != want || start != starts[want] {
				t.Errorf("offset %d of %q is on line %d from %d, want %d from %d", offset, src, line, start, want, starts[want])
			}
		}
		if got := l.Start(len(starts) + 3); got != len(src) {
			t.Errorf("past the last line of %q is %d, want its size", src, got)
		}
		if line, start := l.Line(-1); line != 0 || start != 0 {
			t.Errorf("a negative offset of %q is on line %d from %d", src, line, start)
		}
	}
}
