package source

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread/series"
)

// boundary is a compaction: what it says, and the records that it kept.
type boundary struct {
	trigger            string
	before, after      int64
	ids                []string
	head, tail, anchor string

	kept    []*record
	anchors *record // the record after which the kept ones are sent; nil for the boundary itself
}

func boundaryOf(v value) *boundary {
	got := v.pick("trigger", "preTokens", "postTokens", "preservedMessages", "preservedSegment")
	b := &boundary{trigger: strings.Clone(got[0].text())}
	before, _ := got[1].integer()
	after, _ := got[2].integer()
	b.before, b.after = int64(before), int64(after)
	messages, segment := got[3].pick("allUuids", "uuids", "anchorUuid"), got[4].pick("headUuid", "tailUuid", "anchorUuid")
	list := messages[0]
	if !list.is('[') {
		list = messages[1]
	}
	for _, id := range list.elements() {
		b.ids = append(b.ids, strings.Clone(id.text()))
	}
	b.head, b.tail = strings.Clone(segment[0].text()), strings.Clone(segment[1].text())
	b.anchor = strings.Clone(cmp.Or(messages[2].text(), segment[2].text()))
	return b
}

// lane separates the records of a file that are chained in its order if they name no parents.
type lane struct {
	side           bool
	agent, session string
}

// link finds the parents of records, the copies, the answers and the conversations.
func (s *session) link() {
	for _, f := range s.files {
		f.linked = slices.ContainsFunc(f.records, func(r *record) bool { return r.parent != "" && s.byUUID[r.parent] != nil })
		last := map[lane]*record{}
		for _, r := range f.records {
			l := lane{side: r.side, agent: r.agent}
			if !f.linked {
				l.session = r.session
			}
			s.linkRecord(r, last[l])
			last[l] = r
		}
	}
	for _, r := range s.records {
		if r.fate == fromModel {
			s.join(r)
		}
	}
	s.findCopies()
	s.preserve()
	s.cut()
	for _, r := range s.records {
		p := r.up
		if p == nil || r.same != nil {
			continue
		}
		if p.file == r.file {
			p.continued = true
		}
		if p.next == nil && (r.pos > p.pos || p.mark == isBoundary) {
			p.next = r
		}
	}
	for _, r := range s.records {
		if r.same == nil {
			s.place(r)
		}
	}
}

// cut ends each chain of parents that leads back to itself, at its first record in the source.
func (s *session) cut() {
	walk := make([]int, len(s.records)) // the number of the walk that came to a record
	for i, r := range s.records {
		at := r
		for at != nil && at.mark != isBoundary && walk[at.pos] == 0 {
			walk[at.pos], at = i+1, at.up
		}
		if at == nil || at.mark == isBoundary || walk[at.pos] != i+1 {
			continue
		}
		first := at
		for x := at.up; x != at; x = x.up {
			if x.pos < first.pos {
				first = x
			}
		}
		first.up = nil
		s.noteAt(first, engine.ErrCycleDetected, "the parents of the record lead back to it; its chain begins here")
	}
}

// linkRecord finds the parent of a record. last is the record before it.
func (s *session) linkRecord(r, last *record) {
	switch {
	case r.mark == isBoundary:
	case r.parent != "":
		if r.up = s.byUUID[r.parent]; r.up != nil && r.up != r {
			return
		}
		r.up = last
		if last == nil {
			s.noteAt(r, engine.ErrNotFound, "the parent of the record is not in the file; its chain begins here")
		} else {
			s.noteAt(r, engine.ErrNotFound, "the parent of the record is not in the file; it is assumed to follow the record before it")
		}
	case !r.file.linked:
		r.up = last
	case r.file.fork != "":
		if p := s.byUUID[r.file.fork]; p != nil && p.file != r.file {
			r.up = p
		}
	}
}

// join assigns a record of the assistant to its answer (C9): that with the id of its message, or
// else of its request, or else the one that its parent belongs to, if both have the same usage.
// Messages with one id and different requests are different answers.
func (s *session) join(r *record) {
	id := r.api
	if id == "" && r.request != "" {
		id = "request " + r.request
	}
	if id == "" {
		if p := r.up; p != nil && p.fate == fromModel && p.answer != nil && p.api == "" && p.request == "" && p.usage != "" && inputOf(p.usage) == inputOf(r.usage) {
			r.answer = p.answer
		} else {
			r.answer = &answer{}
		}
	} else {
		if a := s.answers[id]; a != nil && r.request != "" && a.records[0].request != "" && a.records[0].request != r.request {
			id += " " + r.request // clients other than that of the vendor number the messages of a session
		}
		if r.answer = s.answers[id]; r.answer == nil {
			r.answer = &answer{id: id}
			s.answers[id] = r.answer
		}
	}
	a, k := r.answer, contentKey{count: len(r.parts)}
	if len(r.parts) > 0 {
		k.first = r.parts[0].Value
	}
	for _, x := range a.byText[k] {
		if x.isLike(r) {
			s.isCopy(r, x)
			if moreUsage(r.usage, x.usage) {
				x.usage = r.usage
			}
			return
		}
	}
	if a.byText == nil {
		a.byText = map[contentKey][]*record{}
	}
	a.records, a.byText[k] = append(a.records, r), append(a.byText[k], r)
}

