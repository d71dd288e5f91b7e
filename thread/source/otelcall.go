package source

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/normal"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// spanCall is a model call as the attributes of a span or the events in it describe it.
type spanCall struct {
	*series.Request
	response, previous string // the ids of the response, and of that which the request continues
	compacted          bool   // the source says that the conversation was
	isCut              bool   // the messages are not complete
	several            bool   // several choices were requested
	tokens             [2]int // in and out, 0 if unknown
	isAnthropic        bool   // a request to the Messages API (C13)
	managed            value  // the body, if it asks the provider to leave something out
	edits              value  // what the provider did leave out
}

// What of a span's messages may be missing.
const (
	cutMessages = "messages that were cut off"
	cutAnswer   = "the end of the answer"
	lostParts   = "dropped attributes"
)

// call reads the attributes of a span. The messages are in one of several places: the recorded
// body, a list of messages, or attributes for each message.
func (x *export) call(attrs map[string]value, line int, start time.Time) *spanCall {
	c := &spanCall{Request: &series.Request{
		Time: start, Origin: series.Origin{File: x.reader.name, Line: line, Path: "$"},
		Model:  firstText(attrs, "gen_ai.request.model", "llm.model_name", "ai.model.id", "gen_ai.response.model"),
		Usage:  usage(attrs),
		Failed: firstText(attrs, "error.type"),
	}}
	c.response = firstText(attrs, "gen_ai.response.id", "ai.response.id")
	c.previous = firstText(attrs, "gen_ai.request.previous_response_id", "openai.request.previous_response_id", "gen_ai.openai.request.previous_response_id")
	c.compacted = attrs["gen_ai.conversation.compacted"].raw == "true"
	n, _ := attrs["gen_ai.request.choice.count"].integer()
	c.several = n > 1
	c.tokens = tokensOf(attrs)
	c.isAnthropic = strings.EqualFold(firstText(attrs, "gen_ai.provider.name", "gen_ai.system"), "anthropic")
	if x.fromBody(c, attrs) {
		return c
	}
	c.List, c.Format = "input", string(OTel)
	for _, from := range messageAttributes {
		list, path, cut := from.read(x, attrs, line)
		if path == "input.value" && (attrs["openinference.span.kind"].text() != "LLM" || !isProviders(list)) {
			continue // just any value
		}
		if list.raw == "" && !cut {
			continue
		}
		var messages []value
		for _, v := range list.elements() {
			messages = append(messages, from.convert(v))
		}
		for i, v := range x.paired(messages) {
			c.Messages = append(c.Messages, x.spoken(v, path+"["+strconv.Itoa(i)+"]", line))
		}
		if cut {
			c.isCut = true
			c.Missing = append(c.Missing, cutMessages)
		}
		break
	}
	x.answer(c, attrs, line)
	x.parameters(c.Request, attrs)
	return c
}

// messageAttributes has the places of the messages, and how each message is written there.
var messageAttributes = []struct {
	read    func(x *export, attrs map[string]value, line int) (list value, path string, cut bool)
	convert func(value) value
}{
	{listAttribute("gen_ai.input.messages"), fromTexts},
	{listAttribute("ai.prompt.messages"), fromVercel},
	{listAttribute("gen_ai.prompt"), same},
	{numberedAttributes("llm.input_messages."), fromNumbered},
	{numberedAttributes("gen_ai.prompt."), fromNumbered},
	{numberedAttributes("llm.prompts."), fromPrompt},
	{listAttribute("input.value"), fromTexts},
}

// answerAttributes is like messageAttributes, for answers.
var answerAttributes = []struct {
	read    func(x *export, attrs map[string]value, line int) (list value, path string, cut bool)
	convert func(value) value
}{
	{listAttribute("gen_ai.output.messages"), fromTexts},
	{vercelAnswer, same},
	{numberedAttributes("llm.output_messages."), fromNumbered},
	{numberedAttributes("gen_ai.completion."), fromNumbered},
	{numberedAttributes("llm.choices."), fromPrompt},
	{valueAnswer, same},
}

func same(v value) value { return v }

