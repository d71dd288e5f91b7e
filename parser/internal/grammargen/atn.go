package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Version 4 of the serialized network, as the ANTLR 4.10 to 4.13 tools write it.
const atnVersion = 4

// The types of states that matter here: those that carry one more number, and the end of a rule.
const (
	stateInvalid        = 0
	stateBlockStart     = 3
	statePlusBlockStart = 4
	stateStarBlockStart = 5
	stateRuleStop       = 7
	stateLoopEnd        = 12
)

type edgeKind int

const (
	edgeEpsilon    edgeKind = 1
	edgeRange      edgeKind = 2
	edgeRule       edgeKind = 3
	edgePredicate  edgeKind = 4
	edgeAtom       edgeKind = 5
	edgeAction     edgeKind = 6
	edgeSet        edgeKind = 7
	edgeNotSet     edgeKind = 8
	edgeWildcard   edgeKind = 9
	edgePrecedence edgeKind = 10
)

// actionSkip is the lexer action of `-> skip`.
const actionSkip = 6

// endOfInput stands for EOF in labels, in the lexer's and in the parser's.
const endOfInput = -1

const maxRune = 0x10FFFF

// edge is one transition. An edge that calls a rule has the rule's first state as its target and
// continues in follow.
type edge struct {
	kind   edgeKind
	target int
	follow int
	args   [3]int
}

type state struct {
	rule  int
	stop  bool // the end of the rule
	edges []edge
}

// span is an inclusive range of runes or tokens.
type span struct{ lo, hi int }

// network is the augmented transition network of a lexer or a parser.
type network struct {
	symbols   []string // names of the tokens; index 0 is unused
	rules     []string
	states    []state
	ruleStart []int
	ruleToken []int // lexer only: the token a rule makes
	start     int   // lexer only: where every token begins
	sets      [][]span
	skips     []bool // lexer only: whether an action is skip
}

// readNetwork decodes the text of an .interp file.
func readNetwork(interp string) (*network, error) {
	n := &network{}
	var numbers []int
	section := ""
	for line := range strings.Lines(interp) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "":
		case strings.HasSuffix(line, ":"):
			section = line
		case section == "token symbolic names:":
			n.symbols = append(n.symbols, line)
		case section == "rule names:":
			n.rules = append(n.rules, line)
		case section == "atn:":
			for field := range strings.SplitSeq(strings.Trim(line, "[]"), ",") {
				v, err := strconv.Atoi(strings.TrimSpace(field))
				if err != nil {
					return nil, fmt.Errorf("the network: %w", err)
				}
				numbers = append(numbers, v)
			}
		}
	}
	d := decoder{in: numbers}
	d.network(n)
	if d.err != nil {
		return nil, d.err
	}
	return n, nil
}

// decoder reads numbers in order; after the first error all reads return 0.
type decoder struct {
	in  []int
	err error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
		d.in = nil
	}
}

func (d *decoder) next() int {
	if len(d.in) == 0 {
		if d.err == nil {
			d.err = errors.New("the network ends too early")
		}
		return 0
	}
	v := d.in[0]
	d.in = d.in[1:]
	return v
}

// times runs f as many times as the next number says.
func (d *decoder) times(f func()) {
	for range d.next() {
		if d.err != nil {
			return
		}
		f()
	}
}

func (d *decoder) network(n *network) {
	if v := d.next(); v != atnVersion {
		d.fail("the network has version %d, not %d", v, atnVersion)
	}
	lexer := d.next() == 0
	d.next() // the greatest token type
	d.times(func() { n.states = append(n.states, d.state()) })
	d.times(func() { d.fail("state %d is not greedy", d.next()) })
	d.times(func() { d.fail("state %d needs precedences", d.next()) })
	d.times(func() {
		n.ruleStart = append(n.ruleStart, d.next())
		if lexer {
			n.ruleToken = append(n.ruleToken, d.next())
		}
	})
	modes := 0
	d.times(func() {
		n.start = d.next()
		modes++
	})
	if modes > 1 {
		d.fail("the lexer has %d modes", modes)
	}
	d.times(func() { n.sets = append(n.sets, d.set()) })
	d.times(func() { d.edge(n) })
	d.times(func() { d.next() }) // decisions
	if lexer {
		d.times(func() {
			n.skips = append(n.skips, d.next() == actionSkip)
			d.next()
			d.next()
		})
	}
}

func (d *decoder) state() state {
	kind := d.next()
	if kind == stateInvalid {
		return state{}
	}
	s := state{rule: d.next(), stop: kind == stateRuleStop}
	switch kind {
	case stateBlockStart, statePlusBlockStart, stateStarBlockStart, stateLoopEnd:
		d.next() // the state at the other end
	}
	return s
}

func (d *decoder) set() []span {
	var set []span
	size := d.next()
	if d.next() != 0 {
		set = append(set, span{endOfInput, endOfInput})
	}
	for range size {
		lo := d.next()
		set = append(set, span{lo, d.next()})
	}
	return set
}

func (d *decoder) edge(n *network) {
	source, target := d.next(), d.next()
	e := edge{kind: edgeKind(d.next()), target: target, args: [3]int{d.next(), d.next(), d.next()}}
	switch e.kind {
	case edgeRule:
		e.target, e.follow = e.args[0], target
	case edgePredicate, edgePrecedence:
		d.fail("state %d needs a predicate", source)
	}
	if max(source, e.target, e.follow) >= len(n.states) {
		d.fail("an edge leaves the network")
		return
	}
	n.states[source].edges = append(n.states[source].edges, e)
}

// label lists what an edge consumes, in ascending order; nothing when it consumes nothing.
func (n *network) label(e edge) []span {
	switch e.kind {
	case edgeAtom:
		if e.args[2] != 0 {
			return []span{{endOfInput, endOfInput}}
		}
		return []span{{e.args[0], e.args[0]}}
	case edgeRange:
		if e.args[2] != 0 {
			return []span{{endOfInput, e.args[1]}}
		}
		return []span{{e.args[0], e.args[1]}}
	case edgeSet:
		return n.sets[e.args[0]]
	case edgeNotSet:
		return complement(n.sets[e.args[0]])
	case edgeWildcard:
		return []span{{0, maxRune}}
	}
	return nil
}

// complement lists the runes that are not in set.
func complement(set []span) []span {
	var out []span
	lo := 0
	for _, s := range slices.SortedFunc(slices.Values(set), func(a, b span) int { return a.lo - b.lo }) {
		if s.lo > lo {
			out = append(out, span{lo, s.lo - 1})
		}
		lo = max(lo, s.hi+1)
	}
	if lo <= maxRune {
		out = append(out, span{lo, maxRune})
	}
	return out
}
