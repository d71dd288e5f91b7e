package source

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// conversation is the conversation of a session or of an agent.
type conversation struct {
	view
	key      string
	isAgent  bool
	agent    string
	fork     *record       // the record of another conversation that its chain continues
	of       *conversation // the calls are side calls of this one
	kind     string        // of these side calls
	calls    int
	input    int       // tokens of the latest call
	latest   *answer   // to the latest call
	own      *answer   // to the latest call that is not a side call
	length   int       // of its request, in messages
	results  []*record // by position
	exact    exactList
	wasExact bool // the latest request was recorded
}

// view has the messages of a chain of records. A chain that continues the one before is not
// rendered again.
type view struct {
	path     []*record
	at       map[*record]int // indexes in path; some are outdated
	stop     *record         // the boundary or the /clear before path
	segments []segment
	list     []*series.Message
	low      int // the length of the prefix of list that is as it was last sent
	limit    int // the position of the record whose answer was asked for
	next     int // the first of the results of the conversation that may be new
	model    string
	anchor   int // index in path after the record that kept records follow; 0 if none are kept
	keptEnd  int // index in path after the kept records
	cut      int // index in path before which thinking is not sent
	cleared  map[string]bool
	lacks    map[string]int // kinds of attachments in path whose texts the log does not have
}

// segment is an answer and what follows it, up to the next one: where it begins and ends in the
// path and in the list. A segment with too many prompts is cut, and another one continues it.
type segment struct {
	path, pathEnd, list, listEnd int
	isCut                        bool
}

func (v *view) has(r *record) bool {
	at, ok := v.at[r]
	return ok && at < len(v.path) && v.path[at] == r
}

// chain returns how much of the path the chain of a record shares, and the rest of the chain.
func (v *view) chain(leaf *record, most int) (keep int, tail []*record, stop *record) {
	for r := leaf; r != nil && len(tail) <= most; r = r.up {
		if v.has(r) {
			slices.Reverse(tail)
			if keep = v.at[r] + 1; keep == v.anchor {
				keep = v.keptEnd
			}
			return keep, tail, v.stop
		}
		if r.mark == isBoundary {
			stop = r
			break
		}
		tail = append(tail, r)
		if r.mark == isClearEcho {
			stop = r
			if p := r.up; p != nil && p.isCaveat() {
				tail = append(tail, p)
			}
			break
		}
	}
	slices.Reverse(tail)
	return 0, tail, stop
}

// isCaveat reports whether a record is the warning before the echo of a command.
func (r *record) isCaveat() bool {
	return r.fate == fromClient && warns(textOf(r.parts))
}

func warns(text string) bool {
	return strings.HasPrefix(text, "<local-command-caveat>") || strings.HasPrefix(text, "Caveat: ")
}

// extend makes the view that of the chain of a record, for a call at a position, to a model.
func (s *session) extend(c *conversation, leaf *record, limit int, model string) {
	v := &c.view
	keep, tail, stop := v.chain(leaf, len(s.records))
	var kept []*record
	if keep == 0 && stop != nil && stop.boundary != nil {
		kept = stop.boundary.kept
		tail = withKept(stop.boundary, tail)
	}
	if keep == 0 {
		v.anchor, v.keptEnd = 0, 0
		if len(kept) > 0 && stop.boundary.anchors != nil {
			v.anchor = slices.Index(tail, stop.boundary.anchors) + 1
			for v.keptEnd = v.anchor; v.keptEnd < len(tail) && slices.Contains(kept, tail[v.keptEnd]); v.keptEnd++ {
			}
		}
	}
	says := func(r *record) bool { return r.mark == isMicro || r.mark == isStripped }
	all := keep == 0 || model != "" && v.model != model && v.model != "" || slices.ContainsFunc(v.path[keep:], says) || slices.ContainsFunc(tail, says)
	v.countLacks(v.path[keep:], -1)
	v.countLacks(tail, 1)
	v.path, v.stop, v.model = append(v.path[:keep], tail...), stop, cmp.Or(model, v.model)
	for i, r := range tail {
		v.at[r] = keep + i
	}
	for _, r := range kept {
		delete(v.at, r) // a chain that leads to it is that before the compaction
	}
	from := keep
	// Results that were recorded since belong to earlier answers.
	for ; v.next < len(c.results) && c.results[v.next].pos < limit; v.next++ {
		r := c.results[v.next]
		if a := r.up.content(); a != nil && v.has(a) && !v.has(r) {
			from = min(from, v.at[a])
		}
	}
	v.limit = limit
	if all {
		from = 0
		v.state()
	}
	s.render(c, from)
}

func (v *view) countLacks(list []*record, n int) {
	for _, r := range list {
		if a := r.attachment; a != nil && a.lacks {
			if v.lacks == nil {
				v.lacks = map[string]int{}
			}
			v.lacks[a.kind] += n
		}
	}
}

// withKept returns the records after a boundary together with those that it kept.
func withKept(b *boundary, rest []*record) []*record {
	kept := slices.DeleteFunc(slices.Clone(b.kept), func(r *record) bool { return slices.Contains(rest, r) })
	at := 0
	if b.anchors != nil {
		at = slices.Index(rest, b.anchors) + 1
	}
	return slices.Insert(slices.Clone(rest), at, kept...)
}

// state finds what the records of the path say about others.
func (v *view) state() {
	v.cut, v.cleared = -1, nil
	for i, r := range v.path {
		switch r.mark {
		case isStripped:
			v.cut = i
		case isMicro:
			for _, id := range r.cleared {
				if v.cleared == nil {
					v.cleared = map[string]bool{}
				}
				v.cleared[id] = true
			}
		}
	}
}

