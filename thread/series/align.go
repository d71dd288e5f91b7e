package series

import (
	"slices"
	"sort"
)

// alignment maps the messages of two lists to nodes: two messages that it matches belong to one
// node. It covers the lists after their common prefix.
type alignment struct {
	old   []Item
	new   []*Message
	newOf []int // the index in new of each item in old, or -1
	oldOf []int // the index in old of each message in new, or -1
	// inOrder marks the messages in new that keep their order. They are the bounds of the gaps.
	inOrder []bool
}

// isSame reports whether two messages are the same one. If both have an id, the ids must be equal,
// too.
func isSame(a, b *Message) bool {
	return a == b || a.Value == b.Value && (a.ID == b.ID || a.ID == "" || b.ID == "")
}

// key returns what two messages must have in common to be matched regardless of position.
func (m *Message) key() string {
	if m.ID != "" {
		return "#" + m.ID
	}
	return m.Value
}

// align matches the messages of two lists: first equal ones from the end, then those that occur
// once in each list, then other equal ones, and last messages whose content changed. replied says
// that the new list contains the answer to the latest call. The cost is O(n log n), unless there
// are many equal messages between two unique ones.
func align(old []Item, list []*Message, replied bool) *alignment {
	a := &alignment{old: old, new: list, newOf: make([]int, len(old)), oldOf: make([]int, len(list)), inOrder: make([]bool, len(list))}
	for i := range a.newOf {
		a.newOf[i] = -1
	}
	for j := range a.oldOf {
		a.oldOf[j] = -1
	}
	n, m := len(old), len(list)
	for n > 0 && m > 0 && isSame(old[n-1].Message, list[m-1]) {
		n, m = n-1, m-1
		a.match(n, m)
	}
	if n > 0 && m > 0 {
		a.matchUnique(n, m)
	}
	a.markInOrder()
	for _, g := range a.gaps() {
		a.matchEqual(g)
	}
	a.matchAnywhere()
	a.markInOrder()
	for _, g := range a.gaps() {
		a.matchChanged(g, replied)
	}
	a.markInOrder()
	return a
}

func (a *alignment) match(i, j int) { a.newOf[i], a.oldOf[j] = j, i }

// matchUnique matches the messages that occur once among the first n of the old list and once among
// the first m of the new one.
func (a *alignment) matchUnique(n, m int) {
	type seen struct{ i, j, olds, news int }
	keys := make(map[string]*seen, n)
	for i := range n {
		k := a.old[i].Message.key()
		if s := keys[k]; s != nil {
			s.olds++
		} else {
			keys[k] = &seen{i: i, olds: 1}
		}
	}
	for j := range m {
		if s := keys[a.new[j].key()]; s != nil {
			s.news++
			s.j = j
		}
	}
	for i := range n {
		if s := keys[a.old[i].Message.key()]; s.olds == 1 && s.news == 1 {
			a.match(s.i, s.j)
		}
	}
}

// markInOrder marks the longest increasing subsequence of matches. The other matches are moves.
func (a *alignment) markInOrder() {
	clear(a.inOrder)
	var pairs []int // indexes in new, in the order of old
	for _, j := range a.newOf {
		if j >= 0 {
			pairs = append(pairs, j)
		}
	}
	for _, at := range increasing(pairs) {
		a.inOrder[pairs[at]] = true
	}
}

