package source

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread/series"
)

// item is an item of the history of a thread.
type item struct {
	*series.Message
	kind     string // the type in the rollout
	sequence int    // position in the history, as in the rollout or else counted
	call     string // the id of the call that it is, or whose output it is
	repair   *series.Message
}

// isOutput reports whether the item is the output of a call.
func (i *item) isOutput() bool { return strings.HasSuffix(i.kind, "_output") }

// repairs has the type and the other members of the output that Codex sends for a call without one,
// by the type of the call.
var repairs = map[string]string{
	"function_call":    `"output":"aborted","type":"function_call_output"`,
	"local_shell_call": `"output":"aborted","type":"function_call_output"`,
	"custom_tool_call": `"output":"aborted","type":"custom_tool_call_output"`,
}

// all is a sequence that no item exceeds.
const all = math.MaxInt

// codexHistory is the history of a thread, and what of it was sent last. Codex does not repair a
// history but what it sends: a call without an output is followed by one that says "aborted", and
// an output without a call is not sent.
type codexHistory struct {
	items   []*item
	calls   map[string]int   // by id of the call, its index
	outputs map[string]*item // by id of the call
	sent    []*series.Message
	at      []int // for each item of the first clean ones, its position in sent
	clean   int   // the first clean items are sent as last time
}

func (h *codexHistory) add(i *item) {
	if h.calls == nil {
		h.calls, h.outputs = map[string]int{}, map[string]*item{}
	}
	switch {
	case i.call == "":
	case i.isOutput():
		h.outputs[i.call] = i
		if at, ok := h.calls[i.call]; ok {
			h.clean = min(h.clean, at)
		}
	default:
		h.calls[i.call] = len(h.items)
	}
	h.items = append(h.items, i)
}

// isRepaired reports whether an item is an output that says the same as what was sent in its place.
func (h *codexHistory) isRepaired(i *item) bool {
	at, ok := h.calls[i.call]
	return ok && i.isOutput() && h.items[at].repair != nil && h.items[at].repair.Value == i.Value
}

// replace replaces the items.
func (h *codexHistory) replace(list []*item) {
	same := 0
	for same < min(h.clean, len(list)) && list[same] == h.items[same] {
		same++
	}
	h.items, h.calls, h.outputs = nil, nil, nil
	for _, i := range list {
		h.add(i)
	}
	h.clean = min(same, h.clean)
}

// request returns the messages that are sent if the request has the items up to a sequence: base is
// the number of those that are unchanged since the latest request.
func (h *codexHistory) request(upTo int) (base int, messages []*series.Message) {
	base = len(h.sent)
	if h.clean < len(h.at) {
		base = h.at[h.clean]
	}
	h.sent, h.at = h.sent[:base], h.at[:h.clean]
	clean := len(h.items)
	for n := h.clean; n < len(h.items); n++ {
		i := h.items[n]
		h.at = append(h.at, len(h.sent))
		if i.sequence > upTo {
			clean = min(clean, n)
			continue
		}
		if _, ok := h.calls[i.call]; i.isOutput() && i.call != "" && !ok {
			continue
		}
		h.sent = append(h.sent, i.Message)
		output := h.outputs[i.call]
		if rest := repairs[i.kind]; rest != "" && i.call != "" && (output == nil || output.sequence > upTo) {
			if i.repair == nil {
				i.repair = &series.Message{
					Value: `{"call_id":` + string(canonjson.AppendString(nil, i.call)) + `,` + rest + `}`,
					Role:  series.Tool, Answers: []string{i.call}, Line: i.Line, Path: i.Path,
				}
			}
			h.sent = append(h.sent, i.repair)
			if output != nil {
				clean = min(clean, n)
			}
		}
	}
	h.clean = clean
	return base, slices.Clone(h.sent[base:])
}

// newItem returns the item of a payload, without the members that Codex does not send.
func newItem(payload value, path string) *item {
	var got [4]value
	payload.pickTo(got[:], "type", "call_id", "internal_chat_message_metadata_passthrough", "metadata")
	private := got[2]
	if private.raw != "" || got[3].raw != "" {
		sent := map[string]value{}
		for name, w := range payload.members() {
			if name != "internal_chat_message_metadata_passthrough" && name != "metadata" {
				sent[name] = value{raw: w.canonical()}
			}
		}
		payload = value{object(sent), payload.off, payload.doc}
	}
	m := newMessage(payload, path)
	i := &item{Message: m, kind: strings.Clone(got[0].text()), call: strings.Clone(got[1].text())}
	if i.kind == "" && m.Role != series.Other {
		i.kind = "message"
	}
	if codexItems[i.kind] == fromClient && i.kind != "message" && m.Role == series.Assistant {
		m.Role = series.User
	}
	if i.kind == "message" {
		i.addParts(private, path)
	}
	return i
}

// addParts finds who wrote each part of a message.
func (i *item) addParts(private value, path string) {
	var kinds, about []value
	for _, v := range private.get("content_item_kinds").elements() {
		kinds = append(kinds, v)
	}
	for _, v := range private.get("content_item_metadata").elements() {
		about = append(about, v)
	}
	for n, v := range (value{raw: i.Value}).get("content").elements() {
		by := "client"
		switch {
		case i.Role == series.Assistant:
			by = "model"
		case n < len(about) && about[n].get("provenance", "hook").raw == "true":
			by = "hook"
		case n < len(kinds) && kinds[n].text() != "unknown":
			if strings.HasPrefix(kinds[n].text(), "user.") {
				by = "person"
			} else if strings.Contains(kinds[n].text(), "shell_command") {
				by = "command"
			}
		case i.Role == series.User:
			by = writerOf(v.get("text").text())
		}
		i.Parts = append(i.Parts, &series.Part{Value: v.raw, ID: i.ID, By: by, Line: i.Line, Path: path + ".content[" + strconv.Itoa(n) + "]"})
	}
}

// codexTexts are the beginnings of texts with the role user that no person typed, and who wrote
// them.
var codexTexts = []struct{ begin, by string }{
	{"<environment_context>", "client"}, {"<user_instructions>", "client"}, {"# AGENTS.md instructions", "client"},
	{"<turn_aborted>", "client"}, {"<user_shell_command>", "command"}, {"<subagent_notification>", "client"},
	{"<skill>", "client"}, {"<user_action>", "client"}, {"Another language model started to solve this problem", "model"},
}

// writerOf returns who wrote a text with the role user.
func writerOf(text string) string {
	for _, t := range codexTexts {
		if strings.HasPrefix(text, t.begin) {
			return t.by
		}
	}
	return "person"
}

// isTyped reports whether a person wrote the item.
func (i *item) isTyped() bool {
	return i.Role == series.User && slices.ContainsFunc(i.Parts, func(p *series.Part) bool { return p.By == "person" })
}

// typed returns the items that a person wrote.
func (h *codexHistory) typed() []int {
	var out []int
	for n, i := range h.items {
		if i.isTyped() && !i.Summary {
			out = append(out, n)
		}
	}
	return out
}
