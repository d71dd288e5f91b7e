package ll1

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// checkEvents fails unless the events are a tree with every token in it, in order, and of
// proportional size.
func checkEvents(t *testing.T, toks []Token, events []Event) {
	t.Helper()
	if i := slices.IndexFunc(toks, func(tok Token) bool { return tok.Kind == TokEOF }); i >= 0 {
		toks = toks[:i+1]
	}
	var open []Rule
	next := 0
	for i, e := range events {
		if i > 0 && len(open) == 0 {
			t.Fatalf("event %d is after the end of the tree", i)
		}
		switch {
		case e.IsOpen():
			open = append(open, e.Rule())
		case e.IsClose():
			if open[len(open)-1] != e.Rule() {
				t.Fatalf("event %d closes %v, not %v", i, e.Rule(), open[len(open)-1])
			}
			open = open[:len(open)-1]
		case e.IsToken(), e.IsSkipped():
			if e.Token() != next {
				t.Fatalf("event %d is token %d, not %d", i, e.Token(), next)
			}
			next++
		}
	}
	if len(events) == 0 || len(open) > 0 || next != len(toks) {
		t.Fatalf("%d events, %d rules open, %d of %d tokens", len(events), len(open), next, len(toks))
	}
	if most := 32 * (len(toks) + 1); len(events) > most {
		t.Fatalf("%d events for %d tokens", len(events), len(toks))
	}
}

// outline writes events as text, with a ! before skipped tokens and < > around the rules that show
// how far recovery went.
func outline(src string, toks []Token, events []Event) string {
	shown := []string{"chain", "props", "behavior"}
	var b strings.Builder
	for _, e := range events {
		switch {
		case e.IsOpen() && slices.Contains(shown, e.Rule().String()):
			b.WriteString("<")
		case e.IsClose() && slices.Contains(shown, e.Rule().String()):
			b.WriteString(">")
		case e.IsSkipped():
			tok := toks[e.Token()]
			b.WriteString("!" + src[tok.Start:tok.End])
		case e.IsToken():
			tok := toks[e.Token()]
			b.WriteString(src[tok.Start:tok.End])
		}
	}
	return b.String()
}

func TestRecovery(t *testing.T) {
	for _, test := range []struct{ src, outline, errors string }{
		{`.a > .b`, `<.a > .b>`, ``},
		{``, `!`, `0`},
		{`.a > > .b`, `<.a > !> .b>`, `2`},
		{`.a, , .b`, `<.a>, !, <.b>`, `2`},
		{`.a > , .b`, `<.a > >, <.b>`, `2`},
		{`.a ?? `, `<.a> ?? `, `2`},
		{`.a)`, `<.a!)>`, `1`},
		{`(.a > )+t`, `<(<.a > >)+t>`, `3`},
		{`(.a[x=1).b`, `<(<.a<[x=1>>)!.b>`, `6, 7`},
		{`.a[x=,y=2], .b`, `<.a<[x=,y=2]>>, <.b>`, `4`},
		{`.a[x=`, `<.a<[x=>>`, `4`},
		{`.a[,x], .b`, `<.a<[!,x]>>, <.b>`, `2`},
		{`.a[x ! 1], .b`, `<.a<[x !!! !1]>>, <.b>`, `4`},
		{`.a[x=1 .b, .c`, `<.a<[x=1 !.b!, !.c>>`, `6`},
		{`.a{x in ['p', , 'q']}+t`, `<.a<{x in ['p', !, 'q']}>+t>`, `6`},
		{`.a{x='p', }+t`, `<.a<{x='p', }>+t>`, `6`},
		{`.a[x) .b ] .c`, `<.a<[x!) !.b ]> .c>`, `3, 5`},
		{`@t0.. .a`, `@t0.. <.a>`, `2`},
		{`@* 'a',`, `@* !'a',!`, `2, 4`},
		{`((d1,0), (d2,`, `<(<(<d1>,<0>)>, <(<d2>,>>`, `10`},
		{`$ $ .a`, `!$! !$! <.a>`, `0`},
	} {
		toks, _ := Lex(test.src, 0, 100, nil)
		events, errs := parse(new(Machine), toks)
		checkEvents(t, toks, events)
		if got := outline(test.src, toks, events); got != test.outline {
			t.Errorf("%s\n got %s\nwant %s", test.src, got, test.outline)
		}
		var list []string
		for _, e := range errs {
			list = append(list, fmt.Sprint(e.Token))
		}
		if got := strings.Join(list, ", "); got != test.errors {
			t.Errorf("%s\n got errors %s\nwant errors %s", test.src, got, test.errors)
		}
	}
}

