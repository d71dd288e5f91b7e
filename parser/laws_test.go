package parser_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/parser"
)

// checkLaws checks what holds for every source, valid or not.
func checkLaws(t testing.TB, c *parseCase, r result) {
	t.Helper()
	checkDiagnostics(t, c, r.diags)
	if c.options.Limits == (parser.Limits{}) {
		checkPadding(t, c, r)
		checkLegacy(t, c, r)
	}
	if r.root() == nil {
		if !diag.HasErrors(r.diags) {
			t.Error("there is neither a tree nor an error")
		}
		return
	}
	checkSpans(t, r.root(), ast.Span{Start: 0, End: len(c.src)})
	if r.query != nil {
		checkClone(t, r.query)
	}
	if r.file != nil {
		checkFile(t, c, r)
	}
}

// checkSpans checks that a node lies within its parent, and that siblings follow each other without
// overlap. Siblings may have the same span, because the nodes for a legacy form are made from the
// same text. A query differs: its time may be written before a later fragment, and controls in the
// middle of a union are an error that the tree can represent, so its parts need only be disjoint.
func checkSpans(t testing.TB, n ast.Node, parent ast.Span) {
	t.Helper()
	s := n.Bounds()
	if s.Start > s.End || !parent.Contains(s) {
		t.Errorf("%T %v is outside its parent %v", n, s, parent)
	}
	below := children(n)
	if _, ok := n.(*ast.Query); ok {
		slices.SortStableFunc(below, func(a, b ast.Node) int { return cmp.Compare(a.Bounds().Start, b.Bounds().Start) })
	}
	var last ast.Node
	for _, child := range below {
		checkSpans(t, child, outer(n))
		if last != nil {
			if a, b := last.Bounds(), child.Bounds(); a != b && a.End > b.Start {
				t.Errorf("%T %v and %T %v overlap or are out of order", last, a, child, b)
			}
		}
		last = child
	}
}

// outer returns where the children of a node may be: the comments of a selector are around it.
func outer(n ast.Node) ast.Span {
	s, ok := n.(*ast.Selector)
	if !ok {
		return n.Bounds()
	}
	around := s.Lines
	for _, c := range s.Before {
		around.Start = min(around.Start, c.Start)
	}
	return around
}

// children returns the nodes directly below a node. The comments inside a selector overlap its
// query.
func children(n ast.Node) []ast.Node {
	var list []ast.Node
	deeper := 1 // how many of the next nodes are not directly below n; at first n itself
	for m := range ast.All(n) {
		if deeper--; deeper >= 0 {
			continue
		}
		deeper = -1
		for range ast.All(m) {
			deeper++
		}
		if s, ok := n.(*ast.Selector); !ok || !slices.Contains(s.Inside, asComment(m)) {
			list = append(list, m)
		}
	}
	return list
}

func asComment(n ast.Node) *ast.Comment {
	c, _ := n.(*ast.Comment)
	return c
}

// checkDiagnostics checks that findings are sorted, complete and inside the source, and that fixes
// apply.
func checkDiagnostics(t testing.TB, c *parseCase, ds []diag.Diagnostic) {
	t.Helper()
	if !slices.IsSortedFunc(ds, diag.Compare) {
		t.Error("the diagnostics are not sorted")
	}
	for i, d := range ds {
		if d.Span.Start < 0 || d.Span.Start > d.Span.End || d.Span.End > len(c.src) {
			t.Errorf("%s: %v is outside the source", d.Code, d.Span)
		}
		if _, ok := diag.LookupCode(d.Code); !ok || d.Message == "" || strings.HasSuffix(d.Message, ".") {
			t.Errorf("%s: no documented code or no message: %q", d.Code, d.Message)
		}
		if i > 0 && d.Span == ds[i-1].Span && d.Code == ds[i-1].Code && d.Message == ds[i-1].Message {
			t.Errorf("%s is reported twice at %v", d.Code, d.Span)
		}
		if d.Message == parser.NotRead {
			t.Errorf("the builder stops before the end, at %v", d.Span)
		}
		checkText(t, d.Message)
		checkText(t, d.Hint)
		for _, f := range d.Fixes {
			checkText(t, f.Title)
			if fixed, ok := diag.Apply(c.src, f.Edits); !ok || fixed == c.src || f.Title == "" {
				t.Errorf("%s: the fix %q does not apply or changes nothing", d.Code, f.Title)
			}
		}
	}
}

