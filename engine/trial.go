package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Trial finds what a policy would have done to a recorded history, snapshot by snapshot, without
// changing it. What it takes out of one snapshot stays out of those after it, as far as they have
// it. A Trial is not safe for concurrent use.
type Trial struct {
	c      *Context
	last   *Snapshot
	nodes  []trialNode            // of the last snapshot
	past   map[string]*trialState // what became of nodes, by id
	digest int                    // tokens of the summaries
}

// trialNode is a node of a snapshot, with the tokens that were sent of it.
type trialNode struct {
	Node
	tokens int
}

// trialState is a text that a trial shows in place of a content, or a node that is removed.
type trialState struct {
	gone    bool
	content string // that the text replaces
	text    Value
	tokens  int
	saved   int64
}

// Outcome is what a policy would have done to one snapshot.
type Outcome struct {
	Sent   int64      // tokens of the snapshot as it was recorded
	Run    *PolicyRun // nil if the steps would not have run
	After  int64      // tokens that the policy would have sent
	Causes []Cause    // what it would have changed or removed, sorted by id
	// First is the id of the first node that it would have changed or removed, or "". A provider's
	// cache would have matched the Prefix tokens before it, but not the Again tokens after it.
	First         string
	Prefix, Again int64
}

// NewTrial returns a trial of a policy. Its limits are not applied.
func (p *Policy) NewTrial() *Trial {
	return &Trial{c: newContext(Options{Policy: p}), past: map[string]*trialState{}}
}

// Next tries the policy on the snapshot of a cycle of a timeline. The cycles of successive calls
// must increase. An unknown cycle is [ErrSnapshotUnknown]; other errors are those of the functions
// of the policy. The cost is a pass over the tree and, if the budget is exceeded, that of the
// steps.
func (tr *Trial) Next(t *Timeline, cycle int64) (*Outcome, error) {
	i, ok := slices.BinarySearchFunc(t.sealed, cycle, compareCycle)
	if !ok {
		return nil, fail(ErrSnapshotUnknown, "the timeline has no snapshot of cycle %d", cycle)
	}
	before, s, p := t.until(i), t.sealed[i], tr.c.opts.Policy
	tr.follow(s)
	tx := &tx{c: tr.c, s: s, next: &view{sealed: before}}
	sh := &shrinking{tx: tx, policy: p, view: t.until(i + 1)}
	sh.reset()
	sent := tr.count(sh)
	surplus := tr.c.correction(before, p)
	if call := s.info().Call; call != nil && call.Usage != nil && call.Usage.Input > 0 {
		defer func() { tr.c.corrected, tr.c.surplus = s, int(call.Usage.Input)-sent }()
	}
	saved := tr.carry(sh)
	out := &Outcome{Sent: int64(sent + surplus), After: int64(sent + surplus - saved + tr.digest)}
	if sh.begin(int(out.After), 0) {
		sh.plan()
		tr.keep(sh)
		out.Run, out.After = &sh.run, sh.run.After
		for _, x := range sh.order {
			if !sh.cl.dead[x.node.rec()] && x.cause.Trigger != "" {
				tx.gone = append(tx.gone, x.cause)
			}
		}
		out.Causes = mergeCauses(lastCauses(tx.gone), nil)
		out.measure(sh, tr.nodes)
	}
	return out, tx.err
}

// until returns the timeline of the first n sealed snapshots.
func (t *Timeline) until(n int) *Timeline {
	part := t.Recorded()
	part.sealed, part.main = t.sealed[:n:n], t.main
	if n < len(t.sealed) {
		i, _ := slices.BinarySearchFunc(t.main, t.sealed[n].Cycle(), compareCycle)
		part.main = t.main[:i:i]
	}
	return part
}

// follow brings the ledger from the last snapshot to s.
func (tr *Trial) follow(s *Snapshot) {
	if tr.last == nil {
		for n := range s.All() {
			tr.c.tally(n.rec(), 1)
		}
	} else {
		both, removed, added := matchRecords(tr.last, s, false)
		for _, c := range both {
			tr.c.tally(c.Old.rec(), -1)
			tr.c.tally(c.New.rec(), 1)
		}
		for _, n := range removed {
			tr.c.tally(n.rec(), -1)
		}
		for _, n := range added {
			tr.c.tally(n.rec(), 1)
		}
	}
	tr.last = s
}

// count finds the nodes of the state of a run that begins, and returns how many tokens a rendering
// shows of them.
func (tr *Trial) count(sh *shrinking) (sum int) {
	tr.nodes = tr.nodes[:0]
	for n := range sh.tx.s.All() {
		if n.region() == tree.RegionTop {
			continue
		}
		own := tr.c.shown(sh.tx.s, n, sh.policy)
		tr.nodes = append(tr.nodes, trialNode{n, own + sh.marked(n)})
		if n.region() != tree.RegionRest {
			sum += own
		}
	}
	return sum
}

// carry puts into a run what the trial did before, and returns how many tokens that saves.
func (tr *Trial) carry(sh *shrinking) (saved int) {
	var gone []Node
	for _, n := range tr.nodes {
		switch x := tr.past[n.ID()]; {
		case x == nil:
		case x.gone:
			saved += n.tokens
			gone = append(gone, n.Node)
		case x.content == n.rec().Content:
			saved += n.tokens - x.tokens
			sh.shown[n.rec()] = &standIn{node: n.Node, text: x.text, tokens: x.tokens, cause: Cause{Saved: x.saved}}
		}
	}
	sh.cl.release(gone, 1)
	for _, n := range gone {
		sh.cl.dead[n.rec()] = true
	}
	return saved
}

// keep takes over what a run planned.
func (tr *Trial) keep(sh *shrinking) {
	for _, n := range sh.cl.killed {
		tr.past[n.ID()] = &trialState{gone: true}
	}
	for _, x := range sh.order {
		if !sh.cl.dead[x.node.rec()] {
			tr.past[x.node.ID()] = &trialState{false, x.node.rec().Content, x.text, x.tokens, x.cause.Saved}
		}
	}
	for _, x := range sh.digests {
		tr.digest += sh.policy.textTokens(x.draft.Content)
	}
}

// measure finds where the changes begin, and what is after that.
func (out *Outcome) measure(sh *shrinking, nodes []trialNode) {
	changed := map[string]bool{}
	for _, c := range out.Causes {
		changed[c.ID] = true
	}
	for _, n := range nodes {
		if out.First == "" && changed[n.ID()] {
			out.First = n.ID()
		}
		tokens := n.tokens
		if x := sh.shown[n.rec()]; x != nil {
			tokens = x.tokens
		}
		switch {
		case sh.cl.dead[n.rec()]:
		case out.First == "":
			out.Prefix += int64(tokens)
		default:
			out.Again += int64(tokens)
		}
	}
}
