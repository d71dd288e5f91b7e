package source

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread/series"
)

// unit is a part that is sent, with its record.
type unit struct {
	*series.Part
	kind   partKind
	beside bool // it stays beside a result
	of     *record
}

// entry is what of one record goes into one message.
type entry struct {
	role  series.Role
	units []unit
	of    *record
	isAtt bool // it is of an attachment
	at    int  // of its texts, which one it is
}

// messagesOf makes the messages of records of the path. The texts for the system are joined into
// one message at the end of the turn of the user. isLast says that the messages are the last ones
// of a request.
func (s *session) messagesOf(c *conversation, from, to int, isLast bool) (out []*series.Message) {
	v := &c.view
	hasTurns := hasSystemTurns(v.model)
	var list []entry
	for _, x := range s.complete(c, from, to) {
		list = v.entries(list, x.record, x.at, hasTurns)
		if a := x.attachment; isLast && a != nil && a.isLate && len(list) > 0 && list[len(list)-1].of == x.record {
			list[len(list)-1].role = series.User
		}
	}
	var open *draft // the message being made
	var system systemTurn
	endTurn := func() {
		if open != nil {
			out = append(out, open.message(hasTurns))
			open = nil
		}
		if m := system.message(); m != nil {
			out = append(out, m)
		}
		system = systemTurn{}
	}
	for _, e := range rise(list) {
		switch {
		case e.role == series.System:
			system.add(e)
		case e.role == series.Assistant && (open == nil || open.role != series.Assistant):
			endTurn()
			open = &draft{role: series.Assistant, units: e.units}
		case e.role == series.Assistant:
			open.units = append(open.units, e.units...)
		case open != nil && open.role == series.User && !(e.isAtt && e.at > 0 && open.begun == e.of && open.begunAt == e.at-1):
			open.join(e)
		default:
			if open != nil {
				out = append(out, open.message(hasTurns))
			}
			open = &draft{role: series.User, units: slices.Clone(e.units)}
			if e.isAtt {
				open.begun, open.begunAt = e.of, e.at
			}
		}
	}
	endTurn()
	return out
}

// entries appends what is sent of a record.
func (v *view) entries(list []entry, r *record, at int, hasTurns bool) []entry {
	if r.hidden || r.mark == isApiError {
		return list
	}
	r.sent = true
	if a := r.attachment; a != nil {
		return attachedEntries(list, r, a, hasTurns)
	}
	e := entry{role: series.User, of: r}
	switch r.fate {
	case fromModel:
		e.role = series.Assistant
	case fromClient:
	default:
		return list
	}
	e.units = make([]unit, 0, len(r.parts))
	for _, p := range r.parts {
		u := unit{Part: p, kind: kindOf(p.Value), of: r}
		if u.kind == thinkingPart && e.role == series.Assistant && (r.model != v.model || at >= 0 && at < v.cut) {
			continue
		}
		if u.kind == resultPart && len(v.cleared) > 0 && v.cleared[idOf(p.Value, resultPart)] {
			u.Part = withContent(p, func(value) string { return "[Old tool result content cleared]" })
		}
		e.units = append(e.units, u)
	}
	if len(e.units) == 0 {
		return list
	}
	return append(list, e)
}

// withContent returns a result with another text as its content.
func withContent(p *series.Part, change func(value) string) *series.Part {
	content := value{raw: p.Value}.get("content")
	out := *p
	text := string(canonjson.AppendString(nil, change(content)))
	if content.raw == "" {
		out.Value = `{"content":` + text + "," + p.Value[1:]
	} else {
		out.Value = p.Value[:content.off] + text + p.Value[content.off+len(content.raw):]
	}
	return &out
}

func attachedEntries(list []entry, r *record, a *addition, hasTurns bool) []entry {
	texts := a.texts
	if hasTurns {
		for _, name := range a.surfaced {
			p := &series.Part{Value: `{"tool":{"name":` + string(canonjson.AppendString(nil, name)) + `,"type":"tool_reference"},"type":"tool_addition"}`, ID: r.uuid, Line: r.line, By: "client"}
			list = append(list, entry{role: series.System, units: []unit{{Part: p, of: r}}, of: r, isAtt: true})
		}
	} else if len(a.plain) > 0 {
		texts = [][]*series.Part{a.plain}
	}
	if hasTurns && a.isFile {
		var lines []string
		for _, parts := range texts {
			lines = append(lines, unwrapped(textOf(parts)))
		}
		p := newText(strings.Join(lines, "\n"))
		p.ID, p.Line, p.By = r.uuid, r.line, "client"
		texts = [][]*series.Part{{p}}
	}
	for n, parts := range texts {
		e := entry{role: series.User, of: r, at: n, isAtt: true}
		for _, p := range parts {
			e.units = append(e.units, unit{Part: p, kind: kindOf(p.Value), beside: a.beside, of: r})
		}
		switch {
		case hasTurns && a.role == "system" && !(a.isPrompt && a.rendered):
			e.role = series.System
		case hasTurns && a.isQueued:
			for i, u := range e.units {
				if u.kind == textPart {
					e.units[i].Part = withText(u.Part, unwrapped)
				}
			}
		}
		list = append(list, e)
	}
	return list
}

// newline ends a text that another one follows.
func newline(text string) string { return text + "\n" }

// withText returns a part with another text.
func withText(p *series.Part, change func(string) string) *series.Part {
	out := *p
	setText(&out, change)
	return &out
}

// unwrapped returns the text in a reminder.
func unwrapped(text string) string {
	if t, ok := strings.CutPrefix(strings.Trim(text, "\n"), "<system-reminder>\n"); ok {
		if t, ok = strings.CutSuffix(t, "\n</system-reminder>"); ok {
			return t
		}
	}
	return text
}

