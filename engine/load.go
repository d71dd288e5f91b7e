package engine

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/tree"
)

// Load reads a file, as [Read] does, or a folder, as [LoadDir] does, from disk. Errors of the file
// system are returned as they are. The cost is that of Read.
func Load(path string, opts ReadOptions) (*Timeline, error) {
	info, err := atomicfile.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return LoadDir(atomicfile.Folder(path), path, opts)
	}
	f, err := atomicfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(path, f, opts)
}

// Read reads one file. Its name determines the form: a .jsonl file has one snapshot on each line,
// oldest first; any other file is one JSON document, either a snapshot {"spec_version"?, "cycle"?,
// "root"} or a history {"spec_version"?, "snapshots": [...], "working"?, "cadence"?, "resume"?}. If
// the name ends in .gz or .zst, the file is decompressed. Errors are of type [*Error] and name the
// file, the JSON path and the line, except errors of r, which are returned as they are.
//
// Time and memory are linear in the size of the text. The strings of the timeline share the memory
// of the text.
func Read(name string, r io.Reader, opts ReadOptions) (*Timeline, error) {
	_, text, err := Unpack(name, r, opts)
	if err != nil {
		return nil, err
	}
	return ReadText(name, text, opts)
}

// sizeOf returns the number of bytes in a reader, or 0 if that is not known.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len())
	case fs.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// ReadText is [Read] for the text that [Unpack] returned for a file; name is the name of the file
// itself.
func ReadText(name, text string, opts ReadOptions) (*Timeline, error) {
	rd := newReader(opts)
	t, err := rd.timeline(name, text)
	if err == errOlder {
		rd = newReader(opts)
		rd.assumed = Edition01
		t, err = rd.timeline(name, text)
	}
	return t, err
}

// innerName returns the name of a file without .gz or .zst.
func innerName(name string) string {
	if inner, packed := strings.CutSuffix(name, ".gz"); packed {
		return inner
	}
	return strings.TrimSuffix(name, ".zst")
}

// LoadDir reads a folder in which each .json file, perhaps compressed as .gz or .zst, holds one
// snapshot. It orders the snapshots by cycle, and ignores other files and subfolders. Two
// snapshots with the same cycle, a file with anything else, and a folder without snapshots are
// errors of code [ErrFileShape]; further errors are those of [Read]. In errors, name is the name of
// the folder. MaxBytes limits the sum of all files. The cost is that of reading each file twice.
func LoadDir(dir fs.FS, name string, opts ReadOptions) (*Timeline, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	type one struct {
		file, text string
		cycle      int64
	}
	var all []one
	var clues editionClues
	left := opts.maxBytes()
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(innerName(e.Name()), ".json") {
			continue
		}
		f, err := dir.Open(e.Name())
		if err != nil {
			return nil, err
		}
		file := filepath.Join(name, e.Name())
		_, text, err := Unpack(file, f, ReadOptions{MaxBytes: left})
		f.Close()
		if errors.Is(err, ErrFileLimit) {
			return nil, fileTooLarge(name, opts.maxBytes())
		}
		if err != nil {
			return nil, err
		}
		left = max(left-int64(len(text)), 1)
		// The first reading only finds the cycle, which determines the order, and the clues.
		first := newReader(opts)
		first.clues = clues
		t, err := first.one(file, text, int64(len(all)))
		if err != nil {
			return nil, err
		}
		clues = first.clues
		all = append(all, one{file, text, t.Cycle()})
	}
	if len(all) == 0 {
		return nil, &Error{Code: ErrFileShape, File: name, Msg: "no snapshots in this folder"}
	}
	slices.SortStableFunc(all, func(a, b one) int { return cmp.Compare(a.cycle, b.cycle) })
	rd := newReader(opts)
	rd.clues = clues
	d := &document{}
	for i, o := range all {
		if i > 0 && all[i-1].cycle == o.cycle {
			return nil, &Error{Code: ErrFileShape, File: o.file, Path: "$.cycle", Line: 1,
				Msg: fmt.Sprintf("cycle %d is also in %s", o.cycle, all[i-1].file)}
		}
		snap, err := rd.one(o.file, o.text, o.cycle)
		if err != nil {
			return nil, err
		}
		d.push(snap)
	}
	return rd.newTimeline(d), nil
}

// one reads a file that holds one snapshot. If the file has no cycle, that is missing. The edition
// of a file does not apply to the next one.
func (rd *timelineReader) one(file, text string, missing int64) (*Snapshot, error) {
	rd.sc = rd.scanner(file, text)
	rd.first, rd.hint = missing, rd.opts.Edition
	d, err := rd.document()
	if err != nil && err != errOlder {
		return nil, err
	}
	if err == errOlder || d.isHistory || d.working != nil {
		return nil, &Error{Code: ErrFileShape, File: file, Path: "$", Line: 1, Msg: "each file of a folder must hold one snapshot"}
	}
	return d.sealed[0], nil
}

// errorKeepingReader keeps the error of a reader, because a decompressor would report it as
// damage.
type errorKeepingReader struct {
	io.Reader
	err error
}

func (s *errorKeepingReader) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != io.EOF {
		s.err = err
	}
	return n, err
}

