package lsp

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// TestEncode compares the encoding of findings with that of the standard library.
func TestEncode(t *testing.T) {
	at := protocol.Range{Start: protocol.Position{Line: 1, Character: 4294967295}, End: protocol.Position{Line: 2}}
	list := findings{
		{},
		{Range: at, Severity: 1, Code: "a/b", Source: source, Message: "plain"},
		{
			Range: at, Severity: 4, Message: "\"\\\n\x00\x7fä\u2028<&>\xff", Tags: []int{1, 2}, Description: &codeDescription{"https://x/?a=b&c#d"},
			Related: []related{{protocol.Location{URI: "file:///a", Range: at}, "the <step>"}}, Data: &diagnosticData{-1, 7, "r"},
		},
	}
	version := int32(-3)
	for _, c := range []struct {
		value appender
		want  any
	}{
		{list, []diagnostic(list)},
		{findings{}, []diagnostic{}},
		{published{"u\"", &version, list}, map[string]any{"uri": "u\"", "version": version, "diagnostics": []diagnostic(list)}},
		{published{"", nil, nil}, map[string]any{"uri": "", "diagnostics": []diagnostic{}}},
		{fullReport{"1", list}, map[string]any{"kind": "full", "resultId": "1", "items": []diagnostic(list)}},
	} {
		got := must(c.value.appendJSON(nil))
		if d := cmp.Diff(toAny(c.want), toAny(json.RawMessage(got))); d != "" {
			t.Errorf("(-encoding/json +own):\n%s", d)
		}
	}
}
