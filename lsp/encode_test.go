package lsp

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
)

// TestEncode compares the encoding of findings with that of the standard library.
func TestEncode(t *testing.T) {
	at := protocol.Range{Start: protocol.Position{Line: 1, Character: 4294967295}, End: protocol.Position{Line: 2}}
	list := []diagnostic{
		{},
		{Range: at, Severity: 1, Code: "a/b", Source: source, Message: "plain"},
		{
			Range: at, Severity: 4, Message: "\"\\\n\x00\x7fä\u2028<&>\xff", Tags: []int{1, 2}, Description: &codeDescription{"https://x/?a=b&c#d"},
			Related: []related{{protocol.Location{URI: "file:///a", Range: at}, "the <step>"}, {protocol.Location{URI: "\xff"}, ""}},
			Data:    &diagnosticData{-1, 7, "r"},
		},
	}
	found := findings(func(yield func(*diagnostic) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	})
	version := int32(-3)
	for _, c := range []struct {
		value appender
		want  any
	}{
		{published{"u\"", &version, found}, map[string]any{"uri": "u\"", "version": version, "diagnostics": list}},
		{published{"", nil, noFindings}, map[string]any{"uri": "", "diagnostics": []diagnostic{}}},
		{fullReport{"1", found}, map[string]any{"kind": "full", "resultId": "1", "items": list}},
	} {
		got := must(c.value.appendJSON(nil))
		if d := cmp.Diff(toAny(c.want), toAny(json.RawMessage(got))); d != "" {
			t.Errorf("(-encoding/json +own):\n%s", d)
		}
	}
	if d := cmp.Diff(list, found.list()); d != "" {
		t.Errorf("as a list (-want +got):\n%s", d)
	}
}

// TestRange compares ranges with the positions of their ends, for every pair of offsets.
func TestRange(t *testing.T) {
	const src = "a\u00e9\U0001f600b\r\n\r\xf0\x9f\xffx\n\xa9z\u2028"
	for _, enc := range []encoding{utf16, utf8Bytes} {
		x := newText(src, enc)
		for start := -1; start <= len(src)+1; start++ {
			for end := -1; end <= len(src)+1; end++ {
				want := protocol.Range{Start: x.position(start), End: x.position(end)}
				if d := cmp.Diff(want, x.rangeOf(ast.Span{Start: start, End: end})); d != "" {
					t.Errorf("%v %d-%d (-want +got):\n%s", enc, start, end, d)
				}
			}
		}
	}
}