// contentKey is equal for records of the assistant with the same content.
type contentKey struct {
	count int
	first string
}

// inputOf returns the counts of a usage that are known when an answer begins.
func inputOf(usage string) [3]int {
	return [3]int{countOf(usage, "input_tokens"), countOf(usage, "cache_read_input_tokens"), countOf(usage, "cache_creation_input_tokens")}
}

// isLike reports whether two records have the same content.
func (r *record) isLike(o *record) bool {
	equal := func(a, b *series.Part) bool { return a.Value == b.Value }
	if r.fate != o.fate || !slices.EqualFunc(r.parts, o.parts, equal) || (r.attachment == nil) != (o.attachment == nil) {
		return false
	}
	return r.attachment == nil || r.attachment.kind == o.attachment.kind && slices.EqualFunc(r.attachment.texts, o.attachment.texts, func(a, b []*series.Part) bool { return slices.EqualFunc(a, b, equal) })
}

// isCopy records that a record is a copy of another one, and so are their parents as far as they
// are alike.
func (s *session) isCopy(r, of *record) {
	for r != nil && of != nil && r != of && r.same == nil && r.pos > of.pos && r.isLike(of) {
		r.same = of
		if r.file != of.file {
			r.file.copies[of] = true
		}
		r, of = r.up.content(), of.up.content()
	}
}

// content returns the record or the first of its parents that is not bookkeeping.
func (r *record) content() *record {
	for n := 0; r != nil && r.fate == bookkeeping && r.mark != isBoundary; r, n = r.up, n+1 {
		if n > maxBookkeeping {
			return nil
		}
	}
	return r
}

// maxBookkeeping limits how many records in a row are skipped. Malformed chains may be cyclic.
const maxBookkeeping = 1 << 16

// original returns the record of which a record is a copy.
func (r *record) original() *record {
	for r != nil && r.same != nil {
		r = r.same
	}
	return r
}

// findCopies replaces parents by the records of which they are copies. What follows a copy is a
// copy, too, if something alike follows the original.
func (s *session) findCopies() {
	if !slices.ContainsFunc(s.records, func(r *record) bool { return r.same != nil }) {
		return
	}
	children := map[*record][]*record{}
	for _, r := range s.records {
		up := r.up.original()
		if wasCopy := up != r.up; wasCopy && r.same == nil && r.fate != fromModel {
			if i := slices.IndexFunc(children[up], r.isLike); i >= 0 {
				r.same = children[up][i]
				if r.file != r.same.file {
					r.file.copies[r.same] = true
				}
			}
		}
		if r.up = up; r.same == nil && up != nil && r.fate != fromModel {
			children[up] = append(children[up], r)
		}
	}
}

// preserve finds the records that compactions kept. What follows them in the file follows the
// summary.
func (s *session) preserve() {
	tails := map[*record][]*record{} // boundaries by the last record that they kept
	for i, r := range s.records {
		b := r.boundary
		if b == nil || r.mark != isBoundary || r.same != nil || len(b.ids) == 0 && b.tail == "" {
			continue
		}
		b.anchors = s.byUUID[b.anchor].original()
		if b.anchors == r {
			b.anchors = nil
		}
		find := func(id string) *record { return s.byUUID[id].original() }
		for _, id := range b.ids {
			if x := find(id); x != nil {
				b.kept = append(b.kept, x)
			}
		}
		tail := find(b.tail)
		if len(b.kept) > 0 {
			tail = b.kept[len(b.kept)-1]
		}
		if tail != nil && tail.pos > r.pos {
			s.restore(tail, r, i)
		}
		if len(b.ids) == 0 {
			b.kept = segmentOf(find(b.head), tail)
			if b.kept == nil {
				s.noteAt(r, engine.ErrNotFound, "the segment that a compaction kept is not in the file; it is left out")
			}
		}
		if len(b.kept) > 0 {
			tails[tail] = append(tails[tail], r)
		}
	}
	if len(tails) == 0 {
		return
	}
	for _, r := range s.records {
		for _, b := range slices.Backward(tails[r.up]) {
			if b.pos < r.pos && r.mark != isBoundary && r.side == b.side && r.agent == b.agent {
				if r.up = b.boundary.anchors; r.up == nil {
					r.up = b
				}
				break
			}
		}
	}
}

// restore finds the parent that a kept record had before the compaction, if it was written again
// with the summary as its parent: the record before the boundary.
func (s *session) restore(tail, b *record, at int) {
	for n := 0; tail != nil && n <= len(s.records); tail, n = tail.up, n+1 {
		if tail.pos > b.pos {
			tail.restored = b
		}
		if up := tail.up; tail.pos > b.pos && (up == nil || up == b || up == b.boundary.anchors) {
			for at--; at >= 0; at-- {
				if x := s.records[at]; x.same == nil && x.file == b.file && x.side == b.side && x.agent == b.agent {
					tail.up = x
					break
				}
			}
			return
		}
	}
}

