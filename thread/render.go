package thread

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
)

// RenderOptions configures a rendering. The zero value renders compact JSON in the edition of the
// snapshot.
type RenderOptions struct {
	// Edition determines whether a unit of [Pact] without a role gets the default one, as in
	// edition 0.1; nil means the edition of the snapshot. No other format depends on it.
	Edition *engine.Edition
	// Pretty indents by two spaces and ends with a newline. It has no effect on [ClaudeCode], which
	// has one record per line.
	Pretty bool
	// Value, if it is set, returns the JSON to write for a value: one JSON value in ASCII. A caller
	// that keeps long texts elsewhere writes references to them.
	Value func(engine.Value) string
}

// Rendered is a rendered thread.
type Rendered struct {
	// JSON is the thread. It is ASCII, without white space and final newline unless Pretty is set.
	// [ClaudeCode] is one document per line, each with a newline.
	JSON []byte
	// Notes report what the format cannot represent, in the order of the thread.
	Notes []Note
	// Units are the locations of the nodes in JSON, in the order of the thread.
	Units []Unit
}

// Unit is the part of a thread that comes from one node. It is the whole message if no other node
// is in the message.
type Unit struct {
	Node  string `json:"node,omitempty"` // id; empty for a placeholder
	Start int    `json:"start"`          // JSON[Start:End]
	End   int    `json:"end"`
}

// Render returns the thread of a snapshot. The same snapshot always gives the same bytes. The cost
// is linear in the size of the thread.
//
// A redacted node keeps its position with the content of its marker, usually none, and the marker
// is not shown (E81). All other
// blocks below ^sys, ^seq and ^ah are shown in tree order, including overlays and summaries (PACT
// 0.1, 03 §5.3; decision T7). Calls and results are paired as the provider requires, and notes
// report how. A format that cannot be rendered is an error.
func Render(s *engine.Snapshot, f Format, o RenderOptions) (Rendered, error) {
	if !f.Renders() {
		return Rendered{}, fmt.Errorf("%s cannot be rendered", f)
	}
	r := &renderer{s: s, format: f, name: f.String(), edition: s.Edition()}
	r.w.put = o.Value
	if o.Edition != nil {
		r.edition = *o.Edition
	}
	r.collect()
	if err := r.reserve(o.Pretty); err != nil {
		return Rendered{}, err
	}
	order := make(map[string]int, len(r.units))
	for i, u := range r.units {
		order[u.id] = i
	}
	renderers[f](r)
	slices.SortStableFunc(r.out.Notes, func(a, b Note) int { return order[a.Node] - order[b.Node] })
	if o.Pretty && f != ClaudeCode {
		pretty, err := indent(r.w.buf, r.out.Units)
		if err != nil {
			return Rendered{}, err
		}
		r.w.buf = pretty
	}
	r.out.JSON = r.w.buf
	return r.out, nil
}

// unitSize is about how much a unit has besides its content.
const unitSize = 64

// reserve makes room for the thread, which is rendered in one piece and may then be indented. It
// returns an error if the memory does not suffice.
func (r *renderer) reserve(indents bool) error {
	if r.w.put != nil { // the contents stay elsewhere
		return nil
	}
	size := 0
	for _, u := range r.units {
		size += len(u.content.String()) + unitSize
	}
	need := size
	if indents {
		need += indentedSize(size)
	}
	if !budget.Fits(need) {
		return &engine.Error{Code: engine.ErrMemory, Msg: budget.Refusal()}
	}
	r.w.buf = make([]byte, 0, size)
	return nil
}

// unit is one block of a thread that is being rendered.
type unit struct {
	node     engine.Node // zero for a placeholder
	id       string
	role     string // system, user, assistant or tool
	kind     string
	name     string // of a tool
	call     string // id of a call, in the call and its result
	noID     bool   // the log has no id here
	content  engine.Value
	redacted bool
	overlaid bool // the content is that of an overlay
	// converted says that the content was converted to a part of the format.
	converted bool
	side      bool // in a side conversation
	inert     bool // a record that is not a message
	from      *origin
}

