package engine

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// ReadOptions configures reading. The zero value means lenient reading with the default limits.
type ReadOptions struct {
	// Strict makes a violated invariant, and a spec_version of an unknown edition, an error instead
	// of a warning.
	Strict bool
	// Edition, if not nil, overrides spec_version.
	Edition *Edition
	// MaxBytes limits the size of a file after decompression; 0 means 512 MiB.
	MaxBytes int64
	// MaxDepth limits the nesting of nodes and of content; 0 means 1,000.
	MaxDepth int
	// Stop, if not nil, is called for each node of a tree and each line of a journal. Its error
	// ends the reading.
	Stop func() error
}

func (o ReadOptions) maxBytes() int64 { return budget.Buffer(cmp.Or(o.MaxBytes, 512<<20)) }
func (o ReadOptions) maxDepth() int   { return cmp.Or(o.MaxDepth, canonjson.DefaultDepth) }

// maxCycle keeps cycles and lifetimes far from overflow.
const maxCycle = 1 << 60

// maxSharedTags is how many lists of tags are kept to be shared by other nodes.
const maxSharedTags = 256

// timelineReader reads the snapshots of a timeline. It holds what one part of a file needs from the
// parts before it.
type timelineReader struct {
	opts     ReadOptions
	sc       *scanner
	build    *tree.Builder
	block    []tree.Record            // unused records
	tags     map[string]*tree.TagList // shared lists, by text
	hint     *Edition                 // the edition of an outer spec_version
	warnings []*Error
	replaced []string         // nodes whose ttl counts from the working cycle, sorted
	ttlFrom  map[string]int64 // in a journal: by id, the cycles from which ttls count
	warned   string           // the last unknown spec_version that was reported
	draft    bool             // ids may be missing
	first    int64            // the cycle of a snapshot that names none
	clues    editionClues
	assumed  Edition // that of a tree without a spec_version, unless hint has one
	filled   bool    // a missing nodeType was filled in for the edition assumed
	tree     rawTree
	within   string // the path of the snapshot being read, such as .snapshots[2]; "" for the document itself
}

func newReader(opts ReadOptions) *timelineReader {
	return &timelineReader{
		opts:  opts,
		build: tree.NewBuilder(0),
		tags:  map[string]*tree.TagList{},
		hint:  opts.Edition,
	}
}

// scanner returns a scanner for the text of a file.
func (rd *timelineReader) scanner(name, text string) *scanner {
	s := newScanner(name, text, rd.opts.maxDepth())
	s.option = ", the limit MaxDepth"
	return s
}

// document holds what was read from a JSON document: a snapshot or a history.
type document struct {
	Timeline
	cycle     int64
	cycleText string      // as it was read; "" if it is missing
	info      *CommitInfo // nil if there is none
	hasRoot   bool
	isHistory bool

	// Offsets of the document and of the members that are read last; 0 if they are missing.
	start, workingAt, resumeAt, cadenceAt int
}

// snapshotPath returns the JSON path of the snapshot that is being read.
func (rd *timelineReader) snapshotPath() string { return rd.sc.path + rd.within }

// snapshotMember reads one member of an object that is, or may be, a snapshot.
func (rd *timelineReader) snapshotMember(d *document, name string) (err error) {
	s := rd.sc
	switch name {
	case "spec_version":
		d.version, err = rd.version()
		return err
	case "cycle":
		start := s.start()
		text, err := s.Canonical()
		if err != nil || text == "null" { // null is the same as missing
			return err
		}
		d.cycleText = text
		var ok bool
		if d.cycle, ok = cycleOf(text); !ok {
			return s.errorAt(start, ErrHeaderType, "cycle must be an integer from 0 to 2^60")
		}
		return nil
	case "root":
		rd.tree.reset()
		rd.build.Begin()
		d.hasRoot = true
		return rd.root()
	case "cadence", "snapshots", "working": // with it, a snapshot would be read as another document
		return s.shape("a snapshot in a history cannot have the member " + name)
	}
	v, err := s.Canonical()
	d.extra = append(d.extra, tree.Member{Name: name, Value: v})
	return err
}

// cycleOf reads a cycle, or a number of cycles.
func cycleOf(text string) (int64, bool) {
	n, ok := canonjson.Int(text)
	return n, ok && n >= 0 && n <= maxCycle
}

// version reads a spec_version.
func (rd *timelineReader) version() (string, error) {
	start := rd.sc.start()
	v, err := rd.sc.string("spec_version must be a string")
	rd.clues.versioned = rd.clues.versioned || v != ""
	if err == nil {
		err = rd.checkVersion(v, start)
	}
	return v, err
}

// root reads a whole tree.
func (rd *timelineReader) root() error {
	if rd.sc.Peek() != '{' {
		return rd.sc.shape("root must be an object")
	}
	return rd.node(-1, 0, 0)
}

// snapshot reads a snapshot object. If it has no cycle, that is missing.
func (rd *timelineReader) snapshot(missing int64, working bool) (*Snapshot, error) {
	s := rd.sc
	start := s.start()
	d := document{cycle: missing}
	err := s.object("a snapshot", func(name string, _ int) error { return rd.snapshotMember(&d, name) })
	if err != nil {
		return nil, err
	}
	if !d.hasRoot {
		return nil, s.errorAt(start, ErrFileShape, "the snapshot has no root")
	}
	if !working {
		d.extra, d.info = takeMarks(d.extra)
	}
	rd.seeTypes()
	return rd.finish(&d, rd.editionOf(d.version), working)
}