// checkText checks that messages are short and harmless for a terminal, whatever the source
// contains.
func checkText(t testing.TB, s string) {
	t.Helper()
	if len(s) > 1000 || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("this is not fit to be shown: %.1000q", s)
	}
}

// checkLegacy checks that a safe fix of a legacy form changes only the form: the canonical tree
// stays the same.
func checkLegacy(t testing.TB, c *parseCase, r result) {
	t.Helper()
	if r.query == nil || diag.HasErrors(r.diags) {
		return
	}
	before := format.Canonicalize(r.query)
	for _, d := range r.diags {
		if d.Code != diag.SelectorLegacy {
			continue
		}
		for _, f := range d.Fixes {
			fixed, _ := diag.Apply(c.src, f.Edits)
			if after := format.Canonicalize(c.parse(fixed).query); f.Safe && !ast.Equal(before, after) {
				t.Errorf("%q is not safe: %s\n%s\n%s", f.Title, fixed, ast.Dump(before), ast.Dump(after))
			}
		}
	}
}

// checkFixes checks that a fix removes what it is offered for and breaks nothing. An error about
// what is not an insertion position is reported only if there is no other error, so there a fix may
// reveal one.
func checkFixes(t testing.TB, c *parseCase, r result) {
	t.Helper()
	for i, d := range r.diags {
		if i == 20 {
			break // enough; each fix reads the source again
		}
		for _, f := range d.Fixes {
			fixed, _ := diag.Apply(c.src, f.Edits)
			after := c.parse(fixed).diags
			if same(after, d) >= same(r.diags, d) {
				t.Errorf("%s %q is still there after %q:\n%s", d.Code, d.Message, f.Title, fixed)
			}
			if c.entry == "position" {
				continue
			}
			if n := errorsIn(after); n > errorsIn(r.diags) || d.Severity == diag.Error && n == errorsIn(r.diags) {
				t.Errorf("%q causes more errors than it fixes: %s", f.Title, testkit.Diagnostics(fixed, after))
			}
		}
	}
}

func same(ds []diag.Diagnostic, as diag.Diagnostic) int {
	n := 0
	for _, d := range ds {
		if d.Code == as.Code && d.Message == as.Message {
			n++
		}
	}
	return n
}

