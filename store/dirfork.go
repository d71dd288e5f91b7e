package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

// The file of a fork begins with a [journal.PrefixLine], which says where in the file of another
// history the common frames end. That file says in a list beside it, FILE.forks, which histories
// were forked from it. A fork gets the common frames before they change or go, so bytes that a
// prefix names never change.
//
// Locks are taken from a history to its forks, never back.

// section is a part of a history: some whole lines of a file.
type section struct {
	file      atomicfile.File
	id        string // of the history whose file it is
	from, end int64
	start     int64 // how many bytes of the history come before
}

// dirHistory is a history that is open for reading.
type dirHistory struct {
	dirEnd
	parts []section // oldest first; the last one is in the file of the history itself
}

func (h dirHistory) close() {
	for _, p := range h.parts {
		p.file.Close()
	}
}

// tail returns what follows an offset in a part.
func (h dirHistory) tail(part int, at int64) []section {
	rest := slices.Clone(h.parts[part:])
	rest[0].from = at
	return rest
}

// readers returns a reader of sections.
func readers(parts []section) io.Reader {
	var list []io.Reader
	for _, p := range parts {
		list = append(list, io.NewSectionReader(p.file, p.from, p.end-p.from))
	}
	return io.MultiReader(list...)
}

// fileOf returns the name of the file of another history of the store.
func (s *dirStore) fileOf(id string) string {
	if s.file != "" {
		return filepath.Join(filepath.Dir(s.file), fileName(id))
	}
	return fileName(id)
}

// prefixOf returns the first line of the file of a fork, and where the next line begins. For any
// other file it returns 0.
func prefixOf(f atomicfile.File) (p journal.PrefixLine, next int64, err error) {
	begin := make([]byte, len(journal.PrefixMagic))
	if n, err := f.ReadAt(begin, 0); n < len(begin) || string(begin) != journal.PrefixMagic {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return p, 0, err
	}
	line, err := readLine(bufio.NewReader(io.NewSectionReader(f, 0, maxID*8)))
	if err != nil {
		return p, 0, err
	}
	frame, err := journal.ParseLine(line)
	if err == nil {
		p, err = journal.ReadPrefix(frame)
	}
	return p, int64(len(line)) + 1, err
}

// errPrefix means that the file of another history is not as a prefix says.
var errPrefix = errors.New("the common beginning is not there")

// partsOf returns the parts of a history whose own file is open. It closes the files of the others
// if it fails.
func (s *dirStore) partsOf(files atomicfile.FS, id string, f atomicfile.File, end int64) (parts []section, err error) {
	parts = []section{{f, id, 0, end, 0}}
	for {
		first := &parts[0]
		p, next, err := prefixOf(first.file)
		if err == nil && next == 0 {
			return parts, nil
		}
		first.from, first.start = next, p.End
		var base section
		if err == nil {
			base, err = s.baseOf(files, p)
		}
		if err == nil && slices.ContainsFunc(parts, func(s section) bool { return s.id == base.id }) {
			err = errors.Join(errPrefix, base.file.Close())
		}
		if err != nil {
			for _, p := range parts[:len(parts)-1] {
				p.file.Close()
			}
			return nil, err
		}
		parts = slices.Insert(parts, 0, base)
	}
}

// baseOf opens the file that a prefix names, and checks that the frames end where it says.
func (s *dirStore) baseOf(files atomicfile.FS, p journal.PrefixLine) (section, error) {
	f, err := files.Open(s.fileOf(p.History))
	if errors.Is(err, fs.ErrNotExist) {
		err = errPrefix
	}
	if err != nil {
		return section{}, err
	}
	own, next, err := prefixOf(f)
	if err != nil {
		return section{}, errors.Join(err, f.Close())
	}
	end := next + p.End - own.End
	for line, wrong := range journal.Backward(f, end) {
		digest, _ := journal.LineDigest(line.Text)
		if wrong == nil && digest == p.Digest && line.Start+int64(len(line.Text))+1 == end && end > next {
			return section{f, p.History, 0, end, 0}, nil
		}
		break
	}
	return section{}, errors.Join(errPrefix, f.Close())
}

