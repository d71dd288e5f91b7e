package source

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pactkit/pactkit/thread/series"
)

// agentTools are the names that the tool that starts agents has or had.
var agentTools = map[string]bool{"Task": true, "Agent": true}

// findStarts finds the calls whose answers started agents: the result of the tool names the agent,
// or the prompt is that of the agent.
func (s *session) findStarts() {
	callers, prompts := map[string]*record{}, map[string]string{}
	for _, r := range s.records {
		if r.fate != fromModel || r.same != nil {
			continue
		}
		for _, p := range r.parts {
			if kindOf(p.Value) != callPart {
				continue
			}
			got := (value{raw: p.Value}).pick("name", "id", "input")
			if agentTools[got[0].text()] {
				id := got[1].text()
				callers[id] = r
				prompts[got[2].get("prompt").text()] = id
			}
		}
	}
	if len(callers) == 0 {
		return
	}
	started := map[string]bool{}
	start := func(call, conversation string) {
		if r := callers[call]; r != nil && r.conversation.key != conversation && s.conversations[conversation] != nil && !started[conversation] {
			started[conversation] = true
			r.answer.starts = append(r.answer.starts, series.Start{Call: call, ConversationID: conversation})
		}
	}
	for _, r := range s.records {
		if r.started != "" && r.same == nil {
			for _, p := range r.parts {
				if isResult(p) {
					start(idOf(p.Value, resultPart), "agent "+r.started)
				}
			}
		}
	}
	for _, r := range s.records {
		if r.side && r.same == nil && r.fate == fromClient && (r.up == nil || r.up.conversation != r.conversation) {
			if call := prompts[textOf(r.parts)]; call != "" {
				start(call, r.conversation.key)
			}
		}
	}
	for _, a := range slices.SortedFunc(maps.Values(s.answers), func(a, b *answer) int { return cmp.Compare(a.records[0].pos, b.records[0].pos) }) {
		slices.SortStableFunc(a.starts, func(x, y series.Start) int { return cmp.Compare(x.Call, y.Call) })
	}
}
