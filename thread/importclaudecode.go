package thread

import (
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/engine"
)

// session reads a session file of Claude Code. Malformed lines are kept in their places.
func (rd *reader) session(ctx context.Context) error {
	b := rd.builder()
	for {
		line, err := rd.src.nextLine(ctx)
		if err == io.EOF {
			break
		}
		if err == nil && strings.TrimSpace(line) != "" {
			err = b.sessionLine(ctx, line)
		}
		if err != nil {
			return err
		}
	}
	if b.number == 0 {
		b.note(Kept, "", &missing, "the log has no messages")
	}
	return rd.add(b, &missing, &missing, false)
}

func (b *builder) sessionLine(ctx context.Context, line string) error {
	v, err := b.rd.parse(line, noElement)
	if err == nil {
		return b.rd.message(ctx, b, v)
	}
	if err := b.rd.step(ctx, &missing); err != nil {
		return err
	}
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		return err
	}
	text := strings.TrimRight(strings.TrimSuffix(line, "\n"), "\r")
	msg := "the line is not a record and is kept unchanged: " + e.Msg
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		msg = "the line is not a record; bytes that are not UTF-8 are replaced, the rest is kept unchanged: " + e.Msg
	}
	b.notes = append(b.notes, Note{Kind: Malformed, Code: e.Code, File: e.File, Line: e.Line, Path: e.Path, Msg: msg})
	return b.add(&message{inert: true, parts: []*part{{kind: "malformed", content: engine.Text(text)}}, from: origin{Shape: shapeRaw}})
}

// sessionRecord reads one record: a message, or anything else, which becomes a container in the
// same place.
func (b *builder) sessionRecord(v *value) error {
	if !v.is('{') {
		b.note(Malformed, engine.ErrFileShape, v, "the line is not a record; it is kept unchanged")
		return b.add(&message{at: v, inert: true, parts: []*part{{kind: "malformed", content: v.json()}}, from: origin{Shape: shapeOther}})
	}
	var m message
	body := &missing
	kind := "other"
	var extras []extra
	for f := range v.fields() {
		text, _ := f.text()
		switch f.name {
		case "message":
			body = f
			continue
		case "type":
			if text != "" {
				kind = text
			}
		case "timestamp":
			m.time = instant(f)
		case "isSidechain":
			m.side = f.is('t')
		}
		extras = append(extras, extra{ofRecord, f.name, f})
	}
	inert := func() error {
		if body.raw != "" {
			extras = append(extras, extra{ofRecord, "message", body})
		}
		p := &part{kind: kind}
		p.id = textOf(v, "uuid")
		return b.add(&message{at: v, inert: true, time: m.time, extra: extras, parts: []*part{p}})
	}
	if kind != "user" && kind != "assistant" {
		if kind == "other" {
			b.note(Malformed, engine.ErrFileShape, v, "the record has no type; it is kept unchanged")
		}
		return inert()
	}
	content, hasContent := body.get("content")
	role, hasRole := body.get("role")
	_, isText := role.text()
	switch {
	case !body.is('{'):
		b.note(Malformed, engine.ErrFileShape, v, "the record has no message object; it is kept unchanged")
		return inert()
	case !hasContent || !content.is('"') && !content.is('['):
		b.note(Malformed, engine.ErrFileShape, body, "the message has no content; it is kept unchanged")
		return inert()
	case hasRole && !isText:
		b.note(Malformed, engine.ErrHeaderType, role, "the role is not a string; the record is kept unchanged")
		return inert()
	}
	m.role = kind
	if !hasRole {
		m.from.NoRole = true
	} else if wire, _ := role.text(); wire != kind {
		m.from.Role = wire
	}
	m.at, m.starts, m.extra = v, kind == "user" && !m.side, extras
	for f := range body.fields() {
		if f.name != "role" && f.name != "content" {
			m.extra = append(m.extra, extra{ofMessage, f.name, f})
		}
	}
	b.blocks(&m, body)
	if m.side {
		m.starts = false
	}
	if m.parts[0].id == "" {
		m.parts[0].id = textOf(v, "uuid")
	}
	return b.add(&m)
}
