package eval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
)

// wide makes a timeline of one snapshot with n blocks: in one segment, or in segments of ten.
func wide(t testing.TB, n, each int) *engine.Timeline {
	t.Helper()
	var b strings.Builder
	b.WriteString("^seq\n")
	for i := range n {
		if i%each == 0 {
			fmt.Fprintf(&b, "  s%d seg created_at_ns=%d\n    c%d cont\n", i, i, i)
		}
		fmt.Fprintf(&b, "      b%d block tag=x created_at_ns=%d\n", i, i)
	}
	return readOutline(t, b.String())
}

// deep makes a timeline of one snapshot with a chain of n nodes.
func deep(t testing.TB, n int) *engine.Timeline {
	t.Helper()
	var b strings.Builder
	b.WriteString("^seq\n  s seg\n")
	for i := range n {
		fmt.Fprintf(&b, "%*sn%d cont\n", 2*i+4, "", i)
	}
	return readOutline(t, b.String())
}

// TestHostile answers selectors that are made to take long, in time that a test has.
func TestHostile(t *testing.T) {
	trees := map[string]*engine.Timeline{
		"one segment": wide(t, 5_000, 5_000), "many segments": wide(t, 5_000, 10), "deep": deep(t, 300),
	}
	places := make([]string, 500)
	for i := range places {
		places[i] = fmt.Sprintf("(d%d,0,%d)", i+1, i)
	}
	for name, text := range map[string]string{
		"union":       strings.Repeat(".block, ", 99) + "*",
		"fallbacks":   strings.Repeat(".none ?? ", 300) + ".block",
		"descendants": "*" + strings.Repeat(" *", 1500),
		"children":    "*" + strings.Repeat(" > *", 1500),
		"places":      "(" + strings.Join(places, ", ") + ")",
		"positionals": "*" + strings.Repeat(":nth(1)", 1000),
		"tests":       "*" + strings.Repeat("[priority>=0]{x=null}", 200),
		"pattern":     "{id~'(a?){50}b'}",
		"paths":       "* @order=path",
		"type":        "." + strings.Repeat("block.", 1000) + "block",
		"zones":       ":core" + strings.Repeat(" :core", 500),
	} {
		for tree, tl := range trees {
			start := time.Now()
			if _, err := compile(t, text).Select(t.Context(), tl, eval.Options{}); err != nil {
				t.Errorf("%s over %s: %v", name, tree, err)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s over %s took %v", name, tree, took)
			}
		}
	}
}

// TestCanceled stops long evaluations soon after their context is done.
func TestCanceled(t *testing.T) {
	tl := wide(t, 20_000, 20_000)
	for _, text := range []string{
		"*" + strings.Repeat(" *", 4000), "*" + strings.Repeat("{id~'(a?){30}b'}", 300), strings.Repeat("*:first, ", 99) + "*",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		start := time.Now()
		_, err := compile(t, text).Select(ctx, tl, eval.Options{})
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) && err != nil || took > 5*time.Second {
			t.Errorf("%.20s…: %v after %v", text, err, took)
		}
		cancel()
		if nodes, err := compile(t, text).Nodes(ctx, tl.At(0)); err == nil {
			t.Errorf("%.20s…: %d nodes for a context that is done", text, len(nodes))
		}
	}
}

// asked is a context that is done once it was asked a few times.
type asked struct {
	context.Context
	times int
}

func (a *asked) Err() error {
	if a.times++; a.times > 10 {
		return context.Canceled
	}
	return nil
}

// TestCanceledPatterns asks the context often where every test may take long, in small chunks and in large ones.
func TestCanceledPatterns(t *testing.T) {
	for name, tl := range map[string]*engine.Timeline{"large": wide(t, 1_000, 1_000), "small": wide(t, 1_000, 10)} {
		for _, text := range []string{"{id~'b$'}", ".seg > .cont > .block{id~'b$'}", "*{id~'b'}[content~'x']"} {
			ctx := &asked{Context: t.Context()}
			_, err := compile(t, text).Select(ctx, tl, eval.Options{})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s over %s chunks: %v, having asked %d times", text, name, err, ctx.times)
			}
		}
	}
}
