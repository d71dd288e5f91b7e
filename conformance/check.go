package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Status is how a case ended.
type Status string

// Partial means that an error was expected and reported, but that the implementation does not
// declare codes or places, so they were not compared.
const (
	Passed      Status = "passed"
	Partial     Status = "partial"
	Failed      Status = "failed"
	Unsupported Status = "unsupported"
)

// Outcome is what happened to one case.
type Outcome struct {
	Status Status `json:"status"`
	Detail string `json:"detail,omitempty"`
}

// names maps the ids of a case to those that the implementation gave its nodes.
type names map[string]string

// inRequest returns a request with the ids of the implementation for the parent and the references
// of a node. Selectors in cases name nodes by key.
func (n names) inRequest(request map[string]any) map[string]any {
	request = maps.Clone(request)
	if under, ok := request["under"]; ok {
		request["under"] = n.replace(under)
	}
	if node, ok := request["node"].(map[string]any); ok && node["refs"] != nil {
		node = maps.Clone(node)
		node["refs"] = n.replace(node["refs"])
		request["node"] = node
	}
	return request
}

// inAnswer returns an answer with the names of the case.
func (n names) inAnswer(answer map[string]any) map[string]any {
	back := names{}
	for name, id := range n {
		back[id] = name
	}
	return back.replace(answer).(map[string]any)
}

// replace replaces the strings in a value.
func (n names) replace(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, member := range v {
			out[k] = n.replace(member)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = n.replace(v[i])
		}
		return out
	case string:
		if other, ok := n[v]; ok {
			return other
		}
	}
	return v
}

// compare reports how an answer differs from the expected one, or "". Members that the expected
// answer does not have are not compared, except those of diff.
func (p *Peer) compare(want, got map[string]any) (Status, string) {
	if reason, ok := got["unsupported"]; ok {
		return Unsupported, fmt.Sprint(reason)
	}
	wanted, expected := want["error"].(map[string]any)
	failure, reported := got["error"].(map[string]any)
	switch {
	case expected && !reported:
		return Failed, "no error; the answer is " + text(got)
	case !expected && reported:
		return Failed, "the error " + text(failure)
	case expected:
		return p.compareError(wanted, failure)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		w, g := want[name], got[name]
		same := contains(w, g)
		switch name {
		case "diff":
			same = reflect.DeepEqual(w, g)
		case "warning":
			if !p.has("error-codes") {
				return Partial, ""
			}
			list, _ := got["warnings"].([]any)
			same, g = slices.Contains(list, w), list
		case "count":
			list, _ := got["ids"].([]any)
			g = json.Number(strconv.Itoa(len(list)))
			same = w == g
		case "json":
			g = parsed(got["text"])
			same = contains(w, g)
		}
		if !same {
			return Failed, fmt.Sprintf("%s is %s, want %s", name, text(g), text(w))
		}
	}
	return Passed, ""
}

func (p *Peer) compareError(want, got map[string]any) (Status, string) {
	status := Passed
	for name, feature := range map[string]string{"code": "error-codes", "range": "error-places"} {
		w, ok := want[name]
		switch {
		case !ok:
		case !p.has(feature):
			status = Partial
		case !reflect.DeepEqual(w, got[name]):
			return Failed, fmt.Sprintf("the %s of the error is %s, want %s", name, text(got[name]), text(w))
		}
	}
	return status, ""
}

func (p *Peer) has(feature string) bool { return slices.Contains(p.Hello.Features, feature) }

// without is a member of what is wanted that lists members that must not be there.
const without = "without"

// contains reports whether got has everything that want has. Lists must have the same length.
func contains(want, got any) bool {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		for k, v := range want {
			if names, isList := v.([]any); isList && k == without {
				ok = ok && !slices.ContainsFunc(names, func(name any) bool { return got[name.(string)] != nil })
				continue
			}
			g, there := got[k]
			if ok = ok && there && contains(v, g); !ok {
				return false
			}
		}
		return ok
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for i := range want {
			if !contains(want[i], got[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, got)
}

// parsed reads a text that should be JSON.
func parsed(v any) any {
	s, _ := v.(string)
	var value any
	if decode([]byte(s), &value) != nil {
		return v
	}
	return value
}

// text prints a value for a report.
func text(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
