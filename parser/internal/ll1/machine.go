package ll1

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

	state  uint8
	done   bool // the start rule has ended
	quiet  bool // no token was shifted since the last error
	stack  []frame
	events []Event
	errs   []SyntaxError
}

// frame is a rule that waits for an inner one to end.
type frame struct {
	state   uint8 // where it goes on
	follow  Set   // what can come behind the inner rule
	closers Set   // what this rule and those around it wait for to end
}

// state is a place in a rule; the tables hold one row for each.
type state struct {
	rule     Rule
	nullable bool // whether the rule can end here
	first    Set  // what can be shifted before the rule ends
	closer   Set  // the token that must come to end the rule, such as a bracket, if only one can
}

// action is what to do at a state with a token. From the top: two bits for the operation, six for the
// rule to enter, eight for the state to go to, at once or when that rule has ended.
type action uint16

const (
	opShift action = (iota + 1) << 14
	opCall
	opReturn

	opMask    = 3 << 14
	ruleShift = 8
	ruleMask  = 1<<6 - 1
)

// Parse reads tokens up to and including the first TokEOF and gives the concrete syntax tree and the
// errors. Every token is in the tree, even when there are errors. Behind an error no other one is
// reported before a token has been shifted. The results are valid until the next call.
//
// The time is linear in the number of tokens, which must be less than 1<<29.
func (m *Machine) Parse(toks []Token) (events []Event, errs []SyntaxError) {
	m.read(toks)
	m.finish()
	return m.events, m.errs
}

// Expected gives what may follow the first upto tokens, which may hold errors. Behind TokEOF that is
// nothing. It takes as long as Parse.
func (m *Machine) Expected(toks []Token, upto int) Set {
	m.read(toks[:max(0, min(upto, len(toks)))])
	if m.done {
		return 0
	}
	return m.expected()
}

// read starts over and reads toks.
func (m *Machine) read(toks []Token) {
	m.state, m.done, m.quiet = ruleStart[0], false, false
	m.stack, m.events, m.errs = m.stack[:0], m.events[:0], m.errs[:0]
	m.emit(eventOpen, 0)
	for i := 0; i < len(toks) && !m.done; {
		if kind := toks[i].Kind; m.expected().Has(kind) {
			m.shift(i, kind)
			i++
		} else {
			i = m.recover(toks, i)
		}
	}
}

// expected gives what can come next. With a full view of the stack it is exact, so that an error shows
// before any rule is ended for the wrong reason.
func (m *Machine) expected() Set {
	s := &states[m.state]
	if s.nullable && len(m.stack) > 0 {
		return s.first | m.stack[len(m.stack)-1].follow
	}
	return s.first
}

// shift takes an expected token, after the rules that begin and end before it.
func (m *Machine) shift(i int, kind Kind) {
	for {
		a := actions[m.state][kind]
		switch a & opMask {
		case opCall:
			m.enter(Rule(a>>ruleShift&ruleMask), uint8(a))
		case opReturn:
			m.leave()
		default:
			m.emit(eventToken, i)
			m.quiet = false
			m.state = uint8(a)
			for !m.done && states[m.state].first == 0 {
				m.leave()
			}
			return
		}
	}
}

// enter begins a rule; back is where to go on behind it.
func (m *Machine) enter(rule Rule, back uint8) {
	s := &states[back]
	f := frame{back, s.first, s.closer}
	if n := len(m.stack); n > 0 {
		top := &m.stack[n-1]
		f.closers |= top.closers
		if s.nullable {
			f.follow |= top.follow
		}
	}
	m.stack = append(m.stack, f)
	m.emit(eventOpen, int(rule))
	m.state = ruleStart[rule]
}

// leave ends the innermost rule.
func (m *Machine) leave() {
	m.emit(eventClose, int(states[m.state].rule))
	n := len(m.stack)
	if n == 0 {
		m.done = true
		return
	}
	m.state = m.stack[n-1].state
	m.stack = m.stack[:n-1]
}

// finish ends all rules.
func (m *Machine) finish() {
	for !m.done {
		m.leave()
	}
}

func (m *Machine) emit(event Event, v int) {
	m.events = append(m.events, Event(v)<<eventBits|event)
}

// recover reports token i, which is not expected, and skips tokens up to one to go on with: a token that
// is expected, or one that makes it worth while to give up the innermost rules. The latter are the
// tokens that close a bracket around, or the source; and, unless the innermost rule waits for a bracket
// itself, all that can come behind it. So a bracket that is open is given up only for the end of one
// around it, or of the source.
func (m *Machine) recover(toks []Token, i int) int {
	expected := m.expected()
	if !m.quiet && (m.MaxErrors == 0 || len(m.errs) < m.MaxErrors) {
		m.errs = append(m.errs, SyntaxError{i, states[m.state].rule, expected})
	}
	m.quiet = true
	var outer Set
	if n := len(m.stack); n > 0 {
		outer = m.stack[n-1].closers
		if states[m.state].closer == 0 {
			outer |= m.stack[n-1].follow
		}
	}
	for ; i < len(toks); i++ {
		kind := toks[i].Kind
		switch {
		case expected.Has(kind):
			return i
		case outer.Has(kind):
			for !states[m.state].first.Has(kind) {
				m.leave()
			}
			return i
		}
		m.emit(eventSkipped, i)
		if kind == TokEOF {
			m.finish()
			return i
		}
	}
	return i
}
