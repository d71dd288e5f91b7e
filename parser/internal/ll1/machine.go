package ll1

import (
	"math"
	"slices"
)

// SyntaxError is a token that does not fit.
type SyntaxError struct {
	Token    int  // its index
	Rule     Rule // the innermost rule being read
	Expected Set  // exactly what could stand there instead
}

// Machine parses tokens. The zero value is ready; a Machine that is used again reuses its buffers. It
// is not safe for concurrent use.
type Machine struct {
	// MaxErrors bounds the errors one call of Parse reports; 0 means no bound. The tokens behind the
	// last one reported are still read.
	MaxErrors int

	back   []uint8 // of fit, check and accepts: the places to go on at behind the brackets that are open
	at     place
	done   bool // the start rule has ended
	quiet  bool // no token was shifted since the last error
	stack  []place
	events []Event
	errs   []SyntaxError
}

// maxStates is the number of states that the tables have room for. A state is a byte, so that it needs no check as
// an index.
const maxStates = 1 << 8

// place is where the reading of a rule stands. On the stack are the rules that wait for an inner one to
// end, and where they go on then.
type place struct {
	state   uint8
	follow  Set // what can come behind the rule
	closers Set // what the rules around wait for to end
}

// state is a place in a rule; the tables hold one row for each.
type state struct {
	rule   Rule
	first  Set // what can be shifted before the rule ends
	behind Set // the whole set if the rule can end here, else the empty one
	closer Set // the token that must come to end the rule, such as a bracket, if only one can
}

// action is what to do at a state with a token. From the top: two bits for the operation, six for the
// rule to enter or to leave, eight for the state to go to, at once or when that rule has ended.
type action uint16

const (
	opShift action = (iota + 1) << 14
	opCall
	opReturn

	opMask    = 3 << 14
	ruleShift = 8
	ruleMask  = 1<<6 - 1
)

// step is what to do with a token in a source without errors; 0 is an error. A place tells where all the rules stand
// that have begun since the innermost open bracket, so that only brackets need a stack.
//
// From the top: a bit that is set if there is something to do with the stack; seven for the number of rules that
// begin and end before the token; a byte for the run that lists them; one for the place to put on the stack, or 0;
// and one for the next place, or 0 to take it from the stack.
type step uint32

const (
	stepStack  step = 1 << 31
	turnsShift      = 24
	turnsMask       = 1<<7 - 1
	runShift        = 16
	pushShift       = 8

	stepPlaces = 1 << 8
	stepRuns   = 1 << 8
)

// Parse reads tokens up to and including the first TokEOF and gives the concrete syntax tree and the
// errors. Every token is in the tree, even when there are errors. Behind an error no other one is
// reported before a token has been shifted. The results are valid until the next call.
//
// The time is linear in the number of tokens.
func (m *Machine) Parse(toks []Token) (events []Event, errs []SyntaxError) {
	if m.fit(toks) {
		return m.events, nil
	}
	m.read(toks)
	m.finish()
	return m.events, m.errs
}

// Read is Lex and reports whether the tokens hold no error, in less time than Parse, as it writes no events.
func (m *Machine) Read(src string, at, limit int, dst []Token) (toks []Token, ok, fits bool) {
	toks = dst[:0]
	if len(src) <= math.MaxInt32 {
		room := dst[:min(limit, cap(dst))]
		n, all := scan(src[at:], room)
		if all && n < len(room) {
			room[n] = Token{Kind: TokEOF, End: int32(len(src) - at)}
			fits = m.check(room[:n+1], at)
			room[n].Start = room[n].End // behind white space
			return room[:n+1], true, fits
		}
		toks, at = room[:n], settle(room[:n], at, at)
	}
	toks, ok = lexOn(src, at, limit, toks)
	return toks, ok, m.accepts(toks)
}

// accepts reports whether tokens hold no error.
func (m *Machine) accepts(toks []Token) bool {
	if cap(m.back) < len(toks) {
		m.back = slices.Grow(m.back[:0], len(toks))
	}
	back := m.back[:cap(m.back)]
	place, depth := uint8(stepStart), 0
	for i := range toks {
		s := steps[place][toks[i].Kind%maxKinds]
		place = uint8(s)
		if s == 0 {
			return false
		}
		if s < stepStack {
			continue
		}
		if push := uint8(s >> pushShift); push != 0 {
			back[depth] = push
			depth++
		} else if depth > 0 {
			depth--
			place = back[depth]
		}
	}
	return true
}

// check completes tokens that scan has read from an offset on, as settle does, and reports whether they hold no error.
func (m *Machine) check(toks []Token, at int) bool {
	if cap(m.back) < len(toks) {
		m.back = slices.Grow(m.back[:0], len(toks))
	}
	back := m.back[:cap(m.back)]
	place, depth, end := uint8(stepStart), 0, int32(at)
	for i := range toks {
		t := &toks[i]
		kind := t.Kind & lexemeKind
		start := end
		end = t.End + int32(at) - int32(t.Kind>>lexemeBack&1)
		t.Kind, t.Start, t.End = kind, start, end
		s := steps[place][kind]
		place = uint8(s)
		if s < stepStack {
			if s == 0 {
				settle(toks[i+1:], at, int(end))
				return false
			}
			continue
		}
		if push := uint8(s >> pushShift); push != 0 {
			back[depth] = push
			depth++
		} else if depth > 0 {
			depth--
			place = back[depth]
		}
	}
	return true
}

