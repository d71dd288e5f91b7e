package engine

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Info returns what is known of the commit in addition to its tree, nil for nothing.
// See [Context.Describe].
func (s *Snapshot) Info() *CommitInfo {
	info, _ := s.tree().About().(*CommitInfo)
	return info
}

// CommitInfo describes a commit in addition to its tree. Journals keep all of it; .json and .jsonl histories keep Side
// alone. The zero value describes an ordinary commit of which nothing more is known.
type CommitInfo struct {
	Step   bool    // the cycle ended without sealing the head
	Side   *Side   // of a side call; nil for a call of the conversation
	Causes []Cause // why nodes left or changed, sorted by id, each once
	Call   *Call   // the model call whose input the snapshot is
}

// Side describes a side call: a model call that is not part of the conversation, such as one that makes a title.
type Side struct {
	Of   int64  // the cycle in which it was created
	Kind string // such as summary or title
}

// sorted returns the info with its causes sorted by id, each once.
func (info *CommitInfo) sorted() *CommitInfo {
	if info == nil {
		return nil
	}
	next := *info
	next.Causes = mergeCauses(info.Causes, nil)
	return &next
}

// mergeCauses returns both lists as one, sorted by id. The first cause of an id counts.
func mergeCauses(a, b []Cause) []Cause {
	list := slices.Concat(a, b)
	slices.SortStableFunc(list, func(a, b Cause) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(list, func(a, b Cause) bool { return a.ID == b.ID })
}

var noInfo CommitInfo

// info returns what is known of the commit, which may be nothing. It is read-only.
func (s *Snapshot) info() *CommitInfo { return cmp.Or(s.Info(), &noInfo) }

func (s *Snapshot) isSide() bool { return s.info().Side != nil }

// sideMember is the member of a snapshot in a history file that marks a side call.
const sideMember = "side"

// appendJSON appends {"kind", "of"}.
func (s *Side) appendJSON(dst []byte) []byte {
	dst = canonjson.AppendString(append(dst, `{"kind":`...), s.Kind)
	return append(strconv.AppendInt(append(dst, `,"of":`...), s.Of, 10), '}')
}

// takeSide removes the mark of a side call from the members of a snapshot and returns it. A member of that name with
// any other value is custom data.
func takeSide(extra []tree.Member) ([]tree.Member, *CommitInfo) {
	i := slices.IndexFunc(extra, func(m tree.Member) bool { return m.Name == sideMember })
	if i < 0 {
		return extra, nil
	}
	side := new(Side)
	if err := json.Unmarshal([]byte(extra[i].Value), side); err != nil || string(side.appendJSON(nil)) != extra[i].Value {
		return extra, nil
	}
	return slices.Delete(extra, i, i+1), &CommitInfo{Side: side}
}

// Cause says why a node left the tree, or changed.
type Cause struct {
	ID       string
	Cause    string // such as expired, pruned, deleted or compacted
	By       string // the id of the node that stands for it now, "" for none
	Inferred bool   // worked out, not stated by the source
}

// Call is a model call.
type Call struct {
	Model  string
	Time   string // RFC 3339; "" if it is not known
	Usage  *Usage
	File   string // the log that records it
	Line   int    // in that, from 1; 0 if it is not known
	Sample string // in a log with several
	Number int    // counts the model calls of the sample, or of a log without samples, from 0
	Starts []Start
	By     *StartedBy // the call of another history that started this one; only in the first call
}

// Start names a history that the answer to a call started, such as that of an agent.
type Start struct {
	Call    string // the id of the tool call that did; "" if it is not known
	History string // the name of the conversation
}

// StartedBy is the call that started a history.
type StartedBy struct {
	History string // the name of the conversation
	Cycle   int64  // of the call
	Call    string // the id of the tool call in its answer; "" if it is not known
}

// Usage holds the tokens of a call, as the provider counted them. Input is everything that was sent: CacheRead and
// CacheWrite are parts of it.
type Usage struct{ Input, Output, CacheRead, CacheWrite int64 }
