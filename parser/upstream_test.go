package parser_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/parser"
)

// upstreamSelector is a selector that an author of the specification wrote.
type upstreamSelector struct {
	Selector, Edition, Source string
}

func upstream(t testing.TB) []upstreamSelector {
	t.Helper()
	f, err := os.Open("../testdata/upstream/selectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []upstreamSelector
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var s upstreamSelector
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// TestUpstream reads the selectors of the authors of the specification, each in the edition that it
// seems to use, and records which are rejected.
func TestUpstream(t *testing.T) {
	refused := map[string]string{}
	read, legacy := map[string]int{}, map[string]int{}
	for _, s := range upstream(t) {
		edition, ok := ast.ParseEdition(s.Edition)
		if !ok {
			t.Fatal("unknown edition", s)
		}
		c := &parseCase{Case: &testkit.Case{Name: s.Selector}, src: s.Selector, entry: "selector", options: parser.Options{Edition: edition}}
		r := c.parse(c.src)
		checkLaws(t, c, r)
		checkFixes(t, c, r)
		if diag.HasErrors(r.diags) {
			refused[s.Selector] = testkit.Diagnostics(s.Selector, r.diags)
			continue
		}
		read[s.Edition]++
		if len(r.query.Legacy()) > 0 {
			legacy[s.Edition]++
		}
	}
	if d := cmp.Diff(map[string]int{"0.1": 62, "1.0": 79}, read); d != "" {
		t.Errorf("selectors that are read, by edition (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]int{"1.0": 23}, legacy); d != "" {
		t.Errorf("selectors with legacy forms, by edition (-want +got):\n%s", d)
	}
	want := map[string]string{
		"…": "1:1-1:2 error E_SELECTOR_INVALID `…` is not part of the language\n" +
			"  hint: a range is written with two dots: `d1..d3`\n",
	}
	for _, selector := range slices.Sorted(maps.Keys(refused)) {
		if refused[selector] != want[selector] {
			t.Errorf("%s is refused with\n%s, want\n%s", selector, refused[selector], want[selector])
		}
	}
	if len(refused) != len(want) {
		t.Errorf("%d selectors are refused, want %d", len(refused), len(want))
	}
}
