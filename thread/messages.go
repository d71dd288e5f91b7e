package thread

import (
	"context"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// read takes the messages of one log: a list of them, or the body of a request.
func (b *builder) read(ctx context.Context, v value) error {
	rd := b.rd
	from, all := origin{}, []extra(nil)
	var system []field
	messages := v
	switch {
	case v.is('['):
		from.Shape = b.listShape()
	case v.is('"') && rd.format == OpenAIResponses && len(b.around) > 0:
		from.Role, from.Shape = oneInput, shapeList
	case v.is('{'):
		list, ok := rd.messagesOf(v)
		if !ok {
			return rd.fail(v, engine.ErrFileShape, "no member %s, where %s has its messages%s",
				strings.Join(lists[rd.format], " or "), rd.format, rd.wrapped(v))
		}
		messages = list.value
		if list.name != lists[rd.format][0] {
			from.Type = list.name
		}
		if !messages.is('[') {
			if rd.format != OpenAIResponses || !messages.is('"') {
				return rd.fail(messages, engine.ErrFileShape, "the messages are no list")
			}
			from.Role = oneInput
		}
		for _, f := range v.fields() {
			switch {
			case f.name == list.name:
			case b.isSystem(f) && len(system) == 0:
				system = append(system, f)
			default:
				all = append(all, extra{ofMessage, f})
			}
		}
		// An object is how these come; others need a word of it.
		if rd.format == OpenAI || rd.format == OpenAIResponses {
			from.Shape = shapeOne
		}
	default:
		return rd.fail(v, engine.ErrFileShape, "neither a list of messages nor an object that holds one")
	}
	if err := b.keepAround(from, all); err != nil {
		return err
	}
	for _, f := range system {
		if err := b.systemPrompt(f); err != nil {
			return err
		}
	}
	if messages.is('"') {
		return b.add(&message{at: messages, role: "user", starts: true, parts: []*part{{kind: "text", content: messages.json()}}})
	}
	elements := messages.elements()
	for _, m := range elements {
		if err := rd.step(ctx, m.off); err != nil {
			return err
		}
		if err := importers[rd.format](b, m); err != nil {
			return err
		}
	}
	if len(elements) == 0 {
		b.note(Kept, "", messages, "the log holds no message")
	}
	return nil
}

// listShape is what has to be remembered of a bare list: nothing, where the
// format is written as one.
func (b *builder) listShape() shape {
	if (b.rd.format == OpenAI || b.rd.format == OpenAIResponses) && len(b.around) == 0 {
		return shapeText
	}
	return shapeList
}

// wrapped says where the messages may be instead.
func (rd *reader) wrapped(v value) string {
	if hint := rd.hint(v); hint != "" && rd.opts.Messages == "" {
		return hint + "; say so if that is the member with the messages"
	}
	return ""
}

// isSystem tells a system prompt beside the messages.
func (b *builder) isSystem(f field) bool {
	switch b.rd.format {
	case OpenAIResponses:
		return f.name == typeInstructions && f.is('"')
	case Anthropic:
		return f.name == "system" && !f.isNull()
	case Gemini:
		return (f.name == "systemInstruction" || f.name == snakeInstruction) && !f.isNull()
	}
	return false
}

func (b *builder) systemPrompt(f field) error {
	m := &message{at: f.value, role: "system"}
	switch {
	case b.rd.format == Anthropic && f.is('['):
		m.from.Shape = shapeParts
		for _, e := range f.elements() {
			m.parts = append(m.parts, b.block(e))
		}
		if len(m.parts) == 0 {
			m.from.Shape = shapeOther
			m.parts = []*part{{kind: "text", content: f.json()}}
		}
	case b.rd.format == Gemini && f.is('{'):
		m.from.Shape = shapeParts
		for _, g := range f.fields() {
			if g.name == "parts" && g.is('[') {
				for _, e := range g.elements() {
					m.parts = append(m.parts, b.geminiPart(e))
				}
			} else {
				m.extra = append(m.extra, extra{ofMessage, g})
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
		b.note(Kept, "", f.value, "the system prompt is no text; kept as it is")
	}
	if b.rd.format == OpenAIResponses {
		m.parts[0].from.Type = typeInstructions
	}
	if f.name == snakeInstruction {
		m.from.Role = f.name
	}
	return b.add(m)
}

// open reads the role of a message and its other members. The role is one of
// the specification where it can be; Role of from is what the log says, if a
// rendering would not say it by itself.
func (b *builder) open(v value, roleName string, usual map[string]string, known ...string) (*message, map[string]value, error) {
	if !v.is('{') {
		return nil, nil, b.rd.fail(v, engine.ErrFileShape, "a message is an object")
	}
	m := &message{at: v}
	found := map[string]value{}
	wire, hasRole := "", false
	for _, f := range v.fields() {
		switch {
		case f.name == roleName:
			hasRole = true
			text, ok := f.text()
			if !ok {
				return nil, nil, b.rd.fail(f.value, engine.ErrHeaderType, "%s is no string", roleName)
			}
			wire = text
		case slices.Contains(known, f.name):
			found[f.name] = f.value
		default:
			m.extra = append(m.extra, extra{ofMessage, f})
			if f.name == "timestamp" || f.name == "created_at" || f.name == "create_time" || f.name == "createTime" {
				m.time = instant(f.value)
			}
		}
	}
	role, ok := knownRole(b.rd.format, wire)
	switch {
	case !hasRole && b.rd.format == Gemini:
		m.from.NoRole, role = true, "user"
	case !hasRole:
		return nil, nil, b.rd.fail(v, engine.ErrFileShape, "a message needs a %s%s", roleName, b.rd.wrapped(v))
	case !ok:
		b.note(Kept, "", v, "the role "+quote(wire)+" is unknown; it is kept")
	}
	if hasRole && usual[role] != wire || wire == "" {
		m.from.Role = wire
	}
	m.role = role
	m.starts = role == "user"
	return m, found, nil
}

func quote(s string) string { return engine.Text(s).String() }

// knownRole returns the role of the specification for one of a format.
func knownRole(f Format, wire string) (string, bool) {
	role, ok := known[wire]
	if !ok && f == ShareGPT {
		role, ok = shareGPTRoles[wire]
	}
	if !ok {
		return wire, false
	}
	return role, true
}

var shareGPTRoles = map[string]string{
	"chatgpt": "assistant", "bing": "assistant", "bard": "assistant", "function_call": "assistant", "observation": "tool",
}

var openAIRoles = map[string]string{"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}

// openAI reads a message of the chat API.
func (b *builder) openAI(v value) error {
	m, got, err := b.open(v, "role", openAIRoles, "content", "tool_calls", "tool_call_id", "function_call")
	if err != nil {
		return err
	}
	content, hasContent := got["content"]
	if m.role == "tool" {
		p := &part{kind: "result"}
		if hasContent {
			p.content = content.json()
		}
		if id, ok := got["tool_call_id"]; ok {
			if p.call, ok = id.text(); p.call == "" {
				m.extra = append(m.extra, extra{ofMessage, field{"tool_call_id", id}})
			}
			if !ok {
				b.note(Kept, "", id, "the id of a call is no string; kept as it is")
			}
		}
		if p.call == "" {
			p.calls = callIDs(v)
		}
		if name, ok := v.get("name"); ok {
			p.name, _ = name.text()
		}
		for _, name := range [...]string{"tool_calls", "function_call"} {
			if x, ok := got[name]; ok {
				m.extra = append(m.extra, extra{ofMessage, field{name, x}})
			}
		}
		m.parts = []*part{p}
		nameOnce(m)
		return b.add(m)
	}
	if id, ok := got["tool_call_id"]; ok {
		m.extra = append(m.extra, extra{ofMessage, field{"tool_call_id", id}})
	}
	var calls []*part
	if list, ok := got["tool_calls"]; ok {
		if elements := list.elements(); len(elements) > 0 {
			for _, e := range elements {
				calls = append(calls, b.openAICall(e))
			}
		} else {
			m.extra = append(m.extra, extra{ofMessage, field{"tool_calls", list}})
		}
	}
	if call, ok := got["function_call"]; ok {
		if p := functionOf(call, "arguments"); call.is('{') {
			p.from.Type = typeLegacy
			calls = append(calls, p)
		} else {
			m.extra = append(m.extra, extra{ofMessage, field{"function_call", call}})
		}
	}
	b.contentOf(m, content, hasContent, len(calls) > 0, b.openAIPart)
	m.parts = append(m.parts, calls...)
	return b.add(m)
}

// callIDs returns the ids of the calls that a result answers where it lists them, as SWE-agent does. The
// list stays a member of the message.
func callIDs(v value) []string {
	var ids []string
	list, _ := v.get("tool_call_ids")
	for _, e := range list.elements() {
		if id, ok := e.text(); ok && id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// nameOnce leaves the member name of a message to the node's own, if that says
// the same.
func nameOnce(m *message) {
	for i, x := range m.extra {
		if x.name == "name" && m.parts[0].name != "" {
			m.from.Msg = append(m.from.Msg, kept{"name", "name"})
			m.extra = append(m.extra[:i:i], m.extra[i+1:]...)
			return
		}
	}
}

// contentOf reads the content of a message: a text, a list of parts, or
// something else that is kept as it is.
func (b *builder) contentOf(m *message, v value, has, calls bool, part1 func(value) *part) {
	text := &part{kind: "text"}
	switch {
	case !has:
		m.from.Shape = shapeNone
		if !calls {
			b.note(Kept, "", m.at, "a message without content")
		}
	case v.isNull():
		m.from.Shape = shapeNull
		text.content = v.json()
	case v.is('"'):
		text.content = v.json()
		if s, _ := text.content.Text(); s == "" && calls {
			m.from.Shape = shapeBlank
			break
		}
		m.parts = append(m.parts, text)
		return
	case v.is('['):
		m.from.Shape = shapeParts
		for _, e := range v.elements() {
			m.parts = append(m.parts, part1(e))
		}
		if len(m.parts) > 0 {
			return
		}
		m.from.Shape = shapeEmpty
	default:
		m.from.Shape = shapeOther
		text.content = v.json()
		b.note(Kept, "", v, "the content is neither text nor a list; kept as it is")
		m.parts = append(m.parts, text)
		return
	}
	if !calls {
		m.parts = append(m.parts, text)
	}
}

// rawPart keeps a part whole.
func rawPart(v value) *part {
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

// kinds are the names of kinds of content that formats name differently.
var kinds = map[string]string{
	"image_url": "image", "input_image": "image", "input_audio": "audio", "input_file": "document", "file": "document",
	// A part that is kept whole is no text, call or result, whatever it is called.
	"text": "other", "call": "other", "result": "other", "tool_use": "other", "tool_result": "other",
}

// textPart reads a part whose member text is a string.
func (b *builder) textPart(v value) *part {
	t, _ := v.get("type")
	kind, _ := t.text()
	text, ok := v.get("text")
	if !ok || !text.is('"') || !textTypes[kind] {
		return rawPart(v)
	}
	p := &part{kind: "text", content: text.json(), from: origin{Type: kind}}
	p.keep(v, ofPart, "type", "text")
	return p
}

func (p *part) keep(v value, l level, but ...string) {
	for _, f := range v.fields() {
		if !slices.Contains(but, f.name) {
			p.extra = append(p.extra, extra{l, f})
		}
	}
}

func (b *builder) openAIPart(v value) *part {
	p := b.textPart(v)
	if p.from.Raw || p.from.Type != "text" {
		return rawPart(v)
	}
	return p
}

// functionOf reads the name and the arguments of a call.
func functionOf(v value, arguments string) *part {
	p := &part{kind: "call", role: "assistant"}
	for _, f := range v.fields() {
		text, isText := f.text()
		switch {
		case f.name == "name" && isText && text != "":
			p.name = text
		case f.name == arguments:
			p.content = f.json()
		default:
			p.extra = append(p.extra, extra{ofCall, f})
		}
	}
	return p
}

// openAICall reads an element of tool_calls.
func (b *builder) openAICall(v value) *part {
	kind, payload := "function", "arguments"
	t, hasType := v.get("type")
	wire, _ := t.text()
	if wire == "custom" {
		kind, payload = "custom", "input"
	}
	f, ok := v.get(kind)
	if !ok || !f.is('{') || hasType && wire != kind {
		b.note(Kept, "", v, "a call of an unknown shape; kept as it is")
		p := rawPart(v)
		p.from.Type = typeToolCall
		return p
	}
	p := functionOf(f, payload)
	if hasType {
		p.from.Type = kind
	}
	known := []string{"type", kind}
	if id, ok := v.get("id"); ok {
		if text, ok := id.text(); ok && text != "" {
			p.call, p.id = text, text
			known = append(known, "id")
		}
	}
	p.keep(v, ofPart, known...)
	return p
}

var responsesRoles = openAIRoles

// item reads an input item of the Responses API.
func (b *builder) item(v value) error {
	if !v.is('{') {
		return b.rd.fail(v, engine.ErrFileShape, "an item is an object")
	}
	t, hasType := v.get("type")
	kind, isText := t.text()
	_, hasRole := v.get("role")
	if hasRole && (!hasType || kind == "message") {
		m, got, err := b.open(v, "role", responsesRoles, "content", "type")
		if err != nil {
			return err
		}
		content, has := got["content"]
		b.contentOf(m, content, has, false, b.textPart)
		if hasType && len(m.parts) > 0 {
			if m.parts[0].from.Type == "" && !m.parts[0].from.Raw {
				m.parts[0].from.Type = "message"
			} else {
				m.extra = append(m.extra, extra{ofMessage, field{"type", t}})
			}
		}
		b.itemID(v, m)
		return b.add(m)
	}
	if !isText {
		return b.rd.fail(v, engine.ErrFileShape, "an item needs a role or a type")
	}
	m := &message{at: v, role: "assistant"}
	p := &part{}
	payload := map[string]string{"function_call": "arguments", "custom_tool_call": "input",
		"function_call_output": "output", "custom_tool_call_output": "output"}[kind]
	switch {
	case payload == "":
		p = rawPart(v)
		p.from.Type = typeItem
		if strings.HasSuffix(kind, "_output") {
			m.role = "tool"
		}
	default:
		p.kind = "call"
		if payload == "output" {
			p.kind, m.role = "result", "tool"
		}
		p.from.Type = kind
		for _, f := range v.fields() {
			text, ok := f.text()
			switch {
			case f.name == "type":
			case f.name == "call_id" && ok && text != "":
				p.call = text
			case f.name == "name" && ok && text != "" && p.kind == "call":
				p.name = text
			case f.name == payload:
				p.content = f.json()
			default:
				m.extra = append(m.extra, extra{ofMessage, f})
			}
		}
	}
	m.parts = []*part{p}
	b.itemID(v, m)
	if p.id == "" && p.kind == "call" {
		p.id = p.call
	}
	return b.add(m)
}

// itemID gives the first node of an item its id.
func (b *builder) itemID(v value, m *message) {
	if id, ok := v.get("id"); ok && len(m.parts) > 0 {
		m.parts[0].id, _ = id.text()
	}
}

var anthropicRoles = map[string]string{"system": "user", "user": "user", "assistant": "assistant", "tool": "user"}

// anthropic reads a message of the Messages API.
func (b *builder) anthropic(v value) error {
	m, got, err := b.open(v, "role", anthropicRoles, "content")
	if err != nil {
		return err
	}
	b.blocks(m, got)
	b.itemID(v, m)
	return b.add(m)
}

// blocks reads the content of a message of Anthropic's.
func (b *builder) blocks(m *message, got map[string]value) {
	content, has := got["content"]
	b.contentOf(m, content, has, false, b.block)
	for _, p := range m.parts {
		if p.kind == "result" && !p.from.Raw {
			m.starts = false
		}
	}
}

// block reads a content block of Anthropic's.
func (b *builder) block(v value) *part {
	t, _ := v.get("type")
	kind, _ := t.text()
	p := &part{from: origin{Type: kind}}
	id, payload := "", ""
	switch kind {
	case "text":
		return b.textPart(v)
	case "tool_use":
		p.kind, p.role, id, payload = "call", "assistant", "id", "input"
	case "tool_result":
		p.kind, p.role, id, payload = "result", "tool", "tool_use_id", "content"
	default:
		return rawPart(v)
	}
	for _, f := range v.fields() {
		text, ok := f.text()
		switch {
		case f.name == "type":
		case f.name == id && ok && text != "":
			p.call = text
			if p.kind == "call" {
				p.id = text
			}
		case f.name == "name" && ok && text != "" && p.kind == "call":
			p.name = text
		case f.name == payload:
			p.content = f.json()
		default:
			p.extra = append(p.extra, extra{ofPart, f})
		}
	}
	return p
}

var geminiRoles = map[string]string{"system": "user", "user": "user", "assistant": "model", "tool": "user"}

// gemini reads an element of contents.
func (b *builder) gemini(v value) error {
	m, got, err := b.open(v, "role", geminiRoles, "parts")
	if err != nil {
		return err
	}
	parts, has := got["parts"]
	switch {
	case has && !parts.is('['):
		return b.rd.fail(parts, engine.ErrFileShape, "parts is no list")
	case !has:
		m.from.Shape = shapeNone
		b.note(Kept, "", v, "a content without parts")
	}
	for _, e := range parts.elements() {
		p := b.geminiPart(e)
		if p.kind == "result" && !p.from.Raw {
			m.starts = false
		}
		m.parts = append(m.parts, p)
	}
	if len(m.parts) == 0 {
		if has {
			m.from.Shape = shapeEmpty
		}
		m.parts = []*part{{kind: "text"}}
	}
	for _, p := range m.parts {
		if m.role == "tool" && p.kind == "text" {
			p.role = "user" // a text beside responses answers no call
		}
	}
	return b.add(m)
}

// geminiPart reads one part: a text, a call, a result, or anything else whole.
func (b *builder) geminiPart(v value) *part {
	if thought, ok := v.get("thought"); ok && thought.is('t') {
		p := rawPart(v)
		p.kind = "thinking"
		return p
	}
	for _, f := range v.fields() {
		p := &part{}
		switch f.name {
		case "text":
			if !f.is('"') {
				continue
			}
			p.kind, p.content = "text", f.json()
		case "functionCall", "function_call":
			if !f.is('{') {
				continue
			}
			p = functionOf(f.value, "args")
			p.from.Type = f.name
		case "functionResponse", "function_response":
			if !f.is('{') {
				continue
			}
			p = functionOf(f.value, "response")
			p.kind, p.role, p.from.Type = "result", "tool", f.name
		default:
			continue
		}
		for i, x := range p.extra {
			text, ok := x.text()
			if x.name == "id" && ok && text != "" {
				p.call = text
				if p.kind == "call" {
					p.id = text
				}
				p.extra = append(p.extra[:i:i], p.extra[i+1:]...)
				break
			}
		}
		p.keep(v, ofPart, f.name)
		return p
	}
	p := rawPart(v)
	for _, f := range v.fields() {
		if k, ok := geminiKinds[f.name]; ok {
			p.kind = k
		}
	}
	return p
}

var geminiKinds = map[string]string{
	"inlineData": "media", "inline_data": "media", "fileData": "media", "file_data": "media", "executableCode": "code",
	"codeExecutionResult": "code_result",
}

// flat reads an entry of the flat log.
func (b *builder) flat(v value) error {
	m, got, err := b.open(v, "role", openAIRoles, "content")
	if err != nil {
		return err
	}
	p := &part{kind: "text"}
	if m.role == "tool" {
		p.kind = "result"
	}
	if content, ok := got["content"]; ok {
		p.content = content.json()
	}
	m.parts = []*part{p}
	// kind and call_id are what a rendering wrote.
	for i := 0; i < len(m.extra); i++ {
		text, ok := m.extra[i].text()
		if !ok || text == "" {
			continue
		}
		switch m.extra[i].name {
		case "kind":
			p.kind = text
		case "call_id":
			p.call = text
		case "name":
			p.name = text
		default:
			continue
		}
		member := m.extra[i].name
		m.from.Msg = append(m.from.Msg, kept{member, member})
		m.extra = append(m.extra[:i:i], m.extra[i+1:]...)
		i--
	}
	if p.kind == "call" {
		p.role = "assistant"
		p.id = p.call
	}
	if p.kind == "result" {
		m.starts = false
	}
	return b.add(m)
}

var shareGPTUsual = map[string]string{"system": "system", "user": "human", "assistant": "gpt", "tool": "observation"}

// shareGPT reads one turn of a conversation.
func (b *builder) shareGPT(v value) error {
	m, got, err := b.open(v, "from", shareGPTUsual, "value")
	if err != nil {
		return err
	}
	p := &part{kind: "text"}
	if content, ok := got["value"]; ok {
		p.content = content.json()
	}
	switch {
	case m.from.Role == "function_call":
		p.kind = "call"
		p.name, _, _ = shareGPTCall(p.content)
	case m.role == "tool":
		p.kind = "result"
	}
	m.parts = []*part{p}
	return b.add(m)
}
