package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// atnVersion is the version of the serialized network that ANTLR 4.10 to 4.13 write.
const atnVersion = 4

// The types of states that matter here: the end of a rule, and those with one more number.
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

// endOfInput stands for EOF in the labels of lexers and parsers.
const endOfInput = -1

const maxRune = 0x10FFFF

// edge is a transition. The target of an edge that calls a rule is the first state of the rule;
// when the rule ends, the edge continues at follow.
type edge struct {
	kind   edgeKind
	target int
	follow int
	label  []span // the symbols it consumes, in ascending order
	action int    // of edgeAction: the index of the action
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
	ruleToken []int  // lexer only: the token that a rule makes
	start     int    // lexer only: where every token begins
	skips     []bool // lexer only: whether each action is skip

	// Parser only: by state, the tokens that can come first after it, within its rule, and ends if
	// the rule can end without a token.
	first []set
}

// readNetwork decodes the text of an .interp file: sections, each with a title above its lines.
func readNetwork(interp string) (*network, error) {
	sections := map[string]string{}
	for section := range strings.SplitSeq(interp, "\n\n") {
		title, lines, _ := strings.Cut(strings.TrimPrefix(section, "\n"), ":\n")
		sections[title] = lines
	}
	var d decoder
	if err := json.Unmarshal([]byte(sections["atn"]), &d.in); err != nil {
		return nil, fmt.Errorf("the network: %w", err)
	}
	n := &network{
		symbols: strings.Split(sections["token symbolic names"], "\n"),
		rules:   strings.Split(sections["rule names"], "\n"),
	}
	d.network(n)
	return n, d.err
}

// decoder reads numbers in order. After the first error, all reads return 0.
type decoder struct {
	in   []int
	sets [][]span
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
		d.in = nil
	}
}

func (d *decoder) next() int {
	if len(d.in) == 0 {
		d.fail("the network ends too early")
		return 0
	}
	v := d.in[0]
	d.in = d.in[1:]
	return v
}

// times calls f as many times as the next number says.
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
	d.times(func() { d.sets = append(d.sets, d.set()) })
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
	source, e := d.next(), edge{target: d.next(), kind: edgeKind(d.next())}
	first, second, third := d.next(), d.next(), d.next()
	switch e.kind {
	case edgeRule:
		e.target, e.follow = first, e.target
	case edgePredicate, edgePrecedence:
		d.fail("state %d needs a predicate", source)
	case edgeAction:
		e.action = second
	case edgeAtom, edgeRange:
		if third != 0 {
			first = endOfInput
		}
		if e.kind == edgeAtom {
			second = first
		}
		e.label = []span{{first, second}}
	case edgeSet, edgeNotSet:
		if first >= len(d.sets) {
			d.fail("an edge has an unknown set")
			return
		}
		if e.label = d.sets[first]; e.kind == edgeNotSet {
			e.label = complement(e.label)
		}
	case edgeWildcard:
		e.label = []span{{0, maxRune}}
	}
	if max(source, e.target, e.follow) >= len(n.states) {
		d.fail("an edge leaves the network")
		return
	}
	n.states[source].edges = append(n.states[source].edges, e)
}

// complement returns the runes that are not in set.
func complement(set []span) []span {
	var out []span
	lo := 0
	for _, s := range set {
		if s.lo > lo {
			out = append(out, span{lo, s.lo - 1})
		}
		lo = s.hi + 1
	}
	return append(out, span{lo, maxRune})
}
