package main

import (
	"strings"
	"testing"
)

// The tests here build networks by hand, of grammars that must be rejected.

func epsilon(to int) edge { return edge{kind: edgeEpsilon, target: to} }
func atom(symbol, to int) edge {
	return edge{kind: edgeAtom, target: to, label: []span{{symbol, symbol}}}
}
func eof(to int) edge {
	return edge{kind: edgeAtom, target: to, label: []span{{endOfInput, endOfInput}}}
}
func call(to, follow int) edge         { return edge{kind: edgeRule, target: to, follow: follow} }
func in(rule int, edges ...edge) state { return state{rule: rule, edges: edges} }
func end(rule int) state               { return state{rule: rule, stop: true} }

const (
	tokenA = 1 + iota
	tokenB
)

func TestRefusedParsers(t *testing.T) {
	for name, test := range map[string]struct {
		states []state
		starts []int
		want   string
	}{
		"no end": {
			// query : A?
			[]state{in(0, epsilon(1), epsilon(2)), in(0, atom(tokenA, 2)), end(0)},
			[]int{0},
			"rule query is the start: it must end with EOF",
		},
		"start in use": {
			// query : ( A query )? EOF
			[]state{in(0, epsilon(1), epsilon(3)), in(0, atom(tokenA, 2)), in(0, call(0, 3)), in(0, eof(4)), end(0)},
			[]int{0},
			"no rule may use it",
		},
		"action": {
			// query : {…} EOF
			[]state{in(0, edge{kind: edgeAction, target: 1}), in(0, eof(2)), end(0)},
			[]int{0},
			"rule query: only tokens, rules and the operators",
		},
	} {
		n := &network{symbols: []string{"null", "A", "B"}, rules: []string{"query", "part"}[:len(test.starts)], states: test.states, ruleStart: test.starts}
		if _, err := buildMachine(n); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	many := &network{symbols: make([]string, maxTokens+1)}
	if _, err := buildMachine(many); err == nil {
		t.Error("too many tokens are accepted")
	}
}

func TestRefusedLexers(t *testing.T) {
	// A : 'a' | 'b' A
	recursive := &network{
		rules:     []string{"A"},
		ruleStart: []int{1},
		ruleToken: []int{tokenA},
		states:    []state{in(0, epsilon(1)), in(0, epsilon(2), epsilon(3)), in(0, atom('a', 5)), in(0, atom('b', 4)), in(0, call(1, 5)), end(0)},
	}
	if _, err := buildLexer(recursive); err == nil || !strings.Contains(err.Error(), "rule A uses itself") {
		t.Errorf("a lexer rule that uses itself: %v", err)
	}
	// A : 'a' -> more
	action := &network{
		rules:     []string{"A"},
		ruleStart: []int{1},
		ruleToken: []int{tokenA},
		states:    []state{in(0, epsilon(1)), in(0, atom('a', 2)), in(0, edge{kind: edgeAction, target: 3}), end(0)},
		skips:     []bool{false},
	}
	if _, err := buildLexer(action); err == nil || !strings.Contains(err.Error(), "the only action allowed is skip") {
		t.Errorf("a lexer rule with another action: %v", err)
	}
}

func TestRefusedScanners(t *testing.T) {
	any := edge{kind: edgeWildcard, target: 4, label: []span{{0, maxRune}}}
	for _, test := range []struct {
		states []state
		want   string
	}{
		// A : 'a'
		{[]state{in(0, epsilon(1)), in(0, atom('a', 2)), end(0)}, "no token begins with a character of class"},
		// A : 'a' -> skip ; B : .
		{
			[]state{in(0, epsilon(1), epsilon(3)), in(0, atom('a', 5)), end(0), in(1, any), end(1), in(0, edge{kind: edgeAction, target: 2})},
			"a token that is skipped must end with EOF",
		},
	} {
		n := &network{rules: []string{"A", "B"}, ruleStart: []int{1, 3}, ruleToken: []int{tokenA, tokenB}, states: test.states, skips: []bool{true}}
		d, err := buildLexer(n)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.scanner(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}
