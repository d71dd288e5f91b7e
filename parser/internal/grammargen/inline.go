package main

import (
	"fmt"
	"slices"
)

// maxInlined bounds the states of a network in which rules are inlined; a rule that uses itself
// would need infinitely many.
const maxInlined = 1 << 14

// inline puts a copy of a rule in place of every use of it, in the network of a lexer.
func (n *network) inline() error {
	var states []state
	var err error
	// insert adds a copy of a rule, which goes on at a state of the copy when it ends; none is -1.
	var insert func(start, follow int) int
	insert = func(start, follow int) int {
		if len(states) > maxInlined {
			err = fmt.Errorf("rule %s uses itself", n.rules[n.states[start].rule])
			return 0
		}
		index := map[int]int{}
		var visit func(i int) int
		visit = func(i int) int {
			if n.states[i].stop && follow >= 0 {
				return follow
			}
			if at, ok := index[i]; ok {
				return at
			}
			at, s := len(states), n.states[i]
			index[i] = at
			s.edges = slices.Clone(s.edges)
			states = append(states, s)
			for j, e := range s.edges {
				if e.kind == edgeRule {
					s.edges[j] = edge{kind: edgeEpsilon, target: insert(e.target, visit(e.follow))}
				} else {
					s.edges[j].target = visit(e.target)
				}
			}
			return at
		}
		return visit(start)
	}
	n.start, n.states = insert(n.start, -1), states
	return err
}
