package main

import (
	"fmt"
	"math/bits"
)

// set is a set of tokens, one bit each; bit 0 is the end of the input.
type set uint64

// maxTokens leaves the last bit of a set unused.
const maxTokens = 63

func (s set) has(token int) bool { return s>>token&1 != 0 }

// The actions of the machine.
type op int

const (
	opFail   op = iota
	opShift     // consume the token and go to next
	opCall      // enter the rule, and go to next when it ends
	opReturn    // leave the rule
)

type action struct {
	op   op
	rule int // opCall
	next int // opShift, opCall
}

// machineState is a position in a rule.
type machineState struct {
	rule     int
	actions  []action // by token
	first    set      // the tokens that can be consumed before the rule ends
	nullable bool     // whether the rule can end without a token
	closer   set      // the one token that must come to end the rule, if there is one
}

// machine is the LL(1) parser of a grammar: a minimal automaton with a stack.
type machine struct {
	states []machineState // the first are the ends of the rules, in order
	start  []int          // rule → its first state
}

// analysis has the sets of LL(1) theory: what can begin after each state of the network within the
// state's rule, whether the end of the rule can be reached without a token, and what can follow a rule.
type analysis struct {
	net      *network
	tokens   int
	first    []set
	nullable []bool
	follow   []set
}

// buildMachine compiles a parser's network whose first rule is the start. It rejects a grammar that
// is not LL(1).
func buildMachine(n *network) (*machine, error) {
	tokens := len(n.symbols)
	if tokens > maxTokens {
		return nil, fmt.Errorf("%d kinds of tokens are more than the %d a set can hold", tokens, maxTokens)
	}
	for _, s := range n.states {
		for _, e := range s.edges {
			switch e.kind {
			case edgeEpsilon, edgeRule, edgeAtom, edgeRange, edgeSet:
			default:
				return nil, fmt.Errorf("rule %s: only tokens, rules and the operators ? * + | are allowed", n.rules[s.rule])
			}
		}
	}
	a := &analysis{net: n, tokens: tokens}
	a.findFirst()
	a.findFollow()
	if a.nullable[n.ruleStart[0]] || a.follow[0] != 0 {
		return nil, fmt.Errorf("rule %s is the start: it must end with EOF, and no rule may use it", n.rules[0])
	}
	return a.machine()
}

// tokenSet returns the tokens an edge consumes.
func (a *analysis) tokenSet(e edge) set {
	var out set
	for _, s := range a.net.label(e) {
		for t := s.lo; t <= s.hi; t++ {
			out |= 1 << max(t, 0)
		}
	}
	return out
}

func (a *analysis) findFirst() {
	n := a.net
	a.first = make([]set, len(n.states))
	a.nullable = make([]bool, len(n.states))
	for changed := true; changed; {
		changed = false
		for i, s := range n.states {
			first, nullable := a.first[i], a.nullable[i] || s.stop
			for _, e := range s.edges {
				switch e.kind {
				case edgeEpsilon:
					first |= a.first[e.target]
					nullable = nullable || a.nullable[e.target]
				case edgeRule:
					first |= a.first[e.target]
					if a.nullable[e.target] {
						first |= a.first[e.follow]
						nullable = nullable || a.nullable[e.follow]
					}
				default:
					first |= a.tokenSet(e)
				}
			}
			if first != a.first[i] || nullable != a.nullable[i] {
				a.first[i], a.nullable[i] = first, nullable
				changed = true
			}
		}
	}
}

func (a *analysis) findFollow() {
	n := a.net
	a.follow = make([]set, len(n.rules))
	for changed := true; changed; {
		changed = false
		for _, s := range n.states {
			for _, e := range s.edges {
				if e.kind != edgeRule {
					continue
				}
				callee := n.states[e.target].rule
				follow := a.follow[callee] | a.after(e.follow)
				if follow != a.follow[callee] {
					a.follow[callee] = follow
					changed = true
				}
			}
		}
	}
}

// after returns the tokens that can come next at a state of the network.
func (a *analysis) after(s int) set {
	out := a.first[s]
	if a.nullable[s] {
		out |= a.follow[a.net.states[s].rule]
	}
	return out
}

