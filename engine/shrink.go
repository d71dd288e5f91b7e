package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// shrinking runs the steps of a policy over a state. It only plans what they change: carry out
// changes the tree.
type shrinking struct {
	tx      *tx
	policy  *Policy
	view    *Timeline // what selectors see: the state is its newest snapshot
	run     PolicyRun
	need    int // tokens to save
	saved   int
	cl      *collector
	kept    map[*tree.Record]bool
	pairs   pairs // nil until they are needed
	shown   map[*tree.Record]*standIn
	order   []*standIn
	digests []*summary
	began   int // the length of tx.gone before the steps
}

// standIn is a planned redaction marker that shows a text in place of the content of a node.
type standIn struct {
	node   Node
	text   Value
	tokens int
	cause  Cause
}

// summary is a planned node that replaces others.
type summary struct {
	draft    Draft
	newest   Node // of the nodes that it replaces
	from, to int  // their causes in tx.gone
}

// shrink plans the steps of the policy, if the state needs them. by is how many tokens they must
// save at least. It returns nil if there is nothing to do.
func (tx *tx) shrink(p *Policy, by int) *shrinking {
	if len(p.Steps) == 0 || p.Budget <= 0 && by <= 0 {
		return nil
	}
	sh := &shrinking{tx: tx, policy: p}
	if !sh.begin(tx.c.count(tx.s, p)+tx.c.correction(tx.next.sealed, p), by) {
		return nil
	}
	sh.view = tx.preview()
	sh.reset()
	sh.plan()
	return sh
}

// preview returns the timeline in which the state is already the newest snapshot.
func (tx *tx) preview() *Timeline {
	t, s := tx.next.sealed.Recorded(), *tx.s
	t.clip()
	s.tree().Seal()
	s.tree().SetAbout(nil)
	t.push(&s)
	return t
}

// begin reports whether a state with the given number of tokens needs the steps.
func (sh *shrinking) begin(before, by int) bool {
	p := sh.policy
	sh.run = PolicyRun{Trigger: TriggerBudget, Budget: int64(p.Budget), Before: int64(before)}
	if p.Budget > 0 {
		sh.need = before - p.Budget
	}
	if by > 0 {
		sh.run.Trigger = TriggerOverflow
		sh.need = max(sh.need, by)
	}
	if sh.need <= 0 {
		return false
	}
	if by <= 0 {
		sh.need = max(sh.need, p.MinGain)
	}
	return true
}

// reset makes the collector and the plan of a run that begins.
func (sh *shrinking) reset() {
	sh.began = len(sh.tx.gone)
	sh.cl = sh.tx.newCollector("")
	sh.cl.all = true
	sh.shown = map[*tree.Record]*standIn{}
}

// plan runs the steps. If they save less than the policy demands, they change nothing.
func (sh *shrinking) plan() {
	p := sh.policy
	sh.kept = sh.tx.kept(p, sh.view)
	for i := range p.Steps {
		if sh.saved >= sh.need || sh.tx.err != nil {
			break
		}
		sh.step(&p.Steps[i])
	}
	if sh.run.Trigger == TriggerBudget && sh.saved < p.MinGain {
		sh.tx.gone = sh.tx.gone[:sh.began]
		sh.cl.revive(0)
		sh.saved, sh.order, sh.digests = 0, nil, nil
	}
	sh.run.After = sh.run.Before - int64(sh.saved)
}

// kept returns the records that a policy leaves alone.
func (tx *tx) kept(p *Policy, view *Timeline) map[*tree.Record]bool {
	kept := map[*tree.Record]bool{}
	if p.Keep == nil {
		return kept
	}
	list, err := p.Keep(view)
	if tx.err == nil {
		tx.err = err
	}
	for _, n := range list {
		for m := range n.subtree() {
			kept[m.rec()] = true
		}
	}
	return kept
}

// subtree yields n and everything below it, in document order.
func (n Node) subtree() func(yield func(Node) bool) {
	return func(yield func(Node) bool) { n.walk(yield) }
}

