package calls

import (
	"context"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/tokens"
)

// Result is the result of a tool in a call.
type Result struct {
	ID        string
	Tool      string
	Arguments engine.Value // of the call that it answers
	Entered   int64        // cycle of the first call that was sent it; 0 if none was
	Age       int          // calls of the conversation since then
	Tokens    int          // of its content, as the vocabulary of the model counts them
	// Superseded is the last result of the same tool with the same arguments, if there is a later
	// one; else empty.
	Superseded string
}

// Results returns the results of tools in a state, in document order. The cost depends on the
// differences between the calls before the state, and on the state.
func Results(ctx context.Context, t *engine.Timeline, s *engine.Snapshot) ([]Result, error) {
	entered, cycles, count, model := map[string]int{}, map[string]int64{}, 0, ""
	for c, err := range Of(ctx, t, Options{NoTokens: true}) {
		if err != nil {
			return nil, err
		}
		if c.Cycle > s.Cycle() {
			break
		}
		if c.Side != nil && c.Snapshot != s {
			continue
		}
		count, model = count+1, c.Model
		for _, id := range c.Added {
			entered[id], cycles[id] = count, c.Cycle
		}
	}
	arguments := map[string]engine.Value{} // by the id of the call
	for n := range s.All() {
		if kind, _ := n.Kind(); kind == "call" && callID(n) != "" {
			arguments[callID(n)] = n.Content()
		}
	}
	type request struct {
		tool      string
		arguments string
	}
	counter := tokens.For(model)
	latest := map[request]string{}
	requestOf := func(r *Result) request { return request{r.Tool, r.Arguments.String()} }
	var out []Result
	for n := range s.All() {
		if kind, _ := n.Kind(); kind != "result" || !shown(n) {
			continue
		}
		r := Result{ID: n.ID(), Tool: ToolOf(n), Arguments: arguments[callID(n)], Entered: cycles[n.ID()], Tokens: counter.Node(n)}
		if r.Entered > 0 {
			r.Age = count - entered[n.ID()]
		}
		latest[requestOf(&r)] = r.ID
		out = append(out, r)
	}
	for i := range out {
		if r := &out[i]; !r.Arguments.IsZero() && latest[requestOf(r)] != r.ID {
			r.Superseded = latest[requestOf(r)]
		}
	}
	return out, nil
}