// listAttribute returns a function that reads an attribute with a list, which may be JSON in a
// string. If that is cut off, the list has what is complete.
func listAttribute(name string) func(x *export, attrs map[string]value, line int) (value, string, bool) {
	return func(x *export, attrs map[string]value, line int) (value, string, bool) {
		v, ok := x.inside(attrs[name])
		if ok && v.is('[') {
			return v, name, false
		}
		text := attrs[name].text()
		if ok || !strings.HasPrefix(strings.TrimSpace(text), "[") {
			return value{}, name, false
		}
		var whole []string
		s := canonjson.NewScanner(text, canonjson.DefaultDepth)
		_ = s.Array(func(int) error {
			raw, err := s.Raw()
			if err == nil {
				whole = append(whole, raw)
			}
			return err
		})
		x.note(thread.Malformed, engine.ErrFileShape, value{doc: &document{file: x.reader.name, line: line}}, "%s is not complete: it was cut off after %d bytes; what is whole of it is read", name, len(text))
		d, bad := parse(x.reader.name, "["+strings.Join(whole, ",")+"]", line)
		if bad != nil {
			return value{}, name, true
		}
		return d.root(), name, true
	}
}

// numberedAttributes returns a function that reads a list from attributes for each message.
func numberedAttributes(prefix string) func(x *export, attrs map[string]value, line int) (value, string, bool) {
	return func(x *export, attrs map[string]value, line int) (value, string, bool) {
		list, path := x.numbered(attrs, line, prefix)
		return list, path, false
	}
}

// spoken returns the message of a value. One that has a compaction is the summary of what left.
func (x *export) spoken(v value, path string, line int) *series.Message {
	if v.doc == nil || v.doc.line != line {
		v.doc, v.off = &document{file: x.reader.name, line: line}, 0
	}
	m := x.message(v, path)
	m.Summary = m.Summary || compactionIn(v) >= 0
	return m
}

// compactionIn returns the index of the last part that stands for everything before it, or -1.
func compactionIn(v value) int {
	at := -1
	for i, part := range v.first("parts", "content").elements() {
		if part.get("type").text() == "compaction" {
			at = i
		}
	}
	return at
}

// answer reads the answer: one message or more, or, if several were requested, the choices.
func (x *export) answer(c *spanCall, attrs map[string]value, line int) {
	for _, from := range answerAttributes {
		list, path, cut := from.read(x, attrs, line)
		if cut {
			c.Missing = append(c.Missing, cutAnswer)
		}
		if list.raw == "" {
			continue
		}
		for i, v := range list.elements() {
			w := from.convert(v)
			w.doc, w.off = &document{file: x.reader.name, line: line}, 0
			m := newMessage(w, path+"["+strconv.Itoa(i)+"]")
			if m.Role == series.Other {
				m.Role = series.Assistant
			}
			m.Summary = compactionIn(w) >= 0
			if c.several && len(c.Reply) > 0 {
				c.Choices = append(c.Choices, []*series.Message{m})
				continue
			}
			c.Reply = append(c.Reply, m)
		}
		return
	}
}

// key returns what two messages have in common if they are equal to the provider.
func (x *export) key(m *series.Message, format string) string {
	if k, ok := x.keys[m]; ok {
		return k
	}
	var b strings.Builder
	b.WriteString(strconv.Itoa(int(m.Role)))
	for _, p := range normal.Split(format, m.Value, m.Role == series.Tool) {
		k := p.Key(format)
		b.WriteString("\x00" + k.Kind + "\x00" + k.Name + "\x00" + k.Value)
	}
	x.keys[m] = b.String()
	return b.String()
}

// fromBody reads the body of a request in an attribute of OpenInference or Logfire, if it is in the
// format of a provider.
func (x *export) fromBody(c *spanCall, attrs map[string]value) bool {
	for _, names := range [...][2]string{{"input.value", "output.value"}, {"request_data", "response_data"}} {
		if names[0] == "input.value" && attrs["openinference.span.kind"].text() != "LLM" {
			continue
		}
		body, ok := x.inside(attrs[names[0]])
		if !ok {
			continue
		}
		list := listOf(body)
		if list.raw == "" || !isProviders(list) {
			continue
		}
		// Spans are not in order, so there is no previous request.
		x.fill(c.Request, body, list, names[0], &latest{})
		if answer, ok := x.inside(attrs[names[1]]); ok {
			spent := c.Usage
			c.edits = x.response(c.Request, answer).edits
			c.Usage = cmp.Or(c.Usage, spent)
			c.response = cmp.Or(c.response, strings.Clone(answer.get("id").text()))
		}
		for _, s := range c.Settings {
			if s.Name == previousResponse {
				c.previous = value{raw: s.Value}.text()
			}
		}
		if c.isAnthropic = c.Format == thread.Anthropic.String(); c.isAnthropic && !body.get("context_management").missing() {
			c.managed = body
		}
		return true
	}
	return false
}

