package ll1

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/antlr4-go/antlr/v4"

	"github.com/pactkit/pactkit/parser/internal/gen"
)

// oracle parses with the code that ANTLR generates from the same grammar.
type oracle struct {
	*antlr.DefaultErrorListener
	lexer      *gen.PactLexer
	parser     *gen.PactParser
	firstError int // the index of a token, or -1
}

func newOracle() *oracle {
	o := &oracle{lexer: gen.NewPactLexer(nil), parser: gen.NewPactParser(nil)}
	o.lexer.RemoveErrorListeners()
	o.lexer.AddErrorListener(o)
	o.parser.RemoveErrorListeners()
	o.parser.AddErrorListener(o)
	return o
}

// SyntaxError records where the first error is. The lexer's grammar accepts any input, so its
// errors are bugs.
func (o *oracle) SyntaxError(_ antlr.Recognizer, symbol any, _, _ int, msg string, _ antlr.RecognitionException) {
	token, ok := symbol.(antlr.Token)
	if !ok {
		panic("the lexer failed: " + msg)
	}
	if o.firstError < 0 {
		o.firstError = token.GetTokenIndex()
	}
}

// lex returns the tokens of valid UTF-8.
func (o *oracle) lex(src string) []Token {
	var offsets []int32 // rune → byte
	for i := range src {
		offsets = append(offsets, int32(i))
	}
	offsets = append(offsets, int32(len(src)))
	o.lexer.SetInputStream(antlr.NewInputStream(src))
	var toks []Token
	for {
		t := o.lexer.NextToken()
		if t.GetTokenType() == antlr.TokenEOF {
			return append(toks, Token{TokEOF, int32(len(src)), int32(len(src))})
		}
		toks = append(toks, Token{Kind(t.GetTokenType()), offsets[t.GetStart()], offsets[t.GetStop()+1]})
	}
}

// tokenList is a lexer that reads a list instead of a text.
type tokenList struct {
	antlr.Lexer
	rest []Token
}

func (l *tokenList) NextToken() antlr.Token {
	kind := antlr.TokenEOF
	if len(l.rest) > 0 && l.rest[0].Kind != TokEOF {
		kind = int(l.rest[0].Kind)
		l.rest = l.rest[1:]
	}
	return antlr.NewCommonToken(new(antlr.TokenSourceCharStreamPair), kind, antlr.TokenDefaultChannel, 0, 0)
}

// parse returns the tree and the index of the first unexpected token, or -1.
func (o *oracle) parse(toks []Token) (tree string, firstError int) {
	o.firstError = -1
	o.parser.SetInputStream(antlr.NewCommonTokenStream(&tokenList{o.lexer, toks}, antlr.TokenDefaultChannel))
	query := o.parser.Query()
	if o.firstError >= 0 {
		return "", o.firstError
	}
	var b strings.Builder
	o.writeTree(&b, query)
	return b.String(), -1
}

// writeTree writes a rule in parentheses.
func (o *oracle) writeTree(b *strings.Builder, t antlr.Tree) {
	switch t := t.(type) {
	case antlr.RuleNode:
		name := o.parser.RuleNames[t.GetRuleContext().GetRuleIndex()]
		b.WriteString(" (" + name)
		for _, child := range t.GetChildren() {
			o.writeTree(b, child)
		}
		b.WriteByte(')')
	case antlr.TerminalNode:
		fmt.Fprint(b, " ", t.GetSymbol().GetTokenIndex())
	}
}

// eventTree writes events as the oracle writes its tree; a skipped token has a ! before it.
func eventTree(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		switch {
		case e.IsOpen():
			fmt.Fprintf(&b, " (%v", e.Rule())
		case e.IsClose():
			b.WriteByte(')')
		case e.IsSkipped():
			fmt.Fprintf(&b, " !%d", e.Token())
		default:
			fmt.Fprint(&b, " ", e.Token())
		}
	}
	return b.String()
}

// compareLex lexes src both ways. The text between invalid bytes must be lexed like a separate
// source.
func compareLex(t *testing.T, o *oracle, src string) {
	t.Helper()
	got, ok := Lex(src, 0, len(src), nil)
	if !ok {
		t.Fatalf("%q: more tokens than bytes", src)
	}
	var want []Token
	add := func(start, end int) {
		toks := o.lex(src[start:end])
		for _, tok := range toks[:len(toks)-1] {
			want = append(want, Token{tok.Kind, tok.Start + int32(start), tok.End + int32(start)})
		}
	}
	start := 0
	for i, r := range src {
		if r == '\uFFFD' && !strings.HasPrefix(src[i:], "\uFFFD") {
			add(start, i)
			want = append(want, Token{TokBadChar, int32(i), int32(i) + 1})
			start = i + 1
		}
	}
	add(start, len(src))
	want = append(want, Token{TokEOF, int32(len(src)), int32(len(src))})
	if !slices.Equal(got, want) {
		t.Errorf("%q\n got %v\nwant %v", src, got, want)
	}
}

// compareParse parses toks both ways.
func compareParse(t *testing.T, o *oracle, m *Machine, toks []Token, what string) {
	t.Helper()
	wantTree, wantError := o.parse(toks)
	events, errs := parse(m, toks)
	checkEvents(t, toks, events)
	gotError := -1
	if len(errs) > 0 {
		gotError = errs[0].Token
	}
	if gotError != wantError {
		t.Errorf("%s: the first error is at token %d, want %d", what, gotError, wantError)
	}
	if wantError < 0 {
		if got := eventTree(events); got != wantTree {
			t.Errorf("%s\n got %s\nwant %s", what, got, wantTree)
		}
	}
}

// readSamples reads a file of texts, one per line; a text in double quotes is a Go string.
func readSamples(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n"))
	for i, line := range lines {
		if strings.HasPrefix(line, `"`) {
			if lines[i], err = strconv.Unquote(line); err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
		}
	}
	return lines
}

// TestOracle compares lexer and machine with ANTLR's on the samples and on mutated samples.
func TestOracle(t *testing.T) {
	o, m, rnd := newOracle(), new(Machine), newRand()
	samples := readSamples(t, "selectors.txt")
	check := func(src string) {
		compareLex(t, o, src)
		toks, _ := Lex(src, 0, len(src), nil)
		compareParse(t, o, m, toks, strconv.Quote(src))
	}
	for _, src := range samples {
		check(src)
		for range 20 {
			check(damage(rnd, src, samples))
		}
		if t.Failed() {
			return
		}
	}
}

// TestOracleRunes compares the lexers on both sides of every boundary between classes of runes, as
// the first rune of a word, inside one, and in a string.
func TestOracleRunes(t *testing.T) {
	o := newOracle()
	for _, c := range runeClasses[1:] {
		var b strings.Builder
		for _, r := range []rune{c.first - 1, c.first} {
			if r < 0xD800 || r > 0xDFFF {
				fmt.Fprintf(&b, "%[1]c a%[1]cb '%[1]c' ", r)
			}
		}
		compareLex(t, o, b.String())
	}
}

func FuzzLexOracle(f *testing.F) {
	for _, src := range readSamples(f, "selectors.txt") {
		f.Add(src)
	}
	f.Add("\xff.a \xfe#\xfd")
	f.Add(" # \xff # \xc3(")
	f.Add("'\xed\xa0\x80\uFFFD")
	o := newOracle()
	f.Fuzz(func(t *testing.T, src string) { compareLex(t, o, src) })
}
