package source

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isAgents recognizes states of runs of the OpenAI Agents SDK, alone, in a list or on lines, and
// items in the form of its JavaScript library. Items in the form of the API are a log of messages.
func isAgents(first []value) bool {
	for _, v := range first[0].elements() {
		return isRunState(v) || isAgentsList(first[0])
	}
	return isRunState(first[0]) || isAgentsList(first[0].first("items", "history"))
}

func isRunState(v value) bool {
	return v.first("original_input", "originalInput").raw != "" && v.first("model_responses", "modelResponses").is('[')
}

func isAgentsList(list value) bool {
	for i, v := range list.elements() {
		if isAgentsItem(v) {
			return true
		}
		if i == maxSure {
			break
		}
	}
	return false
}

// agentsItems has the types of items with the id of a call.
var agentsItems = set("function_call", "function_call_result", "computer_call", "computer_call_result", "shell_call", "shell_call_output",
	"apply_patch_call", "apply_patch_call_output")

// rawItem returns the item in an item of a run, which also has its agent, or a missing value.
func rawItem(v value) value {
	if item := v.first("raw_item", "rawItem"); item.is('{') && strings.HasSuffix(v.get("type").text(), "_item") {
		return item
	}
	return value{}
}

// isAgentsItem reports whether a value is an item that only the JavaScript library writes, or an
// item of a run.
func isAgentsItem(v value) bool {
	if rawItem(v).raw != "" {
		return true
	}
	got := v.pick("type", "callId", "providerData", "role")
	return got[1].is('"') && agentsItems[got[0].text()] ||
		got[2].is('{') && (got[0].text() == "message" || got[0].text() == "reasoning" || got[0].text() == "hosted_tool_call")
}

// agents is the state of reading runs of the OpenAI Agents SDK.
type agents struct {
	runs int
}

func openAgents(*group) parser { return &agents{} }

func (*agents) end(context.Context) error { return nil }

// file reads the states of runs, or items.
func (x *agents) file(ctx context.Context, rd *reader) error {
	return rd.documents(ctx, func(d *document) error {
		root := d.root()
		if isRunState(root) {
			return x.state(ctx, rd, root, "$")
		}
		list, at := root, "$"
		for _, name := range [...]string{"items", "history"} {
			if w := root.get(name); w.is('[') {
				list, at = w, "$."+name
				break
			}
		}
		if !list.is('[') {
			return rd.fail(root, engine.ErrFileShape, "neither the state of a run nor a list of items")
		}
		var items []value
		for i, v := range list.elements() {
			if isRunState(v) {
				if err := x.state(ctx, rd, v, at+"["+strconv.Itoa(i)+"]"); err != nil {
					return err
				}
				continue
			}
			items = append(items, firstOf(rawItem(v), v))
		}
		if len(items) == 0 {
			return nil
		}
		r := x.run(rd, root)
		for i, v := range items {
			if err := r.item(v, at+"["+strconv.Itoa(i)+"]", nil); err != nil {
				return err
			}
		}
		return r.finish()
	})
}

// agentsRun is the state of reading a run.
type agentsRun struct {
	transcript
	inAnswer bool // the latest item is the model's
}

func (x *agents) run(rd *reader, v value) *agentsRun {
	x.runs++
	name := cmp.Or(v.first("conversation_id", "conversationId", "session_id", "sessionId", "groupId").text(), "run "+strconv.Itoa(x.runs))
	return &agentsRun{transcript: transcript{reader: rd, conversation: strings.Clone(name), format: thread.OpenAIResponses.String(), list: "input"}}
}

// state reads the state of a run: its input, and the responses with their tokens. Each response is
// followed by the other items that belong to it, such as results of calls.
func (x *agents) state(ctx context.Context, rd *reader, v value, at string) error {
	r := x.run(rd, v)
	names := [...]string{"original_input", "model_responses", "generated_items"}
	if v.get(names[0]).raw == "" { // of the JavaScript library
		names = [...]string{"originalInput", "modelResponses", "generatedItems"}
	}
	got := v.pick(names[:]...)
	if text := got[0]; text.is('"') {
		m := newMessage(written{"role": quoted("user"), "content": {raw: text.canonical()}}.value(), at+"."+names[0])
		m.Line = text.line()
		r.add(m)
	}
	for i, item := range got[0].elements() {
		if err := r.item(item, at+"."+names[0]+"["+strconv.Itoa(i)+"]", nil); err != nil {
			return err
		}
	}
	made := r.madeItems(got[2], got[1])
	for i, response := range got[1].elements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.inAnswer = false
		for k, item := range response.get("output").elements() {
			if err := r.item(item, at+"."+names[1]+"["+strconv.Itoa(i)+"].output["+strconv.Itoa(k)+"]", &response); err != nil {
				return err
			}
		}
		for _, item := range made[i] {
			if err := r.item(item, at+"."+names[2], nil); err != nil {
				return err
			}
		}
	}
	return r.finish()
}