// isProviders reports whether a list has messages as a provider is sent them, and not as a library
// keeps them.
func isProviders(list value) bool {
	for _, m := range list.elements() {
		role, kind := m.get("role"), m.get("type")
		if !role.is('"') && !kind.is('"') && !m.get("parts").is('[') || !m.get("blocks").missing() || !m.get("lc").missing() || !m.get("additional_kwargs").missing() {
			return false
		}
	}
	return true
}

// parameters reads the members of a request other than its messages.
func (x *export) parameters(r *series.Request, attrs map[string]value) {
	add := func(name string, kind series.SettingKind, text string) {
		if text != "" {
			r.Settings = append(r.Settings, series.Setting{Name: name, Kind: kind, Value: text})
		}
	}
	for name, v := range attrs {
		for _, prefix := range [...]string{"gen_ai.request.", "ai.settings."} {
			if name, ok := strings.CutPrefix(name, prefix); ok {
				add(name, series.Parameter, v.canonical())
			}
		}
	}
	if v, ok := x.inside(attrs["llm.invocation_parameters"]); ok {
		for name, w := range v.members() {
			if name == "tools" && w.is('[') {
				continue // read below, if they are recorded on their own
			}
			add(name, series.Parameter, w.canonical())
		}
	}
	const instructions = "gen_ai.system_instructions"
	if v, ok := x.inside(attrs[instructions]); ok {
		add(strings.TrimPrefix(instructions, "gen_ai."), series.Instructions, v.canonical())
	} else if attrs[instructions].text() != "" {
		add(strings.TrimPrefix(instructions, "gen_ai."), series.Instructions, attrs[instructions].canonical())
	}
	if v, ok := x.inside(attrs["gen_ai.tool.definitions"]); ok {
		add("tools", series.Tools, v.canonical())
	} else if list := attrs["ai.prompt.tools"]; list.is('[') {
		add("tools", series.Tools, x.unquoted(list))
	} else if v, _ := x.numbered(attrs, 0, "llm.tools.", "llm.request.functions."); v.raw != "" {
		var tools []value
		for _, tool := range v.elements() {
			if schema, ok := x.inside(tool.get("json_schema")); ok {
				tool = schema
			}
			tools = append(tools, tool)
		}
		add("tools", series.Tools, listOfValues(tools).canonical())
	} else if v, ok := x.inside(attrs["llm.invocation_parameters"]); ok && v.get("tools").is('[') {
		add("tools", series.Tools, v.get("tools").canonical())
	}
	slices.SortStableFunc(r.Settings, func(a, b series.Setting) int { return cmp.Compare(a.Name, b.Name) })
	r.Settings = slices.CompactFunc(r.Settings, func(a, b series.Setting) bool { return a.Name == b.Name })
}

// unquoted returns a list with the JSON inside its strings in place of these.
func (x *export) unquoted(list value) string {
	var out []string
	for _, v := range list.elements() {
		if w, ok := x.inside(v); ok {
			v = w
		}
		out = append(out, v.canonical())
	}
	return "[" + strings.Join(out, ",") + "]"
}

// inside returns the JSON value inside a string. Other values are returned unchanged. The result
// reports whether it is valid and, unless it was a string, whether it is a list or an object.
func (x *export) inside(v value) (value, bool) {
	if !v.is('"') {
		return v, v.is('[') || v.is('{')
	}
	d, bad := parse(x.reader.name, v.text(), v.line())
	if bad != nil {
		return value{}, false
	}
	return d.root(), true
}

// complete makes the call of a span of all that is known about it: its attributes, its events, and
// a log record with its details.
func (x *export) complete(s *span) {
	if s.kind != callSpan && s.kind != anySpan {
		s.call = nil
		return
	}
	if s.call == nil {
		s.call = &spanCall{Request: &series.Request{Time: s.start, Origin: series.Origin{File: s.file, Path: "$"}, List: "input", Format: string(OTel)}}
	}
	c := s.call
	if d := s.details; d != nil {
		c.add(d)
	}
	if len(c.Messages) == 0 && !c.isCut {
		x.fromEvents(s)
	}
	if len(c.Messages) > 0 {
		s.kind = callSpan
	}
	if c.Failed == "" && s.isFailed && !slices.ContainsFunc(c.Reply, says) && c.Usage == "" {
		c.Reply = nil
		c.Failed, _, _ = strings.Cut(cmp.Or(s.failed, s.exception, "error"), "\n") // the trace of the program follows
	}
	if s.dropped {
		c.Missing = append(c.Missing, lostParts)
	}
}

