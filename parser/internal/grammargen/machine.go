package main

import (
	"fmt"
	"math/bits"
)

// set is a set of tokens, one bit for each; bit 0 is the end of the input.
type set uint64

// maxTokens leaves the last bit of a set for ends, the end of a rule.
const (
	maxTokens     = 63
	ends      set = 1 << maxTokens
)

func (s set) has(token int) bool { return s>>token&1 != 0 }

// The operations of the machine. Where there is none, the rule ends.
type op int

const (
	opShift op = iota + 1 // consume the token and go to next
	opCall                // enter the rule, and go to next when it ends
)

type action struct {
	op   op
	rule int // opCall
	next int
}

// machineState is a position in a rule.
type machineState struct {
	actions []action // by token
	first   set      // the tokens that can come before the rule ends; ends if none need come
	closer  set      // the only token that can end the rule, if there is one
}

// machine is the LL(1) parser of a grammar: an automaton with a stack.
type machine struct {
	states []machineState // the first are the ends of the rules, in order
	rules  []string
	start  []int // rule → its first state
}

// analysis has the FIRST sets of LL(1) theory: the tokens that can come first after each state of
// the network, within its rule, and ends if the rule can end without a token.
type analysis struct {
	net   *network
	first []set
}

// buildMachine compiles the network of a parser, whose first rule is the start. The grammar must be
// LL(1), which a test of package gen checks.
func buildMachine(n *network) (*machine, error) {
	if tokens := len(n.symbols); tokens > maxTokens {
		return nil, fmt.Errorf("%d kinds of tokens are more than the %d a set can hold", tokens, maxTokens)
	}
	a := &analysis{net: n, first: make([]set, len(n.states))}
	a.findFirst()
	valid := a.first[n.ruleStart[0]]&ends == 0
	for _, s := range n.states {
		for _, e := range s.edges {
			switch e.kind {
			case edgeEpsilon, edgeAtom, edgeRange, edgeSet:
			case edgeRule:
				valid = valid && e.target != n.ruleStart[0]
			default:
				return nil, fmt.Errorf("rule %s: only tokens, rules and the operators ? * + | are allowed",
					n.rules[s.rule])
			}
		}
	}
	if !valid {
		return nil, fmt.Errorf("rule %s is the start: it must end with EOF, and no rule may use it", n.rules[0])
	}
	return a.machine(), nil
}

// tokens returns the tokens that an edge consumes.
func (e edge) tokens() set {
	var out set
	for _, s := range e.label {
		for t := s.lo; t <= s.hi; t++ {
			out |= 1 << max(t, 0)
		}
	}
	return out
}

func (a *analysis) findFirst() {
	for changed := true; changed; {
		changed = false
		for i, s := range a.net.states {
			first := a.first[i]
			if s.stop {
				first |= ends
			}
			for _, e := range s.edges {
				first |= a.begin(e)
			}
			changed = changed || first != a.first[i]
			a.first[i] = first
		}
	}
}

// begin returns the tokens that can come first on an edge, and ends as in analysis.
func (a *analysis) begin(e edge) set {
	switch e.kind {
	case edgeEpsilon:
		return a.first[e.target]
	case edgeRule:
		first := a.first[e.target]
		if first&ends != 0 {
			first = first&^ends | a.first[e.follow]
		}
		return first
	}
	return e.tokens()
}

// choice is one way to continue from a state, and the tokens that select it.
type choice struct {
	tokens set
	action action // next is a state of the network
}

// choices returns the ways to continue from a state, beyond states that need no token.
func (a *analysis) choices(from int) []choice {
	n := a.net
	var out []choice
	seen := map[int]bool{}
	var visit func(int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for _, e := range n.states[i].edges {
			switch e.kind {
			case edgeEpsilon:
				visit(e.target)
			case edgeRule:
				out = append(out, choice{a.begin(e), action{opCall, n.states[e.target].rule, e.follow}})
			default:
				out = append(out, choice{a.begin(e), action{op: opShift, next: e.target}})
			}
		}
	}
	visit(from)
	return out
}

// closer returns the only token that can end the rule, such as a closing bracket. It returns 0 if
// the rule can end without a token or with several.
func (a *analysis) closer(from int) set {
	if a.first[from]&ends != 0 {
		return 0
	}
	var out set
	for _, c := range a.choices(from) {
		switch next := c.action.next; c.action.op {
		case opShift:
			if a.first[next] == ends {
				out |= c.tokens
			}
		case opCall:
			if a.first[a.net.ruleStart[c.action.rule]]&ends != 0 {
				out |= a.closer(next)
			}
		}
	}
	if bits.OnesCount64(uint64(out)) != 1 {
		return 0
	}
	return out
}

// machine collects the states that matter: the ends and starts of rules, and the states after
// tokens and calls. The end of a rule has the number of the rule.
func (a *analysis) machine() *machine {
	n := a.net
	from := make([]int, len(n.rules)) // by state of the machine, that of the network
	for i, s := range n.states {
		if s.stop {
			from[s.rule] = i
		}
	}
	m, index := &machine{rules: n.rules}, map[int]int{}
	add := func(i int) int {
		if a.first[i] == ends { // nothing comes before the end of the rule
			return n.states[i].rule
		}
		at, ok := index[i]
		if !ok {
			at, from = len(from), append(from, i)
			index[i] = at
		}
		return at
	}
	for _, i := range n.ruleStart {
		m.start = append(m.start, add(i))
	}
	for len(m.states) < len(from) {
		i := from[len(m.states)]
		row := make([]action, len(n.symbols))
		for _, c := range a.choices(i) {
			c.action.next = add(c.action.next)
			for token := range row {
				if c.tokens.has(token) {
					row[token] = c.action
				}
			}
		}
		m.states = append(m.states, machineState{row, a.first[i], a.closer(i)})
	}
	return m
}
