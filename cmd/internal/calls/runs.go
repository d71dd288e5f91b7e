package calls

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/align"
)

// Runs compares two runs whose nodes were numbered independently: nodes of the two match if they
// have the same content, in the same order. Its JSON is described by docs/schemas/runs.json.
type Runs struct {
	A Run `json:"a"`
	B Run `json:"b"`
	// SameCalls is how many calls, from the first on, were sent the same; SameNodes how many nodes
	// of all are in both.
	SameCalls int      `json:"same_calls"`
	SameNodes int      `json:"same_nodes"`
	Settings  []string `json:"settings"` // the names of those that differ in one of these calls, or in the one after them
	Parted    *Part    `json:"parted"`   // nil if the runs are the same, settings apart
	Nodes     []Step   `json:"nodes"`    // in the order in which they entered
}

// Run is one of two runs.
type Run struct {
	History string `json:"history"`
	Calls   int    `json:"calls"` // of the conversation
	Nodes   int    `json:"nodes"` // that were ever in it
}

// Part says where two runs diverge: at the first call that was not sent the same, or at the last
// answer if that differs.
type Part struct {
	A    *CallRef `json:"a"` // nil if the run has no such call
	B    *CallRef `json:"b"`
	What string   `json:"what"` // answer, result, message, system, left, changed or end
	// NodeA and NodeB are the first nodes that differ, or "" for a run that has ended.
	NodeA string `json:"node_a,omitempty"`
	NodeB string `json:"node_b,omitempty"`
}

// CallRef refers to a call.
type CallRef struct {
	Cycle  int64   `json:"cycle"`
	Source *Source `json:"source"`
}

// Step is a node of a run, or a pair of both.
type Step struct {
	A *Stay `json:"a"` // nil for a node that is only in the other run
	B *Stay `json:"b"`
}

// Stay is the time of a node in a run.
type Stay struct {
	ID      string      `json:"id"`
	Entered int64       `json:"entered"` // cycle
	Left    int64       `json:"left"`    // cycle; 0 if it stayed to the end
	Cause   string      `json:"cause,omitempty"`
	By      string      `json:"by,omitempty"`
	Node    engine.Node `json:"-"`
	key     nodeKey
}

// sameFate reports whether two stays end in the same way.
func (s *Stay) sameFate(o *Stay) bool { return (s.Left == 0) == (o.Left == 0) && s.Cause == o.Cause }

// Differs reports whether a step belongs to only one run, or its node left in only one of them, or
// for different reasons.
func (s Step) Differs() bool { return s.A == nil || s.B == nil || !s.A.sameFate(s.B) }

// CompareRuns aligns two runs. The time is linear in the calls' differences and, for the alignment,
// in n log n of the nodes.
func CompareRuns(ctx context.Context, a, b *engine.Timeline, nameA, nameB string) (*Runs, error) {
	ra, err := recordRun(ctx, a)
	if err != nil {
		return nil, err
	}
	rb, err := recordRun(ctx, b)
	if err != nil {
		return nil, err
	}
	out := &Runs{
		A:     Run{nameA, len(ra.calls), len(ra.stays)},
		B:     Run{nameB, len(rb.calls), len(rb.stays)},
		Nodes: []Step{}, Settings: []string{},
	}
	settings := map[string]bool{}
	for shared := min(len(ra.calls), len(rb.calls)); ; out.SameCalls++ {
		if out.SameCalls < shared {
			differing(ra.calls[out.SameCalls].settings, rb.calls[out.SameCalls].settings, settings)
		}
		if out.Parted = ra.part(rb, out.SameCalls); out.Parted != nil || out.SameCalls == shared {
			break
		}
	}
	out.Settings = append(out.Settings, slices.Sorted(maps.Keys(settings))...)
	next := 0
	for i, k := range align.Keys(keysOf(ra.stays), keysOf(rb.stays)) {
		if k < 0 {
			out.Nodes = append(out.Nodes, Step{A: ra.stays[i]})
			continue
		}
		for ; next < k; next++ {
			out.Nodes = append(out.Nodes, Step{B: rb.stays[next]})
		}
		next++
		out.SameNodes++
		out.Nodes = append(out.Nodes, Step{ra.stays[i], rb.stays[k]})
	}
	for _, s := range rb.stays[next:] {
		out.Nodes = append(out.Nodes, Step{B: s})
	}
	return out, nil
}

// run is what happened in a run.
type run struct {
	calls []runCall
	end   runCall // the state after the last call, without a call
	stays []*Stay // by entry
}

// runCall is a call of the conversation, as what it differs by from the one before.
type runCall struct {
	*Call
	added, left, changed []*Stay
	settings             map[string]string
}