// says reports whether an answer has content: some instrumentations give a failed call an empty
// one.
func says(m *series.Message) bool {
	parts := normal.Split(string(OTel), m.Value, false)
	return len(parts) > 1 || !slices.Contains([]string{"", "null", `""`}, parts[0].Raw)
}

// add adds what a record with the details of a call says beyond its span.
func (c *spanCall) add(d *spanCall) {
	if len(c.Messages) == 0 {
		c.Messages, c.List, c.Format, c.isCut, c.Missing = d.Messages, d.List, d.Format, d.isCut, d.Missing
	}
	if len(c.Reply) == 0 {
		c.Reply, c.Choices = d.Reply, d.Choices
	}
	c.Model, c.Usage, c.Failed = cmp.Or(c.Model, d.Model), cmp.Or(c.Usage, d.Usage), cmp.Or(c.Failed, d.Failed)
	c.response, c.previous = cmp.Or(c.response, d.response), cmp.Or(c.previous, d.previous)
	c.compacted = c.compacted || d.compacted
	if c.tokens[0] == 0 {
		c.tokens = d.tokens
	}
	if c.Origin.Line == 0 {
		c.Origin = d.Origin
	}
	for _, s := range d.Settings {
		if !slices.ContainsFunc(c.Settings, func(have series.Setting) bool { return have.Name == s.Name }) {
			c.Settings = append(c.Settings, s)
		}
	}
	slices.SortStableFunc(c.Settings, func(a, b series.Setting) int { return cmp.Compare(a.Name, b.Name) })
}

// fromEvents reads the messages of a span from its events.
func (x *export) fromEvents(s *span) {
	r := s.call.Request
	r.List, r.Format = "input", string(OTel)
	for i, e := range s.events {
		role, _, _ := strings.Cut(strings.TrimPrefix(e.name, "gen_ai."), ".")
		d, bad := parse(s.file, e.text, e.line)
		if bad != nil {
			continue
		}
		v := d.root()
		if v.is('{') && roles[role] != series.Other {
			d.text = eventMessage(v, role)
			v = d.root()
		}
		at := "events[" + strconv.Itoa(i) + "]"
		switch {
		case role == "choice":
			if m := v.get("message"); m.is('{') {
				v = m
			}
			m := newMessage(v, at)
			m.Role = series.Assistant
			if len(r.Reply) > 0 {
				r.Choices = append(r.Choices, []*series.Message{m})
				continue
			}
			r.Reply = append(r.Reply, m)
		case roles[role] != series.Other:
			r.Messages = append(r.Messages, x.message(v, at))
			if r.Origin.Line == 0 {
				r.Origin.Line = e.line
			}
		}
	}
}

// eventMessage returns the message of an event in the format of chat APIs. The role is in the name
// of the event, and the id of a result is that of its call.
func eventMessage(v value, role string) string {
	members := maps.Collect(v.members())
	if members["role"].raw == "" {
		members["role"] = value{raw: string(canonjson.AppendString(nil, role))}
	}
	if id, ok := members["id"]; ok && role == "tool" && members["tool_call_id"].raw == "" {
		members["tool_call_id"] = id
		delete(members, "id")
	}
	return object(members)
}

// usagePrefixes are the prefixes of counts. Of two counts with the same name, the last one wins.
var usagePrefixes = [...]string{"ai.usage.", "llm.usage.", "llm.token_count.", "gen_ai.usage."}

// usage returns the token counts of a span as an object, or "".
func usage(attrs map[string]value) string {
	found := map[string]value{}
	for _, prefix := range usagePrefixes {
		for name, v := range attrs {
			if name, ok := strings.CutPrefix(name, prefix); ok {
				found[name] = v
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return object(found)
}

// tokensOf returns the counts of what was sent and of the answer, 0 if unknown.
func tokensOf(attrs map[string]value) (out [2]int) {
	for _, prefix := range usagePrefixes {
		for i, names := range [2][]string{
			{"input_tokens", "prompt_tokens", "prompt", "inputTokens", "promptTokens"},
			{"output_tokens", "completion_tokens", "completion", "outputTokens", "completionTokens"},
		} {
			for _, name := range names {
				v := attrs[prefix+name]
				if n, ok := v.integer(); ok {
					out[i] = n
				} else if n, err := strconv.Atoi(v.text()); err == nil {
					out[i] = n
				}
			}
		}
	}
	return out
}

// firstText returns the first of the attributes that is a text.
func firstText(attrs map[string]value, names ...string) string {
	for _, name := range names {
		if text := attrs[name].text(); text != "" {
			return strings.Clone(text)
		}
	}
	return ""
}
