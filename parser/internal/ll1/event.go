package ll1

// Event is one piece of a flat concrete syntax tree: a rule begins, a rule ends, a token belongs to the
// innermost rule that has begun, or a token was skipped there to recover from an error.
//
// In the events of one source every rule that begins ends, rules nest, and every token comes once, in
// order.
type Event int32

// The kind of an event is in its low bits, the token or the rule above.
const (
	eventToken Event = iota
	eventSkipped
	eventOpen
	eventClose

	eventBits = 2
	eventMask = 1<<eventBits - 1
)

func newEvent(kind Event, v int) Event { return Event(v)<<eventBits | kind }

// IsToken reports whether the event is a token the grammar expects.
func (e Event) IsToken() bool { return e&eventMask == eventToken }

// IsSkipped reports whether the event is a token that was skipped during recovery.
func (e Event) IsSkipped() bool { return e&eventMask == eventSkipped }

// IsOpen reports whether a rule begins.
func (e Event) IsOpen() bool { return e&eventMask == eventOpen }

// IsClose reports whether a rule ends.
func (e Event) IsClose() bool { return e&eventMask == eventClose }

// Token gives the index of the token of an IsToken or IsSkipped event.
func (e Event) Token() int { return int(e >> eventBits) }

// Rule gives the rule of an IsOpen or IsClose event.
func (e Event) Rule() Rule { return Rule(e >> eventBits) }
