package search

import (
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/source"
)

// advance makes the snapshots between the latest call and the record at end, which makes a call
// that follows the record leaf, or is the end of the file: boundaries divide the records.
func (s *sessionTape) advance(leaf, end int32, isCall bool) error {
	if isCall && s.requests > 0 && s.isPlain(leaf, end) {
		return s.snapshot(s.rows, stateOfCall)
	}
	root, isFirst := s.anchor, true
	for {
		stop := root + 1
		for stop < end && !s.isStop(stop) {
			stop++
		}
		p := stretch{root: root, end: stop, isStop: root >= 0 && !isFirst, isCall: isCall && stop == end, isLast: stop == end, leaf: leaf, synthetic: stop}
		if s.requests == 0 && !p.isLast { // no call was sent this
			s.unsent = s.unsent || slices.ContainsFunc(s.records[max(root, 0):stop], func(r record) bool { return r.from < r.to })
		} else if err := s.stretch(&p, isFirst); err != nil || p.isLast {
			return err
		}
		if p.isLast {
			return nil
		}
		root, isFirst = stop, false
	}
}

// isPlain reports whether the records between the latest call and the next one are its answer and
// what follows that, one after another, as most are, and lists those that are sent.
func (s *sessionTape) isPlain(leaf, end int32) bool {
	if leaf != end-1 {
		return false
	}
	s.rows = s.rows[:0]
	last := source.RowAnswer
	for i := s.anchor; i < end; i++ {
		r := &s.records[i]
		if i > s.anchor && r.parent != i-1 || r.kind != last && r.kind != source.RowUser {
			return false
		}
		if last = r.kind; r.from < r.to {
			s.rows = append(s.rows, i)
		}
	}
	return true
}

// isStop reports whether the chain of records ends at one: at a boundary, or at the echo of a
// command that restarts the conversation unless that begins the file.
func (s *sessionTape) isStop(at int32) bool {
	r := &s.records[at]
	up := r.parent
	return r.kind == source.RowBoundary || r.kind == source.RowClear && up >= 0 && !(s.records[up].isWarning && s.records[up].parent < 0)
}

// stretch is the records from one after root to end. Root is the first record of the latest answer,
// a boundary, or -1.
type stretch struct {
	root, end, leaf        int32
	isStop, isCall, isLast bool
	interrupts             []int32
	synthetic              int32 // the first answer on the path that no model wrote; what follows it does not follow the latest answer
}

// stretch makes the snapshots of a stretch.
func (s *sessionTape) stretch(p *stretch, isAnswer bool) error {
	isAnswer = isAnswer && s.requests > 0
	if err := s.order(p, isAnswer); err != nil {
		return err
	}
	rows := s.rows
	take := func(until int32) []int32 { // the rows before a record
		n := 0
		for n < len(rows) && (rows[n] < until || isAnswer && s.records[rows[n]].kind == source.RowAnswer) {
			n++
		}
		taken := rows[:n]
		rows = rows[n:]
		return taken
	}
	next := func(i int) int32 {
		if i < len(p.interrupts) {
			return p.interrupts[i]
		}
		return p.end
	}
	isWhole := p.isLast && !p.isCall // what follows the last event belongs to it
	s.isFollowed = p.isCall
	if p.isCall && s.requests > 0 && p.synthetic < p.end && (p.isStop || len(p.interrupts) > 0) {
		return errIrregular
	}
	switch {
	case s.requests == 0:
		p.interrupts = nil
	case p.isStop:
		s.anew(s.records[p.root].kind == source.RowBoundary)
		list := take(s.settled(p.root, next(0), isWhole && len(p.interrupts) == 0) + 1)
		if s.mayBeBeside && s.quotes(list) || s.mayBeSummary(p.root, list) {
			return errIrregular
		}
		if err := s.snapshot(list, stateOfEvent); err != nil {
			return err
		}
	case !p.isCall || len(p.interrupts) > 0:
		list := take(min(next(0), p.synthetic))
		if len(list) > 0 && s.records[list[0]].kind != source.RowAnswer {
			return errIrregular
		}
		if len(list) == 0 {
			break // the answer is empty
		}
		if err := s.snapshot(list, stateOfAnswer); err != nil {
			return err
		}
		s.endState = isWhole && len(p.interrupts) == 0
	}
	if s.requests > 0 && (p.isStop || len(p.interrupts) > 0) {
		s.mayBeBeside = false
	}
	for i, at := range p.interrupts {
		leaf := at
		if isWhole && i == len(p.interrupts)-1 {
			leaf = s.settled(at, p.end, true)
		}
		if err := s.snapshot(take(leaf+1), stateOfEvent); err != nil {
			return err
		}
	}
	if p.isCall {
		return s.snapshot(rows, stateOfCall)
	}
	if slices.ContainsFunc(rows, func(i int32) bool { return s.records[i].kind != source.RowSynthetic }) {
		return errIrregular
	}
	return nil
}

