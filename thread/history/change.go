package history

import (
	"context"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// change is the difference between the latest tree and the next one. Its methods find the parts in
// order: messages, turns, instants, and the nodes for the rest of the request. Its many fields are
// the parts of the entry that is written.
type change struct {
	w     *Writer
	call  *series.Step
	cycle int64
	next  state
	same  int     // length of the unchanged prefix, in parts
	end   int     // where whole turns begin that do not change either
	old   []*item // the previous parts after that prefix, up to these turns

	isNew     map[*item]bool
	gone      []*item
	changed   map[*item][]block // the previous blocks
	moved     map[string][]string
	wasIn     map[*item]*turn       // previous turns of messages whose nodes are replaced
	claimed   map[*turn]bool        // the turns that still have messages
	order     []*turn               // from the first one that may change
	inTurn    map[*turn][]*item     // messages after the unchanged prefix
	summaries map[*series.Node]bool // that replaced nodes that left
	newTurns  []*turn
	isNewTurn map[*turn]bool
	goneTurns []*turn
	reopened  *turn  // its segment is removed
	dropped   string // id of the removed segment
	sealed    []*turn
	isSealed  map[*turn]bool
	retimed   map[string]int64 // new instants of existing nodes
	index     map[string]int64 // creation indexes of new and moved nodes
	sysGone   []string
	sysNew    []block
	sysSet    map[string]members // members that change, by id
	sysUnset  map[string][]string
}

// reset prepares the change for the next step.
func (ch *change) reset(w *Writer, c *series.Step) {
	*ch = change{
		w: w, call: c, cycle: c.Cycle,
		next: state{cycle: c.Cycle, setting: c.Request.Settings, format: c.Format, member: c.List, side: c.Side != nil, same: c.Same},

		isNew: emptied(ch.isNew), changed: emptied(ch.changed), moved: emptied(ch.moved), wasIn: emptied(ch.wasIn), inTurn: emptied(ch.inTurn), claimed: emptied(ch.claimed),
		summaries: emptied(ch.summaries), isNewTurn: emptied(ch.isNewTurn), isSealed: emptied(ch.isSealed), retimed: emptied(ch.retimed),
		index: emptied(ch.index),
	}
}

// emptied returns an empty map: the same one, unless it is so large that clearing it would cost
// more than a new one.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	const large = 64
	if m == nil || len(m) > large {
		return map[K]V{}
	}
	clear(m)
	return m
}

// items finds the messages that are new, gone or changed, and makes blocks for the new and changed
// ones.
func (ch *change) items(ctx context.Context, list []series.Item) error {
	w := ch.w
	old := w.current.list
	ch.same = min(ch.call.Same, len(old), len(list))
	if w.current.side {
		ch.same = min(ch.same, w.current.same)
	}
	for _, d := range ch.call.Left {
		ch.summaries[d.By] = true
	}
	old = slices.Clone(old[ch.same:])
	tail := ch.tail(old, list)
	ch.old, tail = old[:len(old)-len(tail)], old[len(old)-len(tail):]
	before := make(map[*series.Node]*item, len(ch.old))
	for _, i := range ch.old {
		before[i.node] = i
	}
	ch.next.list = w.current.list[:ch.same] // and the rest of the array
	var fresh [][]*item                     // the messages whose blocks are made
	for rest := list[ch.same : len(list)-len(tail)]; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Index() > 0 {
			n++
		}
		made, isKept := ch.group(rest[:n], before)
		ch.next.list = append(ch.next.list, made...)
		if !isKept {
			fresh = append(fresh, made)
		}
		rest = rest[n:]
	}
	ch.end = len(ch.next.list)
	ch.next.list = append(ch.next.list, tail...)
	if l := ch.next.list; len(l) == 1 {
		ch.next.isText = strings.HasPrefix(l[0].message.Value, `"`)
	}
	for _, i := range ch.old {
		if before[i.node] == i {
			ch.gone = append(ch.gone, i)
			ids := make([]string, len(i.blocks))
			for k, b := range i.blocks {
				delete(w.keys, b.get("key"))
				ids[k] = b.id
			}
			w.left[i.node] = ids
		}
	}
	return w.blocks(ctx, ch, fresh)
}

