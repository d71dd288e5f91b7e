package thread

import (
	"slices"
)

// newPart returns a part that is valid until its message is added. It must not be used for a call,
// which is needed until its result is found.
func (b *builder) newPart(kind string) *part {
	if b.usedParts == len(b.parts) {
		b.parts = append(b.parts, new(part))
	}
	p := b.parts[b.usedParts]
	b.usedParts++
	*p = part{kind: kind}
	return p
}

// contentOf reads the content of a message: a text, a list of parts, or anything else, which is
// kept unchanged. has says that there is content, calls that the message has calls, too.
func (b *builder) contentOf(m *message, v *value, has, calls bool, part1 func(*value) *part) {
	text := b.newPart("text")
	switch {
	case !has:
		m.from.Shape = shapeNone
		if !calls {
			b.note(Kept, "", m.at, "the message has no content")
		}
	case v.isNull():
		m.from.Shape = shapeNull
		text.content = v.json()
	case v.is('"'):
		text.content = v.json()
		if text.content.String() == `""` && calls {
			m.from.Shape = shapeBlank
			break
		}
		m.parts = append(m.parts, text)
		return
	case v.is('['):
		m.from.Shape = shapeParts
		for e := range v.elements() {
			m.parts = append(m.parts, part1(e))
		}
		if len(m.parts) > 0 {
			return
		}
		m.from.Shape = shapeEmpty
	default:
		m.from.Shape = shapeOther
		text.content = v.json()
		b.note(Kept, "", v, "the content is neither a text nor a list; it is kept unchanged")
		m.parts = append(m.parts, text)
		return
	}
	if !calls {
		m.parts = append(m.parts, text)
	}
}

// rawPart returns a part that is kept whole.
func rawPart(v *value) *part {
	kind := "other"
	if t, ok := v.get("type"); ok {
		if s, ok := t.text(); ok && s != "" {
			kind = s
		}
	}
	if k, ok := kinds[kind]; ok {
		kind = k
	}
	return &part{kind: kind, content: v.json(), from: origin{Raw: true}}
}

// kinds maps the types of parts to kinds.
var kinds = map[string]string{
	"image_url": "image", "input_image": "image", "input_audio": "audio", "input_file": "document", "file": "document",
	// A part that is kept whole is not a text, call or result, whatever its type.
	"text": "other", "call": "other", "result": "other", "tool_use": "other", "tool_result": "other",
}

// textPart reads a part with a text. Any other part is kept whole.
func (b *builder) textPart(v *value) *part {
	t, _ := v.get("type")
	kind, _ := t.text()
	text, ok := v.get("text")
	if !ok || !text.is('"') || !textTypes[kind] {
		return rawPart(v)
	}
	p := b.newPart("text")
	p.content, p.from.Type = text.json(), kind
	p.keep(v, ofPart, "type", "text")
	return p
}

func (p *part) keep(v *value, l level, but ...string) {
	for f := range v.fields() {
		if !slices.Contains(but, f.name) {
			p.extra = append(p.extra, extra{l, f.name, f})
		}
	}
}

// functionOf reads the name and the arguments of a call.
func functionOf(v *value, arguments string) *part {
	p := &part{kind: "call", role: "assistant"}
	p.function(v, arguments)
	return p
}

// function reads the name and the arguments of a call, or what it returned.
func (p *part) function(v *value, payload string) {
	for f := range v.fields() {
		switch {
		case f.name == "name" && f.is('"') && f.raw != `""`:
			p.name, _ = f.text()
		case f.name == payload:
			p.content = f.json()
		default:
			p.extra = append(p.extra, extra{ofCall, f.name, f})
		}
	}
}
