package search

import (
	"context"
	"io"
	"math"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/thread/source"
)

// fileAnswer is what a session file contributes to the answer.
type fileAnswer struct {
	Outcome
	isSide bool  // the records are of an agent
	isOpen bool  // the last snapshot is that of the answer at the end
	cycles int32 // snapshots
	size   int
}

// sessionAnswers has the answers of session files that were read to find out which files belong
// together, by path. An answer is nil if only the history has it.
type sessionAnswers struct {
	mu     sync.Mutex
	byPath map[string]*fileAnswer
	size   int // of the matches
}

// maxAnswers limits the size of the matches that are kept. A file with more is read again. Tests
// change it.
var maxAnswers = 8 << 20

// put keeps the answer of a file.
func (s *sessionAnswers) put(path string, a *fileAnswer) {
	size := 0
	if a != nil {
		for i := range a.Matches {
			size += matchSize + len(a.Matches[i].Content)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size+size > maxAnswers {
		return
	}
	s.size += size
	if s.byPath == nil {
		s.byPath = map[string]*fileAnswer{}
	}
	s.byPath[path] = a
}

// room returns the size of the matches that can still be kept.
func (s *sessionAnswers) room() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maxAnswers - s.size
}

// matchSize is how much memory a match takes, about, without its content.
const matchSize = 256

// take returns the answer of a file, and forgets it. It returns false for a file that has none.
func (s *sessionAnswers) take(path string) (*fileAnswer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.byPath[path]
	delete(s.byPath, path)
	return a, ok
}

// sessionsHaveTapes reports whether session files of Claude Code may be searched by tapes.
func (r *run) sessionsHaveTapes() bool {
	o := &r.Sessions
	return r.Query.tape != nil && !o.ByTurn && o.Messages == "" && o.Edition != engine.Edition01
}

// link answers the query for a session file in the same pass that finds what links the file with
// others. It returns false if the pass cannot be made to the end.
func (r *run) link(ctx context.Context, path string, links *source.Links) bool {
	w := workers.Get().(*worker)
	defer w.free()
	w.session.links = links
	if !r.readSession(ctx, w, path) {
		r.answers.put(path, nil)
		return false
	}
	if a, ok := r.answer(w, 0, r.answers.room()); ok {
		r.answers.put(path, a)
	}
	return true
}

// readSession makes the tape of a session file. It returns false if the file has none.
func (r *run) readSession(ctx context.Context, w *worker, path string) bool {
	if ctx.Err() != nil {
		return false
	}
	text, ok := r.read(w, path)
	return ok && w.session.readFile(path, text) == nil
}

// answer searches the tape of a session file that follows some cycles of its history. The answer is
// nil if only the history has it; ok is false if its matches do not fit into room.
func (r *run) answer(w *worker, before int32, room int) (a *fileAnswer, ok bool) {
	s := &w.session
	s.before = before
	if r.Query.tape.lacks(&s.tape) {
		return nil, true
	}
	found, cycle := w.run.find(r.Query.tape, &s.tape)
	switch {
	case len(found) > 0 && !r.Query.tape.exact:
		return nil, true
	case !r.CountOnly && len(found)*matchSize > room:
		return nil, false
	}
	o := r.outcome(s.conversation(), &s.tape, found, cycle)
	return &fileAnswer{Outcome: o, isSide: s.side, isOpen: s.endState, cycles: s.cycles, size: len(w.buf)}, true
}

// answerOf returns the answer of a session file: the one that was found before, if there is one and
// it does not depend on what comes before the file.
func (t *task) answerOf(ctx context.Context, path string, before int32) *fileAnswer {
	if a, ok := t.answers.take(path); ok && (before == 0 || t.Query.tape.at.Kind == ast.Relative) {
		if a != nil {
			for i := range a.Matches {
				a.Matches[i].Cycle += int64(before)
			}
		}
		return a
	}
	w := workers.Get().(*worker)
	defer w.free()
	if !t.readSession(ctx, w, path) {
		return nil
	}
	a, _ := t.answer(w, before, math.MaxInt)
	return a
}

// sessionFiles searches session files of Claude Code that belong together by tapes. It returns
// false, and hands over nothing, if one of them has no tape.
func (t *task) sessionFiles(ctx context.Context) bool {
	parts := t.file.Parts()
	if !t.sessionsHaveTapes() || t.file.RepeatsRecords() || t.file.Size() > t.limit() || !t.acquire(ctx) {
		return false
	}
	defer t.release()
	var out []Outcome
	used := map[string]bool{} // conversations
	before, size := int32(0), 0
	var ends []int32 // the cycles of the states after the last answers, if no file followed; 0 for none
	for i, path := range parts {
		a := t.answerOf(ctx, path, before)
		if a == nil || i > 0 && !a.isSide || used[a.Name] {
			return false
		}
		used[a.Name] = true
		end := int32(0)
		if before += a.cycles; a.isOpen {
			end = before
			before--
		}
		ends = append(ends, end)
		size += a.size
		a.Path = t.file.Path
		out = append(out, a.Outcome)
	}
	// The last states of all files follow the calls of all files.
	at := t.Query.tape.at
	if len(out) > 1 && at.Kind != ast.Relative && at.N > int64(before) {
		return false
	}
	state := int64(before)
	for i := range out {
		end := int64(ends[i])
		if end == 0 {
			continue
		}
		state++
		if len(out) > 1 && at.Kind != ast.Relative && at.N == end { // a step of the next file
			out[i].Matches, out[i].Count = nil, 0
		}
		for k := range out[i].Matches {
			if m := &out[i].Matches[k]; m.Cycle == end {
				m.Cycle = state
			}
		}
	}
	if len(out) == 1 {
		out[0].Name = ""
	}
	if t.Done != nil {
		t.Done(size)
	}
	for _, o := range out {
		if !t.send(ctx, o) {
			break
		}
	}
	return true
}

// read reads a file into the memory of a worker. It returns false for one that cannot be read, or
// is too large.
func (r *run) read(w *worker, path string) (string, bool) {
	f, err := atomicfile.Open(path)
	if err != nil {
		return "", false // package sessions says what is wrong
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > r.limit() {
		return "", false
	}
	if size := info.Size() + 512; int64(cap(w.buf)) < size {
		w.buf = make([]byte, 0, size)
	}
	w.buf = w.buf[:0]
	for {
		if len(w.buf) == cap(w.buf) {
			w.buf = append(w.buf, 0)[:len(w.buf)]
		}
		n, err := f.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		switch {
		case int64(len(w.buf)) > r.limit(), err != nil && err != io.EOF:
			return "", false
		case err == io.EOF:
			return w.text(w.buf), true
		}
	}
}
