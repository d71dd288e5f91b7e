package host

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser"
)

// Finder finds the selectors in successive versions of one document, for editors. It reads only the
// parts that have changed. It finds what [Host.Find] does, except that a selector file has a region
// for each of its parts (see [parser.Entries]). The zero value is ready for use. A Finder is safe
// for concurrent use.
type Finder struct {
	mu       sync.Mutex
	reader   segmentReader
	src      string // the version that was read last
	segments []segment
	buffer   []token
	size     int // the minimum size of a segment, for tests; 0 stands for segmentSize
}

// segment is a part of a file. What is found in it depends only on its text and on the state of its
// reader at its start.
type segment struct {
	length   int
	reach    int // how many bytes from its start were examined: what is found depends on them
	before   state
	after    state
	braces   braces
	file     File          // what was found in it; its spans count from the start of the segment
	marks    bool          // it may contain a marker of programs
	imports  evidence      // of a program
	document *documentPart // of a document, instead of file
}

// state is what a reader knows at the start of a segment: nil at the start of a file. States of one
// reader are compared by [segmentReader.enter].
type state any

// segmentReader reads the segments of one kind of file. Equal readers give equal results.
type segmentReader interface {
	// isCut reports whether a segment may begin at an offset after the first. It looks at lookAhead
	// bytes on either side.
	isCut(src string, at int) bool
	// read reads the text from an offset to an end, where a segment may begin or the file ends. It
	// reports whether the text is a segment, rather than the beginning of a longer one. The caller
	// sets length, and also reach if that is the length.
	read(src string, at, end int, before state, buffer *[]token) (segment, bool)
	// enter returns the state after a segment that is entered in a state. It reports whether what
	// was found in the segment is valid for that state.
	enter(s *segment, before state) (after state, holds bool)
	// assemble combines what was found in the segments.
	assemble(src string, segments []segment) File
}

// segmented is a host of files that can be read in segments.
type segmented interface {
	// segments returns the reader of a source, or nil for a source in which nothing can be marked.
	// The previous version was read by last.
	segments(src string, m *Markers, last segmentReader) segmentReader
}

