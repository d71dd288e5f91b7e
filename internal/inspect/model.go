package inspect

import (
	"cmp"
	"context"
	"iter"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/tokens"
)

// step is what a model call changes in the page: the versions of nodes that begin with it, and the numbers of those that
// end before it. Versions are numbered from 0 in the order of all steps.
type step struct {
	Call  call  `json:"call"`
	Close []int `json:"close"`
	Open  []row `json:"open"`
}

// call is a model call, or the state after the last one.
type call struct {
	*calls.Call
	End bool `json:"end,omitempty"` // no call: the state with the last answer
}

// row is a version of a node.
type row struct {
	ID     string    `json:"id"`
	Parent string    `json:"parent"` // "" for the regions
	Order  [3]string `json:"order"`  // among its siblings: offset, instant, index
	Type   string    `json:"type"`
	Kind   string    `json:"kind,omitempty"`
	Role   string    `json:"role,omitempty"`
	Tags   []string  `json:"tags,omitempty"`
	Key    string    `json:"key,omitempty"`
	Name   string    `json:"name,omitempty"` // of the tool
	Group  group     `json:"group"`
	Tokens int       `json:"tokens"`
	Text   string    `json:"text"` // the beginning of the content, on one line
}

// group says to which part of a bar the tokens of a node belong. The page has the same list.
type group int

const (
	groupSystem group = iota
	groupTools
	groupUser
	groupAssistant
	groupCalls
	groupResults
	groupOther
)

// previewLength is the length of row.Text, in bytes.
const previewLength = 200

// steps yields what each call of a history changes, and at last what the state after it does. It costs what the calls
// differ by. The only error is that of the context.
func steps(ctx context.Context, t *engine.Timeline, o calls.Options) iter.Seq2[step, error] {
	return func(yield func(step, error) bool) {
		m := maker{rows: map[string]int{}}
		for c, err := range calls.Of(ctx, t, o) {
			if err != nil {
				yield(step{}, err)
				return
			}
			m.counter = tokens.For(c.Model)
			if !yield(m.step(call{Call: c}, c.Snapshot), nil) {
				return
			}
		}
		if last := t.At(0); last != m.shown {
			end := &calls.Call{History: o.History, Cycle: last.Cycle(), Added: []string{}, Left: []calls.Departure{}, Changed: []calls.Change{}}
			yield(m.step(call{Call: end, End: true}, last), nil)
		}
	}
}

// maker follows a history from call to call.
type maker struct {
	shown   *engine.Snapshot // the state of the step before
	rows    map[string]int   // the version of each node that is there, by id
	next    int              // the number of the next version
	counter *tokens.Counter
}

func (m *maker) step(c call, s *engine.Snapshot) step {
	out := step{Call: c, Close: []int{}, Open: []row{}}
	if m.shown == nil {
		for n := range s.All() {
			m.open(&out, n)
		}
	} else {
		changes := engine.Diff(m.shown, s)
		for _, n := range changes.Removed {
			m.close(&out, n)
		}
		for _, ch := range changes.Changed {
			if len(ch.Fields) == 1 && ch.Fields[0] == "ttl" {
				continue // it runs down by itself, and the page asks for the headers
			}
			m.close(&out, ch.Old)
			m.open(&out, ch.New)
		}
		for _, n := range changes.Added {
			m.open(&out, n)
		}
	}
	m.shown = s
	return out
}

func (m *maker) close(out *step, n engine.Node) {
	if at, ok := m.rows[n.ID()]; ok {
		out.Close = append(out.Close, at)
		delete(m.rows, n.ID())
	}
}

func (m *maker) open(out *step, n engine.Node) {
	above, ok := n.Parent()
	if !ok {
		return // ^root is not shown
	}
	parent := ""
	if _, ok := above.Parent(); ok {
		parent = above.ID()
	}
	r := row{
		ID: n.ID(), Parent: parent, Type: n.Type(), Tokens: m.counter.Node(n), Text: preview(n.Content()), Group: groupOf(n),
		Order: [3]string{n.Offset().String(), n.CreatedNS().String(), n.CreationIndex().String()},
	}
	r.Kind, _ = n.Kind()
	r.Role, _ = n.Role()
	r.Tags, _ = n.Tags()
	r.Key, _ = n.Key()
	r.Name, _ = n.Header("name").Text()
	if tools := n.Header("tools"); r.Group == groupTools && !tools.IsZero() {
		r.Tokens += m.counter.Count(tools.String())
	}
	m.rows[r.ID] = m.next
	m.next++
	out.Open = append(out.Open, r)
}

// groupOf tells what a node is for: by where it is, its kind, its role and its tags.
func groupOf(n engine.Node) group {
	region, _ := n.Region()
	kind, _ := n.Kind()
	role, _ := n.Role()
	if role == "" {
		for _, tag := range tagsOf(n) {
			switch tag {
			case "system", "user", "assistant", "tool":
				role = tag
			}
		}
	}
	switch {
	case region == engine.RegionSys && n.Base() != engine.BaseBlock:
		return groupTools
	case region == engine.RegionSys || role == "system":
		return groupSystem
	case strings.Contains(kind, "result") || role == "tool":
		return groupResults
	case strings.Contains(kind, "call") || strings.Contains(kind, "tool_use"):
		return groupCalls
	case role == "user":
		return groupUser
	case role == "assistant":
		return groupAssistant
	}
	return groupOther
}

func tagsOf(n engine.Node) []string {
	tags, _ := n.Tags()
	return tags
}

// preview returns the beginning of a value on one line.
func preview(v engine.Value) string {
	text, ok := v.Text()
	if !ok {
		text = cmp.Or(v.String(), "")
	}
	cut := len(text) > 4*previewLength
	if cut {
		text = strings.ToValidUTF8(text[:4*previewLength], "")
	}
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > previewLength {
		text, cut = strings.ToValidUTF8(text[:previewLength], ""), true
	}
	if cut {
		text += "…"
	}
	return text
}
