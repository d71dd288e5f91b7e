package journal

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// Compact removes the older snapshots of a journal. It returns a version, and the frames that
// replace those up to it: a header and a snapshot. The newest snapshots, keep of them, and the one
// before them remain, and every frame after the version keeps its digest. If the journal has no
// more snapshots than that, the result is empty. frames is read twice. Errors are those of
// [Decoder.Add] and of frames.
func Compact(frames iter.Seq2[Frame, error], keep int) (upTo Version, replacement []Frame, err error) {
	var ends []Version // of the snapshots that end an append and are followed by another snapshot
	var sealed []int64 // the cycles of all snapshots
	for f, err := range frames {
		if err != nil {
			return Version{}, nil, err
		}
		if f.Kind == Snapshot || f.Kind == Delta {
			sealed = append(sealed, f.Cycle)
			if f.End {
				ends = append(ends, f.Version())
			}
		}
	}
	if len(sealed) < keep+2 {
		return Version{}, nil, nil
	}
	oldest := sealed[len(sealed)-keep-1]
	ends = slices.DeleteFunc(ends, func(v Version) bool { return v.Cycle > oldest })
	if len(ends) == 0 || ends[len(ends)-1].Cycle == sealed[0] {
		return Version{}, nil, nil
	}
	upTo = ends[len(ends)-1]
	replacement, err = replace(frames, upTo)
	return upTo, replacement, err
}

// replace returns the frames that replace those up to a version.
func replace(frames iter.Seq2[Frame, error], upTo Version) ([]Frame, error) {
	d, header, err := replayed(frames, upTo.Digest)
	if err != nil {
		return nil, err
	}
	entry, err := d.replay.Whole()
	if err != nil {
		return nil, err
	}
	list := append(appendInfo(nil, entry.Info, nil), member{"cycle", decimal(entry.Cycle)}, member{Snapshot.String(), entry.Text}, member{"end", "true"})
	snapshot := Frame{Kind: Snapshot, Cycle: entry.Cycle, End: true, Digest: upTo.Digest, Body: bodyText(list)}
	sum := Chain(Digest{}, snapshot.Body)
	header.Body = withMember(header.Body, member{"version", decimal(d.head.format)})
	if d.head.forked { // the header is that of the history it was forked from
		header.Body = withMember(header.Body, member{"id", quote(d.head.about.ID)})
	}
	header.Body = withMember(header.Body, member{"kept", objectText([]member{
		{"cycle", decimal(entry.Cycle)}, {"digest", quote(upTo.Digest.String())}, {"sum", quote(sum.String())},
	})})
	header.Digest = Chain(Digest{}, header.Body)
	return []Frame{header, snapshot}, nil
}

// replayed reads the frames of a journal up to the one with the digest last, or all of them if last
// is the zero Digest.
func replayed(frames iter.Seq2[Frame, error], last Digest) (d *Decoder, header Frame, err error) {
	d = NewDecoder("", engine.ReadOptions{})
	for f, err := range frames {
		if err == nil {
			err = d.Add(f)
		}
		if err != nil {
			return nil, Frame{}, err
		}
		if f.Kind == Header {
			header = f
		}
		if f.Digest == last {
			break
		}
	}
	return d, header, nil
}

// withMember returns the body of a line with one member set.
func withMember(body string, m member) string {
	return bodyText(append(membersBut(body, m.name), m))
}

// membersBut returns the members of the body of a line without one of them.
func membersBut(body, name string) (list []member) {
	s := canonjson.NewScanner(body, lineDepth)
	_ = s.Object(func(n string, _ int) error { // the body is valid: it was read before
		v, err := s.Raw()
		if n != name {
			list = append(list, member{n, v})
		}
		return err
	})
	return list
}

// Erasure is a journal without the content of some nodes.
type Erasure struct {
	Frames []Frame  // of the new journal
	Others []string // ids of the nodes that were erased although they were not named, sorted
	Texts  []string // JSON of what the nodes contained, sorted: what should be nowhere any more

	Marks []engine.Mark      // of all erased nodes
	Forks []engine.ForkPoint // of the history
}

// Erase erases nodes of a journal for good, see [engine.Timeline.Erase]. The new journal has new
// digests, none of which depends on an erased text, and its header lists the ids. frames is read
// once.
func Erase(frames iter.Seq2[Frame, error], ids ...string) (Erasure, error) {
	return erase(frames, func(*engine.Timeline) ([]string, bool) { return ids, true })
}

// EraseMarked is [Erase] for the nodes that have one of the marks of an erasure of another history.
// If none of them has anything to erase, the result has no frames.
func EraseMarked(frames iter.Seq2[Frame, error], marks []engine.Mark) (Erasure, error) {
	return erase(frames, func(t *engine.Timeline) ([]string, bool) {
		ids := t.Marked(marks)
		return ids, len(ids) > 0
	})
}

// erase erases the nodes that which returns, unless that returns false.
func erase(frames iter.Seq2[Frame, error], which func(*engine.Timeline) ([]string, bool)) (Erasure, error) {
	d, header, err := replayed(frames, Digest{})
	if err != nil {
		return Erasure{}, err
	}
	t, err := d.Timeline()
	if err != nil {
		return Erasure{}, err
	}
	ids, ok := which(t)
	if !ok {
		return Erasure{Forks: t.Forks()}, nil
	}
	less, others, err := t.Erase(ids...)
	if err != nil {
		return Erasure{}, err
	}
	h := NewHead(d.head.about)
	entries, h, err := h.record(less)
	if err != nil {
		return Erasure{}, err
	}
	all := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(ids), others...))))
	h.purged = purgedText(header.Body, all)
	erased, _ := h.frames(entries, true)
	return Erasure{erased, others, contentsOf(t, all), t.Marks(all...), t.Forks()}, nil
}

// contentsOf returns what nodes contain in any state: their contents, and those custom members that
// are lists or objects, such as definitions of tools. Members that are texts are left out, because
// names of models and the like are everywhere.
func contentsOf(t *engine.Timeline, ids []string) []string {
	texts := map[string]bool{}
	add := func(n engine.Node) {
		if _, ok := slices.BinarySearch(ids, n.ID()); ok {
			texts[n.Content().String()] = true
			for _, v := range n.Members() {
				if text := v.String(); len(text) > 2 && (text[0] == '[' || text[0] == '{') {
					texts[text] = true
				}
			}
		}
	}
	for n := range t.Distinct() {
		add(n)
	}
	if w := t.Working(); w != nil {
		for n := range w.All() {
			add(n)
		}
	}
	for _, none := range []string{"", `""`, "null", "[]", "{}"} {
		delete(texts, none)
	}
	return slices.Sorted(maps.Keys(texts))
}

// purgedText returns the erasures that a header lists, with one more. Earlier versions listed the
// digest of the previous head too, from which a short text could be guessed.
func purgedText(header string, ids []string) string {
	var list []string
	add := func(ids string) { list = append(list, objectText([]member{{"ids", ids}})) }
	s := canonjson.NewScanner(header, lineDepth)
	_ = s.Object(func(name string, _ int) error { // the body has been read before without an error
		if name != "purged" || s.Peek() != '[' {
			return s.Skip()
		}
		return s.Array(func(int) error {
			if s.Peek() != '{' {
				return s.Skip()
			}
			return s.Object(func(name string, _ int) error {
				v, err := s.Raw()
				if name == "ids" {
					add(v)
				}
				return err
			})
		})
	})
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = quote(id)
	}
	add("[" + strings.Join(texts, ",") + "]")
	return "[" + strings.Join(list, ",") + "]"
}