// segmentOf returns the records from a first to a last one.
func segmentOf(head, tail *record) (list []*record) {
	for n := 0; head != nil && tail != nil && tail.mark != isBoundary && n < maxBookkeeping; tail, n = tail.up, n+1 {
		list = append(list, tail)
		if tail == head {
			slices.Reverse(list)
			return list
		}
	}
	return nil
}

// place finds the conversation of a record, and the answer that it follows.
func (s *session) place(r *record) {
	var waiting []*record // its parents, which may stand after it in the file
	for at := r; at != nil && at.conversation == nil && len(waiting) <= len(s.records); at = at.up {
		waiting = append(waiting, at)
		if at.mark == isBoundary {
			if p := s.byUUID[at.logical].original(); p != nil && p.conversation != nil {
				at.conversation = p.conversation
			}
			break
		}
	}
	for _, at := range slices.Backward(waiting) {
		if at.conversation == nil {
			at.conversation = s.conversationOf(at)
		}
		p := at.up
		switch {
		case p == nil, at.mark == isBoundary, at.mark == isClearEcho:
		case p.fate == fromModel && p.mark != isApiError:
			at.after = p.answer
		default:
			at.after = p.after
		}
	}
	if r.fate == fromModel {
		return
	}
	if p := r.up; r.attachment != nil && p != nil {
		if r.base = p.base; p.attachment == nil {
			r.base = p
		}
		if r.base != nil {
			r.base.attached = append(r.base.attached, r)
		}
	}
	if a := r.after; a != nil && a.records[0].conversation == r.conversation && (len(r.parts) > 0 || r.attachment != nil) {
		a.followers = append(a.followers, r)
	}
	if r.after != nil {
		s.answersOnce(r)
	}
	isResult := slices.ContainsFunc(r.parts, isResult)
	if !r.summary && !isResult {
		return
	}
	p := r.up.content()
	if r.summary && p != nil && p.mark != isBoundary && len(p.parts) > 0 {
		s.noteAt(r, "", "there is no compact boundary before the summary; the messages before it count as sent")
	}
	if isResult && p != nil && p.fate == fromModel {
		p.answer.results = append(p.answer.results, r)
		r.conversation.results = append(r.conversation.results, r)
	}
}

// answersOnce notes the results of a record for calls that have one.
func (s *session) answersOnce(r *record) {
	for _, p := range r.parts {
		if !isResult(p) {
			continue
		}
		k := resultOf{r.conversation, idOf(p.Value, resultPart)}
		if r.after.answered[k] {
			s.noteAt(r, engine.ErrNodeIDDuplicate, "a second result for the call "+strconv.Quote(k.id))
		}
		if r.after.answered == nil {
			r.after.answered = map[resultOf]bool{}
		}
		r.after.answered[k] = true
	}
}

// resultOf identifies the call of a result.
type resultOf struct {
	conversation *conversation
	id           string
}

func isResult(p *series.Part) bool { return kindOf(p.Value) == resultPart }

// conversationOf returns the conversation of a record: that of its parent, otherwise that of its
// session or agent. If a file repeats the records of another one, and both go on, one is a fork.
func (s *session) conversationOf(r *record) *conversation {
	p := r.up
	if p != nil {
		own := p.conversation
		switch {
		case !r.side && !own.isAgent && !(r.file.copies[p] && p.continued), r.side && own.isAgent && (r.agent == "" || r.agent == own.agent):
			return own
		}
	}
	key := "session " + r.session
	agent := ""
	if r.side {
		agent = cmp.Or(r.agent, nameOfAgent(r.file.name), r.uuid)
		key = "agent " + agent
	}
	c := s.conversations[key]
	if c == nil {
		c = &conversation{key: key, isAgent: r.side, agent: agent, view: view{at: map[*record]int{}}}
		s.conversations[key] = c
		if p != nil && r.side {
			c.fork = p
			if c.kind = sideKind(r.agent); c.kind != "" && !p.conversation.isAgent {
				c.of = p.conversation
			}
		}
	}
	return c
}

// nameOfAgent returns the name of an agent from that of its file.
func nameOfAgent(file string) string {
	base, _, _ := strings.Cut(path.Base(filepath.ToSlash(file)), ".")
	name, ok := strings.CutPrefix(base, "agent-")
	if !ok {
		return ""
	}
	return name
}

// sideKinds are what the ids of agents begin with that answer one question about the context of the
// session.
var sideKinds = map[string]string{"acompact": "compaction", "aside_question": "side question", "aprompt_suggestion": "prompt suggestion"}

func sideKind(agent string) string {
	if agent == "" {
		return "side question"
	}
	name, _, _ := strings.Cut(agent, "-")
	return sideKinds[name]
}
