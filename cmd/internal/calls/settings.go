package calls

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"

	"github.com/pactkit/pactkit/engine"
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
	"model": onAll, "tools": onAll, "functions": onAll, "tool_definitions": onAll, "response_format": onAll,
	"tool_choice": onMessages, "function_call": onMessages, "thinking": onMessages, "toolConfig": onMessages, "tool_config": onMessages,
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
			out = append(out, setting{name, v.String()})
		}
	}
	slices.SortStableFunc(out, func(a, b setting) int { return cmp.Compare(a.name, b.name) })
	return out
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
type settingChange struct{ name, event string }

func differences(a, b []setting) []settingChange {
	var out []settingChange
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].name < b[0].name:
			out = append(out, settingChange{a[0].name, "removed"})
			a = a[1:]
		case len(a) == 0 || a[0].name > b[0].name:
			if !isModel(b[0]) { // the model of the request before is not known
				out = append(out, settingChange{b[0].name, "added"})
			}
			b = b[1:]
		default:
			if a[0].value != b[0].value && normal.Value(a[0].value) != normal.Value(b[0].value) {
				out = append(out, settingChange{a[0].name, "changed"})
			}
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// ToolNames returns the names of the tools in a setting, nil if it holds no tools.
func ToolNames(name, value string) []string {
	if !isTools(name) {
		return nil
	}
	type tool struct {
		Name         string `json:"name"`
		Type         string `json:"type"`
		Function     struct{ Name string }
		Declarations []struct{ Name string } `json:"functionDeclarations"`
	}
	var list []tool
	if json.Unmarshal([]byte(value), &list) != nil {
		return nil
	}
	out := []string{}
	for _, t := range list {
		if len(t.Declarations) == 0 {
			out = append(out, cmp.Or(t.Name, t.Function.Name, t.Type, "?"))
		}
		for _, d := range t.Declarations {
			out = append(out, d.Name)
		}
	}
	return out
}
