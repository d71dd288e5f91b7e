package journal

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// About is what the header of a journal says about the history. All members are optional.
type About struct {
	ID      string // the name of the history, such as that in a store
	Started string // when it began, RFC 3339
	Source  string // what it was imported from
	Events  bool   // it has states between calls, or may get some: the journal is of version 3
	Rules   bool   // it has changes by rules of policies, or may get some: the journal is of version 4
}

// Head is the end of a journal: everything that an append needs. It is a value, so after a failed
// append the old one is still valid.
type Head struct {
	about    About
	version  Version
	call     *engine.Call // of the last commit; nil if it has none
	recorder engine.Recorder
	grown    int64            // bytes of lines since the last checkpoint
	size     int64            // of the canonical text of the snapshot at that checkpoint; 0 if it is unknown
	checked  *engine.Snapshot // that snapshot; nil if its size is known
	purged   string           // for a new journal: what the header lists as erased
	forked   bool             // the history was forked from another one
	format   int64            // the version of the format of the lines so far
	room     *[]byte          // for the texts of what a [Writer] writes at once; or nil
}

// NewHead returns the head of a journal that has not been begun. The first append begins with the
// header.
func NewHead(a About) Head { return Head{about: a} }

// About returns what the header says, or in a fork its own line.
func (h Head) About() About { return h.about }

// Version returns the version of the history, the zero Version before the first append.
func (h Head) Version() Version { return h.version }

// Append returns the frames for everything that is new in t, a later state of the same history, and
// the head after them. The frames are one append: the last of them has the end mark. There are none
// if t has nothing new. If t does not continue the journal, the error has the code
// [engine.ErrFileShape]. The cost depends on what is new.
func (h Head) Append(t *engine.Timeline) ([]Frame, Head, error) {
	entries, next, err := h.record(t)
	if err != nil || len(entries) == 0 {
		return nil, h, err
	}
	frames, next := next.frames(entries, false)
	return frames, next, nil
}

// record returns the entries for what is new in t, and the head that makes frames of them.
func (h Head) record(t *engine.Timeline) (entries []engine.Entry, next Head, err error) {
	entries, h.recorder, err = h.recorder.Record(t)
	h.forked = len(t.Forks()) > 0
	return entries, h, err
}

// Snapshot is Append for just the next snapshot, for callers that make snapshots one after the
// other without a timeline. The first one determines the edition of the history.
func (h Head) Snapshot(s *engine.Snapshot) ([]Frame, Head, error) {
	entries, recorder, err := h.recorder.In(h.room).RecordSnapshot(s)
	if err != nil {
		return nil, h, err
	}
	h.recorder = recorder.In(nil)
	frames, h := h.frames(entries, false)
	return frames, h, nil
}

// frames makes one append of the entries. If each is set, it makes an append of every entry except
// the header.
func (h Head) frames(entries []engine.Entry, each bool) ([]Frame, Head) {
	out := make([]Frame, 0, len(entries))
	for _, s := range entries {
		h.about = h.about.With(s.Info)
	}
	for i, s := range entries {
		out = append(out, h.frame(s, i == len(entries)-1 || each && i > 0))
	}
	return out, h
}

// With returns a with what a snapshot with this info adds to the header.
func (a About) With(info *engine.CommitInfo) About {
	if info != nil {
		a.Events = a.Events || info.Event != nil
		a.Rules = a.Rules || info.Policy != nil || slices.ContainsFunc(info.Causes, func(c engine.Cause) bool { return c.Rule != "" })
	}
	return a
}

