package main

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// dfa is the minimal automaton of a lexer. State 0 is dead, state 1 is the start. Its symbols are
// classes of runes that no state distinguishes; the last one is the end of the input.
type dfa struct {
	classes int
	runes   []runeClass // every rune from 0 on, in order
	next    [][]int     // state, class → state
	accept  []int       // state → token, or notAccepting or skipping
}

// runeClass says that the runes from first up to the next entry belong to one class.
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

// subset builds an automaton from a network by the subset construction.
type subset struct {
	net     *network
	labels  registry[[]span]
	labelOf [][]int      // state, edge → index into labels, or noLabel
	skip    map[int]bool // rules whose tokens are dropped
}

const noLabel = -1

// buildLexer compiles a lexer's network. Of the rules that match the longest input the first wins,
// as in ANTLR; and, as in ANTLR, the end of the input can be matched any number of times.
func buildLexer(n *network) (*dfa, error) {
	if err := n.inline(); err != nil {
		return nil, err
	}
	b := &subset{net: n, skip: map[int]bool{}}
	if err := b.collect(); err != nil {
		return nil, err
	}
	runes, symbols := b.alphabet()
	return narrow(b.determine(symbols), runes), nil
}

// collect finds the labels and the rules that are skipped.
func (b *subset) collect() error {
	for _, s := range b.net.states {
		var row []int
		for _, e := range s.edges {
			if e.kind == edgeAction {
				if !b.net.skips[e.args[1]] {
					return fmt.Errorf("lexer rule %s: the only action allowed is skip", b.net.rules[e.args[0]])
				}
				b.skip[e.args[0]] = true
			}
			id := noLabel
			if label := b.net.label(e); label != nil {
				id = b.labels.add(label)
			}
			row = append(row, id)
		}
		b.labelOf = append(b.labelOf, row)
	}
	return nil
}

// alphabet splits the runes into classes that no label distinguishes. For each class, and for the end of
// the input, it gives the set of labels that match.
func (b *subset) alphabet() (runes []runeClass, symbols [][]bool) {
	starts := []int{0}
	for _, label := range b.labels.list {
		for _, s := range label {
			starts = append(starts, max(s.lo, 0), s.hi+1)
		}
	}
	slices.Sort(starts)
	starts = slices.DeleteFunc(slices.Compact(starts), func(r int) bool { return r > maxRune })
	matches := func(symbol int) []bool {
		row := make([]bool, len(b.labels.list))
		for id, label := range b.labels.list {
			row[id] = slices.ContainsFunc(label, func(s span) bool { return s.lo <= symbol && symbol <= s.hi })
		}
		return row
	}
	var rows registry[[]bool]
	for _, first := range starts {
		runes = append(runes, runeClass{first, rows.add(matches(first))})
	}
	return runes, append(rows.list, matches(endOfInput))
}

// determine runs the subset construction. The result has one class for each symbol.
func (b *subset) determine(symbols [][]bool) *dfa {
	d := &dfa{classes: len(symbols)}
	var sets registry[[]int]
	sets.add(nil)
	sets.add(b.closure([]int{b.net.start}, false))
	for id := 0; id < len(sets.list); id++ {
		d.accept = append(d.accept, b.accepts(sets.list[id]))
		row := make([]int, len(symbols))
		for symbol, matches := range symbols {
			var targets []int
			for _, s := range sets.list[id] {
				for i, e := range b.net.states[s].edges {
					if label := b.labelOf[s][i]; label != noLabel && matches[label] {
						targets = append(targets, e.target)
					}
				}
			}
			row[symbol] = sets.add(b.closure(targets, symbol == len(symbols)-1))
		}
		d.next = append(d.next, row)
	}
	return d
}

// closure adds what can be reached without input, and with atEnd also what can be reached by the end of
// the input. The result is sorted.
func (b *subset) closure(todo []int, atEnd bool) []int {
	seen := map[int]bool{}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		for i, e := range b.net.states[s].edges {
			if label := b.labelOf[s][i]; label == noLabel || atEnd && b.labels.list[label][0].lo == endOfInput {
				todo = append(todo, e.target)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func (b *subset) accepts(set []int) int {
	rule := -1
	for _, i := range set {
		if s := b.net.states[i]; s.stop && (rule < 0 || s.rule < rule) {
			rule = s.rule
		}
	}
	switch {
	case rule < 0:
		return notAccepting
	case b.skip[rule]:
		return skipping
	}
	return b.net.ruleToken[rule]
}

// narrow merges equivalent states and then equivalent classes.
func narrow(wide *dfa, runes []runeClass) *dfa {
	class, states := minimize(wide.accept, func(s int, class []int) []int {
		row := make([]int, wide.classes, wide.classes+1)
		for symbol, to := range wide.next[s] {
			row[symbol] = class[to]
		}
		return row
	})
	column := func(symbol int) []int {
		var col []int
		for _, s := range states {
			col = append(col, class[wide.next[s][symbol]])
		}
		return col
	}
	end := wide.classes - 1
	symbolClass, symbols := number(end, column)
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
