package source

import (
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// splice is a segment of records that a compaction kept. Its records follow another record, and
// what followed that record follows the segment.
type splice struct{ head, tail *record }

// preserve reads the segment that a compaction kept. Its records are in the file before the
// boundary and are not repeated after it.
func (s *session) preserve(boundary *record, uuid string, meta value) {
	segment := meta.get("preservedSegment")
	if !segment.is('{') {
		return
	}
	got := segment.pick("headUuid", "anchorUuid", "tailUuid")
	p := splice{s.find(got[0].text()), s.find(got[2].text())}
	at := p.tail
	for at != nil && at != p.head && at.conversation == boundary.conversation {
		at = at.parent
	}
	if at == nil || at != p.head || got[1].text() == "" {
		s.note(thread.Kept, engine.ErrNotFound, segment, "the segment that a compaction kept is not in the file; it is left out")
		return
	}
	s.splices[strings.Clone(got[1].text())] = p
	s.splice(boundary, uuid)
}

// splice inserts a segment after the record that it must follow, unless that record already follows
// the segment.
func (s *session) splice(anchor *record, uuid string) {
	p, ok := s.splices[uuid]
	if !ok || uuid == "" {
		return
	}
	for at := anchor; at != nil; at = at.parent {
		if at == p.head {
			return
		}
	}
	p.head.parent = anchor
	anchor.conversation.relinked = true
}