// begins reports whether a record begins a segment, unless it continues one.
func (r *record) begins() bool { return r.fate == fromModel && r.mark != isApiError }

// isUser reports whether something of a record is sent that is not the model's.
func (r *record) isUser() bool {
	if a := r.attachment; a != nil {
		return len(a.texts)+len(a.surfaced) > 0
	}
	return r.fate == fromClient && !r.hidden
}

// repeats reports whether a record of the path belongs to an answer that stands in it before what
// it follows, such as the result of one of its calls. It was sent there.
func (v *view) repeats(at int) bool {
	r := v.path[at]
	if !r.begins() || at == 0 || len(r.answer.records) == 1 {
		return false
	}
	return slices.ContainsFunc(r.answer.records, func(x *record) bool { return v.has(x) && v.at[x] < at })
}

// The client merges all prompts without an answer into one message. Each interrupt makes that
// message again, so its size is limited: mostPrompts are merged as the client does, and the prompts
// that follow are merged in groups of morePrompts. The provider merges these messages itself.
const (
	mostPrompts = 512
	morePrompts = 16
)

// render makes the messages of the path, of which the records before an index did not change.
func (s *session) render(c *conversation, from int) {
	v := &c.view
	old := v.list
	for len(v.segments) > 0 && v.segments[len(v.segments)-1].path >= from {
		v.segments = v.segments[:len(v.segments)-1]
	}
	if n := len(v.segments); n > 0 {
		last := v.segments[n-1]
		isWhole := last.pathEnd == from && (from == len(v.path) || v.path[from].begins() && !v.repeats(from) && last.listEnd > 0 && old[last.listEnd-1].Role != series.Assistant)
		if !isWhole {
			v.segments = v.segments[:n-1]
		}
	}
	start, length := 0, 0
	if n := len(v.segments); n > 0 {
		start, length = v.segments[n-1].pathEnd, v.segments[n-1].listEnd
	}
	v.list = v.list[:length]
	same := length
	for start < len(v.path) {
		end, hasUser, typed, isCut, most := start, false, 0, false, mostPrompts
		if n := len(v.segments); n > 0 && v.segments[n-1].isCut {
			most = morePrompts
		}
		for ; end < len(v.path) && !(hasUser && v.path[end].begins() && !v.repeats(end)); end++ {
			hasUser = hasUser || v.path[end].isUser()
			if v.path[end].mark == isTypedInput {
				if typed++; typed > most {
					isCut = true
					break
				}
			}
		}
		g := segment{path: start, pathEnd: end, list: len(v.list), isCut: isCut}
		made := s.messagesOf(c, start, end, false)
		if n := len(made) - 1; n >= 0 && isCut {
			made[n] = cmp.Or(withNewline(made[n]), made[n])
		}
		for _, m := range made {
			at := len(v.list)
			if at < len(old) && isSameMessage(old[at], m) {
				m = old[at]
				if same == at {
					same++
				}
			}
			v.list = append(v.list, m)
		}
		g.listEnd = len(v.list)
		v.segments = append(v.segments, g)
		start = end
	}
	v.low = min(v.low, same)
}

func isSameMessage(a, b *series.Message) bool {
	return a.Value == b.Value && a.ID == b.ID && slices.EqualFunc(a.Parts, b.Parts, func(x, y *series.Part) bool { return x.ID == y.ID })
}

// lastTurn returns the index in list from which the last request has other messages than a later
// one, and these messages.
func (s *session) lastTurn(c *conversation) (at int, list []*series.Message) {
	v := &c.view
	if len(v.segments) == 0 {
		return 0, nil
	}
	g := v.segments[len(v.segments)-1]
	if !slices.ContainsFunc(v.path[g.path:], func(r *record) bool { return r.attachment != nil && r.attachment.isLate }) {
		return 0, nil
	}
	return g.list, s.messagesOf(c, g.path, g.pathEnd, true)
}

// placed is a record with its index in the path, or -1 if it is not in the path.
type placed struct {
	*record
	at int
}

// complete returns records of the path, with all records of their answers and all results that were
// recorded before the call, which are in the order of the source.
func (s *session) complete(c *conversation, from, to int) (out []placed) {
	v := &c.view
	var beside []*record // results that are not in the path
	add := func(limit int) {
		for len(beside) > 0 && beside[0].pos < limit {
			out = append(out, placed{beside[0], -1})
			for _, y := range beside[0].attached {
				out = append(out, placed{y, -1})
			}
			beside = beside[1:]
		}
	}
	var results []*record // of the latest answer
	last := -1            // the index of the last of them in the path
	for i := from; i < to; {
		r := v.path[i]
		if v.repeats(i) {
			i++
			continue
		}
		if !r.begins() {
			if len(beside) > 0 && slices.Contains(results, r) {
				add(r.pos)
			}
			out = append(out, placed{r, i})
			if i == last {
				add(math.MaxInt)
			}
			i++
			continue
		}
		a := r.answer
		for _, x := range a.records {
			out = append(out, placed{x, i})
		}
		for i < to && v.path[i].answer == a {
			i++
		}
		results = a.results
		for _, x := range results {
			if !v.has(x) && !slices.Contains(v.path[from:to], x) && v.isBefore(c, x) {
				beside = append(beside, x)
			}
		}
		if len(beside) == 0 {
			continue
		}
		for last = to - 1; last >= i && !slices.Contains(results, v.path[last]); last-- {
		}
		if last < i {
			add(math.MaxInt)
		}
	}
	return out
}

// isBefore reports whether a result was recorded before the call.
func (v *view) isBefore(c *conversation, x *record) bool {
	if c.fork != nil && x.file == c.fork.file && x.conversation != c {
		return x.pos <= c.fork.pos
	}
	return x.pos < v.limit
}
