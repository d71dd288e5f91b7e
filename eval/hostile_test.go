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

// TestHostile runs selectors that are designed to be slow, within the time of a test.
func TestHostile(t *testing.T) {
	trees := map[string]*engine.Timeline{
		"one segment": wide(t, 5_000, 5_000), "many segments": wide(t, 5_000, 10), "deep": deep(t, 300),
	}
	coordinates := make([]string, 500)
	for i := range coordinates {
		coordinates[i] = fmt.Sprintf("(d%d,0,%d)", i+1, i)
	}
	for name, text := range map[string]string{
		"union":       strings.Repeat(".block, ", 99) + "*",
		"fallbacks":   strings.Repeat(".none ?? ", 300) + ".block",
		"descendants": "*" + strings.Repeat(" *", 1500),
		"children":    "*" + strings.Repeat(" > *", 1500),
		"coordinates": "(" + strings.Join(coordinates, ", ") + ")",
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

// asked is a context that counts the calls of Err, and is done after a number of them.
type asked struct {
	context.Context
	times, most int
}

func (a *asked) Err() error {
	if a.times++; a.most > 0 && a.times > a.most {
		return context.Canceled
	}
	return nil
}

// TestAsked checks that the context is checked often enough, whatever the work is.
func TestAsked(t *testing.T) {
	const nodes = 5_000
	tl := wide(t, nodes, 10)
	list := func(format string) string {
		var b strings.Builder
		for i := range 1_000 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for text, want := range map[string]int{
		"*" + strings.Repeat(":first", 1_000):                          1_000 * nodes >> 16,
		"*[parent_id in ['x'" + list(",'x%d'") + "]] > *":              nodes / 10 * 1_000 >> 16,
		"{x in ['x'" + list(",'x%d'") + "]}":                           nodes * 1_000 >> 16,
		".a" + list(".x%d"):                                            nodes * 1_000 >> 16,
		"[nodeType in ['block'" + list(",'x%d'") + "]] > *":            5, // a set at a time
		"[priority in [0" + list(",1%d1") + "]]":                       nodes * 1_000 >> 16,
		"*[nodeType in ['seg'" + list(",'x%d.a.b.c.d.e.f'") + "]] > *": nodes * 1_000 >> 16,
	} {
		checkAsked(t, tl, text, want)
	}
	// The implied core of a segment is tested, too.
	var b strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&b, "  s%d seg\n    b%d block\n", i, i)
	}
	coreless := readOutline(t, "^seq\n"+b.String())
	checkAsked(t, coreless, "[parent_id~'.'] > .block", 3_000)
	checkAsked(t, deep(t, 900), "*"+strings.Repeat(" *", 800), 800*900>>16)
}

func checkAsked(t *testing.T, tl *engine.Timeline, text string, want int) {
	t.Helper()
	ctx := &asked{Context: t.Context()}
	if _, err := compile(t, text).Select(ctx, tl, eval.Options{}); err != nil {
		t.Errorf("%.30s…: %v", text, err)
	}
	if ctx.times < want {
		t.Errorf("%.30s…: asked %d times, want %d", text, ctx.times, want)
	}
}

// TestCanceledAnswers cancels the work on nodes that were found: sorting, and differences of
// content.
func TestCanceledAnswers(t *testing.T) {
	var b strings.Builder
	for cycle := range 2 {
		fmt.Fprintf(&b, "@c%d\n^seq\n  s seg\n", cycle+1)
		for i := range 100 {
			fmt.Fprintf(&b, "    b%d block content=text%d\n", i, cycle)
		}
	}
	changes := readOutline(t, b.String())
	for text, tl := range map[string]*engine.Timeline{
		"@t0,@t-1 .block": changes, ".b, * @order=path": wide(t, 20_000, 20_000),
	} {
		const most = 10
		plan, o := compile(t, text), eval.Options{IncludeContent: true}
		ctx := &asked{Context: t.Context()}
		if _, err := plan.Select(ctx, tl, o); err != nil || ctx.times < 2*most {
			t.Errorf("%s: %v, having asked %d times", text, err, ctx.times)
		}
		ctx = &asked{Context: t.Context(), most: most}
		if _, err := plan.Select(ctx, tl, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, having asked %d times", text, err, ctx.times)
		}
	}
}

// keyed makes a timeline of one snapshot with n blocks that share a key.
func keyed(t testing.TB, n int) *engine.Timeline {
	t.Helper()
	var b strings.Builder
	b.WriteString("^seq\n  s seg\n")
	for i := range n {
		fmt.Fprintf(&b, "    b%d block key=k\n", i)
	}
	return readOutline(t, b.String())
}

// TestCanceledPatterns checks that the context is checked before every match of a pattern, which
// may take long, and that evaluation stops once it is done: in small and large chunks, one by one
// and in runs of several, with and without a search.
func TestCanceledPatterns(t *testing.T) {
	const nodes = 1_000
	trees := map[string]*engine.Timeline{"large": wide(t, nodes, nodes), "small": wide(t, nodes, 10), "shared key": keyed(t, nodes)}
	for name, tl := range trees {
		for _, text := range []string{
			".block{id~'b$'}", ".seg > .block{id~'b$'}, .cont > .block{id~'b$'}", "*{id~'b'}[content~'x']", "#k{id~'b$'}",
			".none ?? .block{id~'b$'}", "#none, #k{id~'b$'}", "@t0,@t0 .block{id~'b$'}", ".block{id~'b$'} @order=post", ".block{id~'b$'}:first",
		} {
			if strings.Contains(text, "#k") != (name == "shared key") {
				continue
			}
			plan := compile(t, text)
			for run := range 3 { // chunks are cold at first, then small ones share runs
				ctx := &asked{Context: t.Context()}
				if _, err := plan.Select(ctx, tl, eval.Options{}); err != nil {
					t.Errorf("%s over %s, run %d: %v", text, name, run, err)
				}
				if ctx.times < nodes {
					t.Errorf("%s over %s, run %d: asked %d times over %d patterns", text, name, run, ctx.times, nodes)
				}
				const most = 10
				ctx = &asked{Context: t.Context(), most: most}
				_, err := plan.Select(ctx, tl, eval.Options{})
				if !errors.Is(err, context.Canceled) || ctx.times > most+2 {
					t.Errorf("%s over %s, run %d: %v, having asked %d times where %d would do", text, name, run, err, ctx.times, most+1)
				}
			}
		}
	}
}

// TestCanceledPattern interrupts one pattern in one long text, which package regexp alone would
// search to its end.
func TestCanceledPattern(t *testing.T) {
	tl := readOutline(t, "^seq\n  s seg\n    b block key=k tag=["+strings.Repeat("a", 200_000)+"] content="+strings.Repeat("a", 200_000))
	for _, text := range []string{"{content~'(a?){50}b'}", ".block{tag~'(a?){50}b'}", "#k{content~'[ab]{90}c'}"} {
		ctx := &asked{Context: t.Context()}
		if r, err := compile(t, text).Select(ctx, tl, eval.Options{}); err != nil || len(r.Nodes) > 0 {
			t.Errorf("%s: %v", text, err)
		}
		if ctx.times < 15 {
			t.Errorf("%s: asked %d times over a text of 200,000 characters", text, ctx.times)
		}
		ctx = &asked{Context: t.Context(), most: 5}
		if _, err := compile(t, text).Select(ctx, tl, eval.Options{}); !errors.Is(err, context.Canceled) || ctx.times > 8 {
			t.Errorf("%s: %v, having asked %d times", text, err, ctx.times)
		}
	}
}
