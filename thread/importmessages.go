package thread

import (
	"context"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// read reads the messages of one log: a list of them, or the body of a request.
func (b *builder) read(ctx context.Context, v *value) error {
	rd := b.rd
	from, all := origin{}, []extra(nil)
	var system *value
	messages := v
	switch {
	case v.is('['):
		from.Shape = b.listShape()
	case v.is('"') && rd.format == OpenAIResponses && len(b.around) > 0:
		from.Role, from.Shape = oneInput, shapeList
	case v.is('{'):
		list, ok := rd.messagesOf(v)
		if !ok {
			return rd.fail(v, engine.ErrFileShape, "no member %s, where the format %s has its messages%s",
				strings.Join(lists[rd.format], " or "), rd.format, rd.wrapped(v))
		}
		messages = list
		if list.name != lists[rd.format][0] {
			from.Type = list.name
		}
		if !messages.is('[') {
			if rd.format != OpenAIResponses || !messages.is('"') {
				return rd.fail(messages, engine.ErrFileShape, "the messages are not a list")
			}
			from.Role = oneInput
		}
		for f := range v.fields() {
			switch {
			case f.name == list.name:
			case b.isSystem(f) && system == nil:
				system = f
			default:
				all = append(all, extra{ofMessage, f.name, f})
			}
		}
		// The other formats are always objects.
		if rd.format == OpenAI || rd.format == OpenAIResponses {
			from.Shape = shapeOne
		}
	default:
		return rd.fail(v, engine.ErrFileShape, "neither a list of messages nor an object that contains one")
	}
	if err := b.keepAround(from, all); err != nil {
		return err
	}
	if system != nil {
		if err := b.systemPrompt(system); err != nil {
			return err
		}
	}
	if messages.is('"') {
		return b.add(&message{at: messages, role: "user", starts: true, parts: []*part{{kind: "text", content: messages.json()}}})
	}
	for m := range messages.elements() {
		if err := rd.message(ctx, b, m); err != nil {
			return err
		}
	}
	if len(messages.kids) == 0 {
		b.note(Kept, "", messages, "the log has no messages")
	}
	return nil
}

// listShape returns the shape of a bare list, which is the default for formats that are written as
// a list.
func (b *builder) listShape() shape {
	if (b.rd.format == OpenAI || b.rd.format == OpenAIResponses) && len(b.around) == 0 {
		return shapeText
	}
	return shapeList
}

// wrapped returns a hint for errors: the members that could contain the messages.
func (rd *reader) wrapped(v *value) string {
	if hint := rd.hint(v); hint != "" && rd.opts.Messages == "" {
		return hint + "; if it has the messages, pass its name as the option messages"
	}
	return ""
}

// isSystem reports whether a member is a system prompt outside the messages. An empty one does not
// count.
func (b *builder) isSystem(f *value) bool {
	switch {
	case f.isNull(), f.raw == `""`, f.is('[') && strings.TrimSpace(f.raw[1:len(f.raw)-1]) == "":
		return false
	}
	switch b.rd.format {
	case OpenAIResponses:
		return f.name == typeInstructions && f.is('"')
	case Anthropic:
		return f.name == "system"
	case Gemini:
		return f.name == "systemInstruction" || f.name == snakeInstruction
	}
	return false
}

func (b *builder) systemPrompt(f *value) error {
	m := &message{at: f, role: "system"}
	switch {
	case b.rd.format == Anthropic && f.is('['):
		m.from.Shape = shapeParts
		for e := range f.elements() {
			m.parts = append(m.parts, b.block(e))
		}
		if len(m.parts) == 0 {
			m.from.Shape = shapeOther
			m.parts = []*part{{kind: "text", content: f.json()}}
		}
	case b.rd.format == Gemini && f.is('{'):
		m.from.Shape = shapeParts
		for g := range f.fields() {
			if g.name == "parts" && g.is('[') {
				for e := range g.elements() {
					m.parts = append(m.parts, b.geminiPart(e))
				}
			} else {
				m.extra = append(m.extra, extra{ofMessage, g.name, g})
			}
		}
		if len(m.parts) == 0 {
			m.extra, m.from.Shape = nil, shapeOther
			m.parts = []*part{{kind: "text", content: f.json()}}
		}
	case f.is('"'):
		m.parts = []*part{{kind: "text", content: f.json()}}
	default:
		m.from.Shape = shapeOther
		m.parts = []*part{{kind: "text", content: f.json()}}
		b.note(Kept, "", f, "the system prompt is not a text; it is kept unchanged")
	}
	if b.rd.format == OpenAIResponses {
		m.parts[0].from.Type = typeInstructions
	}
	if f.name == snakeInstruction {
		m.from.Role = f.name
	}
	return b.add(m)
}

// open reads the role of a message, and the members that are not in known. The role becomes one of
// the specification if possible. from.Role has the role in the log if a rendering would write
// another one.
func (b *builder) open(v *value, roleName string, usual map[string]string, known ...string) (*message, error) {
	if !v.is('{') {
		return nil, b.rd.fail(v, engine.ErrFileShape, "a message must be an object")
	}
	m := &b.message
	*m = message{at: v, parts: m.parts[:0], extra: m.extra[:0]}
	wire, hasRole := "", false
	for f := range v.fields() {
		switch {
		case f.name == roleName:
			hasRole = true
			text, ok := f.text()
			if !ok {
				return nil, b.rd.fail(f, engine.ErrHeaderType, "%s is not a string", roleName)
			}
			wire = text
		case !slices.Contains(known, f.name):
			m.extra = append(m.extra, extra{ofMessage, f.name, f})
			if f.name == "timestamp" || f.name == "created_at" || f.name == "create_time" || f.name == "createTime" {
				m.time = instant(f)
			}
		}
	}
	role, ok := knownRole(b.rd.format, wire)
	switch {
	case !hasRole && b.rd.format == Gemini:
		m.from.NoRole, role = true, "user"
	case !hasRole:
		return nil, b.rd.fail(v, engine.ErrFileShape, "a message needs a %s%s", roleName, b.rd.wrapped(v))
	case !ok:
		b.note(Kept, "", v, "the role "+quote(wire)+" is unknown; it is kept")
	}
	if hasRole && usual[role] != wire || wire == "" {
		m.from.Role = wire
	}
	m.role = role
	m.starts = role == "user"
	return m, nil
}

func quote(s string) string { return engine.Text(s).String() }

// knownRole returns the role of the specification for a role of a format, or the same role and
// false.
func knownRole(f Format, wire string) (string, bool) {
	role, ok := standardRoles[wire]
	if !ok && f == ShareGPT {
		role, ok = shareGPTRoles[wire]
	}
	if !ok {
		return wire, false
	}
	return role, true
}
