package store

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

// watchInterval is the time between two looks of a watcher at a file.
const watchInterval = 50 * time.Millisecond

// maxForkReads is how often a fork is opened again whose beginning is handed over all the time.
const maxForkReads = 1000

// read opens a history for reading. The caller closes it.
func (s *dirStore) read(ctx context.Context, id string) (dirHistory, error) {
	p, err := s.begin(ctx, id, false)
	if err != nil {
		return dirHistory{}, err
	}
	defer p.close()
	same := 0 // failed tries during which no file was replaced
	for try := 0; ; try++ {
		f, end, err := s.readAt(p, id)
		if err != nil {
			return dirHistory{}, err
		}
		parts, err := s.partsOf(p.files, id, f, end.end)
		if err == nil {
			return dirHistory{end, parts}, nil
		}
		if errors.Is(err, errPrefix) && !errors.Is(err, errMoved) && isAt(p.files, p.name, f) {
			same++
		}
		f.Close()
		if !errors.Is(err, errPrefix) {
			return dirHistory{}, s.wrap(id, "the journal cannot be read", err)
		}
		if same > maxRetries/10 || try == maxForkReads {
			msg := "what it begins with was changed by another program"
			if why, ok := errors.AsType[*baseError](err); ok {
				msg, err = why.Error(), nil
			}
			return dirHistory{}, s.fail(ErrBase, id, "the history is a fork; "+msg, err)
		}
		if err := pause(ctx, try); err != nil {
			return dirHistory{}, err
		}
	}
}

func (s *dirStore) readAt(p place, id string) (atomicfile.File, dirEnd, error) {
	f, err := p.files.Open(p.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, dirEnd{}, s.wrap(id, "the journal cannot be opened", err)
	}
	var end dirEnd
	if err == nil {
		// An append that is in progress may have truncated a torn one, and not be complete yet.
		for try := 0; try == 0 || err != nil && try < 3; try++ {
			end, err = s.endOf(p.name, f)
		}
		if err == nil && end.version != (Version{}) {
			return f, end, nil
		}
		f.Close()
		if err != nil {
			return nil, dirEnd{}, s.wrap(id, "the journal cannot be read", err)
		}
	}
	return nil, dirEnd{}, s.notFound(id)
}

// Head reads the end of the file.
func (s *dirStore) Head(ctx context.Context, id string) (Version, error) {
	p, err := s.begin(ctx, id, false)
	if err != nil {
		return Version{}, err
	}
	defer p.close()
	f, end, err := s.readAt(p, id)
	if err != nil {
		return Version{}, err
	}
	return end.version, f.Close()
}

// lines yields the frames of parts of a history.
func (s *dirStore) lines(ctx context.Context, id string, parts []section) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		in := bufio.NewReaderSize(readers(parts), int(min(sizeOf(parts), 1<<16)))
		for {
			line, err := readLine(in)
			if err == io.EOF {
				return
			}
			var f Frame
			if err == nil {
				f, err = journal.ParseLine(line)
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(Frame{}, s.wrap(id, "the journal cannot be read", err))
				return
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

// readLine reads a line of any length, without its newline.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := slices.Clone(line)
		rest, err := in.ReadBytes('\n')
		line = append(long, rest...)
		if err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	return line[:len(line)-1], nil
}

// Read reads the file once if it begins with the requested snapshot, and twice otherwise.
func (s *dirStore) Read(ctx context.Context, id string, from, to int64) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		h, err := s.read(ctx, id)
		if err != nil {
			yield(Frame{}, err)
			return
		}
		defer h.close()
		base, n := 0, 0
		if from > 0 {
			for frame, err := range s.lines(ctx, id, h.parts) {
				if err != nil {
					yield(Frame{}, err)
					return
				}
				if frame.Kind == journal.Snapshot && frame.Cycle <= from {
					base = n
				}
				n++
			}
		}
		n = 0
		for frame, err := range s.lines(ctx, id, h.parts) {
			if err == nil && frame.Cycle > to {
				return
			}
			if (n == 0 || n >= base || err != nil) && !yield(frame, err) {
				return
			}
			n++
		}
		if n == 0 {
			yield(Frame{}, s.notFound(id)) // the append that began it failed meanwhile, and was undone
		}
	}
}

// Since searches for the version from the end.
func (s *dirStore) Since(ctx context.Context, id string, after Version) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		h, err := s.read(ctx, id)
		if err != nil {
			yield(Frame{}, err)
			return
		}
		defer h.close()
		if h.version == after {
			return
		}
		part, at, err := s.find(ctx, id, h, after)
		if err != nil {
			yield(Frame{}, err)
			return
		}
		for frame, err := range s.lines(ctx, id, h.tail(part, at)) {
			if !yield(frame, err) {
				return
			}
		}
	}
}

// Watch polls the size of the file.
func (s *dirStore) Watch(ctx context.Context, id string, after Version) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		p, err := s.begin(ctx, id, false)
		if err != nil {
			yield(Frame{}, err)
			return
		}
		defer p.close()
		var seen fs.FileInfo
		follow(ctx, s, id, after, yield, func() error {
			for {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(watchInterval):
				}
				now, err := p.files.Stat(p.name)
				if err != nil || seen == nil || !atomicfile.SameFile(seen, now) || seen.Size() != now.Size() {
					seen = now
					return nil
				}
			}
		})
	}
}

// List reads the folder, and the end of each journal.
func (s *dirStore) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := s.usable(ctx); err != nil {
			yield(Info{}, err)
			return
		}
		if s.file != "" {
			return
		}
		folder, err := s.open()
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		var entries []fs.DirEntry
		if err == nil {
			defer folder.close()
			entries, err = folder.files.List(".")
		}
		if err != nil {
			yield(Info{}, s.wrap("", "the folder cannot be read", err))
			return
		}
		var list []struct{ id, name string }
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			id, whole, ok := fileID(e.Name())
			if ok && !whole {
				if id, ok = headerID(folder.files, e.Name()); ok {
					ok = fileName(id) == e.Name()
				}
			}
			if ok && strings.HasPrefix(id, prefix) {
				list = append(list, struct{ id, name string }{id, e.Name()})
			}
		}
		slices.SortFunc(list, func(a, b struct{ id, name string }) int { return strings.Compare(sortKey(a.id), sortKey(b.id)) })
		for _, h := range list {
			if err := ctx.Err(); err != nil {
				yield(Info{}, err)
				return
			}
			f, end, err := s.readAt(place{files: folder.files, name: h.name}, h.id)
			if errors.Is(err, ErrNotFound) {
				continue // begun or deleted just now
			}
			if err == nil {
				err = f.Close()
			}
			if !yield(Info{h.id, end.version, end.end, infoTime(end), err}, nil) {
				return
			}
		}
	}
}

func infoTime(e dirEnd) time.Time {
	if e.file == nil {
		return time.Time{}
	}
	return e.file.ModTime().UTC()
}

// headerID returns the id in the header of a journal.
func headerID(files atomicfile.FS, name string) (string, bool) {
	f, err := files.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	line, err := readLine(bufio.NewReader(f))
	if err != nil {
		return "", false
	}
	header, err := journal.ParseLine(line)
	if err != nil {
		return "", false
	}
	about, err := journal.ReadHeader(header)
	return about.ID, err == nil
}
