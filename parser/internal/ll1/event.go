package ll1

// Event is one piece of a flat concrete syntax tree: a rule begins, a rule ends, a token belongs to the
// innermost rule that has begun, or a token was skipped there to recover from an error.
//
// In the events of one source every rule that begins ends, rules nest, and every token comes once, in
// order.
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
