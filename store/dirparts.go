package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

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

// sizeOf returns how many bytes sections have.
func sizeOf(parts []section) (n int64) {
	for _, p := range parts {
		n += p.end - p.from
	}
	return n
}

// fileOf returns the name of the file of another history of the store.
func (s *dirStore) fileOf(id string) string {
	if s.file != "" {
		return filepath.Join(filepath.Dir(s.file), fileName(id))
	}
	return fileName(id)
}

// prefixOf returns the first line of the file of a fork, and where the next line begins. For any
// other file, and for one that an interrupted fork began, it returns 0.
func prefixOf(f atomicfile.File) (p journal.PrefixLine, next int64, err error) {
	begin := make([]byte, len(journal.PrefixMagic))
	if n, err := f.ReadAt(begin, 0); n < len(begin) || string(begin) != journal.PrefixMagic {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return p, 0, err
	}
	line, err := readLine(bufio.NewReader(io.NewSectionReader(f, 0, maxID*8)))
	if errors.Is(err, io.EOF) || bytes.IndexByte(line, 0) >= 0 {
		return p, 0, nil
	}
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

// baseError is an errPrefix that names the other history.
type baseError struct {
	history string
	missing bool // its file is
}

func (e *baseError) Error() string {
	if e.missing {
		return fmt.Sprintf("its beginning is in the file %s of the history #%s, which is missing", fileName(e.history), shownID(e.history))
	}
	return fmt.Sprintf("its beginning is in the history #%s, which was changed by another program", shownID(e.history))
}

func (e *baseError) Unwrap() error { return errPrefix }

// errMoved is an errPrefix for a history that has got another file since it was opened: it was
// handed over.
var errMoved = fmt.Errorf("%w any more", errPrefix)

// isMoving reports whether the common frames may be elsewhere by now. [dirStore.read] has waited
// for those of a history without its base.
func isMoving(err error) bool { return errors.Is(err, errPrefix) && !errors.Is(err, ErrBase) }

// isAt reports whether a name still leads to an open file.
func isAt(files atomicfile.FS, name string, f atomicfile.File) bool {
	was, err := f.Stat()
	now, wrong := files.Stat(name)
	return err == nil && wrong == nil && atomicfile.SameFile(was, now)
}

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
				if errors.Is(err, errPrefix) && !isAt(files, s.fileOf(p.id), p.file) {
					err = errMoved
				}
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
		err = &baseError{p.History, true}
	}
	if err != nil {
		return section{}, err
	}
	own, next, err := prefixOf(f)
	if err != nil {
		return section{}, errors.Join(err, f.Close())
	}
	end := next + p.End - own.End
	if end > next && endsWith(f, end, p.Digest) {
		return section{f, p.History, 0, end, 0}, nil
	}
	return section{}, errors.Join(&baseError{p.History, false}, f.Close())
}

// endsWith reports whether a line with the digest ends at an offset of a file.
func endsWith(f io.ReaderAt, end int64, digest journal.Digest) bool {
	for line, err := range journal.Backward(f, end) {
		d, ok := journal.LineDigest(line.Text)
		return err == nil && ok && d == digest && line.Start+int64(len(line.Text))+1 == end
	}
	return false
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
