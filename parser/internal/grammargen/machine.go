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

// buildMachine compiles the network of a parser, whose first rule is the start. The grammar must be
// LL(1), which a test of package gen checks.
func buildMachine(n *network) (*machine, error) {
	if tokens := len(n.symbols); tokens > maxTokens {
		return nil, fmt.Errorf("%d kinds of tokens are more than the %d a set can hold", tokens, maxTokens)
	}
	n.findFirst()
	valid := n.first[n.ruleStart[0]]&ends == 0
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
	return n.machine(), nil
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

// findFirst finds the FIRST sets of LL(1) theory.
func (n *network) findFirst() {
	n.first = make([]set, len(n.states))
	for changed := true; changed; {
		changed = false
		for i, s := range n.states {
			first := n.first[i]
			if s.stop {
				first |= ends
			}
			for _, e := range s.edges {
				first |= n.begin(e)
			}
			changed = changed || first != n.first[i]
			n.first[i] = first
		}
	}
}

// begin returns the tokens that can come first on an edge, and ends as in network.first.
func (n *network) begin(e edge) set {
	switch e.kind {
	case edgeEpsilon:
		return n.first[e.target]
	case edgeRule:
		first := n.first[e.target]
		if first&ends != 0 {
			first = first&^ends | n.first[e.follow]
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
func (n *network) choices(from int) []choice {
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
				out = append(out, choice{n.begin(e), action{opCall, n.states[e.target].rule, e.follow}})
			default:
				out = append(out, choice{n.begin(e), action{op: opShift, next: e.target}})
			}
		}
	}
	visit(from)
	return out
}

// closer returns the only token that can end the rule, such as a closing bracket. It returns 0 if
// the rule can end without a token or with several.
func (n *network) closer(from int) set {
	if n.first[from]&ends != 0 {
		return 0
	}
	var out set
	for _, c := range n.choices(from) {
		switch next := c.action.next; c.action.op {
		case opShift:
			if n.first[next] == ends {
				out |= c.tokens
			}
		case opCall:
			if n.first[n.ruleStart[c.action.rule]]&ends != 0 {
				out |= n.closer(next)
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
func (n *network) machine() *machine {
	from := make([]int, len(n.rules)) // by state of the machine, that of the network
	for i, s := range n.states {
		if s.stop {
			from[s.rule] = i
		}
	}
	m, index := &machine{rules: n.rules}, map[int]int{}
	add := func(i int) int {
		if n.first[i] == ends { // nothing comes before the end of the rule
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
		for _, c := range n.choices(i) {
			c.action.next = add(c.action.next)
			for token := range row {
				if c.tokens.has(token) {
					row[token] = c.action
				}
			}
		}
		m.states = append(m.states, machineState{row, n.first[i], n.closer(i)})
	}
	return m
}