// find returns the part and the offset after the frame of a version. It reads from the end.
func (s *dirStore) find(ctx context.Context, id string, h dirHistory, v Version) (part int, at int64, err error) {
	if v == (Version{}) {
		return 0, 0, nil
	}
	for part, p := range slices.Backward(h.parts) {
		at := p.end
		for line, err := range journal.Backward(p.file, p.end) {
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return 0, 0, s.wrap(id, "the journal cannot be read", err)
			}
			if line.Start < p.from {
				break
			}
			if d, ok := journal.LineDigest(line.Text); ok && d == v.Digest {
				return part, at, nil
			}
			at = line.Start
		}
	}
	return 0, 0, s.fail(ErrChanged, id, goneMessage(v), nil)
}

// forkAt is where a fork begins.
type forkAt struct {
	part   int
	end    int64 // the offset after the last common line
	after  Version
	cycle  int64 // of the snapshot
	sealed bool  // the state after the snapshot is not known
}

// place finds the frame after which a fork at a cycle begins: the last one of the append with the
// snapshot. If that has more snapshots, it is the snapshot itself.
func (s *dirStore) place(ctx context.Context, id string, h dirHistory, cycle int64) (forkAt, error) {
	var last forkAt
	for part, p := range slices.Backward(h.parts) {
		limit := p.end
		if cycle != Newest {
			limit = skip(p, cycle)
		}
		end := limit
		for line, err := range journal.Backward(p.file, limit) {
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return forkAt{}, s.wrap(id, "the journal cannot be read", err)
			}
			if line.Start < p.from {
				break
			}
			f, err := journal.ParseLine(line.Text)
			if err != nil {
				return forkAt{}, s.wrap(id, "the journal cannot be read", err)
			}
			if f.End && (cycle != Newest || last.after == (Version{})) {
				last = forkAt{part: part, end: end, after: f.Version()}
			}
			switch {
			case f.IsSealed() && (cycle == Newest || f.Cycle == cycle):
				last.cycle = f.Cycle
				return last, nil
			case f.IsSealed() && f.Cycle < cycle, f.Kind == journal.Header:
				return forkAt{}, errNoSnapshot(id, cycle)
			case f.IsSealed(): // a later snapshot
				last = forkAt{part: part, end: line.Start, sealed: true}
			}
			end = line.Start
		}
	}
	return forkAt{}, errNoSnapshot(id, cycle)
}

// skip returns an offset between lines of a section that is after the lines of a cycle, and near
// them, by halving, because cycles never go back.
func skip(p section, cycle int64) int64 {
	const near = 1 << 16
	from, end := p.from, p.end
	for end-from > near {
		middle, later := from+(end-from)/2, false
		for line, err := range journal.Backward(p.file, middle) {
			f, wrong := journal.ParseLine(line.Text)
			if later = err == nil && wrong == nil && line.Start > from && f.Cycle > cycle+1; later {
				end = line.Start + int64(len(line.Text)) + 1
			}
			break
		}
		if !later {
			from = middle
		}
	}
	return end
}

// Fork writes a file with two lines. It holds the lock of the file that has the common frames, so
// that cannot change before its list has the fork.
func (s *dirStore) Fork(ctx context.Context, base string, cycle int64, id string) (Version, error) {
	if err := s.check(ctx, id); err != nil {
		return Version{}, err
	}
	if s.file != "" {
		return Version{}, s.fail(ErrAddress, id, "a journal on its own has no place for a fork; name its folder as file:DIR", nil)
	}
	for try := 0; ; try++ {
		v, err := s.fork(ctx, base, cycle, id)
		if !errors.Is(err, errPrefix) || try == maxRetries {
			return v, s.wrap(id, "the fork cannot be made", err)
		}
		if err := pause(ctx, try); err != nil {
			return Version{}, err
		}
	}
}