// Unpack returns the text of a file, and the name of the file without .gz or .zst. If the name has
// such an ending, Unpack decompresses the text. It removes a byte order mark, and checks only that
// the text does not begin with a control character. Damaged files are errors of code
// [ErrFileSyntax], and files larger than opts.MaxBytes of code [ErrFileLimit]. An error of r is
// returned as it is.
func Unpack(name string, r io.Reader, opts ReadOptions) (inner, text string, err error) {
	size := sizeOf(r) // before anything is read, because Len is what remains
	src := &errorKeepingReader{Reader: r}
	in := bufio.NewReader(src)
	head, packed := in, innerName(name) != name
	damaged := func(what string, err error) error {
		return cmp.Or(src.err, error(&Error{Code: ErrFileSyntax, File: name, Msg: what + ": " + err.Error()}))
	}
	switch {
	case strings.HasSuffix(name, ".gz"):
		z, err := gzip.NewReader(in)
		if err != nil {
			return "", "", damaged("not a gzip file", err)
		}
		defer z.Close()
		head, size = bufio.NewReader(z), 0
	case packed:
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(budget.Buffer(256<<20))))
		if err != nil {
			return "", "", damaged("not a zstd file", err)
		}
		defer z.Close()
		head, size = bufio.NewReader(z), 0
	}
	// Fail early if the first byte is not JSON: the file may be a decompression bomb of zeros.
	if first, _ := head.Peek(1); len(first) == 1 && first[0] < 0x20 && !strings.ContainsRune("\t\r\n", rune(first[0])) {
		return "", "", &Error{Code: ErrFileSyntax, File: name, Path: "$", Line: 1,
			Msg: fmt.Sprintf("the byte 0x%02x where a JSON document should begin", first[0])}
	}
	limit := opts.maxBytes()
	if size > limit {
		return "", "", fileTooLarge(name, limit)
	}
	text, err = readAll(head, size, limit)
	switch {
	case errors.Is(err, errLimit):
		return "", "", fileTooLarge(name, limit)
	case errors.Is(err, budget.ErrOver):
		return "", "", &Error{Code: ErrMemory, File: name, Msg: err.Error()}
	case src.err != nil || err != nil && !packed:
		return "", "", cmp.Or(src.err, err)
	case err != nil:
		return "", "", damaged("the compressed data is damaged", err)
	}
	return innerName(name), strings.TrimPrefix(text, "\uFEFF"), nil
}

var errLimit = errors.New("larger than the limit")

// readAll reads a text of at most limit bytes, whose size may be known. Otherwise it keeps pieces
// until the end: a growing buffer would take several times the memory.
func readAll(r io.Reader, size, limit int64) (string, error) {
	var b strings.Builder
	if b.Grow(int(size)); size > 0 {
		n, err := io.Copy(&b, io.LimitReader(r, min(limit, math.MaxInt64-1)+1))
		if n > limit {
			err = errLimit
		}
		return b.String(), err
	}
	var pieces [][]byte
	for n := int64(0); ; {
		piece := make([]byte, min(max(4<<10, n), 1<<20))
		got, err := 0, error(nil)
		for more := 0; got < len(piece) && err == nil; got += more {
			more, err = r.Read(piece[got:])
		}
		pieces = append(pieces, piece[:got])
		budget.Note(got)
		if n += int64(got); n > limit {
			return "", errLimit
		}
		if errors.Is(err, io.EOF) {
			b.Grow(int(n))
			for i, piece := range pieces {
				b.Write(piece)
				pieces[i] = nil
			}
			return b.String(), nil
		}
		if err = cmp.Or(err, budget.Err()); err != nil {
			return "", err
		}
	}
}

func fileTooLarge(name string, limit int64) error {
	return &Error{Code: ErrFileLimit, File: name, Msg: fmt.Sprintf("larger than %d bytes, the limit MaxBytes", limit)}
}

// timeline reads the text of a file.
func (rd *timelineReader) timeline(name, text string) (*Timeline, error) {
	rd.sc = rd.scanner(name, text)
	// An exported node has about 250 bytes. Most nodes are in several snapshots.
	rd.build = tree.NewBuilder(min(len(text)/256, 1<<16))
	read := rd.document
	if strings.HasSuffix(innerName(name), ".jsonl") {
		read = rd.lines
	}
	d, err := read()
	if err != nil {
		return nil, err
	}
	return rd.newTimeline(d), nil
}

// newTimeline makes a timeline of what was read.
func (rd *timelineReader) newTimeline(d *document) *Timeline {
	t := d.Timeline
	t.warnings, t.index = rd.warnings, rd.build.Index
	if rd.looksOld() {
		t.warnings = slices.Insert(t.warnings, 0, rd.clues.old)
	}
	if !d.isHistory {
		t.extra = nil
	}
	t.edition = rd.editionOf(d.version)
	if newest := t.At(0); newest != nil && d.version == "" {
		t.edition, t.version = newest.Edition(), newest.SpecVersion()
	}
	t.version = cmp.Or(t.version, t.edition.SpecVersion())
	for s := range t.states() {
		if d.isHistory && !s.origin().OwnVersion {
			s.origin().Version = t.version
		}
	}
	return &t
}

// lines reads one snapshot from each line that is not blank.
func (rd *timelineReader) lines() (*document, error) {
	d, line, name := &document{}, 0, rd.sc.file
	for l := range strings.Lines(rd.sc.src) {
		rd.sc = rd.scanner(name, strings.TrimRight(l, "\r\n"))
		rd.sc.line0 = line
		line++
		if rd.sc.Peek() == 0 && rd.sc.Offset() == len(rd.sc.src) {
			continue
		}
		rd.sc.path = fmt.Sprintf("$[%d]", len(d.sealed))
		snap, err := rd.snapshot(int64(len(d.sealed)), false)
		if err == nil {
			err = rd.sc.End()
		}
		if err == nil {
			err = rd.push(d, snap, 0)
		}
		if err != nil {
			return nil, rd.sc.located(err)
		}
	}
	if len(d.sealed) == 0 {
		return nil, &Error{Code: ErrFileShape, File: name, Path: "$", Line: 1, Msg: "no snapshot in this file"}
	}
	return d, rd.checkAssumed()
}
