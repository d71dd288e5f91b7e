package journal

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// Decoder makes a timeline from frames. It checks each digest, and that appends are complete:
// frames count once the last one of their append has arrived.
type Decoder struct {
	name     string
	replay   *engine.Replayer
	verify   bool // verify checkpoints too
	stop     func() error
	frames   int // in complete appends
	lines    int // all lines added, also of incomplete appends
	whole    int // the size of the file up to the last complete append, in bytes
	hash     hasher
	digest   Digest
	head     Head // after the last complete append
	pending  []pendingEntry
	waiting  Head // after the last frame
	expected *kept
	failed   bool
}

type pendingEntry struct {
	entry engine.Entry
	line  int
	sum   string
}

// VerifyCheckpoints makes the decoder verify at every checkpoint that the snapshot is the one that
// was written.
func (d *Decoder) VerifyCheckpoints() { d.verify = true }

// NewDecoder returns a decoder for a journal. name is the name of the journal in errors.
func NewDecoder(name string, o engine.ReadOptions) *Decoder {
	return &Decoder{name: name, replay: engine.NewReplayer(name, o), stop: o.Stop}
}

// Add takes the next frame. The first one must be a header. An error is of type [*engine.Error] and
// names the line, the header being line 1; after an error the decoder accepts no more frames.
func (d *Decoder) Add(f Frame) error {
	return d.add(f.Body[:max(len(f.Body)-1, 0)], f.Body, f.Digest)
}

// add takes the next frame. open is its body without the last brace; text is the body or the whole
// line.
func (d *Decoder) add(open, text string, digest Digest) error {
	if d.failed {
		return d.fail(ErrLine, "a frame follows one that was rejected")
	}
	d.lines++
	d.failed = true // until it succeeds
	if !d.fits(open, digest) {
		if f := frameOf(text); d.lines == 1 && f.Kind == Prefix {
			return d.failPrefix(f)
		}
		return d.fail(ErrDigest, "the digest of %s does not fit: the line was changed, or does not follow the one before", titleOf(text))
	}
	d.digest = digest // also of a line that cannot be read: it is as it was written
	l, ok := plainLine(open)
	if !ok {
		var err error
		if l, err = d.parse(text); err != nil {
			return err
		}
	}
	isHeader := l.entry.Kind == engine.EntryHistory
	switch {
	case (d.lines == 1) != isHeader:
		return d.fail(ErrLine, "a journal has one header, which is its first line")
	case isHeader:
		d.waiting.about, d.expected = l.about, l.kept
		d.waiting.about.Events, d.waiting.about.Rules = l.format >= eventVersion, l.format == latestVersion
	case l.entry.Kind == engine.EntryFork:
		d.waiting.about.ID, d.waiting.forked = l.about.ID, true
	case d.lines == 2 && d.expected != nil && (l.entry.Kind != engine.EntrySnapshot || l.entry.Cycle != d.expected.cycle):
		return d.fail(ErrLine, "according to the header, older snapshots were removed, so the snapshot of cycle %d must follow", d.expected.cycle)
	}
	d.waiting.format = max(d.waiting.format, l.format)
	d.waiting.version = Version{l.entry.Cycle, digest}
	if l.sum != "" {
		d.waiting.grown = 0
	}
	d.waiting.grown += int64(len(open) + len("}") + LineOverhead)
	d.waiting.take(l.entry)
	d.pending = append(d.pending, pendingEntry{l.entry, d.lines, l.sum})
	if l.end {
		if err := d.apply(); err != nil {
			return err
		}
	}
	d.failed = false
	return nil
}

// plainLine reads a line that has only a delta and the end mark, as most lines do. It does not
// check the delta, which is the text between the other members. The reader of that text detects
// more than one value.
func plainLine(open string) (lineText, bool) {
	const start, between, end = `{"cycle":`, `,"delta":`, `,"end":true`
	l := lineText{end: true}
	rest, ok := strings.CutPrefix(open, start)
	digits, rest, found := strings.Cut(rest, between)
	rest, ends := strings.CutSuffix(rest, end)
	if !ok || !found || !ends || len(digits) > len("1152921504606846976") {
		return l, false
	}
	cycle, ok := canonjson.Int(digits)
	l.entry = engine.Entry{Kind: engine.EntryDelta, Cycle: cycle, Text: rest}
	return l, ok && cycle >= 0
}