// rise moves the attachments of the user up to just after the last answer or result before them.
func rise(list []entry) []entry {
	out := make([]entry, 0, len(list))
	var waiting []entry // in reverse order
	for _, e := range slices.Backward(list) {
		switch {
		case e.isAtt && e.role == series.User:
			waiting = append(waiting, e)
			continue
		case e.role == series.Assistant, e.role == series.User && slices.ContainsFunc(e.units, unit.isResult):
			out = append(out, waiting...)
			waiting = nil
		}
		out = append(out, e)
	}
	out = append(out, waiting...)
	slices.Reverse(out)
	return out
}

func (u unit) isResult() bool { return u.kind == resultPart }

// systemTurn is what the client tells the system during a turn of the user.
type systemTurn struct {
	texts  []string
	first  *record
	others []unit
}

func (t *systemTurn) add(e entry) {
	for _, u := range e.units {
		if u.kind != textPart {
			t.others = append(t.others, u)
			continue
		}
		if t.first == nil {
			t.first = u.of
		}
		t.texts = append(t.texts, unwrapped(textIs(u.Value)))
	}
}

// message returns the message, or nil if there is nothing to tell.
func (t *systemTurn) message() *series.Message {
	var units []unit
	if len(t.texts) > 0 {
		p := newText(strings.Join(t.texts, "\n\n"))
		p.ID, p.Line, p.By = t.first.uuid, t.first.line, t.first.by()
		units = append(units, unit{Part: p, kind: textPart, of: t.first})
	}
	if units = append(units, t.others...); len(units) == 0 {
		return nil
	}
	return messageOf(series.System, units)
}

// draft is a message being made.
type draft struct {
	role    series.Role
	units   []unit
	begun   *record // the attachment that begins it
	begunAt int
}

// join adds what another record has for the message. A text that follows another one begins on a
// new line.
func (d *draft) join(e entry) {
	if n := len(d.units); n > 0 && len(e.units) > 0 && d.units[n-1].kind == textPart && e.units[0].kind == textPart &&
		(!e.isAtt || e.at > 0 && d.units[0].isResult()) {
		d.units[n-1].Part = withText(d.units[n-1].Part, newline)
	}
	d.units = append(d.units, e.units...)
}

// message makes the message. Results come first; for models without system turns, reminders beside
// them go into the last one.
func (d *draft) message(hasTurns bool) *series.Message {
	if d.role == series.User && slices.ContainsFunc(d.units, unit.isResult) {
		if !hasTurns {
			d.fold()
		}
		slices.SortStableFunc(d.units, func(a, b unit) int {
			switch {
			case a.isResult() == b.isResult():
				return 0
			case a.isResult():
				return -1
			}
			return 1
		})
	}
	return messageOf(d.role, d.units)
}

// fold puts reminders into the last result.
func (d *draft) fold() {
	at := -1
	var texts []string
	var rest []unit
	for _, u := range d.units {
		if u.kind == textPart && !u.beside {
			if text := textIs(u.Value); strings.HasPrefix(text, "<system-reminder>") {
				texts = append(texts, strings.TrimSpace(text))
				continue
			}
		}
		if u.isResult() {
			at = len(rest)
		}
		rest = append(rest, u)
	}
	if len(texts) == 0 {
		return
	}
	if content := (value{raw: rest[at].Value}).get("content"); content.raw != "" && !content.is('"') {
		return
	}
	rest[at].Part = withContent(rest[at].Part, func(content value) string {
		return strings.Join(append([]string{strings.TrimSpace(content.text())}, texts...), "\n\n")
	})
	d.units = rest
}

var claudeRoles = map[series.Role]string{series.System: "system", series.Assistant: "assistant", series.User: "user"}

// messageOf makes a message of parts. The parts of records share its memory.
func messageOf(role series.Role, units []unit) *series.Message {
	m := &series.Message{Role: role, Path: "$.message", Parts: make([]*series.Part, 0, len(units))}
	name := claudeRoles[role]
	main := units[0].of // that is not an attachment, if there is one
	results, person := false, false
	for _, u := range slices.Backward(units) {
		if u.of.attachment == nil {
			main = u.of
		}
	}
	for _, u := range units {
		m.Parts = append(m.Parts, u.Part)
		switch u.kind {
		case resultPart:
			results = true
			m.Answers = append(m.Answers, idOf(u.Value, u.kind))
		case callPart:
			m.Calls = append(m.Calls, idOf(u.Value, u.kind))
		}
		person = person || u.By == "person"
		m.Summary = m.Summary || u.of.summary
	}
	if results && !person && role == series.User {
		m.Role = series.Tool
	}
	m.ID, m.Line, m.About = main.uuid, main.line, main.about
	if len(units) == 1 && units[0].kind == textPart && role != series.System && (main.text || main.attachment != nil) {
		raw, from := textIn(units[0].Value)
		if rest := units[0].Value; from == len(`{"text":`) && rest[from+len(raw):] == `,"type":"text"}` {
			m.Value = `{"content":` + raw + `,"role":"` + name + `"}`
			return m
		}
	}
	var b strings.Builder
	n := len(`{"content":[],"role":"assistant"}`)
	for _, u := range units {
		n += len(u.Value) + 1
	}
	b.Grow(n)
	b.WriteString(`{"content":[`)
	ends := make([]int, len(units))
	for i, u := range units {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(u.Value)
		ends[i] = b.Len()
	}
	b.WriteString(`],"role":"` + name + `"}`)
	m.Value = b.String()
	for i, u := range units {
		if !u.of.shared {
			u.Value = m.Value[ends[i]-len(u.Value) : ends[i]]
		}
	}
	for _, u := range units {
		u.of.shared = true
	}
	return m
}
