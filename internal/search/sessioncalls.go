package search

import (
	"math"
	"slices"
)

// call makes the snapshot of a call whose first record follows another one: the chain of parents
// leads to the first record of the answer before it, or to a boundary.
func (s *sessionTape) call(parent int32) error {
	end := int32(len(s.records))
	stop := int32(-1)
	for i := parent; i != s.anchor; i = s.records[i].parent {
		if i < s.anchor {
			return errIrregular // the conversation was rewound
		}
		if s.records[i].what == isStop {
			stop = i
			break
		}
		s.records[i].isOnPath = true
	}
	s.shown = s.shown[:0]
	var err error
	if stop >= 0 {
		if s.anchor >= 0 {
			if err := s.answered(stop); err != nil {
				return err
			}
			s.shown = s.shown[:0]
		} else { // no call was sent what precedes the boundary
			s.unsent = slices.ContainsFunc(s.records[:stop], func(r record) bool { return r.what == isUser })
		}
		s.anew()
		err = s.enterAfter(stop+1, end)
	} else {
		err = s.enter(end)
	}
	if err != nil {
		return err
	}
	return s.snapshot()
}

// anew empties the tree at a boundary.
func (s *sessionTape) anew() {
	if s.calls == 0 {
		return
	}
	s.nodes, s.sealed = s.nodes[:s.head+1], s.sealed[:0]
	s.turn, s.segment, s.first = 0, -1, s.calls+1
}

// enterAfter lists the messages from a boundary on.
func (s *sessionTape) enterAfter(start, end int32) error {
	for i := start; i < end; i++ {
		switch r := &s.records[i]; {
		case r.what == isBeside:
		case r.what != isUser || !r.isOnPath || r.results:
			return errIrregular
		default:
			s.shown = append(s.shown, i)
		}
	}
	return nil
}

// enter lists the messages since the previous call: all of the answer, the results of its calls,
// and what follows. Results of parallel calls need not be on the path.
func (s *sessionTape) enter(end int32) error {
	s.answer(end)
	isLate, isBroken, isBrokenResult, isOff := false, false, false, false
	for i := max(s.anchor, 0); i < end; i++ {
		r := &s.records[i]
		switch {
		case r.what == isAnswer:
			continue
		case r.what == isBeside || r.what == isStop:
			isBroken = isBroken || r.isOnPath
			continue
		case !r.isOnPath:
			if !r.results || !s.areAnswers(r) {
				return errIrregular
			}
			isOff = true
		}
		if r.results {
			if isLate {
				return errIrregular
			}
			isBrokenResult = isBrokenResult || isBroken
		} else {
			isLate = true
		}
		s.shown = append(s.shown, i)
	}
	if isOff && isBrokenResult {
		return errIrregular
	}
	return nil
}

// answer lists the records of the latest answer.
func (s *sessionTape) answer(end int32) {
	for i := s.anchor; i >= 0 && i < end; i++ {
		if s.records[i].what == isAnswer {
			s.shown = append(s.shown, i)
		}
	}
}

// areAnswers reports whether all results of a record are of calls of the latest answer, whose
// records are listed.
func (s *sessionTape) areAnswers(r *record) bool {
	for _, n := range s.flat[r.from:r.to] {
		if n.kind != "result" {
			continue
		}
		if !slices.ContainsFunc(s.shown, func(i int32) bool {
			a := &s.records[i]
			return slices.ContainsFunc(s.flat[a.from:a.to], func(c node) bool { return c.kind == "call" && c.call == n.call })
		}) {
			return false
		}
	}
	return true
}

// never is the cycle of a segment whose turn is not finished.
const never = math.MaxInt32

// snapshot puts what entered on the tape, as the next snapshot shows it.
func (s *sessionTape) snapshot() error {
	s.calls++
	isFirst := len(s.nodes) == 0
	log := int32(-1)
	if isFirst {
		log = s.regions()
	}
	for _, i := range s.shown {
		if err := s.put(&s.records[i]); err != nil {
			return err
		}
	}
	if log >= 0 {
		s.nodes[log].number = s.number(baseCont)
	}
	return nil
}

// regions begins the tape. It returns where the container of the settings is, or -1.
func (s *sessionTape) regions() (log int32) {
	log = -1
	s.nodes = append(s.nodes, node{base: baseRoot, id: "root", parent: -1}, node{base: baseSys, id: "^sys"})
	if s.model {
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

// put puts the blocks of a message on the tape. A block has the id of its call; otherwise the first
// block has that of the record.
func (s *sessionTape) put(r *record) error {
	if s.segment < 0 || r.what == isUser && !r.results && !r.summary {
		s.seal()
		s.turn++
		s.segment = int32(len(s.nodes))
		s.nodes = append(s.nodes,
			node{base: baseSeg, turn: s.turn, parent: s.head - 1, from: never},
			node{base: baseCont, turn: s.turn, parent: s.segment, number: s.number(baseCont), from: s.calls})
	}
	for k := r.from; k < r.to; k++ {
		n := s.flat[k]
		n.turn, n.parent, n.from = s.turn, s.segment+1, s.calls
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
	return nil
}

// seal finishes the last turn.
func (s *sessionTape) seal() {
	if s.segment < 0 {
		return
	}
	n := &s.nodes[s.segment]
	n.number, n.from = s.number(baseSeg), s.calls
	s.sealed = append(s.sealed, s.calls)
}

// answered makes the snapshot with the last answer and what follows it before a record: what the
// next call would have been sent. It ends the turn unless calls in it wait for results, or
// something follows.
func (s *sessionTape) answered(end int32) error {
	s.shown = s.shown[:0]
	s.answer(end)
	isOpen := slices.ContainsFunc(s.shown, func(i int32) bool { return s.records[i].calls })
	answered := len(s.shown)
	s.follow(end)
	if err := s.snapshot(); err != nil {
		return err
	}
	if !isOpen && len(s.shown) == answered {
		s.seal()
	}
	return nil
}

// finish makes the last snapshot.
func (s *sessionTape) finish() error {
	if err := s.answered(int32(len(s.records))); err != nil {
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

// follow lists the messages before a record that follow the last answer.
func (s *sessionTape) follow(end int32) {
	for i := s.anchor + 1; i < end; i++ {
		r := &s.records[i]
		if p := r.parent; r.what != isStop && p >= s.anchor {
			r.follows = s.records[p].what == isAnswer || s.records[p].follows
		}
		if r.what != isUser {
			continue
		}
		if r.follows {
			s.shown = append(s.shown, i)
		} else {
			s.unsent = true
		}
	}
}
