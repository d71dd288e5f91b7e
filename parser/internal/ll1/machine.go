package ll1

import "math/bits"

// Kind is a kind of token: a lexer rule of the grammar, or TokEOF, which is 0.
type Kind uint8

// Set is a set of token kinds.
type Set uint64

// maxKinds is the number of kinds that a set, and a row of the tables, has room for.
const maxKinds = 64

// Has reports whether k is in the set.
func (s Set) Has(k Kind) bool { return s>>k&1 != 0 }

// SyntaxError is an unexpected token.
type SyntaxError struct {
	Token    int // its index
	Expected Set // exactly the kinds that could be there instead
}

// Machine parses tokens and reuses its buffers. The zero value is ready to use. A Machine is not
// safe for concurrent use.
type Machine struct {
	at       frame
	quiet    bool    // no token was shifted since the last error
	stack    []frame // the first is zero: state 0 is the end of the start rule
	errs     []SyntaxError
	repaired []Token
	end      int32 // of the last token that was read
}

// closers are the brackets that end a rule.
const closers Set = 1<<TokRparen | 1<<TokRbrack | 1<<TokRbrace

// maxStates is the number of states that the tables have room for. A state is a byte, so indexing
// with it needs no bounds check.
const maxStates = 1 << 8

// frame is a position in a grammar rule. The stack has the frames of the outer rules, to return to.
type frame struct {
	state   uint8
	follow  Set // what can follow the rule
	closers Set // the tokens that end the outer rules
}

// state is a row of the tables for a position in a rule.
type state struct {
	first  Set // what can be shifted before the rule ends
	after  Set // all kinds if the rule can end here, otherwise none
	closer Set // the only token that can end the rule, such as a bracket, if there is one
}

// action is what to do in a state on a token; 0 ends the rule. From the top: two bits for the
// operation, six for the rule to enter, and eight for the next state, which comes at once or when
// that rule has ended.
type action uint16

const (
	opShift action = (iota + 1) << 14
	opCall

	opMask    = 3 << 14
	ruleShift = 8
	ruleMask  = 1<<6 - 1
)

// Repair parses tokens up to the first TokEOF. It returns the errors, and tokens without errors: it
// skips unexpected tokens, adds closing brackets of length 0 where they are missing, and ends with
// TokEOF. After an error, it reports no other error until it has shifted a token. The results are
// valid until the next call.
//
// Repair takes time linear in the number of tokens.
func (m *Machine) Repair(toks []Token) (repaired []Token, errs []SyntaxError) {
	m.read(toks)
	m.finish()
	if n := len(m.repaired); n == 0 || m.repaired[n-1].Kind != TokEOF {
		m.repaired = append(m.repaired, Token{TokEOF, m.end, m.end})
	}
	return m.repaired, m.errs
}

// Expected returns the kinds of tokens that may follow the first upto tokens, which may have
// errors. After TokEOF there are none. It takes time linear in upto.
func (m *Machine) Expected(toks []Token, upto int) Set {
	m.read(toks[:max(0, min(upto, len(toks)))])
	return m.at.expected()
}

// read parses toks from the start rule on.
func (m *Machine) read(toks []Token) {
	m.at, m.quiet, m.end = frame{state: ruleStart[0]}, false, 0
	m.stack, m.errs, m.repaired = append(m.stack[:0], frame{}), m.errs[:0], m.repaired[:0]
	if len(toks) > 0 {
		m.end = toks[0].Start
	}
	for i := 0; i < len(toks) && m.at.state != 0; {
		if !m.shift(toks[i].Kind) {
			i = m.recover(toks, i)
			continue
		}
		m.repaired = append(m.repaired, toks[i])
		m.end, m.quiet = toks[i].End, false
		i++
	}
}

// expected returns the kinds of tokens that can come next. It takes the outer rules into account,
// so it is exact, and an error is found before any rule is ended because of it.
func (f frame) expected() Set {
	s := &states[f.state]
	return s.first | s.after&f.follow
}

// shift reads a token, after ending and entering the rules before it. It returns false if the token
// is not expected.
func (m *Machine) shift(kind Kind) bool {
	if kind >= maxKinds {
		return false
	}
	a := actions[m.at.state][kind]
	if a&opMask != opShift && !m.at.expected().Has(kind) {
		return false
	}
	for ; a&opMask != opShift; a = actions[m.at.state][kind] {
		if a&opMask == opCall {
			outer := frame{uint8(a), m.at.follow, m.at.closers}
			m.stack = append(m.stack, outer)
			m.at = frame{ruleStart[a>>ruleShift&ruleMask], outer.expected(), states[outer.state].closer | outer.closers}
		} else {
			m.leave()
		}
	}
	for m.at.state = uint8(a); m.at.state < numRules && m.at.state != 0; {
		m.leave()
	}
	return true
}

// leave ends the innermost rule.
func (m *Machine) leave() {
	n := len(m.stack) - 1
	m.at, m.stack = m.stack[n], m.stack[:n]
}

// abandon ends the innermost rule where it cannot end, and adds the bracket that is missing.
func (m *Machine) abandon() {
	if c := states[m.at.state].closer & closers; c != 0 {
		m.repaired = append(m.repaired, Token{Kind(bits.TrailingZeros64(uint64(c))), m.end, m.end})
	}
	m.leave()
}

// finish ends all rules.
func (m *Machine) finish() {
	for m.at.state != 0 {
		m.abandon()
	}
}

// recover reports the unexpected token i and skips tokens. It returns the index of the token to
// continue with: an expected one, or one for which it abandons the innermost rules. Those are the
// tokens that close an enclosing bracket, or the source, and all tokens that can follow the
// innermost rule, unless that rule itself waits for a bracket. So an open bracket is abandoned only
// for the end of an enclosing one, or of the source.
func (m *Machine) recover(toks []Token, i int) int {
	s, expected := &states[m.at.state], m.at.expected()
	if !m.quiet {
		m.errs = append(m.errs, SyntaxError{i, expected})
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
				m.abandon()
			}
			return i
		}
		m.end = toks[i].End
		if kind == TokEOF {
			m.finish()
			return i
		}
	}
	return i
}
