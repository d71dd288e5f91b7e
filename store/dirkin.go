package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

// listSuffix is the ending of the file that lists the forks of a history. The file is in the folder
// of the journal.
const listSuffix = ".forks"

// note adds an id to the list of the forks of a history, unless it is there, and makes that
// durable.
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
	data := make([]byte, info.Size())
	if _, err = l.ReadAt(data, 0); err != nil && err != io.EOF {
		return err
	}
	line, err := json.Marshal(id)
	line = append(line, '\n')
	if err != nil || bytes.HasPrefix(data, line) || bytes.Contains(data, append([]byte{'\n'}, line...)) {
		return err
	}
	whole := int64(bytes.LastIndexByte(data, '\n') + 1) // an interrupted write does not count
	if whole == 0 {                                     // who writes the history writes its list, too
		if journal, wrong := files.Stat(s.fileOf(of)); wrong == nil {
			err = l.Like(journal)
		}
	}
	if err == nil && whole < info.Size() {
		err = l.Truncate(whole)
	}
	if err == nil {
		_, err = l.WriteAt(line, whole)
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
		var end dirEnd
		if err == nil && next > 0 {
			end, err = s.endOf(s.fileOf(id), f)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		if end.version != (Version{}) && filepath.Base(name) == fileName(p.History) { // else it was interrupted
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
