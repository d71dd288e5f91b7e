package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/tokens"
)

// pollInterval is the time between two checks of a session that is followed.
const pollInterval = 500 * time.Millisecond

// reading is a session in memory, which is followed while a page shows it.
type reading struct {
	session int
	known   Known
	mu      sync.Mutex
	feed    feed
	now     *history
	counts  tokens.Cache
}

// feed reads a session in parts.
type feed interface {
	// more reads what is new since the last call, or a part of it, and returns the timeline up to
	// there; nil if there is nothing new. If there is an error, the timeline has what could be
	// read, or is nil.
	more(ctx context.Context) (*engine.Timeline, error)
}

// latest returns the session as far as it is read.
func (r *reading) latest() *history {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// look checks for news and returns a history that is newer than h, or h. The only error is that of
// the context.
func (r *reading) look(ctx context.Context, h *history) (*history, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != h {
		return r.now, nil
	}
	t, err := r.feed.more(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case t != nil:
		next, bad := r.known.read(ctx, t, err)
		if bad != nil {
			return nil, bad
		}
		r.now = next
	case err != nil && err.Error() != h.problem:
		next := *h
		next.problem = err.Error()
		r.now = &next
	}
	return r.now, nil
}

// next waits for a history that is newer than h. The only error is that of the context.
func (r *reading) next(ctx context.Context, h *history) (*history, error) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		newer, err := r.look(ctx, h)
		if err != nil || newer != h {
			return newer, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
}

// common returns how many steps two readings of a session share. The state after the last call is
// not one of them, because a call may have replaced it.
func common(older, newer *history) int {
	n := len(older.States)
	if older.End {
		n--
	}
	n = min(n, len(newer.States))
	for i := range n {
		if older.States[i] == newer.States[i] {
			continue
		}
		if i > 0 || !bytes.Equal(older.States[n-1].AppendJSON(nil), newer.States[n-1].AppendJSON(nil)) {
			return i
		}
		return n // was read again as a whole, and the last state they share holds what is before
	}
	return n
}

func (s *Source) feed(e entry) feed {
	switch {
	case store.IsAddress(e.address):
		return &stored{source: s, address: e.address}
	case isJournal(s.abs(e.address)):
		return &journalFile{path: s.abs(e.address), name: e.address, options: s.options}
	}
	return &file{source: s, files: e.files, address: e.address}
}

// abs returns the path of a file, which may be relative to the folder of the options.
func (s *Source) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.options.Folder, name)
}

// stamp reports whether the files of a session have changed: their size together, and when the last
// of them did.
type stamp struct {
	size int64
	time time.Time
}

func (s *Source) stamp(files []string) stamp {
	var out stamp
	for _, file := range files {
		info, err := atomicfile.Stat(s.abs(file))
		if err != nil {
			return stamp{}
		}
		out.size += info.Size()
		if t := info.ModTime(); t.After(out.time) {
			out.time = t
		}
	}
	return out
}

// file is a session of files that have to be read as a whole when they change.
type file struct {
	source  *Source
	files   []string
	address string
	stamp   stamp     // of the files when they were read
	rest    time.Time // until when they are not read again: four times as long as that took
	err     error     // of reading them then, not yet reported
}

func (f *file) more(ctx context.Context) (*engine.Timeline, error) {
	now := f.source.stamp(f.files)
	switch {
	case now == f.stamp:
		err := f.err
		f.err = nil
		return nil, err
	case time.Now().Before(f.rest):
		return nil, nil
	}
	first := f.stamp == stamp{}
	f.stamp = now
	began := time.Now()
	one, err := sessions.One(ctx, f.address, f.source.options)
	f.rest = time.Now().Add(4 * time.Since(began))
	if err != nil && !first {
		f.err = err // it may be half written: wait and see whether it stays like that
		return nil, nil
	}
	return one.Timeline, err
}

// journalFile is a journal on disk. When it grows, only the new part is read.
type journalFile struct {
	path    string
	name    string // for errors
	options sessions.Options
	decoder *journal.Decoder
	info    os.FileInfo // of the file when it was read last
	offset  int64       // of the next lines to read
	last    string      // the line before
	part    int64       // how much that is at most
	refused bool        // the rest cannot be read
}

// The first part of a journal is small, so there is something to see soon, and each further one as
// large as all before it.
const firstPart = 1 << 20