func (n Node) walk(yield func(Node) bool) bool {
	if !yield(n) {
		return false
	}
	for c := range n.Children() {
		if !c.walk(yield) {
			return false
		}
	}
	return true
}

// step plans one step.
func (sh *shrinking) step(st *Step) {
	list, err := st.Select(sh.view)
	if err != nil {
		sh.tx.err = err
		return
	}
	var queue victims
	for _, top := range list {
		for n := range top.subtree() {
			if r := n.rec(); r.Base == tree.BaseBlock && !r.IsMarker() && !sh.protects(n) {
				queue = append(queue, sh.tx.s.node(n.region(), n.at(), n.chunk(), int(n.i())))
			}
		}
	}
	slices.SortFunc(queue, compareVictims)
	queue = slices.CompactFunc(queue, func(a, b Node) bool { return a.rec() == b.rec() }) // selected twice
	sh.cl.cause = Cause{Cause: CausePruned, Rule: st.Rule, Trigger: sh.run.Trigger}
	switch {
	case st.Show != nil:
		sh.cl.cause.Cause = st.cause()
		for _, n := range queue {
			if sh.saved < sh.need {
				sh.show(n, st)
			}
		}
	case st.Summarize != nil:
		sh.cl.cause.Cause = CauseCompacted
		sh.summarize(queue, st)
	default:
		sh.drops(queue)
	}
}

// drops removes nodes until enough is saved. A node that stays because of a later one, such as an
// overlay of a container that is not empty yet, has another turn after that.
func (sh *shrinking) drops(queue victims) {
	for killed := -1; killed < len(sh.cl.killed); {
		killed = len(sh.cl.killed)
		for _, n := range queue {
			if sh.saved < sh.need {
				sh.drop(n)
			}
		}
	}
}

func (st *Step) cause() string {
	if st.Cause == "" {
		return CauseCleared
	}
	return st.Cause
}

// protects reports whether no step may change n.
func (sh *shrinking) protects(n Node) bool {
	r := n.rec()
	if sh.cl.dead[r] || sh.kept[r] || r.Pinned || n.region() == tree.RegionRest {
		return true
	}
	return n.region() == tree.RegionSeq && sh.tx.s.Segments()-n.at() <= sh.policy.KeepSegments
}

// tokens returns how many tokens are rendered of a node, with what the steps did so far.
func (sh *shrinking) tokens(n Node) int {
	if planned := sh.shown[n.rec()]; planned != nil {
		return planned.tokens
	}
	return sh.tx.c.shown(sh.tx.s, n, sh.policy) + sh.marked(n)
}

// marked returns how many tokens are rendered of the markers of a node.
func (sh *shrinking) marked(n Node) (sum int) {
	for _, id := range sh.tx.c.markers[n.ID()] {
		if m, ok := sh.tx.s.Find(id); ok {
			sum += sh.tx.c.shown(sh.tx.s, m, sh.policy)
		}
	}
	return sum
}

// show plans a text in place of the content of a node. The redactions that others made stay.
func (sh *shrinking) show(n Node, st *Step) {
	if _, begins := sh.policy.pair()(n); begins || n.region() == tree.RegionSys {
		return
	}
	c := sh.tx.c
	for _, id := range c.markers[n.ID()] {
		if m, ok := sh.tx.s.Find(id); !ok || !isStandIn(m.rec()) {
			return
		}
	}
	before := sh.tokens(n)
	text, ok := st.Show(n, before, c.sizes.of(n, sh.policy))
	if !ok {
		return
	}
	x := &standIn{node: n, text: Text(text), cause: sh.cl.cause}
	if x.tokens = c.textTokens(x.text, sh.policy); x.tokens >= before {
		return
	}
	if old := sh.shown[n.rec()]; old != nil {
		x.cause.Saved = old.cause.Saved
		sh.order = slices.DeleteFunc(sh.order, func(y *standIn) bool { return y == old })
	}
	x.cause.ID = n.ID()
	x.cause.Saved += int64(before - x.tokens)
	sh.shown[n.rec()] = x
	sh.order = append(sh.order, x)
	sh.saved += before - x.tokens
}

