package series

import (
	"cmp"
	"slices"
	"strings"
)

// explain sets the cause of each change and departure of a call.
func (c *conversation) explain(call *Step, a *alignment) {
	why := call.Request.Why
	for i := range call.Changed {
		ch := &call.Changed[i]
		ch.Reason, ch.Inferred = Edited, true
		switch {
		case hasReason(why, Cleared):
			ch.Reason, ch.Inferred = Cleared, false
		case hasReason(why, Edited):
			ch.Inferred = false
		case isPlaceholder(ch.Before.text(), ch.Part.text()):
			ch.Reason = Cleared
		}
	}
	for _, g := range a.gaps() {
		if len(g.old) == 0 {
			continue
		}
		e := explainer{c, call, a, g}
		cause, by, inferred := e.cause()
		for _, i := range g.old {
			call.Left = append(call.Left, Departure{call.Same + i, a.old[i], cause, by, inferred})
		}
	}
	slices.SortFunc(call.Left, func(x, y Departure) int { return cmp.Compare(x.At, y.At) })
}

func hasReason(why []Reason, cause Cause) bool {
	return slices.ContainsFunc(why, func(r Reason) bool { return r.Cause == cause })
}

// eventCauses has the cause of what leaves at an event of a kind, if the source states no other
// (C5).
var eventCauses = map[string]Cause{
	"compaction": Compacted, "clear": SessionCleared, "rewind": Rewound, "rollback": Rewound, "edit": Edited,
}

// explainer finds the cause of the departures in one gap.
type explainer struct {
	c    *conversation
	call *Step
	a    *alignment
	g    gap
}

// cause returns the cause, the summary if there is one, and whether the cause is inferred.
func (e explainer) cause() (Cause, *Node, bool) {
	isStated := e.call.Event != nil
	if !isStated || hasReason(e.call.Why, Compacted) {
		if by := e.entered(func(p *Part) bool { return p.Summary }); by != nil {
			return Compacted, by, false
		}
	}
	for _, r := range e.call.Why {
		switch r.Cause {
		case Compacted:
			if isStated {
				return Compacted, cmp.Or(e.summary(), e.kept()), false
			}
			by := e.inGap(func(p *Part) bool { return p.Role != Assistant })
			return Compacted, by, false
		case Edited:
		default:
			return r.Cause, nil, false
		}
	}
	if by := e.summary(); by != nil {
		return Compacted, by, true
	}
	switch {
	case e.g.last && e.isRewound():
		return Rewound, nil, true
	case hasReason(e.call.Request.Why, Edited):
		return Edited, nil, false
	case !e.g.last && len(e.g.new) == 0 && e.isAtFront():
		return Trimmed, nil, true
	}
	if by := e.rewritten(); by != nil {
		return Edited, by, true
	}
	return Unknown, nil, true
}

// inGap returns the node of the first new message in the gap for which wanted returns true, or nil.
// A message that returns is not new.
func (e explainer) inGap(wanted func(*Part) bool) *Node {
	for _, j := range e.g.new {
		if !wanted(e.a.new[j].Part) {
			continue
		}
		if n := e.nodeAt(e.call.Same + e.a.at(j)); n != nil {
			return n
		}
	}
	return nil
}

func (e explainer) nodeAt(at int) *Node {
	i, ok := slices.BinarySearchFunc(e.call.Entered, at, func(x Entry, at int) int { return cmp.Compare(x.At, at) })
	if !ok || e.call.Entered[i].Returned {
		return nil
	}
	return e.call.Entered[i].Node
}

// entered is like inGap, but if the gap has no such message it searches the whole call.
func (e explainer) entered(wanted func(*Part) bool) *Node {
	if n := e.inGap(wanted); n != nil {
		return n
	}
	for _, x := range e.call.Entered {
		if !x.Returned && wanted(x.Part) {
			return x.Node
		}
	}
	return nil
}

// summary returns the node of the message in the gap that must be a summary of the departed
// messages: it repeats the answer of a side call, or reads like a summary, or, if there was a side
// call, is from the user or system.
func (e explainer) summary() *Node {
	for _, text := range e.c.sideReplies {
		if by := e.entered(func(p *Part) bool { return containsText(p, text) }); by != nil {
			return by
		}
	}
	if by := e.inGap(func(p *Part) bool { return p.Role != Tool && readsAsSummary(p.text()) }); by != nil {
		return by
	}
	if len(e.c.sideReplies) > 0 {
		return e.inGap(func(p *Part) bool { return p.Role == User || p.Role == System })
	}
	return nil
}

// rewritten returns the node of the new message in the gap that has the texts of the departed ones:
// a client may send a reminder with another role, and without the tags around it. It returns nil if
// an answer or a result is among them.
func (e explainer) rewritten() (by *Node) {
	for _, i := range e.g.old {
		p := e.a.old[i].Part
		if p.Role != User && p.Role != System {
			return nil
		}
		text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(p.text()), "<system-reminder>"), "</system-reminder>")
		by = e.inGap(func(q *Part) bool {
			return (q.Role == User || q.Role == System) && containsText(q, strings.TrimSpace(text))
		})
		if by == nil {
			return nil
		}
	}
	return by
}

// kept returns the node of the last summary that both lists have: an answer has it already.
func (e explainer) kept() *Node {
	for _, i := range slices.Backward(e.a.run) {
		if i.Part.Summary {
			return i.Node
		}
	}
	for j, i := range slices.Backward(e.a.oldOf) {
		if i >= 0 && e.a.new[j].Part.Summary {
			return e.a.old[i].Node
		}
	}
	return nil
}

// isAtFront reports whether only system messages and user messages precede the departed ones.
func (e explainer) isAtFront() bool {
	for _, i := range e.c.list[:e.call.Same+e.g.old[0]] {
		if r := i.Part.Role; r != System && r != User {
			return false
		}
	}
	return true
}

// isRewound reports whether the departed messages of the last gap are the end of the previous call,
// and the new messages continue from where they began.
func (e explainer) isRewound() bool {
	first := e.g.old[0]
	at := e.call.Same + first
	if len(e.g.old) != len(e.a.old)-first || at == 0 {
		return false // not the end
	}
	before := e.c.list[at-1].Part.Role
	dropped := false // an answer of the model
	for _, i := range e.g.old {
		dropped = dropped || e.a.old[i].Part.Role == Assistant
	}
	if !dropped || before == System || e.c.isReplied(e.items()) || e.a.continues(e.g) {
		return false
	}
	if len(e.g.new) == 0 {
		return true
	}
	was, is := e.a.old[first].Part.Role, e.a.new[e.g.new[0]].Part.Role
	return is == was && is != Tool || is == User && before == Assistant
}

func (e explainer) items() []Item {
	out := make([]Item, len(e.g.new))
	for n, j := range e.g.new {
		out[n] = e.a.new[j]
	}
	return out
}