// intact reports whether the content is still that of the node.
func (u *unit) intact() bool { return !u.redacted && !u.overlaid }

// renderer is the state of one rendering.
type renderer struct {
	s       *engine.Snapshot
	format  Format
	name    string
	edition engine.Edition
	w       writer
	out     Rendered
	units   []*unit
	log     *unit // the container for what is outside the messages
}

func (r *renderer) note(kind NoteKind, u *unit, format string, args ...any) {
	r.out.Notes = append(r.out.Notes, Note{Kind: kind, Node: u.id, Msg: fmt.Sprintf(format, args...)})
}

// same reports whether a unit comes from a log in the format that is rendered.
func (r *renderer) same(u *unit) bool { return u.from != nil && u.from.From == r.name }

// related reports whether the parts of a unit have the form that the format requires. Sessions of
// Claude Code contain Anthropic blocks.
func (r *renderer) related(u *unit) bool {
	if r.same(u) {
		return true
	}
	if u.from == nil || r.format != Anthropic && r.format != ClaudeCode {
		return false
	}
	return u.from.From == formatNames[Anthropic] || u.from.From == formatNames[ClaudeCode]
}

// collect finds the units in the order of the thread.
func (r *renderer) collect() {
	redacted := map[string]bool{}
	standIns := r.s.StandIns()
	for n := range r.s.All() {
		if isMarker(n) {
			for _, id := range n.Refs() {
				redacted[id] = true
			}
		}
	}
	for n := range r.s.All() {
		region, below := n.Region()
		if !below || region == engine.RegionRest || isMarker(n) {
			continue
		}
		if len(redacted) > 0 {
			if up, ok := n.Parent(); ok && redacted[up.ID()] {
				redacted[n.ID()] = true // redaction covers the subtree
			}
		}
		switch n.Base() {
		case engine.BaseBlock:
			u := r.unitOf(n, region, redacted[n.ID()])
			if s, ok := standIns[n.ID()]; ok {
				r.showInstead(u, s)
			}
			r.units = append(r.units, u)
		case engine.BaseCont:
			if n.UserType() == typeRecord || n.UserType() == typeLog {
				if o := originOf(n); o != nil && !redacted[n.ID()] {
					u := &unit{node: n, id: n.ID(), from: o, inert: true, content: n.Content()}
					if n.UserType() == typeRecord {
						r.units = append(r.units, u)
					} else if r.log == nil {
						r.log = u
					}
				}
			}
		}
	}
}

// showInstead gives a unit the text of a marker (E81). A part that was kept whole becomes a text.
func (r *renderer) showInstead(u *unit, marker engine.Node) {
	u.content, u.redacted, u.overlaid = marker.Content(), false, true
	if u.from != nil && u.from.Raw {
		u.from = &origin{From: u.from.From, Message: u.from.Message, Role: u.from.Role, Shape: u.from.Shape}
		if u.kind != "result" {
			u.kind = "text"
		}
	}
	r.note(Changed, u, "%s shows a text in place of the content", marker.ID())
}

// isMarker reports whether a node is a redaction marker.
func isMarker(n engine.Node) bool {
	return n.UserType() == "redaction" && n.Base() == engine.BaseBlock && len(n.Refs()) > 0
}

