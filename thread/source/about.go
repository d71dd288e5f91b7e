package source

import (
	"github.com/pactkit/pactkit/thread/series"
)

// These tables have the members that are kept although they were not sent, with their names in
// nodes.
var (
	atifStep = map[string]string{
		"timestamp": "timestamp", "model_name": "model", "reasoning_content": "reasoning_content", "reasoning_effort": "reasoning_effort",
		"step_id": "step_id", "metrics": "usage", "extra": "extra", "llm_call_count": "llm_call_count",
	}
	otelMessage = map[string]string{"finish_reason": "finish_reason", "name": "name"}
)

// inspectSent has the id and the members of an Inspect AI message that are sent.
var inspectSent = map[string]bool{"id": true, "role": true, "content": true, "tool_call_id": true, "tool_calls": true}

// keep adds the members of a value that are in a table of names to those that are kept.
func keep(into map[string]value, v value, names map[string]string) {
	for name, w := range v.members() {
		if as := names[name]; as != "" && !w.missing() {
			into[as] = value{raw: w.canonical()}
		}
	}
}

// setAbout attaches the kept members to a message.
func setAbout(m *series.Message, members map[string]value) {
	if len(members) > 0 {
		m.About = object(members)
	}
}

// aboutInspect keeps the members of an Inspect AI message that are not sent, and its calls if they
// have members other than ids, names and arguments.
func (s *sample) aboutInspect(m *series.Message, v value) error {
	kept := map[string]value{}
	for name, w := range v.members() {
		more := !inspectSent[name]
		if name == "tool_calls" {
			for _, call := range w.elements() {
				for member, x := range call.members() {
					switch member {
					case "id", "function", "arguments", "type":
					default:
						more = more || !x.missing()
					}
				}
			}
		}
		if !more || w.missing() {
			continue
		}
		text, err := s.resolve(w)
		if err != nil {
			return err
		}
		kept[name] = value{raw: text}
	}
	setAbout(m, kept)
	return nil
}