// together returns the nodes that are removed with n: the others of its pair, and all versions of
// each. Without an overlay, the older version would be shown again.
func (sh *shrinking) together(n Node) []Node {
	if sh.pairs == nil {
		sh.pairs = findPairs(sh.tx.s.All(), sh.policy.pair())
	}
	list := []Node{n}
	seen := map[*tree.Record]bool{n.rec(): true}
	for i := 0; i < len(list); i++ {
		more := sh.tx.versions(list[i])
		if pair := sh.pairs[list[i].rec()]; pair != nil {
			more = append(more, *pair...)
		}
		for _, m := range more {
			if !seen[m.rec()] {
				seen[m.rec()] = true
				list = append(list, m)
			}
		}
	}
	return list
}

// drop plans to remove a node, what is removed with it, and the removable containers that this
// empties.
func (sh *shrinking) drop(n Node) {
	if sh.cl.dead[n.rec()] {
		return
	}
	list := sh.together(n)
	sizes := map[string]int{}
	sum := 0
	for _, m := range list {
		if sh.protects(m) || !sh.cl.isEmpty(m) {
			return
		}
		sizes[m.ID()] = sh.tokens(m)
		sum += sizes[m.ID()]
	}
	from := len(sh.tx.gone)
	if sh.cl.remove(list...) == nil {
		return
	}
	for i := range sh.tx.gone[from:] {
		why := &sh.tx.gone[from+i]
		why.Saved = int64(sizes[why.ID])
	}
	for _, m := range list {
		if planned := sh.shown[m.rec()]; planned != nil {
			i := slices.IndexFunc(sh.tx.gone[from:], func(c Cause) bool { return c.ID == m.ID() })
			sh.tx.gone[from+i].Saved += planned.cause.Saved
		}
		for up := range m.upward() {
			if sh.cl.dead[up.rec()] {
				continue
			}
			from, tokens := len(sh.tx.gone), sh.tokens(up)
			if !up.rec().Removable || !sh.cl.isEmpty(up) || sh.cl.remove(up) == nil {
				break
			}
			sum += tokens
			sh.tx.gone[from].Saved = int64(tokens) // the first of its group
		}
	}
	sh.saved += sum
}

// summarize plans a summary of as many nodes as needed. If that fails, they stay.
func (sh *shrinking) summarize(queue victims, st *Step) {
	queue = slices.DeleteFunc(queue, func(n Node) bool { return n.region() == tree.RegionSys })
	killed, from, saved := len(sh.cl.killed), len(sh.tx.gone), sh.saved
	sh.drops(queue)
	gone := slices.Clone(sh.cl.killed[killed:])
	gone = slices.DeleteFunc(gone, func(n Node) bool { return n.rec().Base != tree.BaseBlock || n.rec().IsMarker() })
	if len(gone) == 0 {
		return
	}
	slices.SortFunc(gone, Node.Compare)
	d, err := st.Summarize(slices.Clone(gone))
	if err == nil {
		err = checkSummary(&d)
	}
	if err == nil {
		tokens := sh.policy.textTokens(d.Content)
		if sh.saved -= tokens; sh.saved > saved {
			sh.digests = append(sh.digests, &summary{d, gone[len(gone)-1], from, len(sh.tx.gone)})
			return
		}
		err = fail(ErrPlacement, "the summary is not shorter than what it replaces")
	}
	sh.run.Failed = append(sh.run.Failed, st.Rule+": "+err.Error())
	sh.cl.revive(killed)
	sh.tx.gone, sh.saved = sh.tx.gone[:from], saved
}

// checkSummary returns an error for a draft that cannot be a summary.
func checkSummary(d *Draft) error {
	if d.ID != "" || d.Key != "" || d.Cad != nil || d.TTL != nil || len(d.Refs) > 0 || len(d.Children) > 0 || d.base() != tree.BaseBlock || d.isRedaction() {
		return fail(ErrPlacement, "a summary is a block without id, key, cad, ttl, refs and children")
	}
	return d.check(0)
}

