package steps

import (
	"encoding/json"

	"github.com/pactkit/pactkit/engine"
)

// Detail is everything about a node.
type Detail struct {
	Headers map[string]json.RawMessage `json:"headers"`
	Content json.RawMessage            `json:"content,omitempty"`
}

// Details returns nodes of a state, by id. It leaves out those that are not there.
func Details(s *engine.Snapshot, ids []string) map[string]Detail {
	out := map[string]Detail{}
	for _, id := range ids {
		if n, ok := s.Find(id); ok {
			out[id] = DetailOf(n, engine.Value.String)
		}
	}
	return out
}

// DetailOf returns a node, with its values as a function writes them.
func DetailOf(n engine.Node, write func(engine.Value) string) Detail {
	out := Detail{Headers: map[string]json.RawMessage{}}
	for _, name := range n.Headers() {
		if name != "content" {
			out.Headers[name] = json.RawMessage(write(n.Header(name)))
		}
	}
	if c := n.Content(); !c.IsZero() {
		out.Content = json.RawMessage(write(c))
	}
	return out
}