// order lists the records of a stretch that are sent, in the order in which they are: the latest
// answer, the results of its calls, and what follows. Results of parallel calls need not be on the
// path.
func (s *sessionTape) order(p *stretch, isAnswer bool) error {
	if !p.isCall { // the last record that is sent
		p.leaf = p.root
		for i := p.end - 1; i > p.root; i-- {
			if r := &s.records[i]; r.from < r.to && r.kind != source.RowAnswer && r.kind != source.RowSynthetic {
				p.leaf = i
				break
			}
		}
	}
	for i := p.leaf; i != p.root; i = s.records[i].parent {
		if i < p.root {
			return errIrregular // the conversation was rewound
		}
		s.records[i].isOnPath = true
	}
	s.rows = s.rows[:0]
	if p.root >= 0 {
		if r := &s.records[p.root]; r.kind == source.RowClear && r.parent >= 0 && s.records[r.parent].isWarning {
			return errIrregular // the warning is sent again
		}
		if p.isStop && s.records[p.root].from < s.records[p.root].to {
			s.rows = append(s.rows, p.root)
		}
	}
	if isAnswer {
		for i := p.root; i < p.end; i++ {
			if r := &s.records[i]; r.kind == source.RowAnswer && r.from < r.to {
				s.rows = append(s.rows, i)
			}
		}
	}
	s.path, s.off = s.path[:0], s.off[:0]
	for i := p.root + 1; i < p.end; i++ {
		r := &s.records[i]
		switch {
		case r.kind == source.RowAnswer && isAnswer:
			continue
		case r.kind == source.RowAnswer:
			return errIrregular
		case r.isOnPath:
		case r.from == r.to:
			continue
		case !isAnswer || r.kind != source.RowUser || !s.answers(r):
			return errIrregular
		default:
			s.off = append(s.off, i)
			continue
		}
		if r.kind == source.RowSynthetic {
			p.synthetic = min(p.synthetic, i)
		}
		if r.kind == source.RowInterrupt {
			p.interrupts = append(p.interrupts, i)
		}
		if r.from < r.to {
			s.path = append(s.path, i)
		}
	}
	if len(s.off) > 0 && len(p.interrupts) > 0 && !s.isSorted() {
		return errIrregular
	}
	s.merge()
	return nil
}

// merge adds what is on the path, and the results beside it, each before the results on the path
// that stand after it in the file.
func (s *sessionTape) merge() {
	last := -1 // result on the path
	for n := len(s.path) - 1; n >= 0 && last < 0 && len(s.off) > 0; n-- {
		if s.answers(&s.records[s.path[n]]) {
			last = n
		}
	}
	off := s.off
	for n, i := range s.path {
		for len(off) > 0 && (n > last || off[0] < i && s.answers(&s.records[i])) {
			s.rows, off = append(s.rows, off[0]), off[1:]
		}
		s.rows = append(s.rows, i)
	}
	s.rows = append(s.rows, off...)
}

// isSorted reports whether results beside the path come before all that is on it, except one record
// with results: then each part of the records is sent in the order of the file.
func (s *sessionTape) isSorted() bool {
	results := 0
	for _, i := range s.path {
		r := &s.records[i]
		if r.results && r.kind == source.RowUser {
			results++
		} else if i < s.off[len(s.off)-1] {
			return false
		}
	}
	return results <= 1
}

// answers reports whether a record has results and follows a record of the latest answer.
func (s *sessionTape) answers(r *record) bool {
	if !r.results {
		return false
	}
	up := r.parent
	for up > s.anchor && s.records[up].isSkipped {
		up = s.records[up].parent
	}
	return up >= s.anchor && s.records[up].kind == source.RowAnswer
}

