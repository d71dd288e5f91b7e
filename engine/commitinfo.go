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

// Info returns what is known about the commit in addition to its tree, or nil if nothing is. See
// [Context.Describe].
func (s *Snapshot) Info() *CommitInfo {
	info, _ := s.tree().About().(*CommitInfo)
	return info
}

// CommitInfo describes a commit in addition to its tree. Journals keep all of it; .json and .jsonl
// histories keep only Side and Event. The zero value describes an ordinary commit about which
// nothing more is known.
type CommitInfo struct {
	Step   bool    // the cycle ended without sealing the head
	Side   *Side   // of a side call; nil for a call of the conversation
	Event  *Event  // of a state between calls, which has no Call; nil for a call
	Causes []Cause // why nodes left or changed, sorted by id, at most one for each id
	Call   *Call   // the model call whose input the snapshot is
	// Policy describes what the steps of the policy did; nil if they did not run.
	Policy *PolicyRun
}

// Side describes a side call: a model call that is not part of the conversation, such as one that
// makes a title.
type Side struct {
	Of   int64  // the cycle in which it was created
	Kind string // such as summary or title
}

// Event describes a state that no call was sent as such: the conversation after an answer and what
// follows it, or after something that the source states. It is what the next call would have been
// sent then.
type Event struct {
	Kind    string // answer, or compaction, clear, rewind, rollback, edit or interrupt
	Trigger string // as in the source, such as auto or manual; "" if unknown
	Before  int64  // tokens before the event, as the source states them; 0 if unknown
	After   int64  // tokens after it
}

// sorted returns the info with its causes sorted by id, at most one for each id.
func (info *CommitInfo) sorted() *CommitInfo {
	if info == nil {
		return nil
	}
	next := *info
	next.Causes = mergeCauses(info.Causes, nil)
	return &next
}