// Find returns what a host finds in a version of the document. If m is nil, the markers are those
// of [DefaultPatterns].
func (f *Finder) Find(h Host, src string, m *Markers) File {
	if m == nil {
		m = defaultMarkers()
	}
	if !h.Embeds() {
		return entries(src)
	}
	s, ok := h.(segmented)
	if !ok {
		return h.Find(src, m)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r := s.segments(src, m, f.reader)
	if r != f.reader {
		f.reader, f.src, f.segments = r, "", nil
	}
	if r == nil {
		return File{}
	}
	f.read(src)
	return r.assemble(src, f.segments)
}

// entries makes a region of each part of a selector file.
func entries(src string) File {
	parts := slices.AppendSeq(make([]ast.Span, 0, strings.Count(src, "\n")+1), parser.Entries(src))
	if src == "" {
		parts = []ast.Span{{}}
	}
	f := File{Regions: make([]Region, len(parts))}
	all := make(pieces, len(parts))
	for i, at := range parts {
		f.Regions[i] = regionOf(src, at, Selectors, all[i:i+1:i+1])
	}
	return f
}

// plainRegion is a region whose bytes stand for themselves.
func plainRegion(src string, at ast.Span, form Form) Region {
	return regionOf(src, at, form, make(pieces, 1))
}

// regionOf does the work of plainRegion with memory for the piece that the caller provides.
func regionOf(src string, at ast.Span, form Form, one pieces) Region {
	one[0] = piece{text: ast.Span{Start: 0, End: at.Len()}, source: at, copied: true}
	return Region{Span: at, Text: at.Text(src), Form: form, src: src, token: at, pieces: one}
}

// segmentSize is the minimum size in bytes of every segment except the last.
const segmentSize = 4 << 10

// maxReach is the reach of a segment that depends on the end of the file.
const maxReach = math.MaxInt

// lookAhead is how many bytes before and after an offset decide whether a segment may begin there.
const lookAhead = 4 << 10

// read brings the segments up to date.
func (f *Finder) read(src string) {
	old := oldSegments{reader: f.reader, list: f.segments, src: src, size: len(f.src)}
	old.head = commonPrefix(f.src, src)
	old.tail = commonSuffix(f.src[old.head:], src[old.head:])
	next := make([]segment, 0, len(f.segments)+1)
	var before state
	for at := 0; at < len(src); {
		s, ok := old.take(at, before)
		if !ok {
			s = f.readAt(src, at, before, &old)
			before = s.after
		} else {
			before, _ = f.reader.enter(&s, before)
		}
		next = append(next, s)
		at += s.length
	}
	f.src, f.segments = src, next
}

// readAt reads the segment that begins at an offset. If possible, the segment ends where an old one
// begins that can be reused.
func (f *Finder) readAt(src string, at int, before state, old *oldSegments) segment {
	for size := cmp.Or(f.size, segmentSize); ; size *= 2 {
		end := nextCut(f.reader, src, at+size)
		if start := old.next(at); start > 0 && start < end {
			end = start
		}
		s, whole := f.reader.read(src, at, end, before, &f.buffer)
		if !whole && end < len(src) {
			old.skip(max(end, at+size)) // the text at least doubles
			continue
		}
		s.length, s.before = cmp.Or(s.length, end-at), before
		if s.reach = max(s.reach, s.length); !whole {
			s.reach = maxReach // more text may make it longer
		}
		return s
	}
}

// nextCut returns the first offset, at or after at, where a segment may begin, or the end.
func nextCut(r segmentReader, src string, at int) int {
	for ; at < len(src); at++ {
		i := strings.IndexAny(src[at-1:], ",\n")
		if i < 0 {
			break
		}
		if at += i; r.isCut(src, at) {
			return at
		}
	}
	return len(src)
}

// oldSegments are the segments of the previous version, in order.
type oldSegments struct {
	reader     segmentReader
	list       []segment
	at         int    // where the first of list began in the old version
	size       int    // of the old version
	src        string // the new version
	head, tail int    // the sizes of the common prefix and the common suffix of the versions
}

// start returns where the first of the old segments begins in the new version. It returns false if
// the segment has changed.
func (o *oldSegments) start() (int, bool) {
	s := &o.list[0]
	end := o.at + s.length
	switch {
	case o.at >= o.size-o.tail:
		at := o.at + len(o.src) - o.size
		return at, at == 0 || o.reader.isCut(o.src, at)
	case s.reach <= o.head-o.at && (end <= o.head-lookAhead || end == len(o.src) || o.reader.isCut(o.src, end)):
		return o.at, true
	}
	return 0, false
}

// skip drops the old segments that begin before the end of the part that has been read.
func (o *oldSegments) skip(end int) {
	for len(o.list) > 0 {
		if at, ok := o.start(); ok && at > end {
			return
		}
		o.drop()
	}
}

func (o *oldSegments) drop() {
	o.at += o.list[0].length
	o.list = o.list[1:]
}

// next returns where the first old segment after an offset begins, or 0.
func (o *oldSegments) next(at int) int {
	for len(o.list) > 0 {
		if start, ok := o.start(); ok && start > at {
			return start
		}
		o.drop()
	}
	return 0
}

// take returns the old segment at an offset, if what was found in it is still valid.
func (o *oldSegments) take(at int, before state) (segment, bool) {
	for len(o.list) > 0 {
		start, ok := o.start()
		if ok && start > at {
			break
		}
		s := o.list[0]
		if ok && start == at {
			if _, holds := o.reader.enter(&s, before); holds {
				o.drop()
				return s, true
			}
		}
		o.drop()
	}
	return segment{}, false
}

// commonPrefix returns the size of the common prefix of two texts.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	at := 0
	for step := 4 << 10; step > 0; {
		if step = min(step, n-at); step > 0 && a[at:at+step] == b[at:at+step] {
			at += step
		} else {
			step /= 2
		}
	}
	return at
}

// commonSuffix returns the size of the common suffix of two texts.
func commonSuffix(a, b string) int {
	n := min(len(a), len(b))
	at := 0
	for step := 4 << 10; step > 0; {
		if step = min(step, n-at); step > 0 && a[len(a)-at-step:len(a)-at] == b[len(b)-at-step:len(b)-at] {
			at += step
		} else {
			step /= 2
		}
	}
	return at
}
