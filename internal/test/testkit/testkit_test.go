package testkit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

func TestCaseForm(t *testing.T) {
	for text, want := range map[string]string{
		"One.\n\n#key: value\n\n-- in --\n": "",
		"One.\n-- in.go --\n":               "",
		"#key: value\n-- in --\n":           "what the case shows",
		"One.\n#key=value\n-- in --\n":      "settings are written #key: value",
		"One.\n-- input --\n":               "no section is named in",
	} {
		_, err := newCase("a/b.txtar", txtar.Parse([]byte(text)))
		if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	src := "# 😀\n𝒜b .x\n.y\n"
	at := strings.Index(src, ".x")
	found := []diag.Diagnostic{{
		Code: "E_SOME", Severity: diag.Warning, Span: ast.Span{Start: at, End: at + 2}, Message: "what is wrong", Hint: "what to do",
		Fixes: []diag.Fix{
			{Title: "write `z`", Safe: true, Edits: []diag.Edit{{Span: ast.Span{Start: at, End: at + 2}, Text: "z"}}},
			{Title: "join the lines", Edits: []diag.Edit{{Span: ast.Span{Start: at + 2, End: at + 3}, Text: "\t"}}},
			{Title: "insert a line", Edits: []diag.Edit{{Span: ast.Span{Start: at, End: at}, Text: "\n"}}},
		},
	}}
	want := "2:4-2:6 warning E_SOME what is wrong\n  hint: what to do\n  safe fix: write `z` -> 𝒜b z\n" +
		"  fix: join the lines -> \"𝒜b .x\\t.y\"\n  fix: insert a line -> \"𝒜b \\n.x\"\n"
	if d := cmp.Diff(want, Diagnostics(src, found)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestLocation checks that columns count characters, without a byte order mark.
func TestLocation(t *testing.T) {
	for _, c := range []struct {
		src    string
		offset int
		want   string
	}{
		{"aé\nb", 3, "1:3"}, {"a\nb", 2, "2:1"}, {"\uFEFFa", 3, "1:1"}, {"\uFEFFab", 4, "1:2"}, {"\uFEFFa", 0, "1:1"}, {"\uFEFF\nb", 5, "2:2"},
	} {
		if got := Location(c.src, c.offset); got != c.want {
			t.Errorf("%q at %d: %s, want %s", c.src, c.offset, got, c.want)
		}
	}
}
