package parser_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

const mebibyte = 1 << 20

// hostile returns sources of up to 1 MiB that might be expensive to read.
func hostile() map[string]string {
	sources := map[string]string{}
	// One line, or very many lines.
	for _, piece := range []string{
		"\xff", "(", "((", "(\n", "]", "]\n", "'", "'\\", "a\n", "a ", ".a,", " #\n", "@a ", "\n", "\r", "#\n", "# x\r", "\x00",
		"*\n", ".mt\n", "^syx\n", "é", ".a\n > .b\n", "{a=1,", "[a in [1,", "(d1,0", "(.a ?? ",
		"within(", "(d1, .mt, ", "“", "..", " > ", ",", "?? ", "@t0 ",
	} {
		sources[fmt.Sprintf("%q", piece)] = strings.Repeat(piece, mebibyte/len(piece))
	}
	// Lines of almost as many words as a selector may have.
	for piece, words := range map[string]int{
		"*,": 2, "+a": 1, "a ": 1, "d1,": 2, ".a].a[": 4, ". a ": 2, "“x” ": 3, "(d1,.mt) ": 5,
		".mt:depth(1),": 5, "*:last:depth(1,3-21),": 9, "(]": 2,
	} {
		line := strings.Repeat(piece, 9_900/words) + "\n"
		sources[fmt.Sprintf("lines of %q", piece)] = strings.Repeat(line, max(1, mebibyte/len(line)))
	}
	// Words of very many parts.
	part := ":" + strings.Repeat("b", 100)
	sources["key of parts"] = "#a" + strings.Repeat(part, 9_900)
	sources["name of parts"] = "[a" + strings.Repeat(part, 9_900) + "]"
	// Very many different words.
	var controls strings.Builder
	for i := range 9_900 {
		fmt.Fprintf(&controls, " @a%d", i)
	}
	sources["controls"] = strings.Repeat("*"+controls.String()+"\n", mebibyte/controls.Len())
	// One huge word, and one in nested brackets.
	sources["long name"] = "." + strings.Repeat("a", mebibyte-1)
	sources["long wrong name"] = "^" + strings.Repeat("a", mebibyte-1)
	sources["long hops"] = strings.Repeat("(d1, .mt > ", 60) + "." + strings.Repeat("a", mebibyte-1000) + strings.Repeat(")", 60)
	sources["long pattern"] = "[a~'" + strings.Repeat("(a|b)", (mebibyte-10)/5) + "']"
	return sources
}

