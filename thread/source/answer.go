package source

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// statement is what an answer of a provider says beside the messages.
type statement struct {
	edits  value // what the provider left out of the request: applied_edits of context_management
	before int64 // tokens of the request that was compacted; 0 if unknown
}

// response reads the answer of the model.
func (b *bodies) response(r *series.Request, v value) statement {
	v = whole(v)
	at := v.path()
	if v.is('"') { // nothing but the text
		r.Reply = append(r.Reply, newMessage(textMessage(v, r.Format), at))
		return statement{}
	}
	if v.is('[') { // messages or items
		for i, m := range v.elements() {
			r.Reply = append(r.Reply, newMessage(m, at+"["+strconv.Itoa(i)+"]"))
		}
		return statement{}
	}
	got := v.pick("choices", "content", "output", "candidates", "usage", "usageMetadata", "model", "modelVersion", "id", "context_management", "message", "error",
		"prompt_eval_count", "responseId", "metrics", "type")
	var choices [][]*series.Message
	for i, choice := range got[0].elements() {
		if m := choice.get("message"); m.is('{') {
			choices = append(choices, []*series.Message{newMessage(m, at+".choices["+strconv.Itoa(i)+"].message")})
		} else if text := choice.get("text"); text.is('"') {
			choices = append(choices, []*series.Message{newMessage(textMessage(text, r.Format), at+".choices["+strconv.Itoa(i)+"].text")})
		}
	}
	for i, candidate := range got[3].elements() {
		if m := candidate.get("content"); m.is('{') {
			choices = append(choices, []*series.Message{newMessage(m, at+".candidates["+strconv.Itoa(i)+"].content")})
		}
	}
	if len(choices) > 0 {
		r.Reply, r.Choices = choices[0], choices[1:]
	}
	if got[1].is('[') {
		r.Reply = append(r.Reply, answered(v, got[1]))
	}
	for i, item := range got[2].elements() {
		r.Reply = append(r.Reply, newMessage(item, at+".output["+strconv.Itoa(i)+"]"))
	}
	if m := got[10]; m.is('{') {
		r.Reply = append(r.Reply, newMessage(m, at+".message"))
	} else if m := got[2].get("message"); m.is('{') { // of Bedrock
		r.Reply = append(r.Reply, newMessage(m, at+".output.message"))
	}
	r.Usage = cmp.Or(got[4].canonical(), got[5].canonical())
	if r.Usage == "" && !got[12].missing() {
		r.Usage = v.canonicalOf(counts)
	}
	if r.Model == "" {
		r.Model = strings.Clone(cmp.Or(got[6].text(), got[7].text()))
	}
	if r.Failed = failureOf(got[11]); got[15].text() == "expired" || got[15].text() == "canceled" { // of a batch
		r.Failed = got[15].text()
	}
	r.AnswerID = strings.Clone(cmp.Or(got[8].text(), got[13].text()))
	a := statement{edits: got[9].get("applied_edits")}
	for _, x := range got[4].get("iterations").elements() {
		if x.get("type").text() != "compaction" {
			continue
		}
		a.before = 0
		for _, name := range [...]string{"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"} {
			n, _ := x.get(name).integer()
			a.before += int64(n)
		}
	}
	return a
}

// answered returns the message of an answer of the Messages API.
func answered(v, content value) *series.Message {
	m := newMessage(value{raw: `{"content":` + content.canonical() + `,"role":"assistant"}`}, v.path())
	m.Line = v.line()
	return m
}

// textMessage returns an answer of which only the text is known as a message.
func textMessage(text value, format string) value {
	raw := `{"content":` + text.raw + `,"role":"assistant"}`
	if format == thread.Gemini.String() {
		raw = `{"parts":[{"text":` + text.raw + `}],"role":"model"}`
	}
	return value{raw: raw, doc: text.doc, off: text.off}
}