// tail returns the items with which both lists end, from the first one on that begins a turn. old
// has the items after the unchanged prefix. It returns none if the summary that replaced what left
// may be among them, because a summary does not begin a turn.
func (ch *change) tail(old []*item, list []series.Item) []*item {
	for by := range ch.summaries {
		if by != nil && !slices.ContainsFunc(ch.call.Entered, func(e series.Entry) bool { return e.Node == by }) {
			return nil
		}
	}
	n, m := len(old), len(list)
	for n > 0 && m > ch.same && old[n-1].node == list[m-1].Node && old[n-1].part == list[m-1].Part {
		n, m = n-1, m-1
	}
	for n++; n < len(old); n++ { // there is an item before it
		if i := old[n]; i.index == 0 && i.turn != nil && old[n-1].turn != i.turn {
			return old[n:]
		}
	}
	return nil
}

// group makes the items of one message. It reports whether all of them are as before; otherwise the
// blocks of the message must be made again, because each says what it is a part of.
func (ch *change) group(list []series.Item, before map[*series.Node]*item) (made []*item, isKept bool) {
	isKept, made = true, make([]*item, 0, len(list))
	for n, x := range list {
		i := before[x.Node]
		made = append(made, i)
		isKept = isKept && i != nil && i.index == n && i.message.Value == x.Message().Value && i.number == made[0].number
	}
	for n, x := range list {
		i := made[n]
		delete(before, x.Node)
		switch {
		case isKept:
			continue
		case i == nil:
			i = &item{node: x.Node, number: -1}
			ch.isNew[i] = true
		default:
			copied := *i
			i = &copied
			ch.changed[i] = made[n].blocks
			if n > 0 || i.index > 0 {
				i.number = -1 // else it is that of the message
			}
		}
		i.part, i.message, i.index = x.Part, x.Message(), n
		made[n] = i
	}
	return made, isKept
}

// begins reports whether a part begins a turn: it is the first one of a prompt, or, if the source
// says who wrote it, of a person.
func (ch *change) begins(n int) bool {
	i := ch.next.list[n]
	m := i.message
	if i.part.Summary || ch.summaries[i.node] {
		return false
	}
	if i.part.By != "" {
		return i.part.By == "person" && (i.index == 0 || ch.next.list[n-1].part.By != "person")
	}
	return m.Role == series.User && len(m.Answers) == 0 && i.index == 0
}

// isFinished reports whether the last turn of the state after an answer is complete: the answer
// ends it, and no call waits for its result (C12).
func (ch *change) isFinished() bool {
	e, list := ch.call.Event, ch.next.list
	if e == nil || e.Kind != "answer" || len(list) == 0 || list[len(list)-1].message.Role != series.Assistant {
		return false
	}
	done := map[string]bool{}
	for _, x := range slices.Backward(ch.call.Entered) {
		if x.Part.Answer != "" {
			done[x.Part.Answer] = true
		}
		if x.Part.Call != "" && !done[x.Part.Call] {
			return false
		}
	}
	return true
}

// keepsTurn reports whether the last turn stays as it is, sealed or not: after a compaction, a
// clear or an interrupt it does.
func (ch *change) keepsTurn() bool {
	e := ch.call.Event
	return e != nil && e.Kind != "answer" && e.Kind != "rewind" && e.Kind != "rollback"
}

