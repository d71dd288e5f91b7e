package calls

import (
	"cmp"
	"slices"
	"sort"
)

// amount is the size of a part of a call. It is kept from call to call: what enters is added to it,
// and what leaves is subtracted.
type amount struct {
	part
	group  *group
	nodes  int
	tokens int64
	media  int
	before [2]int64 // of the tokens, how many come before the end of each of two bands of the bill
	others int      // the number of files, if it is the sum of the smaller ones
}

// bySize orders the amounts of a group, the largest first.
func bySize(a, b *amount) int {
	return cmp.Or(cmp.Compare(b.tokens, a.tokens), cmp.Compare(a.name, b.name))
}

// add adds another amount, or with -1 subtracts it.
func (s *amount) add(o *amount, by int) {
	s.nodes, s.media, s.tokens = s.nodes+by*o.nodes, s.media+by*o.media, s.tokens+int64(by)*o.tokens
	for i := range s.before {
		s.before[i] += int64(by) * o.before[i]
	}
}

// group has the amounts of the parts that differ in their names only, and their sum.
type group struct {
	amount
	list []*amount // those that have nodes, by size
}

// largest returns the amounts of a group that have nodes. It keeps the largest most of them, and
// adds up the others as the last amount. The cost depends on most only.
func (g *group) largest(most int) []amount {
	out := make([]amount, 0, min(len(g.list), most+1))
	others := amount{part: g.part, others: len(g.list) - most}
	others.add(&g.amount, 1)
	for _, s := range g.list[:min(len(g.list), most)] {
		out = append(out, *s)
		others.add(s, -1)
	}
	if others.others > 0 {
		out = append(out, others)
	}
	return out
}

// share adds entries to the shares, or with -1 subtracts them.
func (w *walk) share(list []*entry, by int) {
	if !w.opts.Shares {
		return
	}
	for _, x := range list {
		if x.share == nil {
			x.share = w.amountOf(partOf(x.node))
		}
		s, g, one := x.share, x.share.group, amount{nodes: 1, tokens: w.tokensOf(x)}
		one.media = x.media
		if at, ok := slices.BinarySearchFunc(g.list, s, bySize); ok {
			g.list = slices.Delete(g.list, at, at+1)
		}
		s.add(&one, by)
		g.add(&one, by)
		if s.nodes > 0 {
			at, _ := slices.BinarySearchFunc(g.list, s, bySize)
			g.list = slices.Insert(g.list, at, s)
		}
	}
}

// amountOf returns the amount of a part.
func (w *walk) amountOf(p part) *amount {
	s := w.shares[p]
	if s == nil {
		name := p.name
		p.name = ""
		at, ok := slices.BinarySearchFunc(w.groups, p, func(g *group, p part) int {
			return cmp.Or(cmp.Compare(g.what, p.what), cmp.Compare(g.server, p.server), cmp.Compare(g.tool, p.tool))
		})
		if !ok {
			w.groups = slices.Insert(w.groups, at, &group{amount: amount{part: p}})
		}
		s = &amount{part: p, group: w.groups[at]}
		s.name = name
		w.shares[s.part] = s
	}
	return s
}

// end is where a band of the bill of a call ends in the order: after so many entries, and so many
// tokens of the next one.
type end struct {
	at     int
	tokens int64
}

// seek moves the ends of the bands to those of a bill of which everything but the blocks is taken.
// The cost depends on how many blocks are between the old and the new places.
func (w *walk) seek(b *bill) {
	if b == nil {
		return
	}
	list := w.order.list
	w.sum(len(list))
	for i := range w.ends {
		e, to := &w.ends[i], max(b.bands[i].end-b.at, 0)
		n := sort.Search(len(list), func(at int) bool { return list[at].sum > to }) // the entries before it
		w.retract(i, n, 0, list)
		for ; e.at < n; e.at++ {
			list[e.at].pass(i, w.tokensOf(list[e.at]))
		}
		if n < len(list) {
			e.tokens = to - (list[n].sum - w.tokensOf(list[n]))
			list[n].pass(i, e.tokens)
		}
	}
}

// rewind moves the ends of the bands out of the entries from first on, before these change.
func (w *walk) rewind(first int, list []*entry) {
	for i := range w.ends {
		if w.ends[i].at >= first {
			w.retract(i, first, first, list)
		}
	}
}

// retract moves the end of a band back to an entry if it is after it, and in any case to the
// beginning of an entry. list are the entries from first on.
func (w *walk) retract(band, to, first int, list []*entry) {
	e := &w.ends[band]
	if e.tokens != 0 {
		list[e.at-first].pass(band, -e.tokens)
		e.tokens = 0
	}
	for ; e.at > to; e.at-- {
		x := list[e.at-first-1]
		x.pass(band, -w.tokensOf(x))
	}
}

// pass counts tokens of an entry as before the end of a band.
func (x *entry) pass(band int, n int64) {
	x.share.before[band] += n
	x.share.group.before[band] += n
}