// settled returns the last of the records that follow an event before a position: before an answer
// and, unless they end the file, before what a person wrote.
func (s *sessionTape) settled(leaf, until int32, isWhole bool) int32 {
	for i := leaf + 1; i < until; i++ {
		r := &s.records[i]
		if r.parent != leaf {
			continue
		}
		if r.isPerson && !isWhole || r.kind == source.RowAnswer || r.kind == source.RowSynthetic || r.kind == source.RowError {
			break
		}
		leaf = i
	}
	return leaf
}

// quotes reports whether records may contain the latest answer, or a line of it, which makes its
// call a side call.
func (s *sessionTape) quotes(rows []int32) bool {
	var lines []string
	for i := s.anchor; i < int32(len(s.records)); i++ {
		if r := &s.records[i]; r.kind == source.RowAnswer {
			for _, n := range s.flat[r.from:r.to] {
				if n.kind == "text" {
					said, _ := n.content.Text()
					lines = append(lines, strings.Split(strings.NewReplacer("<summary>", "", "</summary>", "").Replace(said), "\n")...)
				}
			}
		}
	}
	for _, k := range rows {
		for _, m := range s.flat[s.records[k].from:s.records[k].to] {
			text, ok := m.content.Text()
			if slices.ContainsFunc(lines, func(l string) bool { return !ok || strings.Contains(text, strings.TrimSpace(l)) }) {
				return true
			}
		}
	}
	return false
}

// mayBeSummary reports whether what enters after a compaction has no summary, but something that a
// person wrote: if it reads as a summary, it begins no turn.
func (s *sessionTape) mayBeSummary(root int32, rows []int32) bool {
	return s.records[root].kind == source.RowBoundary && !slices.ContainsFunc(rows, func(i int32) bool { return s.records[i].isSummary }) &&
		slices.ContainsFunc(rows, func(i int32) bool { return s.records[i].isPerson })
}

// anew empties the tree at a boundary. A compaction in a turn that is not complete leaves its core.
func (s *sessionTape) anew(isCompaction bool) {
	if s.goesOn = 0; isCompaction && s.segment >= 0 && !s.isSealed {
		s.goesOn = s.nodes[s.segment+1].number
	}
	s.nodes, s.sealed = s.nodes[:s.head+1], s.sealed[:0]
	s.turn, s.segment, s.first, s.last, s.isSealed = 0, -1, s.calls+1, lastRow{}, false
}

// never is the cycle of a segment whose turn is not finished.
const never = math.MaxInt32

// stateKind is what a snapshot is of.
type stateKind uint8

const (
	stateOfCall stateKind = iota
	stateOfAnswer
	stateOfEvent
)

// snapshot puts what entered on the tape, as the next snapshot shows it. That with an answer ends
// the turn unless calls wait for results, or something follows.
func (s *sessionTape) snapshot(rows []int32, kind stateKind) error {
	s.calls++
	log := int32(-1)
	if len(s.nodes) == 0 {
		log = s.regions()
	}
	for _, i := range rows {
		if err := s.put(&s.records[i], kind == stateOfEvent); err != nil {
			return err
		}
	}
	s.goesOn = 0
	if log >= 0 {
		s.nodes[log].number = s.number(baseCont)
	}
	switch kind {
	case stateOfAnswer:
		if !s.last.isClient && !slices.ContainsFunc(rows, func(i int32) bool { return s.records[i].calls }) {
			s.seal()
		}
	case stateOfCall:
		if s.isSealed {
			return errIrregular // the turn goes on
		}
		s.mayBeBeside = s.requests > 0 && len(rows) > 0 && s.last.isClient && s.last.hasText && !s.last.isSummary
	}
	return nil
}

// regions begins the tape. It returns where the container of the settings is, or -1.
func (s *sessionTape) regions() (log int32) {
	log = -1
	s.nodes = append(s.nodes, node{base: baseRoot, id: "root", parent: -1}, node{base: baseSys, id: "^sys"})
	if s.hasModel {
		log = int32(len(s.nodes))
		s.nodes = append(s.nodes, node{base: baseCont, isLog: true, parent: 1})
	}
	s.head = int32(len(s.nodes)) + 1
	s.nodes = append(s.nodes, node{base: baseSeq, id: "^seq"}, node{base: baseHead, id: "^ah"})
	return log
}

// number assigns a node its number among the nodes of its base.
func (s *sessionTape) number(b base) int32 {
	s.made[b]++
	return s.made[b]
}

