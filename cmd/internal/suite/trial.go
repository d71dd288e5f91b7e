package suite

import (
	"context"
	"slices"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/policy"
)

// parsePolicy parses a policy in JSON. It returns nil for null and none.
func parsePolicy(data []byte) (*policy.Policy, error) {
	if string(data) == "none" || string(data) == "null" {
		return nil, nil
	}
	return policy.Parse(data)
}

// trial replaces the calls by those under the policy of a case. Nodes that the policy would have
// removed have left, and nodes that it would have shown in another form have changed. The tokens
// are those of the calls under the policy. trial omits side calls.
func (q *question) trial(ctx context.Context, c *Case) error {
	window := func(model string) int64 {
		for _, call := range slices.Backward(q.calls) {
			if call.Window != nil && (model == "" || call.Model == model) {
				return call.Window.Tokens
			}
		}
		return prices.Known(model).Window("", 0)
	}
	p, err := c.Policy.Compile(policy.Options{Edition: q.history.Edition(), Window: window})
	if err != nil {
		return problem(c.Line, "policy: %v", err)
	}
	if c.Policy.Window == (policy.Window{}) {
		p.Budget = int(window("")) - c.Policy.Reserve
	}
	if p.Budget <= 0 {
		return problem(c.Line, "policy: the window of the model is not known; write the member window")
	}
	trial := p.NewTrial()
	var list []*calls.Call
	for _, recorded := range q.calls {
		if err := ctx.Err(); err != nil {
			return err
		}
		if recorded.Side != nil {
			continue
		}
		out, err := trial.Next(q.history, recorded.Cycle)
		if err != nil {
			return problem(c.Line, "policy: %v", err)
		}
		call := *recorded
		call.Left, call.Changed = nil, nil
		call.Tokens.In, call.Tokens.Label = out.After, calls.Estimated
		for _, why := range out.Causes {
			if x := calls.ChangeOf(why); why.Cause == engine.CausePruned || why.Cause == engine.CauseCompacted {
				call.Left = append(call.Left, x.Departure())
			} else {
				call.Changed = append(call.Changed, x)
			}
		}
		list = append(list, &call)
	}
	q.calls, q.isTrial = list, true
	return nil
}
