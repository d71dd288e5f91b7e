// Package steps tells a history as the page of the inspector holds it: what each model call changes
// in the tree of the call before.
package steps

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

// History is a history with the states that have a step each. It is immutable.
type History struct {
	Timeline *engine.Timeline
	Calls    []*calls.Call
	States   []*engine.Snapshot // of the calls, and the state after the last one, if it is another
	End      bool               // it is
}

// Read returns the history of a timeline. It counts no tokens. The only error is that of the
// context.
func Read(ctx context.Context, t *engine.Timeline, o calls.Options) (*History, error) {
	h := &History{Timeline: t}
	o.NoTokens = true
	for c, err := range calls.Of(ctx, t, o) {
		if err != nil {
			return nil, err
		}
		h.Calls, h.States = append(h.Calls, c), append(h.States, c.Snapshot)
	}
	if last := t.At(0); last != nil && (len(h.States) == 0 || last != h.States[len(h.States)-1]) {
		h.States, h.End = append(h.States, last), true
	}
	return h, nil
}

// Step is what a model call changes in the page: the versions of nodes that begin with it, and the
// indexes of those that end before it. Versions are numbered from 0 in the order of all steps.
type Step struct {
	Call  Call  `json:"call"`
	Close []int `json:"close"`
	Open  []Row `json:"open"`
}

// Call is a model call, or the state after the last one.
type Call struct {
	*calls.Call
	End bool `json:"end,omitempty"` // no call: the state with the last answer
}

// Row is a version of a node.
type Row struct {
	ID     string    `json:"id"`
	Parent string    `json:"parent"` // "" for the regions
	Order  [3]string `json:"order"`  // among its siblings: offset, instant, index
	Type   string    `json:"type"`
	Kind   string    `json:"kind,omitempty"`
	Role   string    `json:"role,omitempty"`
	Tags   []string  `json:"tags,omitempty"`
	Key    string    `json:"key,omitempty"`
	Name   string    `json:"name,omitempty"`   // of the tool
	Call   string    `json:"call,omitempty"`   // the id of the tool call, of a call and of its result
	Box    bool      `json:"box,omitempty"`    // a container rather than a block
	Unsent *string   `json:"unsent,omitempty"` // of what no call was sent, the id of the node that follows it, or ""
	Group  Group     `json:"group"`
	Bytes  int       `json:"bytes"` // of the counted text
	Text   string    `json:"text"`  // the beginning of the content, on one line
}

// Group says to which part of a bar the tokens of a node belong. The page has the same list.
type Group int

// The groups.
const (
	System Group = iota
	Tools
	User
	Assistant
	Calls
	Results
	Other
)

// previewLength is the length of Row.Text, in bytes.
const previewLength = 200

// Maker makes the steps of a history.
type Maker struct {
	// Texts are the texts of the versions so far. The caller may remove those that it has counted.
	Texts  []Text
	shown  *engine.Snapshot // the state of the step before
	rows   map[string]int   // the version of each node that is there, by id
	next   int              // the number of the next version
	model  string           // of the call
	before *Maker           // this one before the state after the last call, if that was made
}

// Text is the text of a version whose tokens are counted.
type Text struct {
	model   string
	content string
	tools   string // of the settings
}

// Versions is the number of versions so far.
func (m *Maker) Versions() int { return m.next }

// BeforeEnd returns the maker as it was before the state after the last call.
func (m *Maker) BeforeEnd() *Maker { return m.before }

// Steps yields the steps of a history after those that the maker has made, and finally the step to
// the state after the last call. The cost depends on the differences between the calls.
func (m *Maker) Steps(h *History, from int) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for _, c := range h.Calls[min(from, len(h.Calls)):] {
			m.model = c.Model
			if !yield(m.step(Call{Call: withoutCost(c)}, c.Snapshot)) {
				return
			}
		}
		if h.End {
			last := h.States[len(h.States)-1]
			m.before = m.clone()
			end := &calls.Call{Cycle: last.Cycle(), Tokens: calls.Tokens{Label: calls.Unknown, OutLabel: calls.Unknown}, Added: []string{}, Left: []calls.Departure{}, Changed: []calls.Change{}}
			yield(m.step(Call{Call: end, End: true}, last))
		}
	}
}

