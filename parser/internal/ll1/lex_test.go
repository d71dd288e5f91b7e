package ll1

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLex(t *testing.T) {
	for _, test := range []struct {
		src  string
		want []Token
	}{
		{"", []Token{{TokEOF, 0, 0}}},
		{"é+ß ", []Token{{TokName, 0, 2}, {TokTag, 2, 5}, {TokEOF, 6, 6}}},
		{".a # note", []Token{{TokType, 0, 2}, {TokEOF, 9, 9}}},
		{".a\xff\xfe", []Token{{TokType, 0, 2}, {TokBadChar, 2, 3}, {TokBadChar, 3, 4}, {TokEOF, 4, 4}}},
		{"'a\xffb'", []Token{{TokBadString, 0, 2}, {TokBadChar, 2, 3}, {TokName, 3, 4}, {TokBadString, 4, 5}, {TokEOF, 5, 5}}},
		{"'\uFFFD'", []Token{{TokString, 0, 5}, {TokEOF, 5, 5}}},
		{"\xe2\x82", []Token{{TokBadChar, 0, 1}, {TokBadChar, 1, 2}, {TokEOF, 2, 2}}},
	} {
		got, ok := Lex(test.src, 0, 100, nil)
		if !ok || !cmp.Equal(got, test.want) {
			t.Errorf("%q\n got %v %t\nwant %v", test.src, got, ok, test.want)
		}
	}
}

// TestScan compares the two ways to read tokens, with room for all tokens and with a buffer that
// must grow, from the start of a source and from its middle.
func TestScan(t *testing.T) {
	rnd, samples := newRand(), readSamples(t, "selectors.txt")
	for _, sample := range samples {
		for range 20 {
			src := damage(rnd, sample, samples)
			var want []Token
			var wide runeCache
			at := 0
			for at < len(src) {
				kind, end := scanOne(src, at, &wide)
				if kind != TokEOF {
					want = append(want, Token{kind, int32(at), int32(end)})
				}
				at = end
			}
			want = append(want, Token{TokEOF, int32(at), int32(at)})
			for _, room := range []int{0, rnd.IntN(len(want) + 1), len(want)} {
				if got, ok := Lex(src, 0, len(src), make([]Token, 0, room)); !ok || !slices.Equal(got, want) {
					t.Fatalf("%q with room for %d\n got %v\nwant %v", src, room, got, want)
				}
			}
			const before = "'\xff("
			got, _ := Lex(before+src, len(before), len(src), nil)
			for i := range got {
				got[i].Start -= int32(len(before))
				got[i].End -= int32(len(before))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q from the middle\n got %v\nwant %v", src, got, want)
			}
		}
	}
}

func TestLexLimit(t *testing.T) {
	src := ".a > .b  "
	for limit := range 3 {
		toks, ok := Lex(src, 0, limit, nil)
		if ok || len(toks) != limit+1 || toks[limit].Kind != TokEOF {
			t.Errorf("limit %d: %v %t", limit, toks, ok)
		}
	}
	if toks, ok := Lex(src, 0, 3, nil); !ok || len(toks) != 4 {
		t.Errorf("limit 3: %v %t", toks, ok)
	}
	if toks, _ := Lex(src, 0, 2, nil); toks[2].Start != 5 || toks[2].End != 5 {
		t.Errorf("the end is at %v, not where the third token begins", toks[2])
	}
}
