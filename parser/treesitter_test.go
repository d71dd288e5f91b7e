//go:build e2e

package parser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser/internal/gen"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// treeSitter is a program with the two tree-sitter grammars:
// editors/tree-sitter-pactsel/test/leaves.c.
type treeSitter struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// newTreeSitter builds the program with gcc and the runtime library from an npm package.
func newTreeSitter(t *testing.T) *treeSitter {
	t.Helper()
	const dir = "../editors/tree-sitter-pactsel/"
	const library = dir + "node_modules/tree-sitter/vendor/tree-sitter/lib/"
	if _, err := os.Stat(library); err != nil {
		t.Fatal("`make check` installs what this needs: ", err)
	}
	program := filepath.Join(t.TempDir(), "leaves")
	build := exec.CommandContext(t.Context(), "gcc", "-std=c11", "-D_DEFAULT_SOURCE", "-D_POSIX_C_SOURCE=200809L", "-O1",
		"-Wall", "-Wextra", "-Wno-unused-parameter",
		"-I", library+"include", "-I", library+"src", "-I", dir+"pactsel/src", "-o", program,
		dir+"test/leaves.c", library+"src/lib.c")
	for _, grammar := range []string{"pactsel", "pactsel_inline"} {
		build.Args = append(build.Args, dir+grammar+"/src/parser.c", dir+grammar+"/src/scanner.c")
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	} else if len(out) > 0 {
		t.Errorf("gcc says\n%s", out)
	}
	run := exec.Command(program)
	run.Stderr = os.Stderr
	in, err := run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := run.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &treeSitter{in, bufio.NewReaderSize(out, 1<<20)}
}