// revive undoes the removals after the first ones.
func (cl *collector) revive(killed int) {
	group := cl.killed[killed:]
	for _, n := range group {
		delete(cl.dead, n.rec())
	}
	cl.release(group, -1)
	cl.killed, cl.living = cl.killed[:killed], nil
}

// carryOut changes the tree as planned, and adds the causes.
func (sh *shrinking) carryOut() {
	tx := sh.tx
	places := make([]position, len(sh.digests))
	for i, x := range sh.digests {
		places[i] = tx.positionOf(x.newest)
	}
	for _, x := range sh.order { // the new markers replace older ones
		if sh.cl.dead[x.node.rec()] {
			continue
		}
		for _, id := range tx.c.markers[x.node.ID()] {
			if m, ok := tx.s.Find(id); ok && !sh.cl.dead[m.rec()] && !sh.cl.referred(m.rec()) {
				sh.cl.dead[m.rec()] = true
				sh.cl.killed = append(sh.cl.killed, m)
			}
		}
	}
	sh.cl.apply()
	for _, x := range sh.order {
		if n, ok := tx.s.Find(x.node.ID()); ok {
			d := Draft{Type: "redaction", Kind: x.cause.Cause, Refs: []string{n.ID()}, Content: x.text}
			x.cause.By = tx.attach(n, &d)
			tx.gone = append(tx.gone, x.cause)
		}
	}
	for i, x := range sh.digests {
		id := tx.putSummary(places[i], &x.draft)
		for k := x.from; k < x.to; k++ {
			tx.gone[k].By = id
		}
	}
}

// attach adds a block next to the core of the segment of n, or of the head, and returns its id.
func (tx *tx) attach(n Node, d *Draft) string {
	if n.region() == tree.RegionSeq {
		return tx.annotate(n, d)
	}
	f := tx.forest()
	tx.buildDraft(&f, d, 1, 0)
	tx.put(childOfHead, f)
	return f.Recs[0].ID
}

// position is where a summary goes.
type position struct {
	parent string
	offset int64
	ns     int64 // of the node; 0 if the summary gets that of the clock
}

// positionOf returns the position of a node that a summary replaces. A sealed core cannot change,
// so for a node in it the position is next to the core.
func (tx *tx) positionOf(n Node) position {
	r := n.rec()
	switch up, _ := n.Parent(); {
	case n.inCore():
		return position{n.chunk().Rec(0).ID, 1, 0}
	case r.Exact(tree.HeaderOffset) || r.Exact(tree.HeaderCreatedNS) || n.region() == tree.RegionSeq:
		return position{up.ID(), max(r.Offset, 1), 0}
	default:
		return position{up.ID(), r.Offset, r.NS}
	}
}

// putSummary adds a summary to the tree, and returns its id. If its parent is gone, it goes to the
// end of the head.
func (tx *tx) putSummary(at position, d *Draft) string {
	if d.Type == "" {
		d.Type = map[Edition]string{Edition01: "cb:summary", Edition10: "summary"}[tx.s.Edition()]
	}
	if d.Role == "" {
		d.Role = "user"
	}
	p := childOfHead
	up, ok := tx.s.Find(at.parent)
	switch {
	case !ok:
		at = position{offset: 1}
	case up.region() != tree.RegionTop:
		depth, _ := up.Depth()
		p = destination{region: up.region(), depth: depth, at: up.at(), parent: int(up.i())}
	}
	f := tx.forest()
	tx.buildDraft(&f, d, at.offset, 0)
	if ns := at.ns; ns != 0 && tx.instantBetween(ns-1, ns+1) == ns {
		f.Recs[0].NS, f.Recs[0].ISO = ns, tx.c.instants.of(ns)
	}
	tx.put(p, f)
	return f.Recs[0].ID
}