// titleOf describes the frame in a line as well as possible.
func titleOf(text string) string {
	f := frameOf(text)
	if f.Kind == Header {
		return "the line"
	}
	kind := f.Kind.String()
	if f.Kind == Working {
		kind = "working state"
	}
	return fmt.Sprintf("the %s of cycle %d", kind, f.Cycle)
}

// frameOf returns the frame of a body or a line, or that of a header if it cannot be read.
func frameOf(text string) Frame {
	f := Frame{Body: text}
	s := canonjson.NewScanner(text, lineDepth)
	if s.Object(func(name string, _ int) error { return f.member(s, name) }) != nil {
		return Frame{}
	}
	return f
}

// fits reports whether a frame has the right digest.
func (d *Decoder) fits(open string, digest Digest) bool {
	before := d.digest
	replaces := d.lines == 2 && d.expected != nil // the snapshot replaces what was removed
	if replaces {
		before = Digest{}
	}
	sum := d.hash.chain(before, open)
	if replaces {
		return sum == d.expected.sum && digest == d.expected.digest
	}
	return sum == digest
}

// apply applies the frames of a complete append.
func (d *Decoder) apply() error {
	for _, p := range d.pending {
		if err := d.replay.Add(p.entry, p.line, "$."+memberOf(p.entry.Kind)); err != nil {
			return err
		}
		if p.sum == "" {
			continue
		}
		d.waiting.checked, d.waiting.size = d.replay.Last(), 0
		if d.verify {
			if err := d.checkSum(p); err != nil {
				return err
			}
		}
	}
	d.frames += len(d.pending)
	d.pending = d.pending[:0]
	d.head = d.waiting
	return nil
}

func memberOf(k engine.EntryKind) string {
	if k == engine.EntryHistory {
		return "history"
	}
	return Kind(k).String()
}

// checkSum compares a checkpoint with the replayed snapshot.
func (d *Decoder) checkSum(p pendingEntry) error {
	sum, size := d.replay.Last().Sum()
	if hex.EncodeToString(sum[:]) != p.sum {
		return d.failAt(p.line, ErrDigest, "the snapshot of cycle %d is not the one that was written: its checkpoint does not fit", p.entry.Cycle)
	}
	d.waiting.size = size
	return nil
}

// Timeline returns the history up to the last complete append. For a history without a state, the
// error has the code [engine.ErrFileShape].
func (d *Decoder) Timeline() (*engine.Timeline, error) { return d.replay.Timeline() }

// Head returns the end of the journal, up to the last complete append.
func (d *Decoder) Head() Head {
	h := d.head
	h.recorder = d.replay.Recorder()
	return h
}

func (d *Decoder) fail(code engine.Code, format string, args ...any) error {
	return d.failAt(d.lines, code, format, args...)
}

func (d *Decoder) failAt(line int, code engine.Code, format string, args ...any) error {
	return &engine.Error{Code: code, File: d.name, Path: "$", Line: line, Msg: fmt.Sprintf(format, args...)}
}

// lineText is the content of a line.
type lineText struct {
	entry engine.Entry
	end   bool
	sum   string
	about About
	kept  *kept

	format int64 // the version of the format; 0 if the line has none
}

// kept is what the header of a compacted journal records about the snapshot that follows it.
type kept struct {
	cycle  int64
	digest Digest // of the frame that the snapshot replaces
	sum    Digest // SHA-256 of the body of the snapshot
}

// parse reads the body of a frame.
func (d *Decoder) parse(body string) (lineText, error) {
	var l lineText
	p := parser{canonjson.NewScanner(body, lineDepth)}
	err := d.members(p, &l)
	if err == nil {
		err = p.End()
	}
	if err == nil {
		return l, nil
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return l, e
	}
	if isMemory(err) {
		return l, d.fail(engine.ErrMemory, "%s", budget.Refusal())
	}
	at := 0
	if e, ok := errors.AsType[*canonjson.Error](err); ok {
		at, err = e.Offset, errors.New(e.Msg)
	} else if e, ok := errors.AsType[*shapeError](err); ok {
		at = e.at
	}
	return l, &engine.Error{Code: ErrLine, File: d.name, Path: canonjson.Path(body, at), Line: d.lines, Msg: err.Error()}
}

