package calls

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/normal"
)

// setting is a member of a request beside its messages.
type setting struct {
	name  string
	value string // JSON
}

// effect is how much of a request a provider reads again after a setting changed.
type effect uint8

const (
	onNothing  effect = iota
	onMessages        // what comes after the system prompt
	onAll
)

// effects are those of the settings that have one. Tools come first in a request. A cache belongs
// to one model. A schema for the answer precedes the messages, and forcing the use of a tool, or
// allowing the model to think, changes how the messages are encoded.
var effects = map[string]effect{
	"model": onAll, "tools": onAll, "functions": onAll, "tool_definitions": onAll, "response_format": onAll, "output_format": onAll,
	"tool_choice": onMessages, "function_call": onMessages, "thinking": onMessages, "toolConfig": onMessages, "tool_config": onMessages,
}

// inner are the members of settings that have an effect of their own: formats of answers.
var inner = map[string]string{"text": "format", "output_config": "format", "outputConfig": "textFormat"}

// effectOf returns the effect of a setting with another value.
func effectOf(name, was, is string) effect {
	if part := inner[name]; part != "" && memberOf(was, part) != memberOf(is, part) {
		return onAll
	}
	return effects[name]
}

// memberOf returns a member of an object in JSON, or "".
func memberOf(object, name string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &members) != nil {
		return ""
	}
	return string(members[name])
}

func isTools(name string) bool {
	return name == "tools" || name == "functions" || name == "tool_definitions"
}

// isLog reports whether a node keeps what surrounds the messages in the log.
func isLog(n engine.Node) bool { return n.Base() == engine.BaseCont && n.UserType() == "log" }

// settingsOf returns the settings of a state, sorted by name. The cost depends on the nodes of
// ^sys.
func settingsOf(s *engine.Snapshot) []setting {
	sys, ok := s.Region(engine.RegionSys)
	if !ok {
		return nil
	}
	var out []setting
	for n := range sys.Children() {
		if !isLog(n) {
			continue
		}
		for name, v := range n.Members() {
			s := setting{name, v.String()}
			if tools := toolsIn(&s); tools.value != "" {
				out = append(out, tools)
			}
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b setting) int { return cmp.Compare(a.name, b.name) })
	return out
}

// toolsIn takes the tools out of the toolConfig of Bedrock. They are a setting of their own, as
// those of other providers are.
func toolsIn(s *setting) (tools setting) {
	var members map[string]json.RawMessage
	if s.name != "toolConfig" || json.Unmarshal([]byte(s.value), &members) != nil || members["tools"] == nil {
		return setting{}
	}
	tools = setting{"tools", string(members["tools"])}
	delete(members, "tools")
	s.value = string(canonjson.EncodeLine(members))
	return tools
}

// withModel returns the settings of a request with the model of the one before it, if the log does
// not say its own: every request has one, and a log may name it late, or not for each call.
func withModel(settings, before []setting) []setting {
	if at := slices.IndexFunc(before, isModel); at >= 0 && !slices.ContainsFunc(settings, isModel) {
		settings = slices.Insert(settings, sort.Search(len(settings), func(n int) bool { return settings[n].name > before[at].name }), before[at])
	}
	return settings
}

func isModel(s setting) bool { return s.name == "model" || s.name == "model_name" }

// settingChange is a setting with another value.
type settingChange struct {
	name, event string
	effect      effect
}

// differences returns the settings that are not the same to the provider. One that says nothing is
// like a missing one.
func differences(a, b []setting) []settingChange {
	var out []settingChange
	for len(a) > 0 || len(b) > 0 {
		var old, now setting
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].name < b[0].name:
			old, a = a[0], a[1:]
		case len(a) == 0 || a[0].name > b[0].name:
			now, b = b[0], b[1:]
		default:
			old, now, a, b = a[0], b[0], a[1:], b[1:]
		}
		if old.value == now.value || isModel(now) && old.name == "" { // the model of the request before is not known
			continue
		}
		was, is := old.normal(), now.normal()
		x := settingChange{name: cmp.Or(now.name, old.name), event: "changed"}
		switch {
		case was == is:
			continue
		case was == "":
			x.event = "added"
		case is == "":
			x.event = "removed"
		}
		x.effect = effectOf(x.name, was, is)
		out = append(out, x)
	}
	return out
}

// normal returns a setting as it is to the provider, or "" if it says nothing.
func (s setting) normal() string {
	return normal.Setting(s.name, s.value)
}

// ToolNames returns the names of the tools in a setting, nil if it holds no tools.
func ToolNames(name, value string) []string {
	s := setting{name, value}
	if tools := toolsIn(&s); tools.value != "" {
		s = tools
	}
	if !isTools(s.name) {
		return nil
	}
	type tool struct {
		Name         string `json:"name"`
		Type         string `json:"type"`
		Function     struct{ Name string }
		ToolSpec     struct{ Name string }   `json:"toolSpec"`
		Declarations []struct{ Name string } `json:"functionDeclarations"`
	}
	var list []tool
	if json.Unmarshal([]byte(s.value), &list) != nil {
		return nil
	}
	out := []string{}
	for _, t := range list {
		if len(t.Declarations) == 0 {
			out = append(out, cmp.Or(t.Name, t.Function.Name, t.ToolSpec.Name, t.Type, "?"))
		}
		for _, d := range t.Declarations {
			out = append(out, d.Name)
		}
	}
	return out
}
