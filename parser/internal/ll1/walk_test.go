package ll1

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// members returns the kinds in a set, in ascending order.
func members(s Set) (kinds []Kind) {
	for k := range Kind(numKinds) {
		if s.Has(k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func pick[T any](rnd *rand.Rand, list []T) T { return list[rnd.IntN(len(list))] }

// damage deletes, repeats, replaces or inserts a few bytes, most of them from another sample.
func damage(rnd *rand.Rand, src string, samples []string) string {
	cut := func(s string) (int, int) {
		i := rnd.IntN(len(s) + 1)
		return i, i + rnd.IntN(min(4, len(s)-i)+1)
	}
	for range 1 + rnd.IntN(3) {
		i, j := cut(src)
		other := pick(rnd, samples)
		x, y := cut(other)
		switch rnd.IntN(4) {
		case 0:
			src = src[:i] + src[j:]
		case 1:
			src = src[:j] + src[i:]
		case 2:
			src = src[:i] + other[x:y] + src[j:]
		case 3:
			src = src[:i] + other[x:y] + src[i:]
		}
	}
	return src
}

// walk returns a valid sequence of tokens. It picks one token at a time until it picks the end of
// the input; after soft tokens it picks the end as soon as that is valid.
func walk(rnd *rand.Rand, m *Machine, soft int) []Token {
	var toks []Token
	for {
		expected := m.Expected(toks, len(toks))
		kind := TokEOF
		if len(toks) < soft || !expected.Has(TokEOF) {
			kind = pick(rnd, members(expected))
		}
		if len(toks) > 4*soft {
			kind = closing(expected, kind)
		}
		toks = append(toks, Token{Kind: kind})
		if kind == TokEOF {
			return toks
		}
	}
}

// closing prefers closing brackets, so walks end.
func closing(expected Set, kind Kind) Kind {
	for _, k := range []Kind{TokRparen, TokRbrack, TokRbrace} {
		if expected.Has(k) {
			return k
		}
	}
	return kind
}

func kinds(toks []Token) string {
	var names []string
	for _, tok := range toks {
		names = append(names, tok.Kind.String())
	}
	return strings.Join(names, " ")
}

// walkSources returns distinct sources without errors: walks with words from the samples.
func walkSources(t testing.TB, n int) []string {
	var words [numKinds][]string
	for _, src := range readSamples(t, "selectors.txt") {
		toks, _ := Lex(src, 0, len(src), nil)
		for _, tok := range toks {
			words[tok.Kind] = append(words[tok.Kind], src[tok.Start:tok.End])
		}
	}
	rnd, m := newRand(), new(Machine)
	var sources []string
	for len(sources) < n {
		var src strings.Builder
		want := walk(rnd, m, 1+rnd.IntN(10))
		for _, tok := range want {
			if list := words[tok.Kind]; len(list) > 0 {
				src.WriteString(pick(rnd, list))
			}
		}
		got, _ := Lex(src.String(), 0, src.Len(), nil)
		if kinds(got) == kinds(want) { // no words were joined
			sources = append(sources, src.String())
		}
	}
	return sources
}

// TestOracleWalks compares the parsers on valid sequences of tokens, and on mutated ones.
func TestOracleWalks(t *testing.T) {
	o, m, rnd := newOracle(), new(Machine), newRand()
	for range 4000 {
		toks := walk(rnd, m, 1+rnd.IntN(25))
		compareParse(t, o, m, toks, kinds(toks))
		for range 2 {
			i := rnd.IntN(len(toks))
			if kind := Kind(rnd.IntN(numKinds)); kind != TokEOF && rnd.IntN(2) == 0 {
				toks = slices.Insert(toks, i, Token{Kind: kind})
			} else if toks[i].Kind != TokEOF {
				toks = slices.Delete(toks, i, i+1)
			}
			compareParse(t, o, m, toks, kinds(toks))
		}
		if t.Failed() {
			return
		}
	}
}

// TestRepair repairs valid sequences of tokens and mutated ones. Tokens without an error must not
// change, and afterward all brackets must be closed.
func TestRepair(t *testing.T) {
	m, rnd := new(Machine), newRand()
	check := func(toks []Token) {
		repaired, errs := m.Repair(toks)
		if len(errs) == 0 && !slices.Equal(repaired, toks) {
			t.Fatalf("%s was repaired: %s", kinds(toks), kinds(repaired))
		}
		if open := strings.Count(kinds(repaired), "LPAREN") - strings.Count(kinds(repaired), "RPAREN"); open > 0 {
			t.Fatalf("%s: brackets stay open: %s", kinds(toks), kinds(repaired))
		}
	}
	for range 20_000 {
		toks := walk(rnd, m, 1+rnd.IntN(25))
		check(toks)
		i := rnd.IntN(len(toks))
		if kind := Kind(1 + rnd.IntN(numKinds-1)); rnd.IntN(2) == 0 {
			check(slices.Insert(toks, i, Token{Kind: kind}))
		} else if toks[i].Kind != TokEOF {
			toks[i].Kind = kind
			check(toks)
		}
	}
}

// TestExpectedIsExact asks ANTLR's parser about every kind of token at many positions: a kind is
// expected if and only if that parser accepts it there.
func TestExpectedIsExact(t *testing.T) {
	o, m, rnd := newOracle(), new(Machine), newRand()
	type config struct {
		state    uint8
		expected Set
	}
	seen := map[config]bool{}
	been := map[uint8]bool{}
	for range 1500 {
		toks := walk(rnd, m, 1+rnd.IntN(12))
		for upto := range toks {
			got := m.Expected(toks, upto)
			at := config{m.at.state, got}
			if seen[at] {
				continue
			}
			seen[at], been[m.at.state] = true, true
			var want Set
			for kind := range Kind(numKinds) {
				if kind == TokTrailing { // the lexer never makes it
					continue
				}
				_, firstError := o.parse(append(slices.Clip(toks[:upto]), Token{Kind: kind}))
				if firstError < 0 || firstError > upto {
					want |= 1 << kind
				}
			}
			if got != want {
				t.Fatalf("after %s\n got %v\nwant %v", kinds(toks[:upto]), members(got), members(want))
			}
		}
	}
	for state, row := range actions {
		for kind, a := range row {
			if to := uint8(a); a&opMask == opShift && states[to].first != 0 && !been[to] {
				t.Errorf("no walk came past %v in state %d", Kind(kind), state)
			}
		}
	}
}