// withoutCost returns a call without what it cost, which requires counted tokens.
func withoutCost(c *calls.Call) *calls.Call {
	out := *c
	out.Cache.Cost, out.Cache.NoCost = nil, ""
	if miss := c.Cache.Miss; miss != nil {
		free := *miss
		free.Cost, out.Cache.Miss = nil, &free
	}
	return &out
}

// NewMaker returns a maker of the steps of a history.
func NewMaker() *Maker { return &Maker{rows: map[string]int{}} }

// clone returns an independent copy.
func (m *Maker) clone() *Maker {
	out := *m
	out.rows, out.Texts = maps.Clone(m.rows), slices.Clip(m.Texts)
	return &out
}

// step makes the next step.
func (m *Maker) step(c Call, s *engine.Snapshot) Step {
	out := Step{Call: c, Close: []int{}, Open: []Row{}}
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

func (m *Maker) close(out *Step, n engine.Node) {
	if at, ok := m.rows[n.ID()]; ok {
		out.Close = append(out.Close, at)
		delete(m.rows, n.ID())
	}
}

func (m *Maker) open(out *Step, n engine.Node) {
	above, ok := n.Parent()
	if !ok {
		return // ^root is not shown
	}
	parent := ""
	if _, ok := above.Parent(); ok {
		parent = above.ID()
	}
	counted := Text{model: m.model, content: tokens.Text(n)} // without images
	shown := counted.content
	if !strings.HasPrefix(n.Content().String(), `"`) || !n.Header("parts").IsZero() {
		shown = TextOf(n.Content())
	}
	r := Row{
		ID: n.ID(), Parent: parent, Type: n.Type(), Text: Preview(shown), Group: GroupOf(n),
		Order: [3]string{n.Offset().String(), n.CreatedNS().String(), n.CreationIndex().String()},
	}
	r.Kind, _ = n.Kind()
	r.Role, _ = n.Role()
	r.Tags, _ = n.Tags()
	r.Key, _ = n.Key()
	r.Name, _ = n.Header("name").Text()
	r.Call, _ = n.Header("call_id").Text()
	r.Box = n.Base() != engine.BaseBlock
	if x, ok := calls.RecordOf(n); ok {
		r.Unsent = &x.Before
	}
	if tools := n.Header("tools"); r.Group == Tools && !tools.IsZero() {
		counted.tools = tools.String()
	}
	r.Bytes = len(counted.content) + len(counted.tools)
	m.Texts = append(m.Texts, counted)
	m.rows[r.ID] = m.next
	m.next++
	out.Open = append(out.Open, r)
}

// GroupOf classifies a node by its region, kind, role and tags.
func GroupOf(n engine.Node) Group {
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
		return Tools
	case region == engine.RegionSys || role == "system":
		return System
	case strings.Contains(kind, "result") || role == "tool":
		return Results
	case strings.Contains(kind, "call") || strings.Contains(kind, "tool_use"):
		return Calls
	case role == "user":
		return User
	case role == "assistant":
		return Assistant
	}
	return Other
}

func tagsOf(n engine.Node) []string {
	tags, _ := n.Tags()
	return tags
}

// TextOf returns a string, or the JSON of another value.
func TextOf(v engine.Value) string {
	if text, ok := v.Text(); ok {
		return text
	}
	return v.String()
}

// Preview returns the beginning of a text on one line.
func Preview(text string) string {
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

// Count returns the tokens of a version. The cache may be nil.
func (t Text) Count(cache *tokens.Cache) int {
	counter, n := tokens.For(t.model).With(cache), 0
	for _, s := range []string{t.content, t.tools} {
		if s != "" {
			n += counter.Count(s)
		}
	}
	return n
}