// madeItems returns the items of a run that are not the model's, by the index of the response that
// they follow: the one with the call that they answer, or that of the item before. It keeps items
// of the model that are not in a response.
func (r *agentsRun) madeItems(generated, responses value) map[int][]value {
	calls, of, known := map[string]int{}, map[int][]value{}, map[string]bool{}
	sizes := []int{}
	for i, response := range responses.elements() {
		n := 0
		for _, item := range response.get("output").elements() {
			n++
			if id := item.first("call_id", "callId"); id.is('"') {
				calls[id.text()] = i
			}
			for _, k := range agentsKeys(item) {
				known[k] = true
			}
		}
		sizes = append(sizes, n)
	}
	at, n := 0, 0
	for _, w := range generated.elements() {
		item := w.first("raw_item", "rawItem")
		if item.raw == "" {
			r.malformed(w, "an item without a raw item; it is kept unchanged")
			continue
		}
		id := item.first("call_id", "callId")
		if m := newMessage(agentsItem(item, nil), ""); m.Role == series.Assistant {
			for at+1 < len(sizes) && n >= sizes[at] {
				at, n = at+1, 0
			}
			n++
			if !slices.ContainsFunc(agentsKeys(item), func(k string) bool { return known[k] }) {
				r.keepValue("unsent", item)
				r.noteOnce(thread.Kept, "", item, "items of a run that are in no response are kept outside the conversation")
			}
			continue
		}
		if i, ok := calls[id.text()]; ok && id.is('"') {
			of[i] = append(of[i], item)
		} else {
			of[at] = append(of[at], item)
		}
	}
	return of
}

// agentsKeys returns what an item of the model may have in common with its copy: its type with its
// id, that of its call, or its content.
func agentsKeys(item value) (out []string) {
	got := item.pick("type", "id", "call_id", "callId", "content")
	for _, w := range got[1:] {
		if !w.missing() {
			out = append(out, got[0].text()+" "+w.canonical())
		}
	}
	return out
}

// item reads an item. An item of the model begins a call or continues its answer.
func (r *agentsRun) item(v value, at string, response *value) error {
	if !v.is('{') {
		r.malformed(v, "not an item; it is kept unchanged")
		return nil
	}
	about := map[string]value{}
	m := newMessage(agentsItem(v, about), at)
	m.Line = v.line()
	setAbout(m, about)
	if m.Role != series.Assistant {
		r.inAnswer = false
		r.add(m)
		return nil
	}
	if r.inAnswer {
		r.open.Reply = append(r.open.Reply, m)
		r.messages = append(r.messages, m)
		return nil
	}
	call := &series.Request{Origin: series.Origin{Line: v.line(), Path: at}}
	if response != nil {
		call.Usage = agentsUsage(response.get("usage"))
	}
	if err := r.call(call); err != nil {
		return err
	}
	r.answer(m)
	r.inAnswer = true
	return nil
}

// agentsUsage returns the tokens of a response. Their details are in lists of one element.
func agentsUsage(v value) string {
	if usedTokens(v) == "" && v.first("inputTokens", "outputTokens").missing() {
		return ""
	}
	out := written{}
	for name, w := range v.members() {
		name = strings.Replace(name, "TokensDetails", "_tokens_details", 1)
		for _, only := range w.elements() {
			w = only
			break
		}
		if !slices.Contains([]string{"request_usage_entries", "requestUsageEntries"}, name) {
			out[name] = value{raw: w.canonical()}
		}
	}
	return out.value().raw
}

// agentsItem returns an item in the form of the Responses API. Members that only the JavaScript
// library has go to about.
func agentsItem(v value, about map[string]value) value {
	isResult := v.get("type").text() == "function_call_result"
	isThought := v.get("type").text() == "reasoning"
	out := written{}
	for name, w := range v.members() {
		w := value{raw: w.canonical()}
		switch {
		case name == "callId":
			name = "call_id"
		case name == "type" && isResult:
			w = quoted("function_call_output")
		case name == "output" && isResult && w.get("type").text() == "text":
			w = w.get("text")
		case name == "content" && isThought && v.get("summary").missing():
			var parts []value
			for _, part := range w.elements() {
				parts = append(parts, written{"type": quoted("summary_text"), "text": part.get("text")}.value())
			}
			name, w = "summary", listOfValues(parts)
		case name == "providerData", name == "rawContent", isResult && (name == "name" || name == "status"):
			if about != nil && !w.missing() {
				about[name] = w
			}
			continue
		}
		out[name] = w
	}
	return out.value()
}
