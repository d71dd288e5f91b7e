package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAttributeOrder checks that a request does not depend on the order of a map, although two
// attributes count the same tokens and two names are the same number.
func TestAttributeOrder(t *testing.T) {
	text := func(raw string) value { return value{raw: raw, doc: &document{}} }
	attrs := map[string]value{
		"gen_ai.usage.total": text("1"), "llm.token_count.total": text("2"),
		"llm.tools.1.name": text(`"b"`), "llm.tools.01.name": text(`"a"`), "llm.tools.0.name": text(`"c"`),
	}
	x := openExport(nil).(*export)
	x.reader = &reader{name: "spans.json"}
	for range 20 {
		tools, _ := x.numbered(attrs, 1, "llm.tools.")
		want := []string{`{"total":1}`, `[{"name":"c"},{"name":"a"},{"name":"b"}]`}
		if diff := cmp.Diff(want, []string{usage(attrs), tools.raw}); diff != "" {
			t.Fatal(diff)
		}
	}
}
