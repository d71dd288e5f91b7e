package ll1

import "slices"

// Event is one element of a flat concrete syntax tree, which the tests make from the repaired
// tokens: a rule begins, a rule ends, a token belongs to the innermost open rule, or a token was
// skipped there to recover from an error.
//
// In the events of a source, every rule that begins ends, rules nest, and every token comes once,
// in order.
type Event uint64

// The low byte of an event is its type: two bits for the kind of event, six for the kind of the
// token or for the rule. The higher bits are the index of the token.
const (
	eventToken Event = iota << 6
	eventSkipped
	eventOpen
	eventClose

	eventMask = 3 << 6
	nameMask  = 1<<6 - 1

	indexShift = 8
)

func tokenEvent(kind Kind, token int) Event { return Event(token)<<indexShift | Event(kind) }

func skippedEvent(token int) Event { return Event(token)<<indexShift | eventSkipped }

func openEvent(rule Rule) Event { return eventOpen | Event(rule) }

func closeEvent(rule Rule) Event { return eventClose | Event(rule) }

// IsToken reports whether the event is a token the grammar expects.
func (e Event) IsToken() bool { return e&eventMask == eventToken }

// IsSkipped reports whether the event is a token that was skipped during recovery.
func (e Event) IsSkipped() bool { return e&eventMask == eventSkipped }

// IsOpen reports whether a rule begins.
func (e Event) IsOpen() bool { return e&eventMask == eventOpen }

// IsClose reports whether a rule ends.
func (e Event) IsClose() bool { return e&eventMask == eventClose }

// Token returns the index of the token of an IsToken or IsSkipped event.
func (e Event) Token() int { return int(e >> indexShift) }

// Kind returns the kind of the token of an IsToken event.
func (e Event) Kind() Kind { return Kind(e & nameMask) }

// Rule returns the rule of an IsOpen or IsClose event.
func (e Event) Rule() Rule { return Rule(e & nameMask) }

// parse repairs tokens and returns the tree of the repaired ones.
func parse(m *Machine, toks []Token) ([]Event, []SyntaxError) {
	toks = slices.Clone(toks)
	for i := range toks {
		toks[i].Start, toks[i].End = 2*int32(i)+1, 2*int32(i)+2 // to tell them from added tokens
	}
	repaired, errs := m.Repair(toks)
	events, next, state := []Event{openEvent(0)}, 0, ruleStart[0]
	rules, returns := []Rule{0}, []uint8{}
	done := false
	leave := func() {
		n := len(returns)
		events, rules = append(events, closeEvent(rules[n])), rules[:n]
		if done = n == 0; !done {
			state, returns = returns[n-1], returns[:n-1]
		}
	}
	for _, t := range repaired {
		for ; next < int(t.Start)/2; next++ {
			events = append(events, skippedEvent(next))
		}
		for a := actions[state][t.Kind]; a&opMask != opShift && !done; a = actions[state][t.Kind] {
			if a&opMask != opCall {
				leave()
				continue
			}
			rule := a >> ruleShift & ruleMask
			events, rules = append(events, openEvent(Rule(rule))), append(rules, Rule(rule))
			returns, state = append(returns, uint8(a)), ruleStart[rule]
		}
		if t.Start < t.End {
			events = append(events, tokenEvent(t.Kind, next))
			next++
		}
		if !done {
			for state = uint8(actions[state][t.Kind]); state < numRules && !done; {
				leave()
			}
		}
	}
	for !done {
		leave()
	}
	return events, errs
}