// mergeCauses merges two lists, sorted by id. It keeps the first cause of each id.
func mergeCauses(a, b []Cause) []Cause {
	list := slices.Concat(a, b)
	slices.SortStableFunc(list, func(a, b Cause) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(list, func(a, b Cause) bool { return a.ID == b.ID })
}

// lastCauses returns the last cause of each id, with what all of them saved: a policy may first
// change and then remove a node.
func lastCauses(list []Cause) []Cause {
	if len(list) < 2 {
		return list
	}
	var out []Cause
	at := map[string]int{}
	for _, c := range list {
		if i, again := at[c.ID]; again {
			c.Saved += out[i].Saved
			out[i] = c
			continue
		}
		at[c.ID] = len(out)
		out = append(out, c)
	}
	return out
}

var noInfo CommitInfo

// info is Info that returns noInfo instead of nil. The result must not be modified.
func (s *Snapshot) info() *CommitInfo { return cmp.Or(s.Info(), &noInfo) }

func (s *Snapshot) isSide() bool { return s.info().Side != nil }

// sideMember and eventMember are the members of a snapshot in a history file that mark a side call
// and a state between calls.
const (
	sideMember  = "side"
	eventMember = "event"
)

// appendJSON appends {"kind", "of"}.
func (s *Side) appendJSON(dst []byte) []byte {
	dst = canonjson.AppendString(append(dst, `{"kind":`...), s.Kind)
	return append(strconv.AppendInt(append(dst, `,"of":`...), s.Of, 10), '}')
}

// appendJSON appends {"after"?, "before"?, "kind", "trigger"?}.
func (e *Event) appendJSON(dst []byte) []byte {
	var list members
	for _, x := range [...]struct {
		name string
		n    int64
	}{{"after", e.After}, {"before", e.Before}} {
		if x.n != 0 {
			list.number(x.name, x.n)
		}
	}
	list.text("kind", e.Kind)
	if e.Trigger != "" {
		list.text("trigger", e.Trigger)
	}
	return list.append(dst)
}

// appendMarks adds the marks of a snapshot. A nil info has none.
func (info *CommitInfo) appendMarks(list *members) {
	if info != nil && info.Side != nil {
		list.put(sideMember, info.Side.appendJSON)
	}
	if info != nil && info.Event != nil {
		list.put(eventMember, info.Event.appendJSON)
	}
}

// takeMarks removes the marks from the members of a snapshot and returns them as info; nil if there
// are none. A member of that name with any other value is custom data.
func takeMarks(extra []tree.Member) ([]tree.Member, *CommitInfo) {
	var info CommitInfo
	rest := slices.DeleteFunc(slices.Clone(extra), func(m tree.Member) bool {
		switch m.Name {
		case sideMember:
			side := new(Side)
			if json.Unmarshal([]byte(m.Value), side) == nil && string(side.appendJSON(nil)) == m.Value {
				info.Side = side
				return true
			}
		case eventMember:
			event := new(Event)
			if json.Unmarshal([]byte(m.Value), event) == nil && event.Kind != "" && string(event.appendJSON(nil)) == m.Value {
				info.Event = event
				return true
			}
		}
		return false
	})
	if info.Side == nil && info.Event == nil {
		return extra, nil
	}
	return rest, &info
}

// Cause says why a node left the tree, or changed.
type Cause struct {
	ID       string
	Cause    string // such as expired, pruned, deleted or compacted
	By       string // the id of the node that replaces it, or ""
	Inferred bool   // not stated by the source
	Rule     string // the step or limit of a policy, or ""
	Trigger  string // why the policy ran, as in [PolicyRun]
	Saved    int64  // tokens that are no longer rendered of the node
}

// PolicyRun says that the steps of a policy ran. Tokens are those that a rendering shows, with the
// correction by reported usage.
type PolicyRun struct {
	Trigger string   // [TriggerBudget] or [TriggerOverflow]
	Budget  int64    // tokens; 0 if the policy has no budget
	Before  int64    // tokens before the steps
	After   int64    // tokens after them
	Failed  []string // the rules of the summaries that failed, each with the reason
}

// The triggers of policies.
const (
	TriggerBudget   = "budget"   // the tokens of the snapshot exceed the budget
	TriggerOverflow = "overflow" // [Context.Shrink]: the provider refused a call
	TriggerLimit    = "limit"    // a limit is exceeded
)

// Call is a model call.
type Call struct {
	Model  string
	Time   string // in RFC 3339; "" if unknown
	Usage  *Usage
	File   string // the log that records it
	Line   int    // in File, from 1; 0 if unknown
	Sample string // in a log with several samples
	Number int    // of the call in its sample or, without samples, in the log, from 0
	Starts []Start
	By     *StartedBy // the call of another history that started this one; only in the first call
	// Recorded says that the log has the request as it was sent. Otherwise the snapshot follows
	// from what else the log records.
	Recorded bool
	Missing  []string // what of the request the log does not record, such as "system prompt"
	Failed   string   // why the provider did not answer; "" if it did. The usage of such a call is nil
	// FromCache says that the answer came from a cache of the client or a proxy: the provider was
	// not asked, and the usage is nil.
	FromCache bool
	// Window is how many tokens the window of the model holds, as the log says; 0 if unknown.
	Window int64
}

// Start names a history that the answer to a call started, such as that of a subagent.
type Start struct {
	Call    string // the id of the tool call that started it; "" if unknown
	History string // the name of the conversation
}

// StartedBy is the call that started a history.
type StartedBy struct {
	History string // the name of the conversation
	Cycle   int64  // of the call
	Call    string // the id of the tool call in its answer; "" if unknown
}

// Usage holds the token counts of a call, as the provider reported them. Input counts everything
// that was sent, including CacheRead and CacheWrite; 0 if only other counts are known.
type Usage struct {
	Input, Output, CacheRead, CacheWrite int64
	// CacheWrite1h is the part of CacheWrite that the provider keeps for an hour, and Thoughts the
	// part of Output that the model thought.
	CacheWrite1h, Thoughts int64
	// CacheUnknown reports that the source does not count cached tokens. CacheRead and CacheWrite
	// are then 0.
	CacheUnknown bool
	// Iterations are the inputs of the requests that the provider made for this call, if it made
	// several.
	Iterations []int64
	// Session is the input of all calls of the session up to this one, as the source itself sums
	// it; 0 if it does not.
	Session int64
}
