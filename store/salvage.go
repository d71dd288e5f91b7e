package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

// Salvaged is the intact part of a damaged journal, with the files that it was read from.
type Salvaged struct {
	journal.Salvaged
	Files []string // the files of the bases of a fork, oldest first, then its own
	Gone  []string // the files of bases that do not exist
}

// Salvage finds the intact part of a damaged journal, see [journal.Salvage]. It reads the beginning
// of a fork from the file of its base in the same folder. If a file has more than limit bytes, the
// error has the code [engine.ErrFileLimit].
func Salvage(path string, limit int64) (best Salvaged, err error) {
	s := OpenFile(path).(*dirStore)
	own, err := s.text(path, limit)
	if err != nil {
		return best, err
	}
	for _, from := range journal.BasesOf(own) { // a line that names a base may be damaged
		one, wrong := s.salvage(path, own, from, limit)
		isNamed := from.History != "" && from.End == 0 // by a line that a rewind may have made wrong
		if (best.Files == nil || len(one.Cycles) > len(best.Cycles)) && (!isNamed || one.fits()) {
			best, err = one, wrong
		}
	}
	return best, err
}

// fits reports whether the lines of a fork continue those of the other files. A rewind gives the
// name of a base to another history.
func (s Salvaged) fits() bool {
	return !slices.ContainsFunc(s.Lost, func(l journal.Span) bool { return l.Part == len(s.Files)-1 && l.Line > 1 })
}

// text reads a file.
func (s *dirStore) text(path string, limit int64) (string, error) {
	data, err := s.disk.Read(path, limit)
	if errors.Is(err, atomicfile.ErrTooLarge) {
		err = &engine.Error{Code: engine.ErrFileLimit, File: path, Path: "$", Line: 1, Msg: fmt.Sprintf("the file is larger than %d bytes", limit)}
	}
	return string(data), err
}

// salvage reads a file and those of its bases. from is the newest base.
func (s *dirStore) salvage(path, own string, from journal.Base, limit int64) (Salvaged, error) {
	out := Salvaged{Files: []string{path}}
	texts := []string{own}
	for from.History != "" {
		name := s.fileOf(from.History)
		if slices.Contains(out.Files, name) {
			break
		}
		text, err := s.text(name, limit)
		if errors.Is(err, fs.ErrNotExist) {
			out.Gone, err = append(out.Gone, name), nil
		}
		if err != nil {
			return out, err
		}
		texts, out.Files = slices.Insert(texts, 0, from.Of(text)), slices.Insert(out.Files, 0, name)
		from = from.Next(text)
	}
	var err error
	out.Salvaged, err = journal.Salvage(path, texts...)
	return out, err
}
