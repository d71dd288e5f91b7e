package main

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// dfa is the minimal automaton of a lexer. State 0 is dead, state 1 is the start. Its symbols are
// classes of runes that it does not distinguish; the last class is the end of the input.
type dfa struct {
	classes int
	runes   []runeClass // every rune from 0 on, in order
	next    [][]int     // state, class → state
	accept  []int       // state → token, or notAccepting or skipping
}

// runeClass is the class of the runes from first up to the next entry.
type runeClass struct {
	first int
	class int
}

// ascii returns the class of each ASCII character.
func (d *dfa) ascii() []int {
	classes := make([]int, utf8.RuneSelf)
	for _, r := range d.runes {
		for i := r.first; i < len(classes); i++ {
			classes[i] = r.class
		}
	}
	return classes
}

const (
	notAccepting = 0
	skipping     = -1
)

// buildLexer compiles the network of a lexer. As in ANTLR, the first of the rules that match the
// longest input wins, and the end of the input can be matched any number of times.
func buildLexer(n *network) (*dfa, error) {
	for _, s := range n.states {
		for _, e := range s.edges {
			if e.kind == edgeAction {
				if !n.skips[e.action] {
					return nil, fmt.Errorf("lexer rule %s: the only action allowed is skip", n.rules[s.rule])
				}
				n.ruleToken[s.rule] = skipping
			}
		}
	}
	runes, symbols := n.alphabet()
	if err := n.inline(); err != nil {
		return nil, err
	}
	return narrow(n.determine(symbols), runes), nil
}

// matches reports whether an edge consumes a rune or the end of the input.
func (e edge) matches(symbol int) bool {
	return slices.ContainsFunc(e.label, func(s span) bool { return s.lo <= symbol && symbol <= s.hi })
}

// maxInlined limits the states of a network with inlined rules: a rule that uses itself would need
// infinitely many.
const maxInlined = 1 << 14

// inline replaces every use of a rule, in the network of a lexer, with a copy of the rule.
func (n *network) inline() error {
	var states []state
	var err error
	// insert adds a copy of a rule, which continues at the state follow when it ends, unless follow
	// is -1.
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

// alphabet splits the runes into classes that no edge distinguishes. The symbols are the first rune
// of each class, and the end of the input.
func (n *network) alphabet() (runes []runeClass, symbols []int) {
	var edges []edge
	starts := []int{0}
	for _, s := range n.states {
		for _, e := range s.edges {
			for _, l := range e.label {
				starts = append(starts, max(l.lo, 0), l.hi+1)
			}
			edges = append(edges, e)
		}
	}
	slices.Sort(starts)
	starts = slices.DeleteFunc(slices.Compact(starts), func(r int) bool { return r > maxRune })
	classes, symbols := number(len(starts), func(i int) []int {
		var row []int
		for at, e := range edges {
			if e.matches(starts[i]) {
				row = append(row, at)
			}
		}
		return row
	})
	for i, first := range starts {
		runes = append(runes, runeClass{first, classes[i]})
	}
	for i, first := range symbols {
		symbols[i] = starts[first]
	}
	return runes, append(symbols, endOfInput)
}

// determine makes the network deterministic (subset construction). The result has one class for
// each symbol.
func (n *network) determine(symbols []int) *dfa {
	d := &dfa{classes: len(symbols)}
	var sets registry[[]int]
	sets.add(nil)
	sets.add(n.closure([]int{n.start}, false))
	for id := 0; id < len(sets.list); id++ {
		d.accept = append(d.accept, n.accepts(sets.list[id]))
		row := make([]int, len(symbols))
		for class, symbol := range symbols {
			var targets []int
			for _, s := range sets.list[id] {
				for _, e := range n.states[s].edges {
					if e.matches(symbol) {
						targets = append(targets, e.target)
					}
				}
			}
			row[class] = sets.add(n.closure(targets, symbol == endOfInput))
		}
		d.next = append(d.next, row)
	}
	return d
}

// closure returns the states that can be reached from those in todo without input; with atEnd, also
// those reached by matching the end of the input. The result is sorted.
func (n *network) closure(todo []int, atEnd bool) []int {
	seen := map[int]bool{}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		for _, e := range n.states[s].edges {
			if e.label == nil || atEnd && e.matches(endOfInput) {
				todo = append(todo, e.target)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func (n *network) accepts(set []int) int {
	rule := len(n.rules)
	for _, i := range set {
		if s := n.states[i]; s.stop {
			rule = min(rule, s.rule)
		}
	}
	if rule == len(n.rules) {
		return notAccepting
	}
	return n.ruleToken[rule]
}

// narrow merges equivalent states (Moore's algorithm) and then equivalent classes.
func narrow(wide *dfa, runes []runeClass) *dfa {
	class, states := number(len(wide.next), func(s int) []int { return wide.accept[s : s+1] })
	for before := 0; before < len(states); {
		before = len(states)
		class, states = number(len(wide.next), func(s int) []int {
			row := []int{class[s]}
			for _, to := range wide.next[s] {
				row = append(row, class[to])
			}
			return row
		})
	}
	end := wide.classes - 1
	symbolClass, symbols := number(end, func(symbol int) []int {
		var column []int
		for _, s := range states {
			column = append(column, class[wide.next[s][symbol]])
		}
		return column
	})
	d := &dfa{classes: len(symbols) + 1}
	for _, r := range runes {
		if c := symbolClass[r.class]; len(d.runes) == 0 || d.runes[len(d.runes)-1].class != c {
			d.runes = append(d.runes, runeClass{r.first, c})
		}
	}
	symbols = append(symbols, end)
	for _, s := range states {
		row := make([]int, 0, d.classes)
		for _, symbol := range symbols {
			row = append(row, class[wide.next[s][symbol]])
		}
		d.next = append(d.next, row)
		d.accept = append(d.accept, wide.accept[s])
	}
	return d
}

// number assigns equal numbers to equal rows, in order of first appearance, and returns the number
// of each row and the first row of each number.
func number(rows int, row func(i int) []int) (ids, first []int) {
	var seen registry[[]int]
	for i := range rows {
		id := seen.add(row(i))
		ids = append(ids, id)
		if id == len(first) {
			first = append(first, i)
		}
	}
	return ids, first
}

// registry numbers values in order of first appearance. Values are equal if they print the same.
type registry[T any] struct {
	list []T
	ids  map[string]int
}

// add returns the number of a value, and adds the value if it is new.
func (r *registry[T]) add(v T) int {
	key := fmt.Sprint(v)
	id, ok := r.ids[key]
	if !ok {
		if r.ids == nil {
			r.ids = map[string]int{}
		}
		id = len(r.list)
		r.ids[key] = id
		r.list = append(r.list, v)
	}
	return id
}