// frame makes the frame of an entry, and advances the head.
func (h *Head) frame(s engine.Entry, end bool) Frame {
	f := Frame{Kind: Kind(s.Kind), Cycle: s.Cycle, End: end}
	var room [8]member
	list := room[:0]
	switch s.Kind {
	case engine.EntryHistory:
		list = h.header(s)
	case engine.EntryFork:
		f.Cycle = max(f.Cycle, h.version.Cycle)
		list = []member{{"cycle", decimal(f.Cycle)}, {"fork", s.Text}, {"id", quote(h.about.ID)}}
	default:
		list = append(appendInfo(list, s.Info, h.callBefore(s)), member{"cycle", decimal(s.Cycle)}, member{f.Kind.String(), s.Text})
	}
	h.take(s)
	if end {
		list = append(list, member{"end", "true"})
	}
	if sum := h.checkpoint(s); sum != "" {
		list = append(list, member{"sum", quote(sum)})
	}
	if need := h.formatNeeded(); f.Kind == Fork || f.Kind != Header && need > h.format {
		f.Body = withVersion(need, list)
	} else {
		f.Body = h.body(list)
	}
	h.format = max(h.format, h.formatNeeded())
	f.Digest = Chain(h.version.Digest, f.Body)
	h.version = f.Version()
	h.grown += int64(len(f.Body) + LineOverhead)
	return f
}

// callBefore returns the call whose members an entry omits, or nil if the entry omits none.
func (h *Head) callBefore(s engine.Entry) *engine.Call {
	if s.Kind == engine.EntryDelta {
		return h.call
	}
	return nil
}

// take records what the entries after s may omit.
func (h *Head) take(s engine.Entry) {
	if s.Kind != engine.EntrySnapshot && s.Kind != engine.EntryDelta {
		return
	}
	h.call = nil
	if s.Info != nil {
		h.call = s.Info.Call
	}
}

// checkpoint returns the digest of the canonical text of the snapshot of an entry if the journal
// has grown by the size of that text since the last checkpoint, and "" otherwise.
func (h *Head) checkpoint(s engine.Entry) string {
	if h.size == 0 && h.checked != nil {
		_, h.size = h.checked.Sum()
	}
	h.checked = nil
	if s.Kind != engine.EntryDelta || h.grown+int64(len(s.Text)) < h.size {
		return ""
	}
	sum, size := s.Snapshot.Sum()
	h.grown, h.size = 0, size
	return hex.EncodeToString(sum[:])
}

// member is a member of an object. Its value is JSON text.
type member struct{ name, value string }

// format identifies journals; the first line of each begins with it.
const (
	format        = "pactkit-journal"
	formatVersion = 2
	eventVersion  = 3 // see [About].Events
	latestVersion = 4 // of a history that was forked, of the line of a fork, and see [About].Rules
	magic         = `{"format":"` + format + `"`
)

// formatNeeded returns the lowest version of the format that has all that the history has.
func (h *Head) formatNeeded() int64 {
	switch {
	case h.forked, h.about.Rules:
		return latestVersion
	case h.about.Events:
		return eventVersion
	}
	return formatVersion
}

// header returns the members of the header.
func (h *Head) header(s engine.Entry) []member {
	list := []member{{"format", quote(format)}, {"history", s.Text}, {"version", decimal(h.formatNeeded())}}
	if h.purged != "" {
		list = append(list, member{"purged", h.purged})
	}
	for _, m := range []member{{"id", h.about.ID}, {"source", h.about.Source}, {"started", h.about.Started}} {
		if m.value != "" {
			list = append(list, member{m.name, quote(m.value)})
		}
	}
	return list
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func quote(s string) string {
	var short [64]byte
	return string(canonjson.AppendString(short[:0], strings.ToValidUTF8(s, "\uFFFD")))
}

// body writes the body of a frame.
func (h *Head) body(list []member) string {
	if h.room == nil {
		return bodyText(list)
	}
	begin := len(*h.room)
	*h.room = appendObject(*h.room, list)
	body := (*h.room)[begin:]
	return canonjson.UnescapeWide(unsafe.String(unsafe.SliceData(body), len(body)))
}

// bodyText is body in new memory.
func bodyText(list []member) string { return canonjson.UnescapeWide(objectText(list)) }

// objectText writes an object, its members sorted.
func objectText(list []member) string {
	text := appendObject(nil, list)
	return unsafe.String(unsafe.SliceData(text), len(text)) // nothing else has the bytes
}

func appendObject(dst []byte, list []member) []byte {
	slices.SortFunc(list, func(a, b member) int { return strings.Compare(a.name, b.name) })
	n := len("{}")
	for _, m := range list {
		n += len(m.name) + len(m.value) + len(`"":,`)
	}
	dst = append(slices.Grow(dst, n), '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(canonjson.AppendString(dst, m.name), ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}')
}