// fork is Fork. It fails with errPrefix if the common frames are elsewhere by now.
func (s *dirStore) fork(ctx context.Context, base string, cycle int64, id string) (Version, error) {
	h, err := s.read(ctx, base)
	if err != nil {
		return Version{}, err
	}
	defer h.close()
	at, err := s.place(ctx, base, h, cycle)
	if err != nil {
		return Version{}, err
	}
	owner := h.parts[at.part]
	if at.after == (Version{}) { // a snapshot within an append
		for line, err := range journal.Backward(owner.file, at.end) {
			f, wrong := journal.ParseLine(line.Text)
			if err = cmp.Or(err, wrong); err != nil {
				return Version{}, err
			}
			at.after, at.cycle = f.Version(), f.Cycle
			break
		}
	}
	if head, err := s.Head(ctx, id); err == nil { // also if it is the base itself
		return Version{}, s.fail(ErrConflict, id, conflictMessage(Version{}, head), nil)
	}
	p, err := s.open()
	if err != nil {
		return Version{}, err
	}
	defer p.close()
	l, err := p.files.Lock(ctx, fileName(owner.id), false)
	if errors.Is(err, fs.ErrNotExist) {
		return Version{}, errPrefix
	}
	if err != nil {
		return Version{}, err
	}
	defer l.Close()
	if now, err := l.Stat(); err != nil || !sameFile(owner.file, now) {
		return Version{}, cmp.Or(err, errPrefix)
	}
	for _, of := range slices.Compact([]string{owner.id, base}) {
		if err := s.note(ctx, p.files, of, id); err != nil {
			return Version{}, err
		}
	}
	line := journal.PrefixLine{ID: id, History: owner.id, End: owner.start + at.end - owner.from, Digest: at.after.Digest}
	frame := journal.NewFork(at.after, engine.ForkPoint{History: base, Cycle: at.cycle}, at.sealed, id)
	return s.begun(ctx, id, frame.AppendLine(line.Frame().AppendLine(nil)), frame.Version())
}

func sameFile(f atomicfile.File, info fs.FileInfo) bool {
	own, err := f.Stat()
	return err == nil && os.SameFile(own, info)
}

// begun creates a journal.
func (s *dirStore) begun(ctx context.Context, id string, data []byte, head Version) (Version, error) {
	f, err := s.lock(ctx, id, true)
	if err != nil {
		return Version{}, err
	}
	defer f.Close()
	end, err := s.endOf(f.Name(), f)
	if err != nil {
		return Version{}, err
	}
	if end.version != (Version{}) {
		return Version{}, s.fail(ErrConflict, id, conflictMessage(Version{}, end.version), nil)
	}
	if err := s.write(f, end, data); err != nil {
		return Version{}, s.undo(id, f, end, err)
	}
	if now, err := f.Stat(); err == nil {
		s.remember(f.Name(), dirEnd{now, end.end + int64(len(data)), head, true})
	}
	return head, nil
}

const listSuffix = ".forks"

// note adds an id to the list of the forks of a history, if it is not there, and makes that durable.
func (s *dirStore) note(ctx context.Context, files atomicfile.FS, of, id string) error {
	l, err := files.Lock(ctx, listOf(s.fileOf(of)), true)
	if err != nil {
		return err
	}
	defer l.Close()
	info, err := l.Stat()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.NewSectionReader(l, 0, info.Size()))
	if err != nil || slices.Contains(listed(data), id) {
		return err
	}
	whole := int64(bytes.LastIndexByte(data, '\n') + 1) // an interrupted write does not count
	line, err := json.Marshal(id)
	if err == nil && whole < info.Size() {
		err = l.Truncate(whole)
	}
	if err == nil {
		_, err = l.WriteAt(append(line, '\n'), whole)
	}
	if err == nil {
		err = l.Sync()
	}
	if err == nil && whole == 0 {
		err = l.SyncFolder()
	}
	return err
}

