package main

import "testing"

// TestInline checks that a lexer includes the rules that a rule uses: A : B 'b' B ; fragment B :
// 'a'*
func TestInline(t *testing.T) {
	n := &network{
		rules:     []string{"A", "B"},
		ruleStart: []int{1, 6},
		ruleToken: []int{tokenA, tokenB},
		states: []state{
			in(0, epsilon(1)),
			in(0, call(6, 2)), in(0, atom('b', 3)), in(0, call(6, 4)), in(0, epsilon(5)), end(0),
			in(1, atom('a', 6), epsilon(7)), end(1),
		},
	}
	d, err := buildLexer(n)
	if err != nil {
		t.Fatal(err)
	}
	classes := d.ascii()
	for input, want := range map[string]bool{
		"aaba": true, "b": true, "abaa": true,
		"": false, "a": false, "abb": false, "bac": false,
	} {
		at := 1
		for _, c := range input {
			at = d.next[at][classes[c]]
		}
		if got := d.accept[at] == tokenA; got != want {
			t.Errorf("%q is a token: %v", input, got)
		}
	}
}