// members reads the members of a frame.
func (d *Decoder) members(p parser, l *lineText) error {
	var info engine.CommitInfo
	hasAbout, hasInfo, required, contents, callAt := false, false, 0, 0, 0
	err := p.Object(func(name string, at int) (err error) {
		switch name {
		case "format", "version":
			required++
			return d.headerMember(p, l, name)
		case "id", "kept", "purged", "source", "started":
			hasAbout = true
			return d.headerMember(p, l, name)
		case "history", "snapshot", "delta", "working", "fork":
			contents++
			l.entry.Kind = map[string]engine.EntryKind{
				"history": engine.EntryHistory, "snapshot": engine.EntrySnapshot, "delta": engine.EntryDelta, "working": engine.EntryWorking,
				"fork": engine.EntryFork,
			}[name]
			l.entry.Text, err = p.Raw()
			return err
		case "cycle":
			return p.integer(name, &l.entry.Cycle)()
		case "end":
			return p.yes(name, &l.end)()
		case "sum":
			return p.text(name, &l.sum)()
		case "digest": // of a line
			return p.Skip()
		}
		hasInfo = true
		switch name {
		case "step":
			return p.yes(name, &info.Step)()
		case "side":
			info.Side, err = p.side()
		case "event":
			info.Event, err = p.event()
		case "causes":
			info.Causes, err = p.causes()
		case "policy":
			info.Policy, err = p.policy()
		case "call": // which members it omits depends on the kind of the frame
			callAt = p.Offset()
			err = p.Skip()
		default:
			err = &shapeError{at, fmt.Sprintf("%q is not a member of a journal's line", name)}
		}
		return err
	})
	isHeader := l.entry.Kind == engine.EntryHistory || l.entry.Kind == engine.EntryFork
	switch {
	case err != nil:
		return err
	case contents != 1, hasAbout && !isHeader, isHeader && hasInfo:
		return &shapeError{0, "a line has a history in the header, else one snapshot, delta, working or fork"}
	case required < 2 && (isHeader || required > 0):
		return &shapeError{0, "a header has a format and a version"}
	}
	if callAt > 0 {
		end := p.Offset()
		p.Reset(callAt)
		if info.Call, err = p.call(d.waiting.callBefore(l.entry)); err != nil {
			return err
		}
		p.Reset(end)
	}
	if hasInfo {
		l.entry.Info = &info
	}
	return nil
}

// headerMember reads a member of a header.
func (d *Decoder) headerMember(p parser, l *lineText, name string) error {
	switch name {
	case "format":
		var s string
		if err := p.text(name, &s)(); err != nil || s == format {
			return err
		}
		return d.fail(ErrVersion, "the format is %q, not %s", s, format)
	case "version":
		if err := p.integer(name, &l.format)(); err != nil {
			return err
		}
		if l.format < formatVersion || l.format > latestVersion {
			return d.fail(ErrVersion, "the journal is of version %d; this program reads versions %d to %d", l.format, formatVersion, latestVersion)
		}
		return nil
	case "id":
		return p.text(name, &l.about.ID)()
	case "source":
		return p.text(name, &l.about.Source)()
	case "started":
		return p.text(name, &l.about.Started)()
	case "kept":
		return p.kept(l)
	}
	return p.Skip()
}

// kept reads what a header records about the removed snapshots.
func (p parser) kept(l *lineText) error {
	var k kept
	var digest, sum string
	err := p.object("kept", map[string]func() error{
		"cycle": p.integer("cycle", &k.cycle), "digest": p.text("digest", &digest), "sum": p.text("sum", &sum),
	})
	if err != nil {
		return err
	}
	var known [2]bool
	k.digest, known[0] = ParseDigest(digest)
	k.sum, known[1] = ParseDigest(sum)
	if !known[0] || !known[1] || digest == "" || sum == "" {
		return p.wrong("kept")
	}
	l.kept = &k
	return nil
}
