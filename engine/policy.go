package engine

// Policy keeps a tree small. When a commit or step would make a snapshot with more tokens than
// Budget, the steps run one after the other; then the limits remove nodes. Both hold for the
// snapshot, so they count the turn that the commit seals, as a segment. Within a step and for a
// limit, the order is that of PACT 0.1, 02 §7.1: lowest priority first, then oldest, then smallest
// id. A step that removes nodes removes blocks, and the removable containers that this empties. A
// limit also removes other containers without children, when their turn comes. Regions, segments,
// cores, pinned nodes, and nodes that are held or that another node refers to always stay, so a
// limit or the budget may remain exceeded. References inside a pair keep nothing.
//
// Tokens are counted as a rendering shows the tree: a node that a redaction or a newer version
// replaces has none (E80).
type Policy struct {
	// Budget is how many tokens a snapshot may have; 0 means that only [Context.Shrink] runs the
	// steps. If the timeline has the reported usage of a call (see [Context.Describe]), the count
	// is corrected by the difference between that usage and the count of the call's snapshot (E82).
	Budget int
	// MinGain is how many tokens the steps must save together. If they cannot, they change nothing;
	// if they can, they continue until they have saved as many. Shrink ignores it.
	MinGain int
	// Steps run in this order, until the budget is met.
	Steps []Step
	// Keep returns the nodes that steps and limits leave alone, with everything below them, or an
	// error that makes the commit fail. The newest state of the timeline is the one to be changed.
	// nil keeps nothing.
	Keep func(*Timeline) ([]Node, error)
	// Limits are applied in this order, except that those on ^ah come first, before the turn is
	// sealed.
	Limits []Limit
	// KeepSegments is how many of the newest segments are protected from pruning. In a commit, the
	// turn that it seals is the newest of them.
	KeepSegments int
	// Tokens counts the tokens of a node without its children. It must always return the same
	// number for the same node. nil counts a token for every four bytes of text, rounded up.
	Tokens func(Node) int
	// Pair groups nodes that are removed together or not at all. A pair is a node for which begins
	// is true, and the nodes after it in document order with the same id, up to the next one for
	// which begins is true. A node with the id "" is in no pair. If a node of a pair must stay, the
	// whole pair stays. nil means [ToolPair].
	Pair func(Node) (id string, begins bool)
}

// ToolPair is the default [Policy].Pair. It pairs the call of a tool with its results, as importers
// make them, by call_id, tool_call_id or tool_use_id, because providers refuse one without the
// other.
func ToolPair(n Node) (id string, begins bool) {
	kind, _ := n.Kind()
	if kind != "call" && kind != "result" {
		return "", false
	}
	for _, name := range [...]string{"call_id", "tool_call_id", "tool_use_id"} {
		if id, ok := n.Header(name).Text(); ok && id != "" {
			return id, kind == "call"
		}
	}
	return "", false
}

// Step is a step of a policy. If it has a function Show, it replaces what is rendered of a node; if
// it has Summarize, it replaces nodes by a summary; otherwise it removes nodes. Its functions must
// depend on their arguments only, because the same history must always give the same bytes.
type Step struct {
	Rule string // its name in the causes of what it does
	// Cause is the cause that Show has; "" stands for [CauseCleared]. The others have
	// [CauseCompacted] and [CausePruned].
	Cause string
	// Select returns the nodes that the step may change, in any order; those inside a selected
	// container count, too. An error makes the commit fail. The newest state of the timeline is the
	// one to be changed.
	Select func(*Timeline) ([]Node, error)
	// Show returns the text that replaces the content of a node in renderings, or false to leave
	// the node as it is. shown is the number of tokens of the node in renderings now, whole that of
	// its content. A text that is not shorter is ignored. Show is not called for nodes in ^sys and
	// for tool calls, whose content is their arguments.
	Show func(n Node, shown, whole int) (text string, ok bool)
	// Summarize returns a node that replaces the given ones, which are in document order. The draft
	// has no id, key, references, cadence or children; its default type is that of a summary, and
	// its default role user. If Summarize fails, or its summary is not shorter, the step changes
	// nothing, and the error is in [PolicyRun].Failed.
	Summarize func(nodes []Node) (Draft, error)
}

// Scope is the part of a tree to which a limit applies.
type Scope uint8

// The scopes of limits.
const (
	ScopeTree    Scope = iota // all regions together
	ScopeRegion               // one region
	ScopeSegment              // each segment by itself
)

// Limit is a limit on nodes, on tokens or on both; 0 means no limit. ^root and the regions do not
// count.
type Limit struct {
	Scope  Scope
	Region Region // for ScopeRegion
	Nodes  int
	Tokens int
}

// pair returns the function that groups nodes; p may be nil.
func (p *Policy) pair() func(Node) (id string, begins bool) {
	if p == nil || p.Pair == nil {
		return ToolPair
	}
	return p.Pair
}

// tokens returns the number of tokens of a node.
func (p *Policy) tokens(n Node) int {
	if p.Tokens != nil {
		return p.Tokens(n)
	}
	return (len(plainContent(n)) + 3) / 4
}