func (r *renderer) unitOf(n engine.Node, region engine.Region, redacted bool) *unit {
	u := &unit{node: n, id: n.ID(), content: n.Content(), redacted: redacted}
	if r.format == Pact {
		return u
	}
	u.from = originOf(n)
	u.noID = r.related(u) && (u.from.NoID || u.from.Implied)
	u.role, _ = n.Role()
	u.kind, _ = n.Kind()
	tags, _ := n.Tags()
	if u.role == "" {
		for _, tag := range tags {
			if standardRoles[tag] == tag {
				u.role = tag
				break
			}
		}
	}
	if u.role == "" {
		u.role = "user"
		if region == engine.RegionSys {
			u.role = "system"
		}
	}
	u.side = slices.Contains(tags, tagSide)
	u.name, _ = n.Header("name").Text()
	for _, name := range [...]string{"call_id", "tool_call_id", "tool_use_id"} {
		if u.call == "" {
			u.call, _ = n.Header(name).Text()
		}
	}
	if u.from != nil && u.from.From == formatNames[ShareGPT] && u.kind == "call" && r.format != ShareGPT {
		_, u.content, _ = shareGPTCall(u.content)
	}
	if redacted {
		u.content = engine.Value{}
	}
	return u
}

// standardRoles maps the roles of all formats to those of the specification.
var standardRoles = map[string]string{
	"system": "system", "user": "user", "assistant": "assistant", "tool": "tool",
	"developer": "system", "model": "assistant", "function": "tool", "human": "user", "gpt": "assistant",
}

// normalize gives every unit a role and a kind that providers know, and removes what is not part of
// the conversation.
func (r *renderer) normalize() {
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if u.inert {
			return true
		}
		if u.side {
			r.note(LeftOut, u, "a side conversation is not part of the thread")
			return true
		}
		role, ok := standardRoles[u.role]
		if !ok {
			r.note(Changed, u, "the role %q is unknown to providers; the role user is used instead", u.role)
			role = "user"
		}
		u.role = role
		switch {
		case u.from != nil && u.from.Raw:
		case u.kind == "call":
			u.role = "assistant"
		case u.kind == "result" || u.role == "tool":
			u.role, u.kind = "tool", "result"
		}
		return false
	})
}

// raw returns the content of a unit that is a whole part in the form that the format requires.
func (r *renderer) raw(u *unit) (engine.Value, bool) {
	return u.content, u.from != nil && u.from.Raw && (r.related(u) || u.converted) && !u.redacted && !u.content.IsZero()
}

// writeKept writes the members of the log that an importer kept in the node.
func (r *renderer) writeKept(u *unit, list []kept) {
	if u.node.IsZero() || u.redacted {
		return
	}
	for _, k := range list {
		r.w.memberValue(k.name, u.node.Header(k.member))
	}
}

// text returns the content as text: a string unchanged, blocks of text joined by newlines, anything
// else as JSON.
func (u *unit) text() string {
	v := u.content
	if v.IsZero() || v.IsNull() {
		return ""
	}
	if s, ok := v.Text(); ok {
		return s
	}
	if list, ok := texts(v); ok {
		return strings.Join(list, "\n")
	}
	return v.String()
}

// mark marks the start of a unit in the output. The returned function marks its end.
func (r *renderer) mark(u *unit) func() {
	r.w.comma()
	start := len(r.w.buf)
	return func() {
		r.out.Units = append(r.out.Units, Unit{Node: u.id, Start: start, End: len(r.w.buf)})
	}
}

// renderPact writes the provider thread of PACT 0.1, 02 §12.
func renderPact(r *renderer) {
	r.w.open('[')
	for _, u := range r.units {
		if u.inert {
			continue
		}
		end := r.mark(u)
		r.w.open('{')
		r.w.member("id", u.id)
		role, ok := u.node.Role()
		if !ok && r.edition == engine.Edition01 {
			role, ok = "user", true
			if region, _ := u.node.Region(); region == engine.RegionSys {
				role = "system"
			}
		}
		if ok {
			r.w.member("role", role)
		}
		if kind, ok := u.node.Kind(); ok {
			r.w.member("kind", kind)
		}
		if u.redacted || u.content.IsZero() || u.content.IsNull() {
			r.w.member("content", "")
		} else {
			r.w.memberValue("content", u.content)
		}
		r.w.close('}')
		end()
	}
	r.w.close(']')
}
