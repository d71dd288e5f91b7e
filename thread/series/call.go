package series

import "slices"

// Cause is why a node left, or why its message changed.
type Cause string

// The causes. Requests alone do not tell expired, pruned and deleted apart, so these are never inferred.
const (
	Expired        Cause = "expired"         // its lifetime ended
	Pruned         Cause = "pruned"          // a budget was exceeded
	Deleted        Cause = "deleted"         // removed by name
	Compacted      Cause = "compacted"       // a summary stands for it
	Cleared        Cause = "cleared"         // its content was replaced by a placeholder
	Trimmed        Cause = "trimmed"         // the oldest messages were cut off
	Edited         Cause = "edited"          // its content is another one
	Rewound        Cause = "rewound"         // the conversation went on from an earlier point
	SessionCleared Cause = "session-cleared" // the user began anew in the same session
	Unknown        Cause = "unknown"         // nothing says why, or several causes fit
)

// Node is the identity of a message from call to call. Two nodes are the same if their pointers are equal.
type Node struct {
	ID    string // of the source, else message:N; no two nodes of a tracker have the same
	First Origin // the call that showed it first
}

// Item is a node in one request: its message there.
type Item struct {
	*Node
	Message *Message
}

// Call is what one model call was sent, as the difference from the previous call of its
// conversation; the first call is compared with an empty list. Positions count messages from 0.
type Call struct {
	*Request
	Conversation int   // counts conversations from 0, in the order of their first calls
	Side         *Side // nil for a call of the conversation itself
	Length       int   // of the request, in messages
	// Same is the length of the unchanged prefix.
	Same    int
	Left    []Departure // by At
	Moved   []Move      // by To
	Entered []Entry     // by At
	Changed []Change    // by At
	// Unsent are answers of the model to the previous call that this call does not contain; their
	// At is -1. No call was sent them.
	Unsent          []Departure
	ChangedSettings []SettingChange // by name
}

// Side marks a side call.
type Side struct {
	Of   int    // the call of the conversation whose context it was sent, as its Number
	Kind string // summary, or the name the source has for it; empty if unknown
}

// Entry is a node that the previous call did not have.
type Entry struct {
	At int
	Item
	Returned bool // an earlier call showed it
}

// Departure is a node of the previous call that the call does not have.
type Departure struct {
	At int // in the call before
	Item
	Reason   Cause
	By       *Node // the summary that stands for it; or nil
	Inferred bool  // the source does not say why
}

// Move is a node that has another position among the nodes that stay.
type Move struct {
	From, To int
	Item     // the message in the call before
}

// Change is a node with another message.
type Change struct {
	At int
	Item
	Before   *Message
	Reason   Cause
	Inferred bool
}

// SettingChange is a setting with another value. A new setting has no Before, a removed one no
// After.
type SettingChange struct {
	Name          string
	Kind          SettingKind
	Before, After string // canonical JSON
}

// Apply returns the list of a call, made from the list of the previous call of its conversation.
// The cost depends on the differences, plus a copy of the items after the first difference. It may
// write to the array of list beyond its length.
func Apply(list []Item, c *Call) []Item {
	if len(c.Left)+len(c.Moved)+len(c.Changed) == 0 && (len(c.Entered) == 0 || c.Entered[0].At == len(list)) {
		for _, e := range c.Entered {
			list = append(list, e.Item)
		}
		return list
	}
	gone := make([]int, 0, len(c.Left)+len(c.Moved))
	for _, d := range c.Left {
		gone = append(gone, d.At)
	}
	for _, m := range c.Moved {
		gone = append(gone, m.From)
	}
	slices.Sort(gone)
	out := make([]Item, 0, c.Length)
	next, entered, moved := 0, 0, 0
	for len(out) < c.Length {
		switch at := len(out); {
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
		out[ch.At] = ch.Item
	}
	return out
}

// compareSettings returns what changed between two sorted lists of settings.
func compareSettings(before, after []Setting) []SettingChange {
	var out []SettingChange
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].Name < after[0].Name:
			out = append(out, SettingChange{before[0].Name, before[0].Kind, before[0].Value, ""})
			before = before[1:]
		case len(before) == 0 || after[0].Name < before[0].Name:
			out = append(out, SettingChange{after[0].Name, after[0].Kind, "", after[0].Value})
			after = after[1:]
		default:
			if before[0].Value != after[0].Value {
				out = append(out, SettingChange{after[0].Name, after[0].Kind, before[0].Value, after[0].Value})
			}
			before, after = before[1:], after[1:]
		}
	}
	return out
}