// turns assigns messages to turns, from the first turn that changes.
func (ch *change) turns() {
	list := ch.next.list
	oldOrder := turnsOf(ch.next.list[max(ch.same-1, 0):ch.same], ch.old, list[max(ch.end, len(list)-1):])
	claimed := ch.claimed
	interrupted := ch.interrupted(oldOrder)
	var order []*turn
	var now *turn
	leading := true
	if ch.same > 0 {
		if now = list[ch.same-1].turn; now != nil {
			claimed[now] = true
			order = append(order, now)
			leading = false
		}
	}
	for n := ch.same; n < len(list); n++ {
		i := list[n]
		if n == ch.end {
			if now != nil && (interrupted == nil || !claimed[interrupted]) && ch.begins(n) && ch.hasMessage(now, list[:n]) {
				break
			}
			oldOrder, ch.end = turnsOf(list[max(ch.same-1, 0):ch.same], ch.old, list[n:]), len(list)
		}
		if leading && i.part.Role == series.System {
			ch.assign(i, nil)
			continue
		}
		afresh := ch.keepsTurn() && ch.isNew[i] && now != nil && now.segment != "" // a summary, which begins ^ah
		if starts := ch.begins(n) || afresh; now == nil || starts && ch.hasMessage(now, list[:n]) {
			leading = false
			switch {
			case i.turn != nil && !claimed[i.turn]:
				now = i.turn
			case interrupted != nil && !claimed[interrupted] && !starts:
				now = interrupted
			default:
				now = &turn{core: ch.w.id("cont")}
				ch.newTurns, ch.isNewTurn[now] = append(ch.newTurns, now), true
			}
			claimed[now] = true
			order = append(order, now)
		}
		ch.assign(i, now)
	}
	for _, t := range turnsOf(list[ch.end:min(ch.end+1, len(list))], list[max(ch.end, len(list)-1):]) {
		claimed[t] = true
		order = append(order, t)
	}
	for _, t := range oldOrder {
		if !claimed[t] {
			ch.goneTurns = append(ch.goneTurns, t)
		}
	}
	ch.order = order
	finished := ch.isFinished()
	for n, t := range order {
		last := n == len(order)-1 && !finished && !(t.segment != "" && ch.keepsTurn())
		switch {
		case last && t.segment != "":
			ch.reopened, ch.dropped = t, t.segment
			t.segment = ""
		case !last && t.segment == "":
			t.segment = ch.w.id("seg")
			ch.sealed, ch.isSealed[t] = append(ch.sealed, t), true
		}
	}
}

// turnsOf returns the turns of items in order.
func turnsOf(lists ...[]*item) (out []*turn) {
	const few = 8
	var seen map[*turn]bool // if there are more
	var last *turn
	for _, list := range lists {
		for _, i := range list {
			if i.turn == last || i.turn == nil || seen[i.turn] || len(out) < few && slices.Contains(out, i.turn) {
				continue
			}
			if last, out = i.turn, append(out, i.turn); len(out) == few {
				seen = map[*turn]bool{}
				for _, t := range out {
					seen[t] = true
				}
			} else if seen != nil {
				seen[last] = true
			}
		}
	}
	return out
}

// interrupted returns the turn in which a compaction happens, if turns end with one that is not
// complete. The summary stays in it.
func (ch *change) interrupted(turns []*turn) *turn {
	if e := ch.call.Event; e == nil || e.Kind != "compaction" || len(turns) == 0 || turns[len(turns)-1].segment != "" {
		return nil
	}
	return turns[len(turns)-1]
}

// hasMessage reports whether turn t, which list ends with, has more than what comes before a
// prompt: system messages, what the client adds, and a summary.
func (ch *change) hasMessage(t *turn, list []*item) bool {
	for _, i := range slices.Backward(list) {
		if i.turn != t {
			return false
		}
		if !ch.isPreface(i) {
			return true
		}
	}
	return false
}

func (ch *change) isPreface(i *item) bool {
	switch i.part.By {
	case "client", "hook", "command":
		return i.part.Role == series.User || i.part.Role == series.System
	}
	return i.part.Role == series.System || i.part.Summary || ch.summaries[i.node]
}

// assign puts a message into a turn, or into ^sys if the turn is nil.
func (ch *change) assign(i *item, t *turn) {
	switch {
	case i.turn == t, ch.isNew[i]:
	case ch.isReplaced(i): // its old nodes are removed, not moved
		ch.wasIn[i] = i.turn
	default:
		parent := "^sys"
		if t != nil {
			parent = t.core
		}
		for _, b := range i.blocks {
			ch.moved[parent] = append(ch.moved[parent], b.id)
		}
	}
	i.turn = t
}

// gapNS is the time between two messages whose times are unknown, in nanoseconds.
const gapNS = 1_000_000_000

