package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInline checks that the same is read with and without a separate rule: query : part B part EOF
// ; part : A*
func TestInline(t *testing.T) {
	n := &network{
		symbols:   []string{"null", "A", "B"},
		rules:     []string{"query", "part"},
		ruleStart: []int{0, 5},
		states: []state{
			in(0, call(5, 1)), in(0, atom(tokenB, 2)), in(0, call(5, 3)), in(0, eof(4)), end(0),
			in(1, atom(tokenA, 5), epsilon(6)), end(1),
		},
	}
	if err := n.inline([]string{"part"}); err != nil {
		t.Fatal(err)
	}
	m, err := buildMachine(n)
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(n.rules, []string{"query"}) || len(m.start) != 1 {
		t.Errorf("rules %v, starts %v", n.rules, m.start)
	}
	for input, want := range map[string]bool{
		"AABA$": true, "B$": true, "ABAA$": true,
		"$": false, "A$": false, "ABB$": false, "BA": false,
	} {
		at := m.start[0]
		for _, symbol := range input {
			token := map[rune]int{'A': tokenA, 'B': tokenB, '$': 0}[symbol]
			if a := m.states[at].actions[token]; a.op == opShift {
				at = a.next
			} else {
				at = -1
				break
			}
		}
		if got := at == 0; got != want { // the first state is the end of the first rule
			t.Errorf("%s is read: %v", input, got)
		}
	}
}
