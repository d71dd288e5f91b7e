package corpus

import (
	"io"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

// sessionFiles searches session files of Claude Code that belong together by tapes. It returns false, and hands over
// nothing, if one of them has no tape.
func (t *task) sessionFiles() bool {
	o := &t.Sessions
	if o.ByTurn || o.Messages != "" || o.Edition == engine.Edition01 || t.file.Size() > t.limit() || !t.acquire() {
		return false
	}
	defer t.release()
	w := workers.Get().(*worker)
	defer w.free()
	var out []Outcome
	used := map[string]bool{} // conversations, and ids of records
	before, size := int32(0), 0
	parts := t.file.Parts()
	for i, path := range parts {
		if t.ctx.Err() != nil {
			return false
		}
		text, ok := t.read(w, path)
		s := &w.session
		if !ok || s.readFile(path, text) != nil || i > 0 && !s.side {
			return false
		}
		name := strings.Clone(s.conversation())
		if used[name] || len(parts) > 1 && s.areUsed(used) || t.Query.tape.lacks(&s.tape) {
			return false
		}
		used[name] = true
		s.before = before
		before += s.cycles - 1
		size += len(text)
		found, cycle := w.run.find(t.Query.tape, &s.tape)
		if len(found) > 0 && !t.Query.tape.exact {
			return false
		}
		out = append(out, t.outcome(name, &s.tape, found, cycle))
	}
	if len(out) == 1 {
		out[0].Name = ""
	}
	if t.Done != nil {
		t.Done(size)
	}
	for _, o := range out {
		if !t.send(o) {
			break
		}
	}
	return true
}

// areUsed reports whether an earlier file uses an id of a record, and adds the ids.
func (s *sessionTape) areUsed(used map[string]bool) bool {
	for i := range s.records {
		id := s.records[i].uuid
		if used[id] {
			return true
		}
		used[strings.Clone(id)] = true
	}
	return false
}

// read reads a file into the memory of a worker. It returns false for one that cannot be read, or is too large.
func (t *task) read(w *worker, path string) (string, bool) {
	f, err := atomicfile.Open(path)
	if err != nil {
		return "", false // package sessions says what is wrong
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > t.limit() {
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
		case int64(len(w.buf)) > t.limit(), err != nil && err != io.EOF:
			return "", false
		case err == io.EOF:
			return w.text(w.buf), true
		}
	}
}