func errorsIn(ds []diag.Diagnostic) int {
	n := 0
	for _, d := range ds {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// checkPadding checks that blank lines before a source shift every offset and change nothing else.
func checkPadding(t testing.TB, c *parseCase, r result) {
	t.Helper()
	const n = 10
	mark, rest := "", c.src
	if after, ok := strings.CutPrefix(c.src, "\ufeff"); ok {
		mark, rest = "\ufeff", after
	}
	padded := c.parse(mark + strings.Repeat("\n", n) + rest)
	shift := func(s ast.Span) ast.Span { return ast.Span{Start: s.Start + n, End: s.End + n} }
	if r.file == nil && r.root() != nil && padded.root() != nil && !ast.Equal(r.root(), padded.root()) {
		t.Error("blank lines before the source change the tree")
	}
	want, got := spans(r.root()), spans(padded.root())
	for i := range want {
		want[i] = shift(want[i])
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("blank lines before the source do not shift every node alike (-want +got):\n%s", d)
	}
	moved := slices.Clone(r.diags)
	for i := range moved {
		d := &moved[i]
		d.Span = shift(d.Span)
		d.Fixes = slices.Clone(d.Fixes)
		for j := range d.Fixes {
			d.Fixes[j].Edits = slices.Clone(d.Fixes[j].Edits)
			for k := range d.Fixes[j].Edits {
				d.Fixes[j].Edits[k].Span = shift(d.Fixes[j].Edits[k].Span)
			}
		}
	}
	if d := gocmp.Diff(moved, padded.diags); d != "" {
		t.Errorf("blank lines before the source do not shift every diagnostic alike (-want +got):\n%s", d)
	}
}

// spans returns the spans of all nodes except the file, which begins where the source does.
func spans(root ast.Node) []ast.Span {
	if root == nil {
		return nil
	}
	var list []ast.Span
	for n := range ast.All(root) {
		if n != root || !isFile(n) {
			list = append(list, n.Bounds())
		}
	}
	return list
}

func isFile(n ast.Node) bool {
	_, ok := n.(*ast.File)
	return ok
}

// checkClone checks that a copy is equal and shares no node.
func checkClone(t testing.TB, q *ast.Query) {
	t.Helper()
	clone := q.Clone()
	if ast.Dump(clone) != ast.Dump(q) {
		t.Error("a clone differs")
	}
	seen := map[ast.Node]bool{}
	for n := range ast.All(q) {
		seen[n] = true
	}
	for n := range ast.All(clone) {
		if seen[n] {
			t.Errorf("a clone shares %T", n)
		}
	}
}

// checkFile checks that every line of a file belongs to one selector, is one comment, or is blank;
// that every comment is attached once; and that a selector is read as if it were alone.
func checkFile(t testing.TB, c *parseCase, r result) {
	t.Helper()
	if len(c.src) > 1<<20 {
		return
	}
	owner := make([]string, r.file.Lines.Count())
	claim := func(from, to int, what string) {
		first, _ := r.file.Lines.Line(from)
		last, _ := r.file.Lines.Line(to)
		for line := first; line <= last; line++ {
			if owner[line] != "" {
				t.Errorf("line %d belongs to %s and to %s", line+1, owner[line], what)
			}
			owner[line] = what
		}
	}
	var attached []ast.Span
	comments := func(list []*ast.Comment, ownLine bool) {
		for _, c := range list {
			attached = append(attached, c.Span)
			if ownLine {
				claim(c.Start, c.End, "a comment")
			}
		}
	}
	limited := slices.ContainsFunc(r.diags, func(d diag.Diagnostic) bool { return d.Code == diag.SelectorLimit })
	for i, s := range r.file.Selectors {
		comments(s.Before, true)
		claim(s.Lines.Start, s.Lines.End, fmt.Sprintf("selector %d", i+1))
		comments(s.Inside, false)
		if s.Suffix != nil {
			comments([]*ast.Comment{s.Suffix}, false)
		}
		if !limited {
			checkAlone(t, c, r, s)
		}
	}
	comments(r.file.After, true)
	if limited {
		return // a selector over a limit is not read, so its comments are not either
	}
	checkEntries(t, c, r)
	for line, what := range owner {
		text := strings.Trim(c.src[r.file.Lines.Start(line):r.file.Lines.Start(line+1)], " \t\r\n")
		if line == 0 {
			text = strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t")
		}
		if (what == "") != (text == "") && !strings.HasPrefix(what, "selector") {
			t.Errorf("line %d, %q, belongs to %q", line+1, text, what)
		}
	}
	if d := gocmp.Diff(scanComments(c.src), attached); d != "" {
		t.Errorf("comments of the file and those attached (-file +attached):\n%s", d)
	}
}

// checkAlone checks that a selector of a file is read the same on its own.
func checkAlone(t testing.TB, c *parseCase, r result, s *ast.Selector) {
	t.Helper()
	text := s.Lines.Text(c.src)
	if strings.HasPrefix(text, "\ufeff") {
		text = "\n" + text // at the start it would be a byte order mark
	}
	q, ds := parser.ParseSelector(text, c.options)
	if !ast.Equal(q, s.Query) {
		t.Errorf("%q reads otherwise when it stands alone", text)
	}
	if diag.HasErrors(ds) != s.Bad {
		t.Errorf("%q is marked Bad = %v, and alone it has errors = %v", text, s.Bad, !s.Bad)
	}
	inside := 0
	for _, d := range r.diags {
		if s.Lines.Contains(d.Span) {
			inside++
		}
	}
	if inside != len(ds) {
		t.Errorf("%q has %d findings and alone %d", text, inside, len(ds))
	}
}

// scanComments finds the comments of a file by their definition: a '#' at the start of a line or
// after white space, outside a string, and before white space, another '#' or the end.
func scanComments(src string) []ast.Span {
	var found []ast.Span
	begin := 0
	if strings.HasPrefix(src, "\ufeff") {
		begin = len("\ufeff")
	}
	blank := func(i int) bool { return strings.IndexByte(" \t\r\n", src[i]) >= 0 }
	for i := begin; i < len(src); i++ {
		switch src[i] {
		case '\'', '"':
			quote := src[i]
			for i++; i < len(src) && src[i] != quote && src[i] != '\n' && src[i] != '\r'; i++ {
				if src[i] == '\\' && i+1 < len(src) && src[i+1] != '\n' && src[i+1] != '\r' {
					i++
				}
			}
		case '#':
			if i > begin && !blank(i-1) || i+1 < len(src) && !blank(i+1) && src[i+1] != '#' {
				continue
			}
			end := i
			for end < len(src) && src[end] != '\n' && src[end] != '\r' {
				end++
			}
			found = append(found, ast.Span{Start: i, End: i + len(strings.TrimRight(src[i:end], " \t"))})
			i = end
		}
	}
	return found
}

// checkEntries checks that a file can be read in parts: each part has one selector, perhaps except
// the last, and the parts together have what the whole file has.
func checkEntries(t testing.TB, c *parseCase, r result) {
	t.Helper()
	if c.options.Limits != (parser.Limits{}) {
		return
	}
	type read struct {
		Span, Lines ast.Span
		Tree        string
		Before      int
		Blank, Bad  bool
	}
	type found struct {
		Span          ast.Span
		Message, Hint string
	}
	var whole, parts struct {
		Selectors []read
		Found     []found
		After     int
	}
	add := func(f *ast.File, ds []diag.Diagnostic, at int) (selectors []read, list []found) {
		shift := func(s ast.Span) ast.Span { return ast.Span{Start: s.Start + at, End: s.End + at} }
		for _, s := range f.Selectors {
			tree := format.Node(s.Query, format.Options{Edition: c.options.Edition})
			selectors = append(selectors, read{shift(s.Span), shift(s.Lines), tree, len(s.Before), s.BlankBefore, s.Bad})
		}
		for _, d := range ds {
			list = append(list, found{shift(d.Span), d.Message, d.Hint})
		}
		return selectors, list
	}
	whole.Selectors, whole.Found = add(r.file, r.diags, 0)
	whole.After = len(r.file.After)
	at := 0
	for part := range parser.Entries(c.src) {
		if part.Start != at {
			t.Errorf("a part begins at %d, not %d", part.Start, at)
		}
		at = part.End
		f, ds := parser.Parse(part.Text(c.src), c.options)
		if n := len(f.Selectors); n > 1 && strings.LastIndex(c.src, "\ufeff") <= 0 || n == 0 && at < len(c.src) {
			t.Errorf("the part %q holds %d selectors", part.Text(c.src), n)
		}
		selectors, list := add(f, ds, part.Start)
		parts.Selectors, parts.Found = append(parts.Selectors, selectors...), append(parts.Found, list...)
		parts.After = len(f.After)
	}
	if at != len(c.src) {
		t.Errorf("the parts end at %d, not %d", at, len(c.src))
	}
	if d := gocmp.Diff(whole, parts); d != "" {
		t.Errorf("read in parts (-whole +parts):\n%s", d)
	}
}
