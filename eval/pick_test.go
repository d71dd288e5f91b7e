package eval

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// TestArenas checks that the sets of a search need no more memory if a selector has more steps or
// pseudos.
func TestArenas(t *testing.T) {
	snap := gentest.Timeline(t, gentest.Rand(1), 2_000).At(0)
	words := func(text string) int {
		q, _ := parser.ParseSelector(text, parser.Options{})
		plan, ds := Compile(q)
		if plan == nil {
			t.Fatal(ds)
		}
		m := matcher{snap: snap, segments: snap.Segments(), budget: budget{left: checkEvery}}
		if _, err := m.appendUnion(t.Context(), nil, plan.union); err != nil {
			t.Fatal(err)
		}
		return len(m.arenas[0].buffer) + len(m.arenas[1].buffer)
	}
	for _, more := range []string{" *", ":first", ":last", ":nth(2)", " > *:nth(1)", "[nodeType in [a,b]]", ":first{x=null}"} {
		short, long := words("*"+strings.Repeat(more, 10)), words("*"+strings.Repeat(more, 1_000))
		if long > 2*short {
			t.Errorf("*%s…: %d words for 10, %d for 1,000", more, short, long)
		}
	}
}
