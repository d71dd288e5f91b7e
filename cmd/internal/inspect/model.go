package inspect

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/tokens"
)

// step is what a model call changes in the page: the versions of nodes that begin with it, and the
// indexes of those that end before it. Versions are numbered from 0 in the order of all steps.
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
	Call   string    `json:"call,omitempty"` // the id of the tool call, of a call and of its result
	Box    bool      `json:"box,omitempty"`  // a container rather than a block
	Group  group     `json:"group"`
	Bytes  int       `json:"bytes"` // of the counted text
	Text   string    `json:"text"`  // the beginning of the content, on one line
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

// maker makes the steps of a history.
type maker struct {
	known  Known
	shown  *engine.Snapshot // the state of the step before
	rows   map[string]int   // the version of each node that is there, by id
	next   int              // the number of the next version
	model  string           // of the call
	texts  []text           // the texts whose tokens are counted
	before *maker           // this one before the state after the last call, if that was made
}

// text is the text of a version whose tokens are counted.
type text struct {
	model   string
	content string
	tools   string // of the settings
}

// steps yields the steps of a history after those that the maker has made, and finally the step to
// the state after the last call. The cost depends on the differences between the calls. The only
// error is that of the context.
func (m *maker) steps(ctx context.Context, h *history, from int) iter.Seq2[step, error] {
	return func(yield func(step, error) bool) {
		n := 0
		for c, err := range calls.Of(ctx, h.timeline, calls.Options{NoTokens: true, Windows: m.known.Windows}) {
			if err != nil {
				yield(step{}, err)
				return
			}
			if n++; n <= from {
				continue
			}
			m.model = c.Model
			if !yield(m.step(call{Call: c}, c.Snapshot), nil) {
				return
			}
		}
		if h.end {
			last := h.states[len(h.states)-1]
			m.before = m.clone()
			end := &calls.Call{Cycle: last.Cycle(), Tokens: calls.Tokens{Label: calls.Unknown, OutLabel: calls.Unknown}, Added: []string{}, Left: []calls.Departure{}, Changed: []calls.Change{}}
			yield(m.step(call{Call: end, End: true}, last), nil)
		}
	}
}

func newMaker(known Known) *maker { return &maker{known: known, rows: map[string]int{}} }

// clone returns an independent copy.
func (m *maker) clone() *maker {
	out := *m
	out.rows, out.texts = maps.Clone(m.rows), slices.Clip(m.texts)
	return &out
}

// step makes the next step.
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
				continue // it counts down by itself, and the page requests the headers
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
	content := textOf(n.Content())
	r := row{
		ID: n.ID(), Parent: parent, Type: n.Type(), Text: preview(content), Group: groupOf(n),
		Order: [3]string{n.Offset().String(), n.CreatedNS().String(), n.CreationIndex().String()},
	}
	r.Kind, _ = n.Kind()
	r.Role, _ = n.Role()
	r.Tags, _ = n.Tags()
	r.Key, _ = n.Key()
	r.Name, _ = n.Header("name").Text()
	r.Call, _ = n.Header("call_id").Text()
	r.Box = n.Base() != engine.BaseBlock
	counted := text{model: m.model, content: tokens.Text(n)} // without images
	if tools := n.Header("tools"); r.Group == groupTools && !tools.IsZero() {
		counted.tools = tools.String()
	}
	r.Bytes = len(counted.content) + len(counted.tools)
	m.texts = append(m.texts, counted)
	m.rows[r.ID] = m.next
	m.next++
	out.Open = append(out.Open, r)
}

// groupOf classifies a node by its region, kind, role and tags.
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

// textOf returns a string, or the JSON of another value.
func textOf(v engine.Value) string {
	if text, ok := v.Text(); ok {
		return text
	}
	return v.String()
}

// preview returns the beginning of a text on one line.
func preview(text string) string {
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

// count returns the tokens of a version.
func (t text) count(cache *tokens.Cache) int {
	counter, n := tokens.For(t.model).With(cache), 0
	for _, s := range []string{t.content, t.tools} {
		if s != "" {
			n += counter.Count(s)
		}
	}
	return n
}
