package eval_test

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// TestRangeErrors: a range without an answer has a result that says why and holds what was found
// (decision D54).
func TestRangeErrors(t *testing.T) {
	snapshot := func(cycle, nodes string) string {
		return `{"cycle":` + cycle + `,"root":{"children":[{"nodeType":"^ah","children":[` + nodes + `]}]}}`
	}
	tl, err := engine.ReadText("a.json", `{"spec_version":"PACT/1.0.0","snapshots":[`+
		snapshot("1", `{"id":"a"},{"id":"b"}`)+","+snapshot("2", `{"id":"a"}`)+","+snapshot("3", `{"id":"c"}`)+`]}`, engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const refs = `{"kind":"t","value":0,"label":"@t0","cycle":3},{"kind":"t","value":-1,"label":"@t-1","cycle":2}`
	for _, tt := range []struct {
		selector string
		options  eval.Options
		want     string // the result; "" for none
	}{
		{"@t0..@t-2 .block @unique", eval.Options{MaxChanges: 5},
			`{"query":"@t0..@t-2 .block @unique","snapshots":[` + refs + `,{"kind":"t","value":-2,"label":"@t-2","cycle":1}],"diffs":[` +
				`{"from":{"kind":"t","value":0,"label":"@t0","cycle":3},"to":{"kind":"t","value":-1,"label":"@t-1","cycle":2},"added_ids":["c"],"removed_ids":["a"],"changed":[],"stats":{"added":1,"removed":1,"changed":0}}],` +
				`"mode":"pairwise","limits":{"maxChangesPerSnapshot":5},"errors":[{"code":"E_SELECTOR_CARDINALITY","message":"` + "`@unique`" + ` allows one result, and there are 2","fatal":true}]}`},
		{"@t0..@t-2 .block @mode=reduce", eval.Options{MaxSnapshots: 2},
			`{"query":"@t0..@t-2 .block @mode=reduce","snapshots":[],"diffs":[],"mode":"reduce","limits":{"maxSnapshots":2},` +
				`"errors":[{"code":"E_SNAPSHOT_RANGE_LIMIT","message":"the range covers 3 snapshots; the limit MaxSnapshots is 2","fatal":true}]}`},
		{"@t0,@t-9 .block", eval.Options{},
			`{"query":"@t0,@t-9 .block","snapshots":[],"diffs":[],"mode":"pairwise","errors":[{"code":"E_SNAPSHOT_UNKNOWN","message":"there is no snapshot @t-9","fatal":true}]}`},
		{"@t0..@t-2 .block", eval.Options{ContentMode: "x"},
			`{"query":"@t0..@t-2 .block","snapshots":[],"diffs":[],"mode":"pairwise","errors":[{"code":"E_CONTROL_INVALID","message":"contentMode is \"x\"","fatal":true}]}`},
		{"@t0..@t-2 .block @unique @mode=union", eval.Options{}, ""},
		{"@t0..@t-2 .block @unique @mode=latest", eval.Options{}, ""},
		{"@* .block @unique", eval.Options{}, ""},
		{"@t-2 .block @unique", eval.Options{}, ""},
		{"@t-9 .block", eval.Options{}, ""},
	} {
		q, ds := parser.ParseSelector(tt.selector, parser.Options{})
		plan, _ := eval.Compile(q)
		if plan == nil {
			t.Fatalf("%s: %v", tt.selector, ds)
		}
		tt.options.Text = tt.selector
		r, err := plan.Select(t.Context(), tl, tt.options)
		got := ""
		if r != nil {
			got = string(r.AppendJSON(nil))
		}
		if err == nil || got != tt.want {
			t.Errorf("%s: %v\n got %s\nwant %s", tt.selector, err, got, tt.want)
		}
		if tt.want != "" && !strings.Contains(err.Error(), string(r.Range.Errors[0].Code)) {
			t.Errorf("%s: the error is %v", tt.selector, err)
		}
	}
}