// choice is one way to continue from a state, and the tokens that select it.
type choice struct {
	tokens set
	action action // next is a state of the network
	name   string // for messages
}

// choices lists the ways to continue from a state, skipping states that need no token.
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
		s := n.states[i]
		if s.stop {
			out = append(out, choice{a.follow[s.rule], action{op: opReturn}, "leaving the rule"})
		}
		for _, e := range s.edges {
			switch e.kind {
			case edgeEpsilon:
				visit(e.target)
			case edgeRule:
				tokens := a.first[e.target]
				if a.nullable[e.target] {
					tokens |= a.after(e.follow)
				}
				callee := n.states[e.target].rule
				out = append(out, choice{tokens, action{opCall, callee, e.follow}, "entering rule " + n.rules[callee]})
			default:
				out = append(out, choice{a.tokenSet(e), action{op: opShift, next: e.target}, "reading it"})
			}
		}
	}
	visit(from)
	return out
}

// row returns the action for each token at a state of the network.
func (a *analysis) row(from int) ([]action, error) {
	choices := a.choices(from)
	row := make([]action, a.tokens)
	for token := range row {
		var fits []choice
		for _, c := range choices {
			if c.tokens.has(token) {
				fits = append(fits, c)
			}
		}
		switch len(fits) {
		case 0:
		case 1:
			row[token] = fits[0].action
		default:
			name := "EOF"
			if token > 0 {
				name = a.net.symbols[token]
			}
			return nil, fmt.Errorf("the grammar is not LL(1): in rule %s the token %s does not decide between %s and %s",
				a.net.rules[a.net.states[from].rule], name, fits[0].name, fits[1].name)
		}
	}
	return row, nil
}

// closer returns the one token that must end the rule, such as the closing bracket; none if the
// rule can end without a token or with several.
func (a *analysis) closer(from int) set {
	if a.nullable[from] {
		return 0
	}
	var out set
	for _, c := range a.choices(from) {
		switch next := c.action.next; c.action.op {
		case opShift:
			if a.first[next] == 0 {
				out |= c.tokens
			}
		case opCall:
			if a.nullable[a.net.ruleStart[c.action.rule]] {
				out |= a.closer(next)
			}
		}
	}
	if bits.OnesCount64(uint64(out)) != 1 {
		return 0
	}
	return out
}

// machine collects the states that matter, the ends and beginnings of rules and what follows tokens and
// calls, and merges equivalent ones. The end of a rule gets the number of the rule.
func (a *analysis) machine() (*machine, error) {
	n := a.net
	todo := make([]int, len(n.rules))
	for i, s := range n.states {
		if s.stop {
			todo[s.rule] = i
		}
	}
	todo = append(todo, n.ruleStart...)
	index := map[int]int{}
	var wide []machineState
	for len(todo) > 0 {
		from := todo[0]
		todo = todo[1:]
		if _, ok := index[from]; ok {
			continue
		}
		row, err := a.row(from)
		if err != nil {
			return nil, err
		}
		index[from] = len(wide)
		wide = append(wide, machineState{n.states[from].rule, row, a.first[from], a.nullable[from], a.closer(from)})
		for _, act := range row {
			if act.op == opShift || act.op == opCall {
				todo = append(todo, act.next)
			}
		}
	}
	rules := make([]int, len(wide))
	for i, s := range wide {
		rules[i] = s.rule
		for t, act := range s.actions {
			if act.op == opShift || act.op == opCall {
				s.actions[t].next = index[act.next]
			}
		}
	}
	class, first := minimize(rules, func(i int, class []int) []int {
		var row []int
		for _, act := range wide[i].actions {
			row = append(row, int(act.op), act.rule, class[act.next])
		}
		return row
	})
	m := &machine{}
	for _, i := range first {
		s := wide[i]
		for t := range s.actions {
			s.actions[t].next = class[s.actions[t].next]
		}
		m.states = append(m.states, s)
	}
	for _, from := range n.ruleStart {
		m.start = append(m.start, class[index[from]])
	}
	return m, nil
}
