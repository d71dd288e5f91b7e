package engine

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// made holds the headers of a new node from which those of the next one are predicted.
type made struct {
	ns, index  int64
	provenance string
}

// next returns the headers that predict those of the node after r. m predicted those of r.
func (m made) next(r *tree.Record) made {
	return made{r.NS, r.Index, cmp.Or(r.Extra().Provenance, m.provenance)}
}

// lastMade returns the headers that predict those of the first new node of a delta from s. They are
// those of the last node of ^ah in document order or, if ^ah is empty, of ^seq.
func (s *Snapshot) lastMade() made {
	for _, region := range [...]tree.Region{tree.RegionHead, tree.RegionSeq} {
		if part := s.tree().Part(region); part.Len() > 0 {
			c := part.At(part.Len() - 1)
			last := c.Rec(c.Len() - 1)
			return made{last.NS, -1, last.Extra().Provenance}
		}
	}
	return made{index: -1}
}

// usualParent returns the default parent id for a new node with the given base, or "" if it has no
// default. s is the snapshot before the one that adds the node.
func (s *Snapshot) usualParent(base tree.Base) string {
	region := tree.RegionHead
	if base == tree.BaseSeg {
		region = tree.RegionSeq
	}
	parent, ok := s.Region(region)
	if ok && base != tree.BaseSeg && base != tree.BaseCont {
		parent, ok = parent.LastChild()
	}
	if !ok {
		return ""
	}
	return parent.ID()
}

// hasGap reports whether the time from one instant to another fits in 64 bits.
func hasGap(ns, before int64) bool { return (ns-before < 0) == (ns < before) }

// appendGaps appends the gaps as a list.
func (w *nodeWriter) appendGaps(dst []byte) []byte {
	return canonjson.AppendList(dst, w.gaps, func(dst []byte, gap int64) []byte { return strconv.AppendInt(dst, gap, 10) })
}

// The parts of a provenance that names a source and the number of a message in it.
const (
	provenanceFrom    = `{"from":"`
	provenanceMessage = `","message":`
)

// nextMessage returns the number after the message number of a provenance, and where the provenance
// has its message number.
func nextMessage(before string) (start int, number int64, ok bool) {
	rest, ok := strings.CutPrefix(before, provenanceFrom)
	end := strings.IndexAny(rest, `"\`)
	if !ok || end < 0 || !strings.HasPrefix(rest[end:], provenanceMessage) {
		return 0, 0, false
	}
	digits := rest[end+len(provenanceMessage):]
	digits = digits[:max(strings.IndexAny(digits, ",}"), 0)]
	n, ok := cycleOf(digits)
	return len(before) - len(rest) + end + len(provenanceMessage), n + 1, ok
}

// shortened returns the short form of the provenance of a record if it names the message after that
// of the node before: a list that holds its other members. Otherwise it returns "".
func (w *nodeWriter) shortened(r *tree.Record) string {
	start, number, ok := nextMessage(w.before.provenance)
	if w.verbatim || !ok {
		return ""
	}
	rest, goesOn := strings.CutPrefix(r.Extra().Provenance, w.before.provenance[:start])
	var digits [20]byte
	rest, isNext := strings.CutPrefix(rest, string(strconv.AppendInt(digits[:0], number, 10)))
	switch {
	case !goesOn || !isNext || rest != "}" && rest[0] != ',':
		return ""
	case rest == "}":
		return "[]"
	}
	return "[{" + rest[1:] + "]"
}

// readProvenance returns the provenance that text stands for, which may be in short form. It
// reports false if the short form cannot follow the provenance before.
func readProvenance(before, text string) (string, bool) {
	if text[0] != '[' {
		return text, true
	}
	start, number, ok := nextMessage(before)
	next := string(strconv.AppendInt([]byte(before[:start]), number, 10))
	if text == "[]" || !ok {
		return next + "}", ok
	}
	more := text[1 : len(text)-1]
	first := ""
	s := canonjson.NewScanner(more, len(more))
	err := s.Object(func(name string, _ int) error {
		first = cmp.Or(first, name)
		return s.Skip()
	})
	if err != nil || s.End() != nil || first <= "message" {
		return "", false
	}
	return next + "," + more[1:], true
}
