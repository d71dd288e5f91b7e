package main

import (
	"context"
	"strings"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
)

// policy has the limits and the steps of a live context.
type policy struct {
	Nodes        int      `json:"nodes"`
	KeepSegments int      `json:"keep_segments"`
	Tokens       int      `json:"tokens"`
	MinGain      int      `json:"min_gain"`
	Keep         []string `json:"keep"`
	Steps        []step   `json:"steps"`
}

// step has one of the first three members.
type step struct {
	Clear     string `json:"clear"`
	Summarise string `json:"summarise"`
	Drop      string `json:"drop"`
	With      string `json:"with"`
}

func (p *policy) engine() *engine.Policy {
	out := &engine.Policy{KeepSegments: p.KeepSegments, Budget: p.Tokens, MinGain: p.MinGain}
	if p.Nodes > 0 {
		out.Limits = []engine.Limit{{Nodes: p.Nodes}}
	}
	if len(p.Keep) > 0 {
		out.Keep = selectAll(p.Keep...)
	}
	for _, st := range p.Steps {
		out.Steps = append(out.Steps, st.engine())
	}
	return out
}

func (st *step) engine() engine.Step {
	switch {
	case st.Clear != "":
		return engine.Step{Select: selectAll(st.Clear), Show: func(engine.Node, int, int) (string, bool) { return st.With, true }}
	case st.Summarise != "":
		return engine.Step{Select: selectAll(st.Summarise), Summarize: summarize}
	}
	return engine.Step{Select: selectAll(st.Drop)}
}

// summarize makes a summary of the ids of what it replaces.
func summarize(nodes []engine.Node) (engine.Draft, error) {
	var ids []string
	for _, n := range nodes {
		ids = append(ids, n.ID())
	}
	return engine.Draft{Content: engine.Text(strings.Join(ids, " "))}, nil
}

// selectAll returns a function that asks a timeline for what selectors select.
func selectAll(selectors ...string) func(*engine.Timeline) ([]engine.Node, error) {
	return func(t *engine.Timeline) ([]engine.Node, error) {
		var list []engine.Node
		for _, text := range selectors {
			found, err := pactkit.FromTimeline(t).Select(context.Background(), text)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
		return list, nil
	}
}
