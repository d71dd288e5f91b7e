package series

import (
	"slices"
	"sort"
)

// alignment says which messages of two lists belong to one node. It covers the lists after their
// common prefix.
type alignment struct {
	old   []Item
	new   []*Message
	newOf []int // the message in new of each node in old, or -1
	oldOf []int // the node in old of each message in new, or -1
	// inOrder marks the messages in new that stay in order, from which gaps are counted.
	inOrder []bool
}

// isSame reports whether a message is the one of an item. Ids decide if both have one.
func isSame(a, b *Message) bool {
	return a == b || a.Value == b.Value && (a.ID == b.ID || a.ID == "" || b.ID == "")
}

// key is what messages must have in common to be matched regardless of position.
func (m *Message) key() string {
	if m.ID != "" {
		return "#" + m.ID
	}
	return m.Value
}

// align matches the rest of two lists: equal messages from the end, then those that each list has once, then the
// others between these, then messages with other content. It takes O(n log n) time, and more only if there are
// many equal messages between two unique ones.
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

// matchUnique matches the messages among the first n and m that both lists have once.
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

// markInOrder marks the longest increasing run of matches. The other matches are moves.
func (a *alignment) markInOrder() {
	clear(a.inOrder)
	var pairs []int // messages in new, by their nodes
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
	var ends []int // ends[n] is the index where the best run of n+1 ends
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

// gap is the part between two messages that stay: the unmatched nodes and messages, by index.
type gap struct {
	old, new []int
	last     bool // nothing that stays follows
}

// gaps returns the gaps that are not empty on both sides, in order.
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

// fewCells limits the table that compares the two sides of a gap.
const fewCells = 1 << 16

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
	if len(olds) == 0 || len(news) == 0 || len(olds) > fewCells/len(news) {
		return // matchAnywhere matches what is left of many
	}
	// longest[i][j] is the longest common subsequence of olds[i:] and news[j:].
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

// matchAnywhere matches equal messages regardless of position: the first with the first.
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

// matchChanged matches messages in a gap that have other content: those that belong to the same calls, then similar ones,
// then all where both sides have the same roles. In the last gap, where a conversation also continues, only calls
// decide, unless the messages after the gap show that the conversation continued from the old messages.
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
	if len(g.new) > 0 && len(g.old) <= fewCells/len(g.new)/4 {
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

// continues reports whether the new side of the last gap answers its old side: it has the same roles,
// followed by the assistant.
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

// callKey names the first call that a message makes or answers, or "".
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

// isSimilar reports whether the ends of two texts make up half of the shorter one.
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
