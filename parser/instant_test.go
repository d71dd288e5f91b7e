package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser"
)

// TestParseInstant reads addresses and texts that are not addresses. A selector that begins with
// the text must agree.
func TestParseInstant(t *testing.T) {
	for src, want := range map[string]string{
		"@t0": "@t0", "@t-1": "@t-1", "@c42": "@c42", "@t+0": "@t0", "@t-007": "@t-7", "@t+2": "@t2", "@c0": "@c0",
		"@t-9223372036854775808": "@t-9223372036854775808",
		"":                       "0-0 this is not the address of one snapshot",
		"@t":                     "0-2 this is not the address of one snapshot",
		"@t-":                    "0-3 this is not the address of one snapshot",
		"@*":                     "0-2 this is not the address of one snapshot",
		"@t0..@t-1":              "0-9 this is not the address of one snapshot",
		"@t0 *":                  "0-5 this is not the address of one snapshot",
		"t0":                     "0-2 this is not the address of one snapshot",
		"@t--1":                  "0-5 this is not the address of one snapshot",
		"@t5":                    "0-3 an instant counts back from now and needs a sign",
		" @t0":                   "0-4 this is not the address of one snapshot",
		"@c-1":                   "0-4 a cycle is counted from 0 and has no sign",
		"@t-*":                   "0-4 `@t-*` is only allowed as the end of a range",
		"@t+*":                   "0-4 `@t+*` is not an instant",
		"@t*":                    "0-3 this is not the address of one snapshot",
		"@c*":                    "0-3 this is not the address of one snapshot",
		"@c-*":                   "0-4 this is not the address of one snapshot",
		"@t-9223372036854775809": "0-22 the number does not fit into 64 bits",
	} {
		i, found := parser.ParseInstant(src)
		got := fmt.Sprintf("@%s%d", i.Kind, i.N)
		if len(found) > 0 {
			got = fmt.Sprintf("%d-%d %s", found[0].Span.Start, found[0].Span.End, found[0].Message)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got)\n%s", src, d)
		}
		q, whole := parser.ParseSelector(src+" *", parser.Options{})
		if one := len(whole) == 0 && q.Time != nil && q.Time.Kind == ast.TimeAt && q.Time.End() == len(src) && !strings.HasPrefix(src, " "); one != (len(found) == 0) {
			t.Errorf("%q is read as an instant: %t, as part of a selector: %t", src, len(found) == 0, one)
		}
	}
}
