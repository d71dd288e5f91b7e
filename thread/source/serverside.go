package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// exchanged is what the provider has of an exchange: what it was sent, with what it knew before,
// and its answer. Later requests refer to it.
type exchanged struct {
	sent, reply []*series.Message
	grown       bool            // sent is of after, so what follows may be appended to it, once
	missing     []string        // what of it is not in the log
	compacted   *series.Request // the state after a compaction in the answer, until it is sent; else nil
}

// provided returns the messages of a request with those that the provider puts before them: of an
// earlier response, a conversation or a cache, and whether there are any, which are in an array of
// their own. What of these is not in the log is Missing.
func (b *bodies) provided(r *series.Request, body value, own []*series.Message) (list []*series.Message, grown bool) {
	got := body.pick("previous_response_id", "conversation", "cachedContent", "cached_content", "prompt")
	missing := func(what string) {
		if !slices.Contains(r.Missing, what) {
			r.Missing = append(r.Missing, what)
		}
	}
	prepend := func(id string, complete bool) {
		e := b.exchanges[id]
		if e == nil {
			missing(keptHistory)
			return
		}
		for _, what := range e.missing {
			missing(what)
		}
		if !complete {
			missing(keptHistory)
		}
		own, grown = b.after(e, own), true
	}
	if id := got[0].text(); id != "" {
		prepend(id, true)
	} else if id := conversationOfBody(got[1]); id != "" {
		prepend(id, false) // others may have added to it
	}
	if id := cmp.Or(got[2], got[3]).text(); id != "" {
		prepend(id, true)
	}
	if got[4].is('{') {
		missing(storedPrompt)
	}
	return own, grown
}

// after returns messages with all of an exchange before them. The first ones after an exchange
// share the array of its messages, so a chain of requests costs what is new in each.
func (b *bodies) after(e *exchanged, own []*series.Message) []*series.Message {
	list := e.sent
	if e.grown {
		e.grown = false
	} else {
		list = slices.Clone(list)
		for i, m := range list {
			list[i] = b.listed(m)
		}
	}
	for _, m := range e.reply {
		list = append(list, b.listed(m))
	}
	for _, m := range own {
		list = append(list, b.listed(m))
	}
	return list
}

// listed returns a message as it is in a list: an input that is a text is a list of one message.
func (b *bodies) listed(m *series.Message) *series.Message {
	if !strings.HasPrefix(m.Value, `"`) {
		return m
	}
	made := b.message(value{raw: `{"content":` + m.Value + `,"role":"user"}`}, m.Path)
	made.Line = cmp.Or(made.Line, m.Line)
	return made
}

// conversationOfBody returns the id of a conversation of the Responses API.
func conversationOfBody(v value) string { return cmp.Or(v.text(), v.get("id").text()) }

// remember records an exchange under the id of its response, and under that of its conversation.
func (b *bodies) remember(e *exchanged, ids ...string) {
	if b.exchanges == nil {
		b.exchanges = map[string]*exchanged{}
	}
	for _, id := range ids {
		if id != "" {
			b.exchanges[strings.Clone(id)] = e
		}
	}
}

// edited returns the messages that the model saw of those in the body of a request to the Messages
// API. The provider leaves out what precedes a compaction, and what its answer says that it
// cleared; what it cleared remains cleared in a request without an answer. Cleared is whether it
// cleared anything that it did not clear before.
func (b *bodies) edited(body value, list []*series.Message, edits value, answered bool, last *latest) (out []*series.Message, cleared bool) {
	for i, m := range slices.Backward(list) {
		if at, ok := compaction(m); ok {
			list = slices.Clone(list[i:])
			list[0] = b.remade(m, func(n int, part value) (string, bool) { return part.raw, n >= at })
			break
		}
	}
	settings := body.get("context_management", "edits")
	if edits.missing() && !answered && settings.is('[') {
		edits = value{raw: last.edits}
	}
	last.edits = ""
	if edits.is('[') {
		last.edits = edits.canonical()
	}
	was := last.cleared
	last.cleared = map[string]bool{}
	for _, e := range edits.elements() {
		setting := value{}
		for _, s := range settings.elements() {
			if s.get("type").text() == e.get("type").text() {
				setting = s
			}
		}
		uses, _ := e.get("cleared_tool_uses").integer()
		turns, _ := e.get("cleared_thinking_turns").integer()
		if uses > 0 {
			list = b.withoutResults(list, uses, setting, last.cleared)
		}
		if turns > 0 {
			list = b.withoutThinking(list, turns, last.cleared)
		}
	}
	for id := range last.cleared {
		cleared = cleared || !was[id]
	}
	return list, cleared
}

// compaction returns the position of the last compaction in a message that has a summary.
func compaction(m *series.Message) (at int, ok bool) {
	if m.Role != series.Assistant || !strings.Contains(m.Value, `"compaction"`) {
		return 0, false
	}
	for n, part := range (value{raw: m.Value}).get("content").elements() {
		got := part.pick("type", "content", "encrypted_content")
		if got[0].text() == "compaction" && !(got[1].missing() && got[2].missing()) {
			at, ok = n, true
		}
	}
	return at, ok
}