// document reads a whole file: a snapshot or a history.
func (rd *timelineReader) document() (*document, error) {
	d, err := rd.envelope()
	if err == nil {
		err = rd.finishDocument(d)
	}
	return d, rd.sc.located(err)
}

// envelope reads the document, except the members that depend on others.
func (rd *timelineReader) envelope() (*document, error) {
	s := rd.sc
	if s.Peek() != '{' {
		return nil, s.wrongValue(ErrFileShape, "neither a snapshot nor a history")
	}
	d := &document{start: s.Offset(), cycle: rd.first}
	err := s.Object(func(name string, at int) error {
		s.Peek()
		switch name {
		case "root", "snapshots":
			if name == "root" && d.isHistory || name == "snapshots" && d.hasRoot {
				return s.errorAt(at, ErrFileShape, "both a root and snapshots")
			}
			if name == "snapshots" {
				return rd.snapshots(d)
			}
		case "working":
			// The cycle of the working state follows from the newest
			// snapshot, which may come after it.
			d.workingAt = s.Offset()
			return rd.skip()
		case "resume": // of a history; in a snapshot it is custom data
			d.resumeAt = s.Offset()
		case "cadence":
			d.cadenceAt = s.Offset() // its nodes would go into the tree of the root
			return rd.skip()
		}
		return rd.snapshotMember(d, name)
	})
	if err != nil {
		return nil, err
	}
	return d, s.End()
}

// skip skips a value that may hold nodes.
func (rd *timelineReader) skip() error {
	s := rd.sc
	most := s.MaxDepth
	s.MaxDepth = 3*min(most, math.MaxInt/4) + 3 // two for each level of nodes, and one for each level of content
	err := s.Skip()
	s.MaxDepth = most
	return err
}

// snapshots reads the list of snapshots of a history.
func (rd *timelineReader) snapshots(d *document) error {
	s := rd.sc
	d.isHistory = true
	err := s.array("snapshots", func(n int) error {
		start := s.start()
		rd.within = ".snapshots[" + strconv.Itoa(n) + "]"
		snap, err := rd.snapshot(int64(n), false)
		if err != nil {
			return err
		}
		return rd.push(d, snap, start)
	})
	rd.within = ""
	return err
}

// finishDocument reads the members that depend on others.
func (rd *timelineReader) finishDocument(d *document) (err error) {
	s := rd.sc
	if rd.opts.Edition == nil && d.version != "" {
		rd.hint = new(rd.editionOf(d.version))
	}
	switch {
	case d.isHistory:
		if d.cycleText != "" { // a history has no cycle, so it is an unknown member
			d.extra = append(d.extra, tree.Member{Name: "cycle", Value: d.cycleText})
		}
		d.extra, d.forks = takeForks(d.extra)
		if rd.filled && rd.assumed != Edition01 && rd.hint != nil && *rd.hint == Edition01 {
			return errOlder
		}
	case d.hasRoot:
		if rd.seeTypes(); rd.looksOld() {
			rd.assumed = Edition01
		}
		snap, err := rd.finish(d, rd.editionOf(d.version), false)
		if err != nil {
			return err
		}
		d.push(snap)
	default:
		return s.errorAt(d.start, ErrFileShape, "neither a snapshot (root) nor a history (snapshots)")
	}
	if d.cadenceAt > 0 {
		s.Reset(d.cadenceAt)
		if d.cadence, err = rd.schedules(); err != nil {
			return err
		}
	}
	if d.resumeAt > 0 && d.isHistory {
		if d.workingAt == 0 {
			return s.errorAt(d.resumeAt, ErrFileShape, "resume needs a working state, which is missing")
		}
		d.extra = slices.DeleteFunc(d.extra, func(m tree.Member) bool { return m.Name == "resume" })
		s.Reset(d.resumeAt)
		if d.state, err = rd.savedState(); err != nil {
			return err
		}
	}
	if d.workingAt > 0 {
		s.Reset(d.workingAt)
		rd.within = ".working"
		_, last, ok := d.Cycles()
		if d.working, err = rd.snapshot(last+1, true); err != nil {
			return err
		}
		if ok && d.working.Cycle() != last+1 {
			return s.errorAt(d.workingAt, ErrFileShape, "the working state must have cycle %d", last+1)
		}
	}
	return rd.checkAssumed()
}

// checkAssumed returns errOlder if the file was read as edition 1.0 and looks older as a whole.
func (rd *timelineReader) checkAssumed() error {
	if rd.assumed != Edition01 && rd.looksOld() {
		return errOlder
	}
	return nil
}

// errOlder ends a reading that assumed edition 1.0 too early: a spec_version of edition 0.1 follows
// nodes whose missing type was filled in, or the file names no edition and uses only types of
// edition 0.1. Then [ReadText] reads the text again and assumes edition 0.1, which never ends with
// this error.
var errOlder = errors.New("the file is of edition 0.1")

// push adds the next snapshot, which begins at the offset at. Its cycle must be later than that of
// the snapshot before it.
func (rd *timelineReader) push(d *document, snap *Snapshot, at int) error {
	if _, last, ok := d.Cycles(); ok && snap.Cycle() <= last {
		return rd.sc.errorAt(at, ErrFileShape, "cycle %d does not follow cycle %d: snapshots are ordered oldest first", snap.Cycle(), last)
	}
	d.push(snap)
	return nil
}
