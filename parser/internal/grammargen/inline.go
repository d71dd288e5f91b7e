package main

import (
	"fmt"
	"slices"
)

// inlined has the rules that make the grammar readable but have no meaning by themselves. In the
// tables they are part of the rules that use them, so they take no time and cause no events.
var inlined = []string{"anchor", "qualifier", "argument", "value", "name"}

// maxInlined bounds the states of a network in which rules are inlined; a rule that uses itself
// would need infinitely many.
const maxInlined = 1 << 14

// inline puts a copy of a rule in place of every use of it and removes the rule, for all rules
// named. Neither the start rule nor a rule that uses itself can be inlined.
func (n *network) inline(names []string) error {
	remove := make([]bool, len(n.rules))
	for _, name := range names {
		rule := slices.Index(n.rules, name)
		if rule <= 0 {
			return fmt.Errorf("%s is not a rule that can be inlined", name)
		}
		remove[rule] = true
	}
	if err := n.copyRules(remove); err != nil {
		return err
	}
	n.removeRules(remove)
	return nil
}

// copyRules puts a copy of a rule in place of every use of some rules.
func (n *network) copyRules(which []bool) error {
	original := slices.Clone(n.states)
	for at := 0; at < len(n.states); at++ {
		n.states[at].edges = slices.Clone(n.states[at].edges)
		for i, e := range n.states[at].edges {
			if e.kind != edgeRule || !which[original[e.target].rule] {
				continue
			}
			if len(n.states) > maxInlined {
				return fmt.Errorf("rule %s uses itself", n.rules[original[e.target].rule])
			}
			start := n.insert(original, e, n.states[at].rule)
			n.states[at].edges[i] = edge{kind: edgeEpsilon, target: start}
		}
	}
	return nil
}

// insert adds a copy of the rule that an edge calls, as a part of the rule owner, and gives its first state.
func (n *network) insert(original []state, call edge, owner int) int {
	rule := original[call.target].rule
	index := map[int]int{}
	for i, s := range original {
		if s.rule == rule {
			index[i] = len(n.states)
			n.states = append(n.states, state{rule: owner})
		}
	}
	for i, s := range original {
		if s.rule != rule {
			continue
		}
		edges := slices.Clone(s.edges)
		for j := range edges {
			if e := &edges[j]; e.kind == edgeRule {
				e.follow = index[e.follow]
			} else {
				e.target = index[e.target]
			}
		}
		if s.stop {
			edges = append(edges, edge{kind: edgeEpsilon, target: call.follow})
		}
		n.states[index[i]].edges = edges
	}
	return index[call.target]
}

// removeRules removes some rules and renumbers those that stay.
func (n *network) removeRules(remove []bool) {
	number := make([]int, len(n.rules))
	var rules []string
	var starts []int
	for i, gone := range remove {
		number[i] = len(rules)
		if !gone {
			rules, starts = append(rules, n.rules[i]), append(starts, n.ruleStart[i])
		}
	}
	for i := range n.states {
		if s := &n.states[i]; remove[s.rule] {
			*s = state{} // out of reach
		} else {
			s.rule = number[s.rule]
		}
	}
	n.rules, n.ruleStart = rules, starts
}