// counts are the names of counts of tokens that records have beside the answer, or beside a text.
var counts = set("prompt_tokens", "completion_tokens", "total_tokens", "input_tokens", "output_tokens", "cache_read_input_tokens",
	"cache_creation_input_tokens", "prompt_eval_count", "eval_count", "inputTokenCount", "outputTokenCount", "cacheReadInputTokenCount",
	"cacheWriteInputTokenCount")

func set(names ...string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, name := range names {
		out[name] = true
	}
	return out
}

// canonicalOf returns an object with those members of a value that are in a set and not null, or ""
// if there are none.
func (v value) canonicalOf(names map[string]bool) string {
	kept := map[string]value{}
	for name, w := range v.members() {
		if names[name] && !w.missing() {
			kept[name] = value{raw: w.canonical()}
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return object(kept)
}

// usageBeside returns the counts of tokens that a record has beside the answer, or "".
func usageBeside(v value) string {
	for _, w := range v.pick("usage", "usageMetadata", "token_usage", "tokenUsage") {
		if w.is('{') {
			return w.canonical()
		}
	}
	if text := v.canonicalOf(counts); text != "" {
		return text
	}
	in, out := v.get("input").canonicalOf(counts), v.get("output").canonicalOf(counts) // of a log of Bedrock
	switch {
	case in != "" && out != "":
		return in[:len(in)-1] + "," + out[1:]
	}
	return cmp.Or(in, out)
}

// choose makes the choice that a request repeats the answer to the request before it.
func choose(last *series.Request, r *series.Request) {
	if last == nil || last.ConversationID != r.ConversationID {
		return
	}
	for i, choice := range last.Choices {
		for _, m := range r.Messages {
			if m.Role == series.Assistant && spoken(m) == spoken(choice[0]) {
				last.Choices[i], last.Reply = last.Reply, choice
				return
			}
		}
	}
}

// spoken returns the content of a message: a list of one text is the text.
func spoken(m *series.Message) string {
	v := (value{raw: m.Value}).first("content", "parts")
	only, n := v, 0
	for _, e := range v.elements() {
		if n++; e.get("text").is('"') {
			only = e.get("text")
		}
	}
	if n == 1 {
		return only.raw
	}
	return v.raw
}

// ReadAnswer reads the answer of a provider to a request whose messages have a format. The returned
// request has only the fields that an answer can set: Reply, Choices, Model, Usage, Failed and
// AnswerID. A message alone is an answer, too. name is the name of the text in errors, which are of
// type [*engine.Error].
func ReadAnswer(name, text, format string) (*series.Request, error) {
	if _, err := engine.JSON([]byte(text)); err != nil {
		return nil, err
	}
	r := &series.Request{Format: format}
	v := (&document{file: name, text: text, line: 1}).root()
	(&bodies{}).response(r, v)
	if len(r.Reply) == 0 && v.get("role").is('"') {
		r.Reply = append(r.Reply, newMessage(v, v.path()))
	}
	if len(r.Reply) == 0 && r.Failed == "" {
		if r.Failed = withheld(v); r.Failed != "" {
			r.Usage = "" // as of every call that failed
		}
	}
	if len(r.Reply) == 0 && r.Failed == "" {
		return nil, &engine.Error{Code: engine.ErrFileShape, File: name, Path: "$", Line: 1, Msg: "this is not an answer of a provider; it has no message"}
	}
	return r, nil
}

// withheld returns why an answer has no message although it has the form of one: the prompt was
// blocked, or nothing was chosen. It returns "" for anything else.
func withheld(v value) string {
	if reason := v.get("promptFeedback").get("blockReason"); reason.is('"') {
		return "the prompt was blocked: " + reason.text()
	}
	if reason := v.get("incomplete_details").get("reason"); reason.is('"') {
		return "no answer: " + reason.text()
	}
	for _, name := range [...]string{"candidates", "choices", "output"} {
		list := v.get(name)
		if !list.is('[') {
			continue
		}
		for _, one := range list.elements() {
			if reason := cmp.Or(one.get("finishReason").text(), one.get("finish_reason").text()); reason != "" {
				return "no answer: " + reason
			}
		}
		return "no answer: the list of " + name + " is empty"
	}
	return ""
}
