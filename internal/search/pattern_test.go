package search

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// TestLiteral checks that a literal is found where package strings finds it, however frequent its
// bytes are.
func TestLiteral(t *testing.T) {
	texts := []string{
		"", "E", "an error", "no such words", "no such word", "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww no such words", strings.Repeat("such no words ", 50),
		strings.Repeat("中文", 40) + "文字", `\"quoted\"`, "Zebra", "a", "aaaa",
	}
	for _, want := range texts {
		l := newLiteral(want)
		for _, s := range texts {
			for _, s := range []string{s, s + s, s + want, want + s, s[:len(s)/2]} {
				if got := l.in(s); got != strings.Contains(s, want) {
					t.Errorf("%q in %q: %v", want, s, got)
				}
			}
		}
	}
}

// TestFolded checks that a literal is found without regard to case wherever it is in a text.
func TestFolded(t *testing.T) {
	for _, want := range []string{"ab", "error", "no such words", "中文 e", "@_`{x"} {
		l := newFolded(want)
		for n := range 40 {
			before := strings.Repeat("aE_@", 10)[:n]
			for _, s := range []string{before + want, before + strings.ToUpper(want) + "x", before + want + before, before + want[:len(want)-1] + "\x00"} {
				if got := l.in(s); got != strings.Contains(strings.ToLower(s), want) {
					t.Errorf("%q in %q: %v", want, s, got)
				}
			}
		}
	}
}

// patterns have literals of all kinds.
var patterns = []string{
	"", "error", "(?i)error", "(?i)task", "(?i)\u017f", "(?i)İstanbul", "(?i)größe", "(?i)中文 k", "error|Error", "(?i)error|fail(ed|ure)?", "(a|)b", "x*",
	"(?i)no such words", "(?i:e)rror", "[eE]rror", "(?s)a.*error\n", "(?i)\"q\"", "(?i)a/b", "(err)+or{2,3}", "(?i)error.*timeout", "^error$", "(?i)k", "(?i)@[`{",
	"\\x{d800}", "\\bword\\b", "a|b|c|d|e|f|g|h|i", "(?U)ab+?", "\\Qa.b\\E", "(?i)ss", "(?i)é", "e{0}rror", "(?i)\u212a",
}

// checkPattern checks that a pattern is found in a text as package regexp finds it, however JSON
// writes the text.
func checkPattern(t *testing.T, expression, value string) {
	re, err := regexp.Compile(expression)
	p, bad := newPattern(expression)
	if (err == nil) != (bad == nil) {
		t.Fatalf("%q: %v, want %v", expression, bad, err)
	}
	if err != nil || !utf8.ValidString(value) {
		return
	}
	want := re.MatchString(value)
	marshaled, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	slashed := strings.ReplaceAll(string(marshaled), "/", `\/`)
	for _, quoted := range []string{string(marshaled), slashed, string(canonjson.AppendString(nil, value))} {
		v, err := canonjson.NewScanner(quoted, 1).Value()
		if err != nil {
			t.Fatal(quoted, err)
		}
		if got := p.match(v); got != want {
			t.Errorf("%q in %s: %v, want %v", expression, quoted, got, want)
		}
	}
}

// TestPattern checks each pattern on texts that are like the patterns.
func TestPattern(t *testing.T) {
	texts := []string{
		"", "an error", "AN ERROR\n", "\u017f", "S", "ta\u017fk", "TAS\u212a", "istanbul", "İSTANBUL", "GRÖSSE größe", "GRÖßE", "中文 \u212a", "Fail", "failed", "xxErrOr timeout",
		"no such word", "NO SUCH WORDS", `"Q"`, "A/B", "errerrorr", "k", "K", "\u212a", "@[`{", "\ufffd", "a word.", "Aa.b", "ß", "É", "a\tb ERROR", "\u017f\u017f",
	}
	for _, expression := range patterns {
		for _, s := range texts {
			for _, around := range []string{"", "1", "1234567", "e E e E eE e", "中文"} {
				checkPattern(t, expression, around+s)
				checkPattern(t, expression, s+around)
			}
		}
	}
}

// TestPrefilter checks that these patterns are looked for by literals.
func TestPrefilter(t *testing.T) {
	for expression, want := range map[string]string{
		"(?i)error": "error", "(?i)größe": "gr", "(?i)中文": "中文", "a|(b|cd)": "a b cd", "(?i)fail(ed|ure)": "fail", "x*(?i:Task)": "task", "[eE]rror": "rror", "x*": "", "(?i)e": "",
	} {
		p, err := newPattern(expression)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range p.literals {
			got = append(got, l.text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has %q, want %q", expression, got, want)
		}
	}
}

// FuzzPattern checks any pattern on any text.
func FuzzPattern(f *testing.F) {
	for i, expression := range patterns {
		f.Add(expression, "an error, a TASK: "+patterns[len(patterns)-1-i])
	}
	f.Fuzz(checkPattern)
}
