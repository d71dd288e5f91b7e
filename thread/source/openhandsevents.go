package source

import (
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// openHandsEvents has the fates of the events of OpenHands 1.x, by their kinds.
var openHandsEvents = map[string]fate{
	"SystemPromptEvent": fromClient, "MessageEvent": fromClient, "ActionEvent": fromModel, "ObservationEvent": fromClient,
	"UserRejectObservation": fromClient, "AgentErrorEvent": fromClient, "Condensation": stated,
	"CondensationRequest": bookkeeping, "CondensationSummaryEvent": bookkeeping, "ConversationStateUpdateEvent": bookkeeping,
	"ConversationErrorEvent": bookkeeping, "PauseEvent": bookkeeping, "TokenEvent": bookkeeping, "LLMCompletionLogEvent": bookkeeping,
	"ServerErrorEvent": bookkeeping,
}

// typedEvent reads an event of OpenHands 1.x.
func (s *stream) typedEvent(v value, kind, at string) error {
	if kind == "ActionEvent" {
		id := v.get("llm_response_id").text()
		if len(s.actions) > 0 && s.actions[0].get("llm_response_id").text() != id {
			if err := s.acted(); err != nil {
				return err
			}
		}
		if len(s.actions) == 0 {
			s.actionsAt = at
		}
		s.actions = append(s.actions, v)
		return nil
	}
	if err := s.acted(); err != nil {
		return err
	}
	got := v.pick("tools", "system_prompt", "dynamic_context", "llm_message", "observation", "tool_call_id", "error", "rejection_reason", "extended_content", "source")
	switch kind {
	case "SystemPromptEvent":
		if got[0].is('[') {
			s.settings = []series.Setting{{Name: "tools", Kind: series.Tools, Value: got[0].canonical()}}
		}
		s.add(s.made(v, written{"role": quoted("system"), "content": openHandsContent(got[1], got[2])}, at))
	case "MessageEvent":
		parts := openHandsContent(got[3].get("content"), got[8])
		if got[9].text() != "agent" {
			s.add(s.thinking(v, got[3], written{"role": quoted("user"), "content": parts}, at))
			return nil
		}
		if err := s.begin(&series.Request{}, v, at); err != nil {
			return err
		}
		s.answer(s.thinking(v, got[3], written{"role": quoted("assistant"), "content": parts}, at))
	case "ObservationEvent":
		s.result(v, openHandsContent(got[4].get("content")), got[5], at)
	case "AgentErrorEvent":
		s.result(v, got[6], got[5], at)
	case "UserRejectObservation":
		s.result(v, quoted("Action rejected: "+got[7].text()), got[5], at)
	case "Condensation":
		return s.condensed(v, v, at)
	}
	return nil
}

// acted begins the call whose answer the waiting actions record.
func (s *stream) acted() error {
	if len(s.actions) == 0 {
		return nil
	}
	list, first, at := s.actions, s.actions[0], s.actionsAt
	s.actions = nil
	var calls []value
	for _, v := range list {
		call := v.get("tool_call")
		calls = append(calls, chatCall(call.get("id"), call.get("name"), call.get("arguments")))
	}
	if err := s.begin(&series.Request{}, first, at); err != nil {
		return err
	}
	members := written{"role": quoted("assistant"), "content": openHandsContent(first.get("thought")), "tool_calls": listOfValues(calls)}
	s.answer(s.thinking(first, first, members, at))
	return nil
}

// thinking returns the message of an event. The reasoning that is recorded in from is kept with it.
func (s *stream) thinking(v, from value, members written, at string) *series.Message {
	m := s.made(v, members, at)
	for _, name := range [...]string{"reasoning_content", "thinking_blocks"} {
		if w := from.get(name); w.is('"') || w.is('[') && strings.TrimSpace(w.raw[1:len(w.raw)-1]) != "" {
			m.About = withAbout(m.About, written{name: {raw: w.canonical()}})
		}
	}
	return m
}

// openHandsContent returns texts and images as the content of a message: each value is a part, or a
// list of parts.
func openHandsContent(list ...value) value {
	var parts []value
	add := func(p value) {
		got := p.pick("type", "text", "image_urls")
		switch {
		case p.is('"'):
			parts = append(parts, chatText(p))
		case got[0].text() == "image":
			for _, url := range got[2].elements() {
				parts = append(parts, written{"type": quoted("image_url"), "image_url": written{"url": {raw: url.canonical()}}.value()}.value())
			}
		case got[1].is('"'):
			parts = append(parts, chatText(got[1]))
		}
	}
	for _, v := range list {
		if !v.is('[') {
			add(v)
			continue
		}
		for _, p := range v.elements() {
			add(p)
		}
	}
	if content := contentOf(parts); content.raw != "" {
		return content
	}
	return quoted("")
}