// increasing returns the indexes of a longest increasing subsequence.
func increasing(list []int) []int {
	var ends []int // ends[n] is the index of the last element of the best subsequence of length n+1
	before := make([]int, len(list))
	for i, v := range list {
		n := sort.Search(len(ends), func(n int) bool { return list[ends[n]] >= v })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	out := make([]int, len(ends))
	for n, i := len(ends)-1, ends[len(ends)-1]; n >= 0; n, i = n-1, before[i] {
		out[n] = i
	}
	return out
}

// gap is the part of both lists between two messages that keep their order: the indexes of the
// unmatched items and messages.
type gap struct {
	old, new []int
	last     bool // no message that keeps its order follows
}

// gaps returns the gaps in order, without those that are empty on both sides.
func (a *alignment) gaps() []gap {
	var out []gap
	var g gap
	i := 0
	upTo := func(end int) {
		for ; i < end; i++ {
			if a.newOf[i] < 0 {
				g.old = append(g.old, i)
			}
		}
	}
	end := func() {
		if len(g.old)+len(g.new) > 0 {
			out = append(out, g)
		}
		g = gap{}
	}
	for j, of := range a.oldOf {
		if a.inOrder[j] {
			upTo(of)
			end()
			i = of + 1
		} else if of < 0 {
			g.new = append(g.new, j)
		}
	}
	g.last = true
	upTo(len(a.old))
	end()
	return out
}

// maxCells limits the size of the table that compares the two sides of a gap.
const maxCells = 1 << 16

// matchEqual matches equal messages in a gap, in order.
func (a *alignment) matchEqual(g gap) {
	olds, news := g.old, g.new
	same := func(i, j int) bool { return isSame(a.old[i].Message, a.new[j]) }
	for len(olds) > 0 && len(news) > 0 && same(olds[0], news[0]) {
		a.match(olds[0], news[0])
		olds, news = olds[1:], news[1:]
	}
	for len(olds) > 0 && len(news) > 0 && same(olds[len(olds)-1], news[len(news)-1]) {
		a.match(olds[len(olds)-1], news[len(news)-1])
		olds, news = olds[:len(olds)-1], news[:len(news)-1]
	}
	if len(olds) == 0 || len(news) == 0 || len(olds) > maxCells/len(news) {
		return // too many; matchAnywhere matches them
	}
	// longest[i*width+j] is the length of the longest common subsequence of olds[i:] and news[j:].
	width := len(news) + 1
	longest := make([]int32, (len(olds)+1)*width)
	for i := len(olds) - 1; i >= 0; i-- {
		for j := len(news) - 1; j >= 0; j-- {
			best := max(longest[(i+1)*width+j], longest[i*width+j+1])
			if same(olds[i], news[j]) {
				best = longest[(i+1)*width+j+1] + 1
			}
			longest[i*width+j] = best
		}
	}
	for i, j := 0, 0; i < len(olds) && j < len(news); {
		switch {
		case same(olds[i], news[j]):
			a.match(olds[i], news[j])
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// matchAnywhere matches equal messages regardless of position, in order.
func (a *alignment) matchAnywhere() {
	left := map[string][]int{}
	for i, j := range a.newOf {
		if j < 0 {
			k := a.old[i].Message.key()
			left[k] = append(left[k], i)
		}
	}
	if len(left) == 0 {
		return
	}
	for j, i := range a.oldOf {
		if i >= 0 {
			continue
		}
		if k := a.new[j].key(); len(left[k]) > 0 {
			a.match(left[k][0], j)
			left[k] = left[k][1:]
		}
	}
}

// matchChanged matches messages in a gap whose content changed: those that belong to the same tool
// calls, then similar ones, then all of them if both sides have the same roles. The last gap also
// contains new messages of the conversation. There, only tool calls count, unless the new messages
// show that the conversation continued from the old ones.
func (a *alignment) matchChanged(g gap, replied bool) {
	if len(g.old) == 0 || len(g.new) == 0 {
		return
	}
	a.matchCalls(g)
	free := func(list []int, taken []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return taken[i] >= 0 })
	}
	g.old, g.new = free(g.old, a.newOf), free(g.new, a.oldOf)
	if g.last && !replied && !a.continues(g) {
		return
	}
	if len(g.new) > 0 && len(g.old) <= maxCells/len(g.new)/4 {
		a.matchSimilar(g)
		g.old, g.new = free(g.old, a.newOf), free(g.new, a.oldOf)
	}
	if g.last || len(g.old) != len(g.new) {
		return
	}
	for n, i := range g.old {
		if !mayChange(a.old[i].Message, a.new[g.new[n]]) {
			return
		}
	}
	for n, i := range g.old {
		a.match(i, g.new[n])
	}
}

// continues reports whether the new side of the last gap answers its old side: it has the same
// roles, followed by a message of the assistant.
func (a *alignment) continues(g gap) bool {
	if len(g.new) <= len(g.old) || len(g.old) == 0 {
		return false
	}
	for n, i := range g.old {
		if a.old[i].Message.Role != a.new[g.new[n]].Role {
			return false
		}
	}
	last := a.old[g.old[len(g.old)-1]].Message.Role
	return last != Assistant && a.new[g.new[len(g.old)]].Role == Assistant
}

func (a *alignment) matchCalls(g gap) {
	byCall := map[string]int{}
	for _, i := range g.old {
		if k := a.old[i].Message.callKey(); k != "" {
			byCall[k] = i
		}
	}
	for _, j := range g.new {
		if i, ok := byCall[a.new[j].callKey()]; ok && a.newOf[i] < 0 && a.oldOf[j] < 0 {
			a.match(i, j)
		}
	}
}

// callKey identifies the first call that a message makes or answers. It returns "" if there is
// none.
func (m *Message) callKey() string {
	switch {
	case len(m.Answers) > 0:
		return "answer " + m.Answers[0]
	case len(m.Calls) > 0:
		return "call " + m.Calls[0]
	}
	return ""
}

func (a *alignment) matchSimilar(g gap) {
	texts := make([]string, len(g.old))
	for n, i := range g.old {
		texts[n] = a.old[i].Message.text()
	}
	next := 0
	for _, j := range g.new {
		text := a.new[j].text()
		for n := next; n < len(g.old); n++ {
			if mayChange(a.old[g.old[n]].Message, a.new[j]) && isSimilar(texts[n], text) {
				a.match(g.old[n], j)
				next = n + 1
				break
			}
		}
	}
}

// mayChange reports whether one message may be a changed version of another.
func mayChange(before, after *Message) bool {
	return before.Role == after.Role && before.Summary == after.Summary
}

// isSimilar reports whether the common prefix and suffix of two texts make up at least half of the
// shorter one.
func isSimilar(a, b string) bool {
	if a == b {
		return true
	}
	short := min(len(a), len(b))
	if short < 8 {
		return false
	}
	same := 0
	for same < short && a[same] == b[same] {
		same++
	}
	tail := 0
	for tail < short-same && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return 2*(same+tail) >= short
}
