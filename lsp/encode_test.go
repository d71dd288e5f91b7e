package lsp

import (
	"encoding/json"
	"reflect"
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
			Range: at, Severity: 4, Code: "c", Source: source, Message: "\"\\\n\x00\x7fä\u2028<&>\xff", Tags: []int{1, 2}, Description: &codeDescription{"https://x/?a=b&c#d"},
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
	checkFilled(t, "diagnostic", reflect.ValueOf(list[2]))
	if d := cmp.Diff(list, found.list()); d != "" {
		t.Errorf("as a list (-want +got):\n%s", d)
	}
}

// checkFilled checks that no field of a value is zero, so that a comparison covers all of them.
func checkFilled(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		checkFilled(t, name, v.Elem())
	case v.Kind() == reflect.Slice && v.Len() > 0:
		checkFilled(t, name+"[0]", v.Index(0))
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[protocol.Range]():
		for i := range v.NumField() {
			checkFilled(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case v.IsZero():
		t.Errorf("%s has no value in the test, so nothing compares its encoding", name)
	}
}

// BenchmarkEncode encodes 2,000 diagnostics as the server does, and as encoding/json would.
func BenchmarkEncode(b *testing.B) {
	found := findings(func(yield func(*diagnostic) bool) {
		x := diagnostic{
			Severity: 2, Code: "correctness/unknown-type", Source: source, Message: "no node of the fixtures has the type `blok`\ndid you mean `block`?",
			Description: &codeDescription{ruleDocs + "correctness-unknown-type"}, Data: &diagnosticData{3, 0, "correctness/unknown-type"},
		}
		for i := range 2000 {
			x.Range.Start.Line, x.Range.End.Line, x.Data.Start = uint32(i), uint32(i), 20*i
			if !yield(&x) {
				return
			}
		}
	})
	var buffer []byte
	b.Run("by=appendJSON", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buffer = must(published{found: found}.appendJSON(buffer[:0]))
		}
	})
	b.Run("by=encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buffer = must(json.Marshal(map[string]any{"uri": "", "diagnostics": found.list()}))
		}
	})
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