func TestExpected(t *testing.T) {
	src := `(.a > , .b{x=1}`
	toks, _ := Lex(src, 0, 100, nil)
	for _, test := range []struct {
		upto  int
		has   []Kind
		hasNo []Kind
	}{
		{0, []Kind{TokTime, TokLparen, TokType}, []Kind{TokEOF, TokRparen, TokComma, TokControl}},
		{1, []Kind{TokRparen, TokComma, TokType}, []Kind{TokEOF, TokTime, TokFallback}},
		{2, []Kind{TokRparen, TokComma, TokGt, TokFallback, TokLbrace}, []Kind{TokEOF, TokControl, TokOptional}},
		{3, []Kind{TokType, TokStar}, []Kind{TokRparen, TokComma, TokGt}},
		{4, []Kind{TokType, TokRparen}, []Kind{TokGt, TokEOF}}, // the error was before
		{7, []Kind{TokEq, TokNe, TokIn, TokRbrace, TokComma}, []Kind{TokRbrack, TokRparen}},
		{99, []Kind{}, []Kind{TokEOF}},
	} {
		got := new(Machine).Expected(toks, test.upto)
		for _, kind := range test.has {
			if !got.Has(kind) {
				t.Errorf("after %d tokens %v must be expected", test.upto, kind)
			}
		}
		for _, kind := range test.hasNo {
			if got.Has(kind) {
				t.Errorf("after %d tokens %v must not be expected", test.upto, kind)
			}
		}
	}
}

// TestManyErrors checks that all errors of a selector with many are reported.
func TestManyErrors(t *testing.T) {
	toks, _ := Lex(strings.Repeat(".a > > ", 50)+".b", 0, 1000, nil)
	events, errs := parse(new(Machine), toks)
	checkEvents(t, toks, events)
	if len(errs) != 50 {
		t.Errorf("%d errors, want 50", len(errs))
	}
}

// TestHostile reads long sources of the worst kinds. If the time were not linear, it would take far
// more than a minute.
func TestHostile(t *testing.T) {
	const size = 1 << 18
	begin := time.Now()
	var m Machine
	for _, unit := range []string{"(", "[", "{", ")", "(.a[", "(.a[)", "(.a > ", "(.a{x in [", "(]", ", ", "$", "'", " # \xff", "@a='", "#'x\\", ".a > > "} {
		src := strings.Repeat(unit, size/len(unit))
		toks, ok := Lex(src, 0, size, nil)
		if !ok {
			t.Errorf("%q: too many tokens", unit)
		}
		events, _ := parse(&m, toks)
		checkEvents(t, toks, events)
	}
	// Brackets that stay open, followed by errors that search all of them.
	toks, _ := Lex(strings.Repeat("(", size/2)+strings.Repeat(".a $", size/8), 0, size, nil)
	events, _ := parse(&m, toks)
	checkEvents(t, toks, events)
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

func TestTokensFromElsewhere(t *testing.T) {
	var m Machine
	for _, toks := range [][]Token{
		nil,
		{{Kind: TokType}},
		{{Kind: 200}, {Kind: TokType}, {Kind: TokEOF}},
		{{Kind: TokEOF}, {Kind: TokType}, {Kind: TokEOF}},
		{{Kind: TokType}, {Kind: TokEOF}, {Kind: TokType}},
	} {
		events, _ := parse(&m, toks)
		checkEvents(t, toks, events)
	}
}

func TestNoAllocations(t *testing.T) {
	var m Machine
	var toks []Token
	samples := readSamples(t, "selectors.txt")
	read := func() {
		for _, src := range samples {
			toks, _ = Lex(src, 0, 10_000, toks)
			m.Repair(toks)
			m.Expected(toks, len(toks)/2)
		}
	}
	if n := testing.AllocsPerRun(1, read); n > 0 {
		t.Errorf("%v allocations with warm buffers", n)
	}
}

func FuzzMachine(f *testing.F) {
	for _, src := range readSamples(f, "selectors.txt") {
		toks, _ := Lex(src, 0, len(src), nil)
		data := make([]byte, len(toks))
		for i, tok := range toks {
			data[i] = byte(tok.Kind)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64 {
			return // Go would try for a minute to shorten it
		}
		toks := make([]Token, len(data))
		for i, b := range data {
			toks[i].Kind = Kind(b)
		}
		var m Machine
		events, errs := parse(&m, toks)
		checkEvents(t, toks, events)
		last := -1
		for _, e := range errs {
			if e.Token <= last || e.Token >= len(toks) || e.Expected.Has(toks[e.Token].Kind) || e.Expected == 0 {
				t.Errorf("error %+v after one at %d", e, last)
			}
			last = e.Token
		}
		for upto := range toks {
			m.Expected(toks, upto)
		}
	})
}