// times assigns instants to new messages, between those of their neighbors. Moved messages get new
// ones, too, because siblings are ordered by their instants.
func (ch *change) times() {
	list := ch.next.list
	prev := firstInstant.UnixNano() - gapNS
	if ch.same > 0 {
		prev = list[ch.same-1].end()
	}
	var keeps []bool
	for n, top := ch.same, prev; n < len(list); n++ {
		i := list[n]
		kept := !ch.isNew[i] && i.ns > top+ch.room(n)
		if n == ch.end {
			if kept {
				break
			}
			ch.extend()
		}
		if keeps = append(keeps, kept); kept {
			top = i.end()
		}
	}
	after := make([]int64, len(keeps)+1)   // the instant of the next message that keeps its own
	pending := make([]int64, len(keeps)+1) // nanoseconds that the messages up to that one need
	between := make([]int64, len(keeps)+1) // the number of these messages
	if ch.end < len(list) {
		after[len(keeps)] = list[ch.end].ns
	}
	for n := len(keeps) - 1; n >= 0; n-- {
		after[n], pending[n], between[n] = after[n+1], pending[n+1]+int64(len(list[ch.same+n].blocks)), between[n+1]
		pending[n] += ch.room(ch.same + n)
		if list[ch.same+n].index == 0 {
			pending[n], between[n] = pending[n]+1, between[n]+1
		}
		if keeps[n] {
			after[n], pending[n], between[n] = list[ch.same+n].ns, 0, 0
		}
	}
	end := ch.end
	for at := ch.same; at < len(list); at++ {
		i, n, room := list[at], min(at, end)-ch.same, ch.room(at)
		if (at >= end || keeps[n]) && i.ns > prev+room {
			if at >= end {
				break // and so do all that follow
			}
			prev = i.end()
			continue
		}
		if at >= end && ch.end == end {
			ch.extend()
		}
		size := int64(max(len(i.blocks), 1))
		var ns int64
		if i.index > 0 { // in one message with the part before it
			ns = prev + 1 + room
		} else if after[n] == 0 || after[n]-prev <= pending[n]+2 { // at the end, or where there is no room
			ns = prev + gapNS
			if t := ch.call.Time; t.Year() >= 1970 && t.Year() < 2262 && after[n] == 0 { // in the range of nanoseconds
				ns = max(prev+1000, t.UnixNano()-pending[n]*1000)
			} else if after[n] != 0 {
				ns = prev + 2 + room
			}
		} else {
			ns = prev + max(2+room, (after[n]-prev-pending[n])/(between[n]+1))
		}
		if i.ns = ns; !ch.isNew[i] && !ch.isReplaced(i) { // else its nodes are new
			for k, b := range i.blocks {
				ch.retimed[b.id] = ns + int64(k)
			}
		}
		prev = ns + size - 1
	}
	ch.segments()
}

// extend makes all items those that may change.
func (ch *change) extend() {
	ch.end = len(ch.next.list)
	ch.order = turnsOf(ch.next.list[max(ch.same-1, 0):])
}

// room returns the number of instants that must be free before an item: if it is the first of its
// turn, those of the segment of the turn before it and of its turn.
func (ch *change) room(n int) int64 {
	if list := ch.next.list; n > 0 && list[n].turn != nil && list[n].turn != list[n-1].turn {
		return 2
	}
	return 0
}

// segments assigns instants to the segments that keep them in the order of their turns: each is
// after the first message of its turn and before the next turn.
func (ch *change) segments() {
	list := ch.next.list
	if len(ch.newTurns) > 0 {
		for _, i := range list[ch.same:ch.end] {
			ch.inTurn[i.turn] = append(ch.inTurn[i.turn], i)
		}
	}
	if !slices.ContainsFunc(ch.order, func(t *turn) bool { return t.segment != "" }) {
		return
	}
	first, end := map[*turn]int64{}, map[*turn]int64{}
	last := len(list) // where the last turn begins, if it does not change
	for last > ch.end && list[last-1].turn == list[len(list)-1].turn {
		last--
	}
	for _, items := range [...][]*item{list[max(ch.same-1, 0):min(ch.end+1, len(list))], list[last:]} {
		for _, i := range items {
			if first[i.turn] == 0 {
				first[i.turn] = i.ns
			}
			end[i.turn] = i.end()
		}
	}
	for n, t := range ch.order {
		if t.segment == "" {
			continue
		}
		inPlace := t.ns > first[t] && (n == len(ch.order)-1 || t.ns < first[ch.order[n+1]])
		if !inPlace {
			t.ns = end[t] + 1
			if !ch.isSealed[t] {
				ch.retimed[t.segment] = t.ns
			}
		}
	}
}
