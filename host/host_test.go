package host

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/languages"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/parser"
)

func TestFor(t *testing.T) {
	for path, want := range map[string]string{
		"a/b.pactsel":            "selector file",
		"b.pactsel.go":           "Go file",
		"b.pactsel.none":         "",
		"B.PY":                   "Python file",
		"a/.pactkit.toml":        "",
		".pactkit-baseline.json": "",
		"pactsel":                "",
		".go":                    "",
		"":                       "",
	} {
		name := ""
		if h := For(path); h != nil {
			name = h.Name()
		}
		if name != want {
			t.Errorf("%s: %q, want %q", path, name, want)
		}
	}
}

func TestSelectorFileIsOneRegion(t *testing.T) {
	f := SelectorFile{}.Find(".a\n.b\n", nil)
	if len(f.Diagnostics) > 0 || len(f.Regions) != 1 || f.Regions[0].Form != Selectors || f.Regions[0].Len() != 6 {
		t.Errorf("got %v", f)
	}
}

func TestDefaultPatterns(t *testing.T) {
	if _, err := NewMarkers(DefaultPatterns()); err != nil {
		t.Fatal(err)
	}
}

// TestCases finds the regions of a source and formats them. want.regions has a line for each, with
// its position, its kind and its text. want.diag has the diagnostics, and want.formatted.EXT the
// formatted source, if anything changes. The sources count as written for PACT, except those of
// proof-*.txtar, which show what proves that.
func TestCases(t *testing.T) {
	covered := map[string]bool{SelectorFile{}.Name(): true}
	for c := range testkit.Load(t, "../testdata/host/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			src := unescape(c.Source())
			h := For(c.In.Name)
			if h == nil {
				t.Fatalf("no host for %s", c.In.Name)
			}
			covered[h.Name()] = true
			m := defaultMarkers()
			if !strings.HasPrefix(c.Name, "proof-") {
				m = typedMarkers()
			}
			f := h.Find(src, m)
			checkFile(t, h, src, m)
			out, found := formatAll(t, h, src, f, m)
			want := []txtar.File{testkit.Want("regions", listing(src, f)), testkit.Want("diag", found)}
			if out != src {
				want = append(want, testkit.Want("formatted"+filepath.Ext(c.In.Name), escape(out)))
			}
			c.Golden(t, want...)
		})
	}
	for _, l := range languages.All {
		h := For("x" + l.Variants[0].Extensions[0])
		switch {
		case h == nil || h.Name() != l.Name:
			t.Errorf("no host reads a %s: add one to the list hosts", l.Name)
		case !covered[l.Name]:
			t.Errorf("no case of testdata/host is a %s: add one whose section is in%s", l.Name, h.Extensions()[0])
		case h.Embeds() && (l.Joint == "" || l.Hostile == nil):
			t.Errorf("the table of languages has no sources for tests of a %s", l.Name)
		}
	}
}

// A case writes ␍ for a carriage return, ␉ for a tab and ␘ for a byte order mark, which editors
// would change.
var (
	unescaper = strings.NewReplacer("␍", "\r", "␉", "\t", "␘", "\uFEFF")
	escaper   = strings.NewReplacer("\r", "␍", "\t", "␉", "\uFEFF", "␘")
)

func unescape(s string) string { return unescaper.Replace(s) }
func escape(s string) string   { return escaper.Replace(s) }

var (
	formNames = [...]string{Selector: "selector", Selectors: "selectors", Position: "position", Target: "target"}
	kindNames = [...]string{Editable: "", Folded: " folded", Holed: " holed"}
)