// recordRun goes through the calls of a run.
func recordRun(ctx context.Context, t *engine.Timeline) (*run, error) {
	r := &run{}
	live := map[string]*Stay{}
	var before *engine.Snapshot
	enter := func(n engine.Node, cycle int64) *Stay {
		s := &Stay{ID: n.ID(), Entered: cycle, Node: n, key: keyOf(n)}
		r.stays = append(r.stays, s)
		live[n.ID()] = s
		return s
	}
	take := func(c runCall, s *engine.Snapshot) runCall {
		for _, d := range c.Left {
			if stay := live[d.ID]; stay != nil {
				stay.Left, stay.Cause, stay.By = c.Cycle, d.Cause, d.By
				c.left = append(c.left, stay)
				delete(live, d.ID)
			}
		}
		var d engine.Changes
		if before != nil {
			d = engine.Diff(before, s)
		} else {
			d.Added = slices.Collect(s.All())
		}
		for _, n := range d.Added {
			if shown(n) {
				c.added = append(c.added, enter(n, c.Cycle))
			}
		}
		for _, x := range d.Changed {
			if stay := live[x.New.ID()]; stay != nil && keyOf(x.New) != keyOf(x.Old) {
				stay.Left, stay.Cause = c.Cycle, "changed"
				c.changed = append(c.changed, enter(x.New, c.Cycle))
			}
		}
		c.settings = map[string]string{}
		for _, x := range (&walk{opts: Options{NoTokens: true}}).settingsOf(s) {
			c.settings[x.name] = x.value
		}
		before = s
		return c
	}
	for c, err := range Of(ctx, t, Options{NoTokens: true}) {
		if err != nil {
			return nil, err
		}
		if c.Side == nil {
			r.calls = append(r.calls, take(runCall{Call: c}, c.Snapshot))
		}
	}
	if last := t.At(0); last != nil && last != before {
		r.end = take(runCall{Call: &Call{Cycle: last.Cycle()}}, last)
	}
	return r, nil
}

// nodeKey identifies the content of a node, whatever its id.
type nodeKey struct{ role, kind, tool, content string }

func keyOf(n engine.Node) nodeKey {
	role, _ := n.Role()
	kind, _ := n.Kind()
	return nodeKey{role, kind, ToolOf(n), contentOf(n)}
}

func keysOf(list []*Stay) []nodeKey {
	out := make([]nodeKey, len(list))
	for i, s := range list {
		out[i] = s.key
	}
	return out
}

// at returns call i, or after the last call the answer to it.
func (r *run) at(i int) (c runCall, isCall bool) {
	switch {
	case i < len(r.calls):
		return r.calls[i], true
	case i == len(r.calls):
		return r.end, false
	}
	return runCall{}, false
}

// part says how call i differs between two runs; nil if it does not.
func (r *run) part(o *run, i int) *Part {
	a, hasA := r.at(i)
	b, hasB := o.at(i)
	p := &Part{}
	if hasA {
		p.A = refOf(a)
	}
	if hasB {
		p.B = refOf(b)
	}
	lists := [...]struct {
		what string
		a, b []*Stay
	}{{"left", a.left, b.left}, {"changed", a.changed, b.changed}, {"", a.added, b.added}}
	for _, l := range lists {
		k := 0
		for k < min(len(l.a), len(l.b)) && l.a[k].key == l.b[k].key {
			k++
		}
		if k == max(len(l.a), len(l.b)) {
			continue
		}
		p.What = l.what
		if k < len(l.b) {
			p.NodeB = l.b[k].ID
			p.What = cmp.Or(l.what, speaker(l.b[k].Node))
		}
		if k < len(l.a) {
			p.NodeA = l.a[k].ID
			p.What = cmp.Or(l.what, speaker(l.a[k].Node))
		}
		if p.What == "answer" && k < min(len(l.a), len(l.b)) && i > 0 {
			p.A, p.B = refOf(r.calls[i-1]), refOf(o.calls[i-1]) // they were sent the same
			return p
		}
		if hasA == hasB {
			return p
		}
		break
	}
	if hasA == hasB {
		return nil
	}
	p.What = "end"
	return p
}

func refOf(c runCall) *CallRef { return &CallRef{c.Cycle, c.Source} }

// differing adds the names of the settings that differ.
func differing(a, b map[string]string, names map[string]bool) {
	for name, v := range a {
		names[name] = names[name] || b[name] != v
	}
	for name, v := range b {
		names[name] = names[name] || a[name] != v
	}
	maps.DeleteFunc(names, func(_ string, differs bool) bool { return !differs })
}

// speaker says what kind of message a node is.
func speaker(n engine.Node) string {
	role, _ := n.Role()
	kind, _ := n.Kind()
	switch {
	case kind == "result" || role == "tool":
		return "result"
	case role == "assistant":
		return "answer"
	case role == "system":
		return "system"
	}
	return "message"
}
