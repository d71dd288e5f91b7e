package series

import (
	"hash/maphash"
	"slices"

	"github.com/pactkit/pactkit/internal/align"
)

// alignment maps the parts of two lists to nodes: two parts that it matches belong to one node. It
// covers the lists after their common prefix, without most of a run of parts that is in both.
type alignment struct {
	old   []Item
	new   []Item // without nodes
	newOf []int  // the index in new of each item in old, or -1
	oldOf []int  // the index in old of each item in new, or -1
	// inOrder marks the items in new that keep their order. They are the bounds of the gaps.
	inOrder []bool
	run     []Item // the parts that are left out of both lists
	from    int    // the index in new at which run was
}

// at returns the position of an item of new in the list, after the common prefix.
func (a *alignment) at(j int) int {
	if j >= a.from {
		j += len(a.run)
	}
	return j
}

// compareLists matches the parts of two lists: first equal ones from the beginning and the end,
// then the parts of messages that occur once in each list, then parts that do, then those with the
// same id, then other equal ones, and last parts whose content changed. replied says that the new
// list contains the answer to the latest call. The cost is O(n log n), unless there are many equal
// parts between two unique ones. A run of parts with which the old list ends costs a comparison of
// pointers.
func compareLists(old, list []Item, replied func() bool) *alignment {
	same := 0
	for same < min(len(old), len(list)) && isSame(old[same].Part, list[same].Part) {
		same++
	}
	run, keep, end := findRun(old, list, same)
	old, list = old[:len(old)-len(run)], slices.Concat(list[:end], list[end+len(run):])
	n, m := len(old), len(list)
	a := &alignment{old: old, new: list, newOf: make([]int, n), oldOf: make([]int, m), inOrder: make([]bool, m), run: run, from: end}
	for i := range a.newOf {
		a.newOf[i] = -1
	}
	for j := range a.oldOf {
		a.oldOf[j] = -1
	}
	for i := range same {
		a.match(i, i)
	}
	for i := range keep {
		a.match(n-1-i, end-1-i)
	}
	if m == end {
		n, m = n-keep, m-keep
	}
	for n > same && m > same && a.newOf[n-1] < 0 && isSame(old[n-1].Part, list[m-1].Part) {
		n, m = n-1, m-1
		a.match(n, m)
	}
	if n > 0 && m > 0 {
		a.matchMessages(n, m)
		matchUnique(a, n, m, func(i Item) partKey { return i.Part.key() })
		a.matchIDs(n, m)
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

// findRun finds the run with which the old list ends, if it is in the other list, too. It returns
// the run without its first parts, their number, and where they end in the other list. They keep
// their order in every alignment, because they are more than what precedes them in the old list.
// same is the length of the prefix that both have.
func findRun(old, list []Item, same int) (run []Item, keep, end int) {
	n, m, size := len(old), len(list), 0
	for n > same && m > same && list[m-1].Part != old[n-1].Part {
		m--
	}
	for n-size > same && m-size > same && old[n-size-1].Part == list[m-size-1].Part {
		size++
	}
	if keep = n - size + 1; size <= keep {
		return nil, 0, len(list)
	}
	return old[n-size+keep:], keep, m - size + keep
}

func (a *alignment) match(i, j int) { a.newOf[i], a.oldOf[j] = j, i }

// matchUnique matches the items whose key occurs once among the unmatched ones of the first n of
// the old list, and once among those of the first m of the new one.
func matchUnique[K comparable](a *alignment, n, m int, key func(Item) K) {
	type seen struct{ i, j, olds, news int }
	keys := make(map[K]*seen, n)
	for i := range n {
		if a.newOf[i] >= 0 {
			continue
		}
		k := key(a.old[i])
		if s := keys[k]; s != nil {
			s.olds++
		} else {
			keys[k] = &seen{i: i, olds: 1}
		}
	}
	for j := range m {
		if a.oldOf[j] >= 0 {
			continue
		}
		if s := keys[key(a.new[j])]; s != nil {
			s.news++
			s.j = j
		}
	}
	for _, s := range keys {
		if s.olds == 1 && s.news == 1 {
			a.match(s.i, s.j)
		}
	}
}

// matchMessages matches the parts of messages with several parts that occur once among the first n
// items of the old list, and once among the first m of the new one.
func (a *alignment) matchMessages(n, m int) {
	olds, news := messagesOf(a.old[:n]), messagesOf(a.new[:m])
	if len(olds) == 0 || len(news) == 0 {
		return
	}
	seed := maphash.MakeSeed()
	type seen struct{ i, j, olds, news int }
	keys := make(map[uint64]*seen, len(olds))
	for _, i := range olds {
		k := messageKey(seed, a.old[i:n])
		if s := keys[k]; s != nil {
			s.olds++
		} else {
			keys[k] = &seen{i: i, olds: 1}
		}
	}
	for _, j := range news {
		if s := keys[messageKey(seed, a.new[j:m])]; s != nil {
			s.news++
			s.j = j
		}
	}
	for _, s := range keys {
		if s.olds != 1 || s.news != 1 {
			continue
		}
		size := len(messageAt(a.old[s.i:n]))
		for k := range min(size, len(messageAt(a.new[s.j:m]))) {
			if a.newOf[s.i+k] < 0 && a.oldOf[s.j+k] < 0 && isSame(a.old[s.i+k].Part, a.new[s.j+k].Part) { // else the keys collide
				a.match(s.i+k, s.j+k)
			}
		}
	}
}

// messagesOf returns the positions at which messages with several parts begin.
func messagesOf(list []Item) []int {
	var out []int
	for i := range list {
		if list[i].Index() == 0 && i+1 < len(list) && list[i+1].Index() > 0 {
			out = append(out, i)
		}
	}
	return out
}

// messageAt returns the items of the message with which a list begins.
func messageAt(list []Item) []Item {
	n := 1
	for n < len(list) && list[n].Index() > 0 {
		n++
	}
	return list[:n]
}

// messageKey is equal for messages with equal parts.
func messageKey(seed maphash.Seed, list []Item) uint64 {
	h := uint64(0)
	for _, i := range messageAt(list) {
		h = h*31 + maphash.Comparable(seed, i.Part.key())
	}
	return h
}

// matchIDs matches the parts of one kind whose records have the same id, in order.
func (a *alignment) matchIDs(n, m int) {
	type record struct{ id, kind string }
	left := map[record][]int{}
	for i := range n {
		if p := a.old[i].Part; a.newOf[i] < 0 && p.ID != "" {
			r := record{p.ID, p.form.Kind}
			left[r] = append(left[r], i)
		}
	}
	for j := range m {
		p := a.new[j].Part
		if r := (record{p.ID, p.form.Kind}); a.oldOf[j] < 0 && p.ID != "" && len(left[r]) > 0 {
			a.match(left[r][0], j)
			left[r] = left[r][1:]
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
	for _, at := range align.Increasing(pairs) {
		a.inOrder[pairs[at]] = true
	}
}

// gap is the part of both lists between two messages that keep their order: the indexes of the
// unmatched items.
type gap struct {
	old, new []int
	last     bool // no item that keeps its order follows
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

// matchEqual matches equal parts in a gap, in order.
func (a *alignment) matchEqual(g gap) {
	olds, news := g.old, g.new
	same := func(i, j int) bool { return isSame(a.old[i].Part, a.new[j].Part) }
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

// matchAnywhere matches equal parts regardless of position, in order.
func (a *alignment) matchAnywhere() {
	left := map[partKey][]int{}
	for i, j := range a.newOf {
		if j < 0 {
			k := a.old[i].Part.key()
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
		if k := a.new[j].Part.key(); len(left[k]) > 0 {
			a.match(left[k][0], j)
			left[k] = left[k][1:]
		}
	}
}

// matchChanged matches parts in a gap whose content changed: those that belong to the same tool
// calls, then similar ones, then all of them if both sides have the same roles. The last gap also
// contains new parts of the conversation. There, only tool calls count, unless the new parts show
// that the conversation continued from the old ones.
func (a *alignment) matchChanged(g gap, replied func() bool) {
	if len(g.old) == 0 || len(g.new) == 0 {
		return
	}
	a.matchCalls(g)
	free := func(list []int, taken []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return taken[i] >= 0 })
	}
	g.old, g.new = free(g.old, a.newOf), free(g.new, a.oldOf)
	if g.last && !replied() && !a.continues(g) {
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
		if !mayChange(a.old[i].Part, a.new[g.new[n]].Part) {
			return
		}
	}
	for n, i := range g.old {
		a.match(i, g.new[n])
	}
}

// continues reports whether the new side of the last gap answers its old side: it has messages of
// the same roles, followed by one of the assistant.
func (a *alignment) continues(g gap) bool {
	olds, news := rolesOf(a.old, g.old), rolesOf(a.new, g.new)
	n := len(olds)
	return n > 0 && len(news) > n && slices.Equal(olds, news[:n]) && olds[n-1] != Assistant && news[n] == Assistant
}

// rolesOf returns the roles of the messages of some items.
func rolesOf(list []Item, at []int) []Role {
	var out []Role
	var last Item
	for _, i := range at {
		if x := list[i]; last.Part == nil || last.Message() != x.Message() || x.Index() <= last.Index() || last.Part.Role != x.Part.Role {
			out = append(out, x.Part.Role)
		}
		last = list[i]
	}
	return out
}

func (a *alignment) matchCalls(g gap) {
	byCall := map[string]int{}
	for _, i := range g.old {
		if k := a.old[i].Part.callKey(); k != "" {
			byCall[k] = i
		}
	}
	for _, j := range g.new {
		if i, ok := byCall[a.new[j].Part.callKey()]; ok && a.newOf[i] < 0 && a.oldOf[j] < 0 {
			a.match(i, j)
		}
	}
}

func (a *alignment) matchSimilar(g gap) {
	texts := make([]string, len(g.old))
	for n, i := range g.old {
		texts[n] = a.old[i].Part.text()
	}
	next := 0
	for _, j := range g.new {
		text := a.new[j].Part.text()
		for n := next; n < len(g.old); n++ {
			if mayChange(a.old[g.old[n]].Part, a.new[j].Part) && isSimilar(texts[n], text) {
				a.match(g.old[n], j)
				next = n + 1
				break
			}
		}
	}
}

// mayChange reports whether one part may be a changed version of another.
func mayChange(before, after *Part) bool {
	if before.ID != "" && after.ID != "" && before.ID != after.ID {
		return false
	}
	return before.Role == after.Role && before.Summary == after.Summary && before.isOpaque() == after.isOpaque()
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