func listOf(name string) string { return strings.TrimSuffix(name, fileSuffix) + listSuffix }

// listed returns the ids of a list.
func listed(data []byte) (ids []string) {
	for line := range bytes.Lines(data) {
		var id string
		if bytes.HasSuffix(line, []byte("\n")) && json.Unmarshal(line, &id) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// noted returns the ids of the histories that were forked from the one in a file.
func noted(files atomicfile.FS, name string) ([]string, error) {
	f, err := files.Open(listOf(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return listed(data), err
}

// handOver gives the common frames of a locked history to its forks. The one with the most of them
// gets them; the others share them with it from then on. The caller may then change the history.
func (s *dirStore) handOver(ctx context.Context, id string, l *atomicfile.Locked) error {
	p, err := s.open()
	if err != nil {
		return err
	}
	defer p.close()
	for {
		forks, err := s.sharing(p.files, l.Name())
		if err != nil || len(forks) == 0 {
			return err
		}
		heir := forks[0]
		own, next, err := prefixOf(l)
		if err != nil {
			return err
		}
		var begin []byte // of the new file of the heir
		if next > 0 {
			if err := s.note(ctx, p.files, own.History, heir.ID); err != nil {
				return err
			}
			own.ID = heir.ID
			begin = own.Frame().AppendLine(nil)
		}
		for _, f := range forks {
			err := s.change(ctx, p.files, f, func() ([]byte, []section, error) {
				if f == heir {
					return begin, []section{{l, id, next, next + f.End - own.End, 0}}, nil
				}
				moved := f
				moved.History = heir.ID
				return moved.Frame().AppendLine(nil), nil, s.note(ctx, p.files, heir.ID, f.ID)
			})
			if err != nil {
				return err
			}
		}
	}
}

// sharing returns the first lines of the forks that share frames with the history in a file, that
// with the most of them first.
func (s *dirStore) sharing(files atomicfile.FS, name string) (list []journal.PrefixLine, err error) {
	ids, err := noted(files, name)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		f, err := files.Open(s.fileOf(id))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p, next, err := prefixOf(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		if next > 0 && filepath.Base(name) == fileName(p.History) {
			p.ID = id
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b journal.PrefixLine) int {
		return cmp.Or(cmp.Compare(b.End, a.End), strings.Compare(a.ID, b.ID))
	})
	return list, nil
}

// change replaces the first line of the file of a fork, if it still is the given one.
func (s *dirStore) change(ctx context.Context, files atomicfile.FS, was journal.PrefixLine, by func() ([]byte, []section, error)) error {
	f, err := files.Lock(ctx, s.fileOf(was.ID), false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	now, next, err := prefixOf(f)
	if now.ID = was.ID; err != nil || next == 0 || now != was {
		return err
	}
	end, err := s.endOf(f.Name(), f)
	if err != nil {
		return err
	}
	line, parts, err := by()
	if err != nil {
		return err
	}
	return s.rewrite(ctx, was.ID, f, line, readers(append(parts, section{f, was.ID, next, end.end, 0})))
}

// kin returns the histories that the store knows to be related to one: those that were forked from
// it, and the one it shares frames with.
func (s *dirStore) kin(_ context.Context, id string) ([]string, error) {
	p, err := s.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, s.wrap(id, "the folder cannot be opened", err)
	}
	defer p.close()
	name := cmp.Or(s.file, fileName(id))
	ids, err := noted(p.files, name)
	if err != nil {
		return nil, s.wrap(id, "the list of forks cannot be read", err)
	}
	f, err := p.files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return ids, nil
	}
	if err != nil {
		return nil, s.wrap(id, "the journal cannot be opened", err)
	}
	defer f.Close()
	if prefix, next, err := prefixOf(f); err == nil && next > 0 {
		ids = append(ids, prefix.History)
	}
	return ids, nil
}