func listing(src string, f File) string {
	var b strings.Builder
	for _, c := range f.Comments {
		fmt.Fprintf(&b, "%s comment %q\n", testkit.Range(src, c), c.Text(src))
	}
	for _, r := range f.Regions {
		grade := ""
		if r.Grade() != Proven {
			grade = " " + r.Grade().String()
		}
		fmt.Fprintf(&b, "%s %s%s%s %q", testkit.Range(src, r.Span), formNames[r.Form], kindNames[r.Kind], grade, r.Text)
		if r.Fixed != "" {
			fmt.Fprintf(&b, " (%s)", r.Fixed)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// typedMarkers are the default markers without the sign that makes them untyped, for tests of what
// is found.
func typedMarkers() *Markers {
	p := DefaultPatterns()
	for _, list := range []*[]string{&p.Calls, &p.Positions, &p.Targets, &p.Keys} {
		*list = slices.Clone(*list)
		for i, text := range *list {
			(*list)[i] = strings.TrimSuffix(text, "?")
		}
	}
	m, _ := NewMarkers(p)
	return m
}

// formatRegion returns the formatted text of a region.
func formatRegion(r *Region) (string, []diag.Diagnostic) {
	switch r.Form {
	case Selectors:
		result := format.Source(r.Text, format.Options{})
		return result.Text, result.Diagnostics
	case Position:
		p, ds := parser.ParsePosition(r.Text, parser.Options{})
		if p == nil {
			return r.Text, ds
		}
		return format.Node(p, format.Options{}), ds
	}
	o := format.Options{Form: format.Selector}
	if r.Form == Target {
		o.Form = format.Target
	}
	formatted := format.Source(r.Text, o)
	return formatted.Text, append(formatted.Diagnostics, formatted.Overflow...)
}

// formatAll formats every region that can be formatted, and checks that doing so again changes
// nothing.
func formatAll(t testing.TB, h Host, src string, f File, m *Markers) (string, string) {
	t.Helper()
	found := append([]diag.Diagnostic(nil), f.Diagnostics...)
	var changes []Change
	for i := range f.Regions {
		r := &f.Regions[i]
		if r.Kind == Holed || r.Grade() != Proven {
			continue
		}
		text, ds := formatRegion(r)
		for _, d := range ds {
			if d.Severity == diag.Error {
				found = append(found, r.Diagnostic(d))
			}
		}
		c, err := f.Replace(i, text)
		if err != nil {
			if text != r.Text && r.Kind == Editable {
				found = append(found, diag.Diagnostic{Span: r.Span, Code: Unwritable, Severity: diag.Warning, Message: err.Error()})
			}
			continue
		}
		changes = append(changes, c)
	}
	out, err := Apply(h, src, m, f, changes)
	if err != nil {
		t.Errorf("apply: %v", err)
	}
	diag.Sort(found)
	return out, testkit.Diagnostics(src, found)
}

// checkLaws checks what must hold for every source: regions are in order, disjoint and within the
// source; the map is correct in both directions; empty edits change nothing.
func checkLaws(t testing.TB, h Host, src string) {
	t.Helper()
	checkFile(t, h, src, nil)
}

func checkFile(t testing.TB, h Host, src string, m *Markers) {
	t.Helper()
	f := h.Find(src, m)
	last := 0
	for i := range f.Regions {
		r := &f.Regions[i]
		if r.Start < last || r.End < r.Start || r.End > len(src) {
			t.Fatalf("region %d is %v, the one before ends at %d, the source at %d", i, r.Span, last, len(src))
		}
		if last = r.Start; r.Kind != Holed {
			last = r.End
		}
		checkMap(t, src, r)
		if r.Kind == Editable {
			if edits, err := r.Replace(r.Text); err != nil || len(edits) > 0 {
				t.Fatalf("the same text: %v, %v", edits, err)
			}
		}
	}
	for _, d := range f.Diagnostics {
		if d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(src) || d.Message == "" {
			t.Fatalf("bad diagnostic %v", d)
		}
	}
	last = 0
	o, ok := h.(outliner)
	if !ok {
		return
	}
	for _, m := range o.outline(src) {
		if m.Start < last || m.End < m.Start || m.End > len(src) {
			t.Fatalf("bad token %v after %d", m, last)
		}
		last = m.Start
	}
}

func checkMap(t testing.TB, src string, r *Region) {
	t.Helper()
	before := r.Start
	for at := 0; at <= len(r.Text); at++ {
		point := r.Host(ast.Span{Start: at, End: at}).Start
		if point < before || point > r.End {
			t.Fatalf("%q: offset %d leads to %d, outside %d-%d", r.Text, at, point, before, r.End)
		}
		before = point
		back, ok := r.Offset(point)
		if !ok || back > at {
			t.Fatalf("%q: offset %d leads to %d and back to %d, %v", r.Text, at, point, back, ok)
		}
		if again := r.Host(ast.Span{Start: back, End: back}).Start; again != point {
			t.Fatalf("%q: offset %d leads to %d, back to %d, and to %d", r.Text, at, point, back, again)
		}
		if at < len(r.Text) {
			one := r.Host(ast.Span{Start: at, End: at + 1})
			if one.Len() <= 0 || !r.Contains(one) {
				t.Fatalf("%q: byte %d comes from %v", r.Text, at, one)
			}
			if one.Len() == 1 && src[one.Start] == r.Text[at] && back != at {
				t.Fatalf("%q: byte %d comes back to %d", r.Text, at, back)
			}
		}
	}
	if all := r.Host(ast.Span{Start: 0, End: len(r.Text)}); len(r.Text) > 0 && !r.Contains(all) {
		t.Fatalf("%q comes from %v", r.Text, all)
	}
}
