package diag_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

func at(start, end int) ast.Span { return ast.Span{Start: start, End: end} }

func TestApply(t *testing.T) {
	const src = "0123456789"
	for _, c := range []struct {
		name  string
		edits []diag.Edit
		want  string
		ok    bool
	}{
		{"none", nil, src, true},
		{"replace", []diag.Edit{{at(2, 4), "xyz"}}, "01xyz456789", true},
		{"insert at the start", []diag.Edit{{at(0, 0), "x"}}, "x" + src, true},
		{"insert at the end", []diag.Edit{{at(10, 10), "x"}}, src + "x", true},
		{"remove", []diag.Edit{{at(1, 3), ""}}, "03456789", true},
		{"remove everything", []diag.Edit{{at(0, 10), ""}}, "", true},
		{"several", []diag.Edit{{at(0, 1), "a"}, {at(1, 1), "b"}, {at(5, 6), ""}, {at(9, 10), "c"}}, "ab1234678c", true},
		{"two insertions at one offset", []diag.Edit{{at(3, 3), "a"}, {at(3, 3), "b"}}, "012ab3456789", true},
		{"overlap", []diag.Edit{{at(1, 4), "a"}, {at(3, 5), "b"}}, src, false},
		{"out of order", []diag.Edit{{at(5, 6), "a"}, {at(1, 2), "b"}}, src, false},
		{"past the end", []diag.Edit{{at(9, 11), "a"}}, src, false},
		{"negative", []diag.Edit{{at(-1, 1), "a"}}, src, false},
		{"backwards", []diag.Edit{{at(4, 2), "a"}}, src, false},
	} {
		got, ok := diag.Apply(src, c.edits)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// TestSort sorts every permutation of a list.
func TestSort(t *testing.T) {
	sorted := []diag.Diagnostic{
		{Span: at(0, 1), Code: "B", Message: "z"},
		{Span: at(0, 2), Code: "A", Message: "y"},
		{Span: at(0, 2), Code: "B", Message: "a"},
		{Span: at(0, 2), Code: "B", Message: "b", Severity: diag.Warning},
		{Span: at(3, 3), Code: "A", Message: "a"},
	}
	var permute func(rest, chosen []diag.Diagnostic)
	permute = func(rest, chosen []diag.Diagnostic) {
		if len(rest) == 0 {
			got := slices.Clone(chosen)
			diag.Sort(got)
			if d := cmp.Diff(sorted, got); d != "" {
				t.Errorf("%v is sorted wrongly (-want +got):\n%s", chosen, d)
			}
		}
		for i := range rest {
			permute(slices.Concat(rest[:i], rest[i+1:]), append(slices.Clone(chosen), rest[i]))
		}
	}
	permute(sorted, nil)

	equal := []diag.Diagnostic{{Hint: "first"}, {Hint: "second"}}
	diag.Sort(equal)
	if equal[0].Hint != "first" {
		t.Error("diagnostics that compare equal change places")
	}
}

func TestHasErrors(t *testing.T) {
	mild := []diag.Diagnostic{{Severity: diag.Warning}, {Severity: diag.Info}, {Severity: diag.Hint}}
	if diag.HasErrors(nil) || diag.HasErrors(mild) || !diag.HasErrors(append(mild, diag.Diagnostic{})) {
		t.Error("only errors are errors")
	}
}

func TestSeverities(t *testing.T) {
	var names []string
	for s := range diag.Hint + 1 {
		names = append(names, s.String())
	}
	if d := cmp.Diff([]string{"error", "warning", "info", "hint"}, names); d != "" {
		t.Errorf("severities (-want +got):\n%s", d)
	}
}

// TestCodes checks that every code is documented in full, once.
func TestCodes(t *testing.T) {
	seen := map[diag.Code]bool{}
	for c := range diag.Codes() {
		if seen[c.Code] {
			t.Errorf("%s is there twice", c.Code)
		}
		seen[c.Code] = true
		if !strings.HasPrefix(string(c.Code), "E_") || strings.ToUpper(string(c.Code)) != string(c.Code) {
			t.Errorf("%s is not a code", c.Code)
		}
		if c.Title == "" || strings.HasSuffix(c.Title, ".") || !strings.HasSuffix(c.Doc, ".") {
			t.Errorf("%s has the title %q and the documentation %q", c.Code, c.Title, c.Doc)
		}
		if got, ok := diag.LookupCode(c.Code); !ok || got != c {
			t.Errorf("%s is found as %v, %v", c.Code, got, ok)
		}
	}
	if len(seen) != 15 {
		t.Errorf("there are %d codes, want the 15 of the language", len(seen))
	}
	if _, ok := diag.LookupCode("E_NONE"); ok {
		t.Error("a code that does not exist is found")
	}
	for range diag.Codes() {
		break // an iteration may end early
	}
}