// TestHostile limits the work and the memory for any 1 MiB. It does not measure time, but the
// number and the size of all allocations, and the size of what is returned.
func TestHostile(t *testing.T) {
	const (
		mostObjects = 6_000_000
		mostBytes   = 400 * mebibyte
		mostLive    = 170 * mebibyte
	)
	for name, src := range hostile() {
		for _, entry := range []string{"file", "selector"} {
			if entry == "selector" && strings.Contains(src, "\n") {
				continue // more than one
			}
			if entry == "file" && testing.Short() && !strings.Contains(src, "\n") {
				continue // read as a selector
			}
			parse := func() (any, []diag.Diagnostic) { return pair(parser.Parse(src, parser.Options{})) }
			if entry == "selector" {
				parse = func() (any, []diag.Diagnostic) { return pair(parser.ParseSelector(src, parser.Options{})) }
			}
			var before, after, live runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			tree, ds := parse()
			runtime.ReadMemStats(&after)
			runtime.GC()
			runtime.ReadMemStats(&live)
			runtime.KeepAlive(tree)
			if n := after.Mallocs - before.Mallocs; n > mostObjects {
				t.Errorf("%s as a %s: %d allocations", name, entry, n)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > mostBytes {
				t.Errorf("%s as a %s: %d MiB allocated", name, entry, n/mebibyte)
			}
			if n := int64(live.HeapAlloc) - int64(before.HeapAlloc); n > mostLive {
				t.Errorf("%s as a %s: %d MiB kept", name, entry, n/mebibyte)
			}
			if n := parser.DefaultLimits().Errors + 1; len(ds) > n {
				t.Errorf("%s as a %s: %d diagnostics", name, entry, len(ds))
			}
			if !slices.IsSortedFunc(ds, diag.Compare) {
				t.Errorf("%s as a %s: the diagnostics are not sorted", name, entry)
			}
		}
	}
}

func pair[T any](tree T, ds []diag.Diagnostic) (any, []diag.Diagnostic) { return tree, ds }

// TestDefaultLimits reads what is just within each limit, and what is just over it.
func TestDefaultLimits(t *testing.T) {
	file := func(src string) []diag.Diagnostic {
		_, ds := parser.Parse(src, parser.Options{})
		return ds
	}
	selector := func(src string) []diag.Diagnostic {
		_, ds := parser.ParseSelector(src, parser.Options{})
		return ds
	}
	for _, c := range []struct {
		name           string
		within, beyond string
		read           func(string) []diag.Diagnostic
		code           diag.Code
	}{
		{"bytes", ".a" + strings.Repeat(" ", mebibyte-2), ".a" + strings.Repeat(" ", mebibyte-1), selector, diag.SelectorLimit},
		{"bytes of a file", ".a" + strings.Repeat("\n", mebibyte-2), ".a" + strings.Repeat("\n", mebibyte-1), file, diag.SelectorLimit},
		{"nesting", strings.Repeat("(", 64) + ".a" + strings.Repeat(")", 64), strings.Repeat("(", 65) + ".a" + strings.Repeat(")", 65), selector, diag.SelectorLimit},
		{"open brackets", strings.Repeat("(", 1) + ".a)", strings.Repeat("(", 100_000), selector, diag.SelectorLimit},
		{"tokens", strings.Repeat(".a ", 10_000), strings.Repeat(".a ", 10_001), selector, diag.SelectorLimit},
		{"tokens and comments", strings.Repeat(".a # x\n", 10_000), strings.Repeat(".a # x\n", 10_001), selector, diag.SelectorLimit},
		{"tokens without blanks", strings.Repeat("+a", 10_000), strings.Repeat("+a", 10_001), selector, diag.SelectorLimit},
		{"fragments", ".a" + strings.Repeat(", .a", 99), ".a" + strings.Repeat(", .a", 100), selector, diag.SelectorTooManyFragments},
		{"selectors", strings.Repeat(".a\n", 100_000), strings.Repeat(".a\n", 100_001), file, diag.SelectorLimit},
	} {
		if ds := c.read(c.within); len(ds) > 0 {
			t.Errorf("%s: within the limit there is %v", c.name, ds[0])
		}
		if ds := c.read(c.beyond); len(ds) != 1 || ds[0].Code != c.code {
			t.Errorf("%s: beyond the limit there is %v, want %s", c.name, ds, c.code)
		}
	}
	if ds := file(strings.Repeat("a\n", 100_000)); len(ds) != 100_000 {
		t.Errorf("of 100,000 errors %d are reported", len(ds))
	}
	if ds := file(strings.Repeat("[b==]\n", 99_999)); len(ds) != 100_001 || !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == diag.SelectorLimit }) {
		t.Errorf("of more than 100,000 errors %d are reported, and none says that there were more", len(ds))
	}
}

// TestRaisedLimits checks that a caller can raise the limits, but not so far that a source could
// exhaust the stack.
func TestRaisedLimits(t *testing.T) {
	limits := parser.Limits{Bytes: 1 << 24, Nesting: 1 << 30, Tokens: 1 << 30, Fragments: 1000, Selectors: 1 << 30, Errors: 1 << 30}
	nested := func(n int) string { return strings.Repeat("(", n) + ".a" + strings.Repeat(")", n) }
	for name, src := range map[string]string{
		"bytes":     ".a" + strings.Repeat(" ", 2*mebibyte),
		"tokens":    strings.Repeat(".a ", 50_000),
		"nesting":   nested(10_000),
		"fragments": ".a" + strings.Repeat(", .a", 999),
	} {
		if _, ds := parser.ParseSelector(src, parser.Options{Limits: limits}); len(ds) > 0 {
			t.Errorf("%s: %v", name, ds[0])
		}
	}
	if _, ds := parser.ParseSelector(nested(2_000_000), parser.Options{Limits: limits}); len(ds) != 1 || ds[0].Code != diag.SelectorLimit {
		t.Errorf("two million brackets are answered with %v", ds)
	}
	highest := parser.Limits{
		Bytes: math.MaxInt, Nesting: math.MaxInt, Tokens: math.MaxInt, Fragments: math.MaxInt, Selectors: math.MaxInt, Errors: math.MaxInt,
	}
	if _, ds := parser.Parse(".a, .b > .c\n.d\n", parser.Options{Limits: highest}); len(ds) > 0 {
		t.Errorf("with the highest limits: %v", ds[0])
	}
}

// TestLinear reads single selectors of 1 MiB that are full of legacy forms. If the time were
// quadratic, each would take minutes.
func TestLinear(t *testing.T) {
	limits := parser.Limits{Tokens: mebibyte}
	for _, parts := range [][3]string{
		{"(d1", ",.mt", ")"}, {"", "(d1,.mt)??", "*, d1"}, {"", ".cb:x(a) ", "*"}, {"", "^seq (:depth(1)) ", "*, d1"},
	} {
		src := parts[0] + strings.Repeat(parts[1], mebibyte/len(parts[1])-9) + parts[2]
		start := time.Now()
		parser.ParseSelector(src, parser.Options{Limits: limits})
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%q, repeated, takes %v", parts[1], d)
		}
	}
}