// put puts the blocks of a record on the tape. A block has the id of its call; otherwise the first
// block has that of the record. What a person wrote begins a turn, and so does what an event adds
// to a finished one.
func (s *sessionTape) put(r *record, isEvent bool) error {
	isJoined := s.join(r)
	l := &s.last
	if isJoined && l.isFresh && l.from < s.calls {
		s.rejoin()
	}
	if isJoined && r.results && l.hasText || s.isSealed && !isEvent && !r.isPerson {
		return errIrregular
	}
	if !isJoined {
		*l = lastRow{}
	}
	starts := r.isPerson && !(isJoined && l.isPerson)
	if s.segment < 0 || (starts || s.isSealed) && s.hasMessage {
		l.isFresh = s.segment >= 0 && !starts
		s.seal()
		s.turn++
		s.isSealed, s.hasMessage = false, false
		s.segment = int32(len(s.nodes))
		core := s.goesOn
		if core == 0 || starts {
			core = s.number(baseCont)
		}
		s.goesOn = 0
		s.nodes = append(s.nodes,
			node{base: baseSeg, turn: s.turn, parent: s.head - 1, from: never},
			node{base: baseCont, turn: s.turn, parent: s.segment, number: core, from: s.calls})
	}
	for k := r.from; k < r.to; k++ {
		n := s.flat[k]
		n.turn, n.parent, n.from = s.turn, s.segment+1, s.calls
		l.hasText = l.hasText || n.kind != "result"
		switch {
		case n.kind == "call":
			calls := len(s.ids)
			s.ids[n.call] = struct{}{}
			if len(s.ids) == calls {
				return errIrregular
			}
			n.id, n.key = n.call, n.call
		case k == r.from:
			n.id = r.uuid
		default:
			n.number = s.number(baseBlock)
		}
		s.nodes = append(s.nodes, n)
	}
	s.hasMessage = s.hasMessage || r.results || r.isPerson || r.kind == source.RowAnswer || r.kind == source.RowSynthetic
	l.isEvent = isEvent
	l.at, l.from, l.isText = int32(len(s.nodes)-1), s.calls, s.flat[r.to-1].kind == "text"
	l.isClient, l.isPerson, l.isSummary = r.kind != source.RowAnswer && r.kind != source.RowSynthetic, r.isPerson, r.isSummary
	if l.results, l.reminds = l.results || r.results, l.reminds || r.reminds; l.results && l.reminds {
		return errIrregular // the reminder may be sent in the result
	}
	return nil
}

// rejoin returns what an event added to a finished turn to that turn, as the history does when more
// is added to its message.
func (s *sessionTape) rejoin() {
	at := s.segment
	s.nodes = slices.Delete(s.nodes, int(at), int(at)+2)
	s.turn--
	for s.segment--; s.nodes[s.segment].base != baseSeg; {
		s.segment--
	}
	for i := range s.nodes[at:] {
		n := &s.nodes[int(at)+i]
		n.turn, n.parent = s.turn, s.segment+1
	}
	s.isSealed, s.hasMessage, s.first = true, true, s.calls
	s.last.at -= 2
	s.last.isFresh = false
}

// join reports whether a record is sent in one message with the last one. A text that follows
// another one begins on a new line.
func (s *sessionTape) join(r *record) bool {
	l := &s.last
	if !l.isClient || r.kind == source.RowAnswer || r.kind == source.RowSynthetic {
		return false
	}
	if l.isText && s.flat[r.from].kind == "text" {
		n := &s.nodes[l.at]
		if n.content.Raw += `\n`; n.content.Form == plain {
			n.content.Form = escaped
		}
		if n.joined = s.calls; l.isEvent && s.isFollowed {
			n.joined = 0 // the state of the event has the newline, because a call is sent the text
		}
	}
	return true
}

// seal finishes the last turn.
func (s *sessionTape) seal() {
	if s.segment < 0 || s.isSealed {
		return
	}
	n := &s.nodes[s.segment]
	n.number, n.from = s.number(baseSeg), s.calls
	s.sealed = append(s.sealed, s.calls)
	s.isSealed = true
}

// finish makes the last snapshots.
func (s *sessionTape) finish() error {
	if err := s.advance(-1, int32(len(s.records)), false); err != nil {
		return err
	}
	for id := range s.ids {
		if _, isRecord := s.at[id]; isRecord {
			return errIrregular
		}
	}
	s.cycles = s.calls
	return nil
}
