package series

import (
	"cmp"
	"slices"
)

// Cause is the reason why a node left or its message changed.
type Cause string

// The causes. Requests alone cannot distinguish expired, pruned and deleted nodes, so these three
// are never inferred.
const (
	Expired        Cause = "expired"         // its lifetime ended
	Pruned         Cause = "pruned"          // a budget was exceeded
	Deleted        Cause = "deleted"         // removed by name
	Compacted      Cause = "compacted"       // a summary replaced it
	Cleared        Cause = "cleared"         // its content was replaced by a placeholder
	Trimmed        Cause = "trimmed"         // the oldest messages were cut off
	Edited         Cause = "edited"          // its content changed
	Rewound        Cause = "rewound"         // the conversation continued from an earlier point
	SessionCleared Cause = "session-cleared" // the user cleared the session
	Unknown        Cause = "unknown"         // no evidence, or several causes fit
)

// Node is the identity of a part across steps. Two nodes are the same if their pointers are equal.
type Node struct {
	ID    string // from the source, else message:N; unique among the nodes of a tracker
	First Origin // the first call with it, or the call that was answered with it
}

// Item is a node and its part in one request.
type Item struct {
	*Node
	Part *Part
}

// Message returns the message that has the part in this request.
func (i Item) Message() *Message { return i.Part.message }

// Index returns the index of the part in its message. The items of a message are consecutive, and
// the first has the index 0.
func (i Item) Index() int { return i.Part.index }

// Step is a call or a state, as the difference from the previous step of its conversation. The
// first one is compared with an empty list. Positions count parts from 0.
//
// A call has what one model call was sent. A state, which has an Event, has what the next call
// would have been sent at that point: after an answer and what follows it, or after something that
// the source states.
type Step struct {
	*Request
	Cycle        int64 // counts the calls and states of the tracker, from 1
	Conversation int   // number of the conversation, from 0, in the order of first calls
	Side         *Side // nil unless it is a side call
	Caller       int64 // the cycle of the call that By names; 0 if there is none
	Length       int   // of the list, in parts
	// Same is the length of the prefix that is written in the same way, in parts. It ends with a
	// message.
	Same    int
	Left    []Departure // by At
	Moved   []Move      // by To
	Entered []Entry     // by At
	Changed []Change    // by At
	// Reformed has the parts that are the same to the provider, but are written in another way, or
	// are in another message, or in one that changed. By At.
	Reformed        []Reform
	ChangedSettings []SettingChange // by name
	Thoughts        []Thought       // that the model wrote in the latest answer, and that this is not sent
}

// Side describes a side call.
type Side struct {
	Of   int64  // the cycle of the call of the conversation whose context it was sent
	Kind string // "summary", or the name in the source; empty if unknown
}

// Entry is a node that is not in the previous step.
type Entry struct {
	At int
	Item
	Returned bool // it was in an earlier step
}

// Departure is a node of the previous step that is not in this one.
type Departure struct {
	At int // in the previous step
	Item
	Reason   Cause
	By       *Node // the summary that replaced it, or nil
	Inferred bool  // the source does not state the reason
}

// Move is a node whose position among the remaining nodes changed.
type Move struct {
	From, To int
	Item     // as in the previous step
}

// Change is a node whose part changed.
type Change struct {
	At int
	Item
	Before   *Part
	Reason   Cause
	Inferred bool
}

// Reform is a node whose part or message is written differently than in the previous call. That is
// no change to the provider.
type Reform struct {
	At int
	Item
	Before Item
}

// SettingChange is a setting whose value changed. Before is empty for a new setting, After for a
// removed one.
type SettingChange struct {
	Name          string
	Kind          SettingKind
	Before, After string // canonical JSON
}

// Apply returns the items of a step, given those of the step before it in its conversation, not
// counting side calls. If the step only appends, Apply appends to list and may write to its array
// beyond its length; otherwise it returns a new slice. The cost is proportional to the number of
// appended items, or to the length of the list.
func Apply(list []Item, c *Step) []Item {
	if len(c.Left)+len(c.Moved)+len(c.Changed)+len(c.Reformed) == 0 && (len(c.Entered) == 0 || c.Entered[0].At == len(list)) {
		for _, e := range c.Entered {
			list = append(list, e.Item)
		}
		return list
	}
	return append(slices.Clip(list[:c.Same]), Tail(list, c)...)
}

// Tail returns the items of a step from position c.Same on, like [Apply]. The cost is proportional
// to their number.
func Tail(list []Item, c *Step) []Item {
	gone := make([]int, 0, len(c.Left)+len(c.Moved))
	for _, d := range c.Left {
		gone = append(gone, d.At)
	}
	for _, m := range c.Moved {
		gone = append(gone, m.From)
	}
	slices.Sort(gone)
	out := make([]Item, 0, c.Length-c.Same)
	next, entered, moved := c.Same, 0, 0
	for len(out) < c.Length-c.Same {
		switch at := c.Same + len(out); {
		case entered < len(c.Entered) && c.Entered[entered].At == at:
			out = append(out, c.Entered[entered].Item)
			entered++
		case moved < len(c.Moved) && c.Moved[moved].To == at:
			out = append(out, c.Moved[moved].Item)
			moved++
		default:
			for len(gone) > 0 && gone[0] == next {
				gone = gone[1:]
				next++
			}
			out = append(out, list[next])
			next++
		}
	}
	for _, ch := range c.Changed {
		out[ch.At-c.Same] = ch.Item
	}
	for _, r := range c.Reformed {
		out[r.At-c.Same] = r.Item
	}
	return out
}

// compareSettings returns the differences between two sorted lists of settings. One that says
// nothing is like a missing one.
func compareSettings(before, after []Setting) []SettingChange {
	var out []SettingChange
	for len(before) > 0 || len(after) > 0 {
		var a, b Setting
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].Name < after[0].Name:
			a, before = before[0], before[1:]
		case len(before) == 0 || after[0].Name < before[0].Name:
			b, after = after[0], after[1:]
		default:
			a, b, before, after = before[0], after[0], before[1:], after[1:]
		}
		if a.Value == b.Value {
			continue
		}
		was, is := a.normal(), b.normal()
		if was == is {
			continue
		}
		x := SettingChange{cmp.Or(b.Name, a.Name), max(a.Kind, b.Kind), a.Value, b.Value}
		if was == "" {
			x.Before = ""
		}
		if is == "" {
			x.After = ""
		}
		out = append(out, x)
	}
	return out
}