// leaves reads sources, each as a file and as one selector, and returns their leaves in the form
// that leaves.c prints.
func (p *treeSitter) leaves(t *testing.T, sources []string) []string {
	t.Helper()
	written := make(chan error)
	go func() {
		var err error
		for _, src := range sources {
			_, err = fmt.Fprintf(p.in, "pactsel %d\n%spactsel_inline %d\n%s", len(src), src, len(src), src)
		}
		written <- err
	}()
	lines := make([]string, 2*len(sources))
	for i := range lines {
		line, err := p.out.ReadString('\n')
		if err != nil {
			t.Fatalf("%q: %v", sources[i/2], err)
		}
		lines[i] = strings.TrimSuffix(line, "\n")
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	return lines
}

// leafWriter writes what leaves.c should print for a source, from the tokens of package ll1.
type leafWriter struct {
	text string
	out  strings.Builder
	last int // where the last leaf ends
}

func (w *leafWriter) leaf(name string, start, end int) {
	fmt.Fprintf(&w.out, " %s %d %d", name, start, end)
	w.last = end
}

// trivia writes the comments from an offset on, which is at the start of a line or in white space,
// and returns where they end.
func (w *leafWriter) trivia(at, end int) int {
	return skipTrivia(w.text, at, end, func(c ast.Span) { w.leaf("comment", c.Start, c.End) })
}

// skip calls trivia if there is white space at the offset.
func (w *leafWriter) skip(at, end int) int {
	if at < end && isSpace(w.text[at]) {
		return w.trivia(at, end)
	}
	return at
}

// signs has the names that the tree-sitter grammars give tokens with a fixed text; other tokens
// have their own name in lower case.
var signs = map[ll1.Kind]string{
	ll1.TokRange: "..", ll1.TokFallback: "??", ll1.TokOptional: "?", ll1.TokComma: ",", ll1.TokStar: "*",
	ll1.TokColon:  ":",
	ll1.TokLparen: "(", ll1.TokRparen: ")", ll1.TokLbrack: "[", ll1.TokRbrack: "]", ll1.TokLbrace: "{", ll1.TokRbrace: "}",
	ll1.TokGt: ">", ll1.TokEq: "=", ll1.TokNe: "!=", ll1.TokLt: "<", ll1.TokLe: "<=", ll1.TokGe: ">=", ll1.TokMatch: "~",
	ll1.TokMinus: "-",
}

// kindNames has the names of the kinds of tokens in the grammar.
var kindNames = gen.NewPactLexer(nil).SymbolicNames

// token writes the leaves of a token, without the white space in it: several if it has more than
// one word.
func (w *leafWriter) token(tok ll1.Token) {
	start, end := int(tok.Start), int(tok.End)
	if tok.Kind == ll1.TokDesc {
		w.trivia(start, end)
		w.leaf("descendant", end, end)
		return
	}
	name := strings.ToLower(kindNames[tok.Kind])
	start = w.skip(start, end)
	switch tok.Kind {
	case ll1.TokDepthCall, ll1.TokWithinCall, ll1.TokNthCall, ll1.TokLateNth, ll1.TokDepthPseudo, ll1.TokLateDepth:
		bracket := start + strings.IndexByte(w.text[start:end], '(')
		w.leaf(name, start, bracket)
		w.leaf("(", bracket, bracket+1)
		w.skip(w.last, end)
	case ll1.TokIn:
		w.leaf("in", start, start+len("in"))
		at := w.skip(w.last, end)
		w.leaf("[", at, at+1)
		w.skip(w.last, end)
	case ll1.TokControl:
		to := start + 1
		for i, r := range w.text[start+1 : end] {
			if !ast.IsNamePart(r) {
				break
			}
			to = start + 1 + i + len(string(r))
		}
		w.leaf("control_name", start, to)
		if to < end {
			at := w.skip(to, end)
			w.leaf("=", at, at+1)
			w.leaf("control_value", w.skip(at+1, end), end)
		}
	case ll1.TokBadOperator:
		to := end
		if i := strings.IndexAny(w.text[start:end], " \t\r\n"); i >= 0 {
			to = start + i
		}
		w.leaf(name, start, to)
		w.skip(to, end)
	default:
		if sign, ok := signs[tok.Kind]; ok {
			w.leaf(sign, start, start+len(sign))
			w.skip(w.last, end)
		} else {
			w.leaf(name, start, end)
		}
	}
}

// selector writes the leaves of the selector in a span and reports whether its tokens have no
// error.
func (w *leafWriter) selector(m *ll1.Machine, within ast.Span) bool {
	at := w.trivia(within.Start, within.End)
	toks, _ := ll1.Lex(w.text[:within.End], at, len(w.text), nil)
	for _, tok := range toks[:len(toks)-1] {
		w.token(tok)
		at = int(tok.End)
	}
	w.trivia(at, within.End)
	_, errs := m.Repair(toks)
	return len(errs) == 0
}

// wantLeaves returns what leaves.c must print for a source.
func wantLeaves(src string, isFile bool) string {
	w, m, start := &leafWriter{text: replaceInvalid(src)}, new(ll1.Machine), 0
	if strings.HasPrefix(src, "\ufeff") {
		start = len("\ufeff")
	}
	valid := true
	if isFile {
		after := split(w.text, src, start, ast.NewLines(src), func(e entry) bool {
			for _, c := range e.before {
				w.leaf("comment", c.Start, c.End)
			}
			valid = w.selector(m, e.lines) && valid
			return true
		})
		for _, c := range after {
			w.leaf("comment", c.Start, c.End)
		}
	} else {
		valid = w.selector(m, ast.Span{Start: start, End: len(src)})
	}
	if !valid {
		return "error" + w.out.String()
	}
	return "ok" + w.out.String()
}

// compare reads sources with both parsers and reports whether they agree.
func (p *treeSitter) compare(t *testing.T, sources []string) bool {
	t.Helper()
	for i, got := range p.leaves(t, sources) {
		src, isFile := sources[i/2], i%2 == 0
		if want := wantLeaves(src, isFile); got != want {
			t.Errorf("%q as a file: %t\n got %s\nwant %s", src, isFile, got, want)
			return false
		}
	}
	return true
}

// corpus returns the selectors and selector files of all cases and of the authors of the
// specification.
func corpus(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir("../testdata", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		switch filepath.Ext(name) {
		case ".pactsel":
			list = append(list, string(data))
		case ".txtar":
			for _, f := range txtar.Parse(data).Files {
				if f.Name == "in" || filepath.Ext(f.Name) == ".pactsel" {
					list = append(list, string(f.Data))
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for src := range strings.Lines(readFile(t, "internal/ll1/testdata/selectors.txt")) {
		src = strings.TrimSuffix(src, "\n")
		if text, err := strconv.Unquote(src); err == nil {
			src = text
		}
		list = append(list, src)
	}
	for line := range strings.Lines(readFile(t, "../testdata/upstream/selectors.jsonl")) {
		var s struct{ Selector string }
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s.Selector)
	}
	for _, src := range slices.Clone(list) {
		if strings.Count(src, "\n") > 1 {
			list = slices.AppendSeq(list, strings.Lines(src))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// damage deletes, repeats, replaces or inserts a few bytes, most of them from another source, some
// of them line breaks, brackets and the like.
func damage(rnd *rand.Rand, sources []string) string {
	pick := func() string { return sources[rnd.IntN(len(sources))] }
	cut := func(s string, most int) (int, int) {
		i := rnd.IntN(len(s) + 1)
		return i, i + rnd.IntN(min(most, len(s)-i)+1)
	}
	src := pick()
	if len(src) > 200 {
		i, j := cut(src, 200)
		src = src[i:j]
	}
	marks := []string{"\n", "\r\n", "\n  ", " # note\n", "\n#\n", "(", ")", "[", "{", "}\n", "\n  > ", "\n\t@", "\n ??",
		" in [", "@a = ",
		"'", `"`, `\`, "\xff", "\x00", "é", "٣", "\ufeff", "@t", "#", "\r", "depth(", ":nth(", "d1"}
	for range rnd.IntN(4) {
		i, j := cut(src, 4)
		switch rnd.IntN(5) {
		case 0:
			src = src[:i] + src[j:]
		case 1:
			src = src[:j] + src[i:]
		case 2:
			other := pick()
			x, y := cut(other, 12)
			src = src[:i] + other[x:y] + src[j:]
		default:
			src = src[:i] + marks[rnd.IntN(len(marks))] + src[j:]
		}
	}
	return src
}

// TestTreeSitter compares the grammars of editors/tree-sitter-pactsel with the tables of package
// ll1. Both must accept or reject the same sources and find the same tokens and comments, and a
// source after an edit must have the same leaves as one that is parsed from scratch. PACTKIT_SEEDS
// sets how many damaged sources are read; `make fuzz-tree-sitter` reads a million.
func TestTreeSitter(t *testing.T) {
	p, sources := newTreeSitter(t), corpus(t)
	if !p.compare(t, sources) {
		return
	}
	rounds := 5000
	if s := os.Getenv("PACTKIT_SEEDS"); s != "" {
		var err error
		if rounds, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	if testing.Short() {
		rounds /= 10
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for done := 0; done < rounds; {
		batch := make([]string, min(1000, rounds-done))
		for i := range batch {
			batch[i] = damage(rnd, sources)
		}
		if !p.compare(t, batch) {
			return
		}
		done += len(batch)
	}
	t.Logf("%d sources, %d damaged ones", len(sources), rounds)
}