// isJournal reports whether a path is that of a journal that is not compressed, and whole: the
// beginning of a fork is in another file.
func isJournal(path string) bool {
	f, err := atomicfile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head) // a shorter file is not a journal
	text := string(head[:n])
	return journal.IsJournal(text) && !strings.HasPrefix(text, journal.PrefixMagic)
}

func (j *journalFile) more(ctx context.Context) (*engine.Timeline, error) {
	f, err := atomicfile.Open(j.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// A file that replaces another may have the same inode number.
	if j.decoder == nil || !os.SameFile(info, j.info) || info.Size() < j.info.Size() ||
		info.Size() == j.info.Size() && info.ModTime() != j.info.ModTime() || !j.isThere(f) {
		j.restart()
	}
	j.info = info
	if j.refused || info.Size() <= j.offset {
		return nil, nil
	}
	if limit := max(j.options.MaxBytes, 0); limit > 0 && info.Size() > limit {
		j.refused = true
		return nil, &engine.Error{Code: engine.ErrFileLimit, File: j.name, Msg: fmt.Sprintf("larger than %d bytes", limit)}
	}
	added, err := j.read(ctx, f, info.Size())
	if err != nil {
		j.refused = true
	}
	if added == 0 {
		return nil, err
	}
	t, bad := j.decoder.Timeline()
	if bad != nil {
		return nil, errors.Join(err, bad)
	}
	return t, err
}

// isThere reports whether the line that was read last is still in the file.
func (j *journalFile) isThere(f io.ReaderAt) bool {
	text := make([]byte, len(j.last))
	_, err := f.ReadAt(text, max(j.offset-int64(len(j.last))-1, 0))
	return err == nil && string(text) == j.last
}

func (j *journalFile) restart() {
	j.decoder = journal.NewDecoder(j.name, engine.ReadOptions{Strict: j.options.Strict, MaxBytes: j.options.MaxBytes, MaxDepth: j.options.MaxDepth})
	j.offset, j.last, j.part, j.refused = 0, "", firstPart, false
}

// read processes the complete lines of a part and returns how many there are. An incomplete line is
// still being written.
func (j *journalFile) read(ctx context.Context, f io.ReaderAt, size int64) (lines int, err error) {
	for lines == 0 && j.offset < size {
		text := make([]byte, min(j.part, size-j.offset))
		if _, err := f.ReadAt(text, j.offset); err != nil && !errors.Is(err, io.EOF) {
			return lines, err
		}
		j.part *= 2
		end := bytes.LastIndexByte(text, '\n') + 1
		if end == 0 && j.offset+int64(len(text)) == size {
			return 0, nil
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(string(text[:end]), "\n"), "\n") {
			if end == 0 {
				break
			}
			if err := ctx.Err(); err != nil {
				return lines, err
			}
			if strings.Contains(line, "\x00\x00") {
				return lines, nil // blocks that have not reached the disk
			}
			if err := j.decoder.AddLine(line); err != nil {
				return lines, err
			}
			j.offset, j.last = j.offset+int64(len(line))+1, line
			lines++
		}
	}
	return lines, nil
}

// stored is a history of a store.
type stored struct {
	source  *Source
	address string
	decoder *journal.Decoder
	at      journal.Version // of the last frame that was read
}

func (s *stored) more(ctx context.Context) (*engine.Timeline, error) {
	st, id, err := sessions.OpenStore(ctx, s.address, s.source.options.Folder)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	head, err := st.Head(ctx, id)
	if err != nil || head == s.at {
		return nil, err
	}
	if s.decoder != nil {
		t, err := s.add(st.Since(ctx, id, s.at))
		if err == nil {
			return t, nil
		}
	}
	s.decoder = journal.NewDecoder(s.address, engine.ReadOptions{Strict: s.source.options.Strict, MaxBytes: s.source.options.MaxBytes, MaxDepth: s.source.options.MaxDepth})
	t, err := s.add(st.Read(ctx, id, 0, math.MaxInt64))
	return t, err
}

// add adds frames, and returns the timeline up to there.
func (s *stored) add(frames iter.Seq2[journal.Frame, error]) (*engine.Timeline, error) {
	for f, err := range frames {
		if err == nil {
			err = s.decoder.Add(f)
		}
		if err != nil {
			return nil, err
		}
		s.at = f.Version()
	}
	return s.decoder.Timeline()
}