// remade returns a message with other parts: what part returns for each, unless that returns false.
func (b *bodies) remade(m *series.Message, part func(n int, v value) (string, bool)) *series.Message {
	kept := map[string]value{}
	for name, w := range (value{raw: m.Value}).members() {
		if name == "content" && w.is('[') {
			list := []byte{'['}
			for n, p := range w.elements() {
				raw, ok := part(n, p)
				if !ok {
					continue
				}
				if len(list) > 1 {
					list = append(list, ',')
				}
				list = append(list, raw...)
			}
			w = value{raw: string(append(list, ']'))}
		}
		kept[name] = w
	}
	text := object(kept)
	if text == m.Value {
		return m
	}
	made := b.message(value{raw: text}, m.Path)
	if made.Line == 0 {
		made.Line = m.Line
	}
	return made
}

// withoutResults returns messages without the results of the oldest n calls of tools that are not
// excluded. The arguments of the calls are left out, too, if the settings say so. The provider
// puts a text of its own in the place of each, which is not known.
func (b *bodies) withoutResults(list []*series.Message, n int, settings value, cleared map[string]bool) []*series.Message {
	excluded, inputs := map[string]bool{}, map[string]bool{}
	for _, name := range settings.get("exclude_tools").elements() {
		excluded[name.text()] = true
	}
	all := settings.get("clear_tool_inputs").is('t')
	for _, name := range settings.get("clear_tool_inputs").elements() {
		inputs[name.text()] = true
	}
	names := map[string]string{} // of the calls
	for _, m := range list {
		if len(m.Calls) == 0 {
			continue
		}
		for _, p := range (value{raw: m.Value}).get("content").elements() {
			got := p.pick("type", "id", "name")
			if id, name := got[1].text(), got[2].text(); got[0].text() == "tool_use" && !excluded[name] && len(names) < n {
				names[id], cleared[id] = name, true
			}
		}
	}
	out := slices.Clone(list)
	for i, m := range out {
		out[i] = b.remade(m, func(_ int, p value) (string, bool) {
			got := p.pick("type", "id", "name", "tool_use_id")
			switch name, ok := names[cmp.Or(got[3], got[1]).text()]; {
			case !ok:
			case got[0].text() == "tool_result":
				return without(p, "content"), true
			case got[0].text() == "tool_use" && (all || inputs[name]):
				return strings.Replace(p.raw, `"input":`+p.get("input").raw, `"input":{}`, 1), true
			}
			return p.raw, true
		})
	}
	return out
}

// without returns an object without a member.
func without(v value, name string) string {
	kept := map[string]value{}
	for n, w := range v.members() {
		if n != name {
			kept[n] = w
		}
	}
	return object(kept)
}

// withoutThinking returns messages without the thinking of the oldest n turns of the assistant that
// have any. A turn ends with a message of the user that is more than results.
func (b *bodies) withoutThinking(list []*series.Message, n int, cleared map[string]bool) []*series.Message {
	out := slices.Clone(list)
	turns, counted := 0, false
	for i, m := range list {
		if m.Role == series.User {
			counted = false
		}
		if m.Role != series.Assistant {
			continue
		}
		out[i] = b.remade(m, func(_ int, p value) (string, bool) {
			if kind := p.get("type").text(); kind != "thinking" && kind != "redacted_thinking" {
				return p.raw, true
			}
			if !counted {
				turns, counted = turns+1, true
			}
			if turns <= n {
				cleared["thinking "+p.raw] = true
			}
			return p.raw, turns > n
		})
	}
	return slices.DeleteFunc(out, func(m *series.Message) bool {
		content := (value{raw: m.Value}).get("content")
		return content.raw == "[]"
	})
}

// compacted returns the state after an answer that has a compaction.
func compacted(r *series.Request, a statement, list []*series.Message) *series.Request {
	return &series.Request{
		Event: &series.Event{Kind: "compaction", Before: a.before}, ConversationID: r.ConversationID, Messages: list,
		Format: r.Format, List: r.List, Settings: r.Settings, Time: r.Time, Recorded: true,
		Origin: series.Origin{File: r.Origin.File, Call: r.Origin.Call, Line: r.Origin.Line, Path: r.Origin.Path},
	}
}

// afterCompaction returns the messages of an answer from its last compaction on. It returns false
// for an answer without a compaction.
func (b *bodies) afterCompaction(r *series.Request) ([]*series.Message, bool) {
	for i, m := range slices.Backward(r.Reply) {
		if r.Format == thread.OpenAIResponses.String() {
			if (value{raw: m.Value}).get("type").text() == "compaction" {
				return r.Reply[i:], true
			}
		} else if at, ok := compaction(m); ok {
			list := slices.Clone(r.Reply[i:])
			list[0] = b.remade(m, func(n int, part value) (string, bool) { return part.raw, n >= at })
			return list, true
		}
	}
	return nil, false
}

// sentTokens returns the count of what was sent, as it is in a usage.
func sentTokens(usage string) int64 {
	n, _ := (value{raw: usage}).get("input_tokens").integer()
	return int64(n)
}
