package vocab_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser"
)

var kinds = []vocab.Kind{
	vocab.Region, vocab.Type, vocab.Zone, vocab.Pseudo, vocab.Attribute, vocab.Flag, vocab.Operator, vocab.Control, vocab.Instant,
}

func all(yield func(*vocab.Term) bool) {
	for _, k := range kinds {
		for t := range vocab.All(k) {
			if !yield(t) {
				return
			}
		}
	}
}

// TestTerms checks that every term is documented, and has only the facts that its kind can have.
func TestTerms(t *testing.T) {
	ids := map[string]bool{}
	prefix := [...]string{"region", "type", "zone", "pseudo", "attribute", "flag", "operator", "control", "instant"}
	n := 0
	for w := range all {
		n++
		fail := func(what string) { t.Helper(); t.Errorf("%s: %s", w.ID, what) }
		if ids[w.ID] {
			fail("id used twice")
		}
		ids[w.ID] = true
		if p, _, _ := strings.Cut(w.ID, "."); p != prefix[w.Kind] {
			fail("id of another kind")
		}
		if !strings.HasSuffix(w.Summary, ".") || strings.Count(w.Summary, ". ") > 0 {
			fail("the summary is not one sentence")
		}
		if w.Doc != "" && !strings.HasSuffix(w.Doc, ".") {
			fail("the doc does not end in a full stop")
		}
		if w.Since != "0.1" && w.Since != "1.0" {
			fail("introduced by no revision")
		}
		if len(w.Examples) == 0 {
			fail("no example")
		}
		if w.Kind == vocab.Attribute != (w.Group != vocab.NoGroup) {
			fail("an attribute, and nothing else, has a group")
		}
		if w.ValueType != vocab.StringType && (w.ValueType == vocab.EnumType || w.Kind == vocab.Pseudo && w.Name == "nth") != (len(w.Params) > 0) {
			fail("params without a use, or none")
		}
		if vocab.Lookup(w.Kind, w.Name) != w {
			fail("not found by name")
		}
		for _, a := range w.Aliases {
			if vocab.Lookup(w.Kind, a) != w {
				fail("not found as " + a)
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d terms", n)
	}
}

// TestOrder checks that within a kind and group the ordered terms come first, in their order, and
// the others by name.
func TestOrder(t *testing.T) {
	groups := map[[2]uint8][]*vocab.Term{}
	for w := range all {
		g := [2]uint8{uint8(w.Kind), uint8(w.Group)}
		groups[g] = append(groups[g], w)
	}
	const last = 1 << 20
	for _, g := range groups {
		if g[0].Order == 0 && g[0].Kind != vocab.Attribute {
			continue // kinds without an order of printing keep that of the table
		}
		if !slices.IsSortedFunc(g, func(a, b *vocab.Term) int {
			x, y := cmp.Or(a.Order, last), cmp.Or(b.Order, last)
			if x == last && y == last {
				return cmp.Compare(a.Name, b.Name)
			}
			return cmp.Compare(x, y)
		}) {
			t.Errorf("the terms from %s on are not in order", g[0].ID)
		}
	}
}

// TestExamples checks that every example uses the word it belongs to and parses without an error,
// and without a legacy form unless the word is one.
func TestExamples(t *testing.T) {
	for w := range all {
		for _, src := range w.Examples {
			q, ds := parser.ParseSelector(src, parser.Options{NoLegacy: w.Deprecated == ""})
			if len(ds) > 0 && w.Deprecated == "" {
				t.Errorf("%s: %q: %s", w.ID, src, ds[0].Message)
			}
			if !uses(q, w) {
				t.Errorf("%s: %q is an example of something else", w.ID, src)
			}
		}
	}
}

// uses reports whether a query uses the word.
func uses(q *ast.Query, w *vocab.Term) bool {
	for n := range ast.All(q) {
		found := false
		switch n := n.(type) {
		case *ast.Region:
			found = w.Kind == vocab.Region && n.Name.String() == "^"+w.Name
		case *ast.Type:
			found = w.Kind == vocab.Type && n.Name == w.Name
		case *ast.Zone:
			found = w.Kind == vocab.Zone && n.Name.String() == ":"+w.Name
		case *ast.Positional:
			found = w.Kind == vocab.Pseudo && n.Name.String() == ":"+w.Name
		case *ast.Tag:
			found = w.ID == "attribute.tag"
		case *ast.Key:
			found = w.ID == "attribute.key"
		case *ast.Prop:
			switch w.Kind {
			case vocab.Attribute:
				found = n.Name == w.Name
			case vocab.Flag:
				found = n.Flag && n.Name == w.Name
			case vocab.Operator:
				found = n.Op.String() == w.Name
			case vocab.Type:
				found = n.Name == "nodeType" && n.Values[0].Text == w.Name
			}
		case *ast.Control:
			found = w.Kind == vocab.Control && n.Name == w.Name
		case *ast.Time:
			switch w.ID {
			case "instant.t":
				found = n.From.Kind == ast.Relative
			case "instant.c":
				found = n.From.Kind == ast.Cycle
			case "instant.every":
				found = n.Kind == ast.TimeEvery
			case "instant.history":
				found = n.Kind == ast.TimeHistory
			case "instant.oldest":
				found = n.To.Kind == ast.Oldest
			}
		}
		if found {
			return true
		}
	}
	return false
}

// TestNames checks that the names that package ast prints are those of the table.
func TestNames(t *testing.T) {
	for kind, names := range map[vocab.Kind][]string{
		vocab.Region:   {ast.Root.String(), ast.Sys.String(), ast.Seq.String(), ast.Head.String()},
		vocab.Zone:     {ast.Pre.String(), ast.Core.String(), ast.Post.String()},
		vocab.Pseudo:   {ast.FirstOf.String(), ast.LastOf.String(), ast.NthOf.String()},
		vocab.Operator: {ast.OpEq.String(), ast.OpIn.String(), ast.OpNe.String(), ast.OpGt.String(), ast.OpGe.String(), ast.OpLt.String(), ast.OpLe.String(), ast.OpMatch.String()},
	} {
		var want []string
		for w := range vocab.All(kind) {
			want = append(want, map[vocab.Kind]string{vocab.Region: "^", vocab.Zone: ":", vocab.Pseudo: ":"}[kind]+w.Name)
		}
		if d := gocmp.Diff(want, names); d != "" {
			t.Errorf("names (-table +package ast):\n%s", d)
		}
	}
}

// TestGrammar checks that the words in the grammar are in the table, or are listed here with the
// reason why they are not.
func TestGrammar(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("..", "..", "grammar", "PactLexer.g4"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(src), "\n") {
		rule, def, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(strings.TrimSpace(line), "//") || strings.HasPrefix(strings.TrimSpace(rule), "BAD_") {
			continue
		}
		def, _, _ = strings.Cut(def, " //")
		for _, m := range regexp.MustCompile(`'([^'\\]*[a-z][^'\\]*)'`).FindAllStringSubmatch(def, -1) {
			if !known(m[1]) {
				t.Errorf("%s names %q, which is not in the table", strings.TrimSpace(rule), m[1])
			}
		}
	}
	for _, k := range []vocab.Kind{vocab.Operator} {
		for w := range vocab.All(k) {
			if !strings.Contains(string(src), "'"+w.Name+"'") {
				t.Errorf("the grammar does not name %s", w.ID)
			}
		}
	}
}

func known(literal string) bool {
	switch literal {
	case "@t", "@c":
		return vocab.Lookup(vocab.Instant, literal+"N") != nil
	case "@history":
		return vocab.Lookup(vocab.Instant, literal) != nil
	case "in":
		return vocab.Lookup(vocab.Operator, literal) != nil
	case ":nth(":
		return vocab.Lookup(vocab.Pseudo, "nth") != nil
	case "d", "depth(": // a coordinate; the attribute of the name is a word
		return vocab.Lookup(vocab.Attribute, "depth") != nil
	case ":depth(", "within(", "c@": // in the table of legacy forms
		return true
	}
	return false
}

func TestNearest(t *testing.T) {
	for _, test := range []struct {
		kind       vocab.Kind
		name, want string
	}{
		{vocab.Attribute, "nodetype", "nodeType"},
		{vocab.Attribute, "tll", "ttl"},
		{vocab.Attribute, "agee", "age"},
		{vocab.Attribute, "prioritty", "priority"},
		{vocab.Attribute, "created_at", ""},
		{vocab.Attribute, "creation_idx", "creation_index"},
		{vocab.Attribute, "x", ""},
		{vocab.Attribute, "", ""},
		{vocab.Attribute, "colour", ""},
		{vocab.Pseudo, "frist", "first"},
		{vocab.Pseudo, "FIRST", "first"},
		{vocab.Region, "system", ""},
		{vocab.Region, "syss", "sys"},
		{vocab.Region, "ha", "ah"},
		{vocab.Zone, "rpe", "pre"},
		{vocab.Type, "blok", "block"},
		{vocab.Type, "mb", "seg"}, // mt and mc are both one edit away; the first wins
		{vocab.Control, "limt", "limit"},
		{vocab.Control, "p", "p"},
		{vocab.Control, "q", ""},
	} {
		got := ""
		if w := vocab.Nearest(test.kind, test.name); w != nil {
			got = w.Name
		}
		if got != test.want {
			t.Errorf("%q: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCanonicalType(t *testing.T) {
	for name, want := range map[string]string{
		"mt": "seg", "mc": "cont", "cb": "block", "seg": "seg", "summary": "summary", "": "",
		"cb:summary": "summary", "cont:block:x": "x", "cb:mt": "seg", "custom:note": "custom:note",
		"custom:cb:x": "custom:cb:x", "cb:custom:note": "custom:note", "block.x": "block.x", "cb:": "", "cb:cb:": "",
	} {
		if got := vocab.CanonicalType(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