// fit reads tokens that hold no error, or reports that they hold one. It keeps no sets of what can follow, as most
// sources need none: an error shows as well, though maybe behind the place where it is.
func (m *Machine) fit(toks []Token) bool {
	// Room for all events: of a token, the longest run and itself, and two of the start rule. A pointer is written
	// only if it changes, which costs much while garbage is collected.
	if most := len(toks)*(runTurns+1) + 2; cap(m.events) < most {
		m.events = slices.Grow(m.events[:0], most)
	}
	if cap(m.back) < len(toks) {
		m.back = slices.Grow(m.back[:0], len(toks))
	}
	events, back := m.events[:cap(m.events)], m.back[:cap(m.back)]
	events[0] = openEvent(0)
	n, depth := 1, 0
	place := uint8(stepStart)
	for i := range toks {
		kind := toks[i].Kind
		if kind >= maxKinds {
			return false
		}
		s := steps[place][kind]
		if s == 0 {
			return false
		}
		*(*[runTurns]Event)(events[n:]) = runs[uint8(s>>runShift)]
		n += int(s >> turnsShift & turnsMask)
		events[n] = tokenEvent(kind, i)
		n++
		place = uint8(s)
		if s < stepStack {
			continue
		}
		if push := uint8(s >> pushShift); push != 0 {
			back[depth] = push
			depth++
		} else if depth > 0 {
			depth--
			place = back[depth]
		} else {
			events[n] = closeEvent(0)
			m.events = m.events[:n+1]
			return true
		}
	}
	return false
}

// Expected gives what may follow the first upto tokens, which may hold errors. Behind TokEOF that is
// nothing. It takes as long as Parse.
func (m *Machine) Expected(toks []Token, upto int) Set {
	m.read(toks[:max(0, min(upto, len(toks)))])
	if m.done {
		return 0
	}
	return m.at.expected()
}

// read starts over and reads toks.
func (m *Machine) read(toks []Token) {
	m.at, m.done, m.quiet = place{state: ruleStart[0]}, false, false
	m.stack, m.events, m.errs = m.stack[:0], m.events[:0], m.errs[:0]
	m.emit(openEvent(0))
	for i := m.advance(toks, 0); i < len(toks) && !m.done; i = m.advance(toks, i) {
		i = m.recover(toks, i)
	}
}

// expected gives what can come next. With a full view of the stack it is exact, so that an error shows
// before any rule is ended for the wrong reason.
func (p place) expected() Set {
	s := &states[p.state]
	return s.first | s.behind&p.follow
}

// call gives the place at the beginning of a rule that goes on at back behind it.
func (p place) call(rule Rule, back uint8) place {
	s := &states[back]
	return place{ruleStart[rule], s.first | s.behind&p.follow, s.closer | p.closers}
}

// advance shifts the tokens from i on, each after the rules that begin and end before it, and gives the
// index of the first one that is not expected, or behind the last. All of it is done in registers.
func (m *Machine) advance(toks []Token, i int) int {
	at, stack, events := m.at, m.stack, m.events
	from := i
	for ; i < len(toks) && !m.done; i++ {
		kind := toks[i].Kind
		if kind >= maxKinds {
			break
		}
		a := actions[at.state][kind]
		if a&opMask != opShift && !at.expected().Has(kind) {
			break
		}
		for a&opMask != opShift {
			if a&opMask == opCall {
				rule, back := Rule(a>>ruleShift&ruleMask), uint8(a)
				events = append(events, openEvent(rule))
				stack = append(stack, place{back, at.follow, at.closers})
				at = at.call(rule, back)
			} else {
				events = append(events, closeEvent(states[at.state].rule))
				at, stack = stack[len(stack)-1], stack[:len(stack)-1]
			}
			a = actions[at.state][kind]
		}
		events = append(events, tokenEvent(kind, i))
		at.state = uint8(a)
		for at.state < numRules {
			events = append(events, closeEvent(Rule(at.state)))
			if len(stack) == 0 {
				m.done = true
				break
			}
			at, stack = stack[len(stack)-1], stack[:len(stack)-1]
		}
	}
	m.at, m.stack, m.events = at, stack, events
	m.quiet = m.quiet && i == from
	return i
}

// leave ends the innermost rule.
func (m *Machine) leave() {
	m.emit(closeEvent(states[m.at.state].rule))
	n := len(m.stack)
	if n == 0 {
		m.done = true
		return
	}
	m.at, m.stack = m.stack[n-1], m.stack[:n-1]
}

// finish ends all rules.
func (m *Machine) finish() {
	for !m.done {
		m.leave()
	}
}

func (m *Machine) emit(e Event) { m.events = append(m.events, e) }

// recover reports token i, which is not expected, and skips tokens up to one to go on with: a token that
// is expected, or one that makes it worth while to give up the innermost rules. The latter are the
// tokens that close a bracket around, or the source; and, unless the innermost rule waits for a bracket
// itself, all that can come behind it. So a bracket that is open is given up only for the end of one
// around it, or of the source.
func (m *Machine) recover(toks []Token, i int) int {
	s, expected := &states[m.at.state], m.at.expected()
	if !m.quiet && (m.MaxErrors == 0 || len(m.errs) < m.MaxErrors) {
		m.errs = append(m.errs, SyntaxError{i, s.rule, expected})
	}
	m.quiet = true
	outer := m.at.closers
	if s.closer == 0 {
		outer |= m.at.follow
	}
	for ; i < len(toks); i++ {
		kind := toks[i].Kind
		switch {
		case expected.Has(kind):
			return i
		case outer.Has(kind):
			for !states[m.at.state].first.Has(kind) {
				m.leave()
			}
			return i
		}
		m.emit(skippedEvent(i))
		if kind == TokEOF {
			m.finish()
			return i
		}
	}
	return i
}
