package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/internal/sessions/recent"
	"github.com/pactkit/pactkit/policy"
)

const policyLong = `Policies keep a context within the window of a model: they say what is left alone, and which steps shorten, clear, sum up
or drop what. A policy is the table [policy] of .pactkit.toml, or a TOML file of its own.`

const policyTryLong = `Show what a policy would have done to a recorded session, call by call, next to what happened.

The policy is that of --policy, else the table [policy] of the configuration. What it takes out of a call stays out of the
calls after it. Its window is that of the log, if it names none. Calls of side conversations are left out.

  SENT     tokens of the call as it was recorded, with what the provider counted in addition in the call before
  POLICY   tokens that the policy would have sent
  SAVED    what it would have taken out at this call
  PREFIX   tokens before the first change, which a provider's cache would still have had; after a + those after it
  STEPS    nodes that each step would have changed or removed
  HAPPENED nodes that left or changed in the log, with the cause

A summary is written by the program that uses the policy; here one of 200 tokens stands for it.

` + open.SessionForms + ` Without a FILE it is last.

Exit codes: 0 done; 2 the policy has errors, or the session cannot be read.`

const policyTryExample = `  pactkit policy try refund.jsonl --policy small.toml
  pactkit policy try last --policy small.toml --json | jq .total`

// Policy returns the verb policy.
func Policy(r *verb.Run) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Try how a policy would keep a context within a window",
		Long:  policyLong,
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return errors.New("name a command: try") },
	}
	cmd.AddCommand(policyTry(r))
	return cmd
}

// policyVerb tries a policy on a session.
type policyVerb struct {
	*verb.Run
	logs  open.SessionFlags
	files verb.FileFlags
	by    open.PolicyFlag
	json  bool
}

func policyTry(r *verb.Run) *cobra.Command {
	v := &policyVerb{Run: r}
	cmd := &cobra.Command{
		Use:               "try [FILE]",
		Short:             "Show what a policy would have done to a recorded session",
		Long:              policyTryLong,
		Example:           policyTryExample,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: open.CompleteSessions(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{recent.Last}
			}
			return v.run(cmd.Context(), args[0])
		},
	}
	v.by.Add(cmd, "the `FILE` of the policy (TOML)")
	cmd.Flags().BoolVar(&v.json, "json", false, "print an object (docs/schemas/policy-try.json)")
	v.logs.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

// tried is what a policy would have done to a call. Its JSON is described by
// docs/schemas/policy-try.json.
type tried struct {
	Cycle    int64             `json:"cycle"`
	Source   *calls.Source     `json:"source"`
	Sent     int64             `json:"sent"`   // tokens
	Policy   int64             `json:"policy"` // tokens
	Saved    int64             `json:"saved"`  // at this call
	First    string            `json:"first,omitempty"`
	Prefix   int64             `json:"prefix"`
	Again    int64             `json:"again"`
	Changes  []change          `json:"changes"`
	Failed   []string          `json:"failed,omitempty"`
	Happened []calls.Departure `json:"happened"`
	Cache    calls.Cache       `json:"cache"` // what the log says of it
}

// change is a node that a policy would have changed or removed.
type change struct {
	ID    string `json:"id"`
	Cause string `json:"cause"`
	Rule  string `json:"rule"`
	Saved int64  `json:"saved"`
}

// triedSum sums up the calls.
type triedSum struct {
	Calls   int   `json:"calls"`
	Changed int   `json:"changed"` // calls in which the policy would have acted
	Over    int   `json:"over"`    // calls that would still have exceeded the budget
	Sent    int64 `json:"sent"`
	Policy  int64 `json:"policy"`
	Again   int64 `json:"again"`
}

func (v *policyVerb) run(ctx context.Context, arg string) error {
	cfg, err := (&open.SelectorFlags{Files: v.files}).Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	p := cfg.Policy()
	if v.by.File != "" {
		if p = v.by.Read(v.Run); p == nil {
			return nil
		}
	}
	if p == nil {
		return errors.New("there is no policy: name a file with --policy, or write a table [policy] in " + config.FileName)
	}
	x := open.OneSession(ctx, v.Run, arg, &v.logs)
	if x == nil {
		return nil
	}
	list := []*calls.Call{}
	for c, err := range calls.Of(ctx, x.Timeline, calls.Options{History: x.Address(), Prices: cfg.Prices(), Windows: cfg.Windows()}) {
		if err != nil {
			v.Interrupt("interrupted")
			return nil
		}
		if c.Side == nil {
			list = append(list, c)
		}
	}
	compiled, err := p.Compile(policy.Options{Edition: x.Timeline.Edition(), Window: windowOf(cfg, list), Summarise: standInSummary})
	if err != nil {
		v.Fail("%s", verb.Visible(err.Error()))
		return nil
	}
	if p.Window == (policy.Window{}) {
		compiled.Budget = int(windowOf(cfg, list)("")) - p.Reserve
	}
	if compiled.Budget <= 0 {
		v.Fail("the window of the model is not known; write window = 200_000 in the policy")
		return nil
	}
	v.try(ctx, x.Timeline, compiled, list)
	return nil
}

// windowOf returns the window of a model: that of the configuration, of a call of the log, or of
// the table. The name "" stands for the newest call with a window.
func windowOf(cfg *config.Config, list []*calls.Call) func(string) int64 {
	return func(model string) int64 {
		if n, ok := cfg.Windows().Of(model); ok {
			return n
		}
		for i := len(list) - 1; i >= 0; i-- {
			if c := list[i]; c.Window != nil && (model == "" || c.Model == model) {
				return c.Window.Tokens
			}
		}
		return prices.Known(model).Window("", 0)
	}
}

// standInSummary returns a text as long as a summary, because no model is asked.
func standInSummary([]engine.Node) (engine.Draft, error) {
	return engine.Draft{Content: engine.Text(strings.Repeat("summary ", 200))}, nil
}

func (v *policyVerb) try(ctx context.Context, t *engine.Timeline, p *engine.Policy, list []*calls.Call) {
	trial := p.NewTrial()
	rows := make([]tried, 0, len(list))
	sum := triedSum{Calls: len(list)}
	for _, c := range list {
		if ctx.Err() != nil {
			v.Interrupt("interrupted")
			return
		}
		out, err := trial.Next(t, c.Cycle)
		if err != nil {
			v.Fail("%s: %s", open.CycleName(c), verb.Visible(err.Error()))
			return
		}
		row := tried{Cycle: c.Cycle, Source: c.Source, Sent: out.Sent, Policy: out.After, First: out.First, Changes: []change{}, Happened: c.Left, Cache: c.Cache}
		if out.Run != nil {
			row.Saved, row.Failed = out.Run.Before-out.Run.After, out.Run.Failed
		}
		if out.First != "" {
			row.Prefix, row.Again = out.Prefix, out.Again
			sum.Changed++
		}
		for _, why := range out.Causes {
			row.Changes = append(row.Changes, change{why.ID, why.Cause, why.Rule, why.Saved})
		}
		if out.After > int64(p.Budget) {
			sum.Over++
		}
		sum.Sent, sum.Policy, sum.Again = sum.Sent+out.Sent, sum.Policy+out.After, sum.Again+row.Again
		rows = append(rows, row)
	}
	if v.json {
		v.PrintJSON(map[string]any{"budget": p.Budget, "calls": rows, "total": sum})
		return
	}
	v.print(p.Budget, rows, sum)
}

var triedColumns = []verb.Column{
	{Name: "CYCLE", Style: "33"}, {Name: "SENT", Right: true}, {Name: "POLICY", Right: true}, {Name: "SAVED", Right: true},
	{Name: "PREFIX", Right: true}, {Name: "STEPS"}, {Name: "HAPPENED"},
}

func (v *policyVerb) print(budget int, rows []tried, sum triedSum) {
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	var table [][]string
	for _, x := range rows {
		if len(x.Changes)+len(x.Happened)+len(x.Failed) == 0 && x.Policy <= int64(budget) {
			continue
		}
		prefix := "-"
		if x.First != "" {
			prefix = fmt.Sprintf("%d + %d", x.Prefix, x.Again)
		}
		table = append(table, []string{
			fmt.Sprintf("@c%d", x.Cycle), strconv.FormatInt(x.Sent, 10), strconv.FormatInt(x.Policy, 10), strconv.FormatInt(x.Saved, 10), prefix,
			stepsText(x), happenedText(x.Happened),
		})
	}
	for _, line := range verb.ColumnLines(r, triedColumns, table, v.OutWidth) {
		fmt.Fprintln(v.Out, line)
	}
	fmt.Fprintf(v.Out, "\nbudget %d tokens; %s, %d shown; the policy acts in %d and sends %d of %d tokens, %d of them again; %d over the budget\n",
		budget, verb.Count(sum.Calls, "call"), len(table), sum.Changed, sum.Policy, sum.Sent, sum.Again, sum.Over)
}

// stepsText counts the changes by step, and names the steps that failed.
func stepsText(x tried) string {
	var rules []string
	for _, c := range x.Changes {
		rules = append(rules, c.Rule)
	}
	parts := counted(rules, "%s ×%d")
	for _, f := range x.Failed {
		parts = append(parts, "failed: "+f)
	}
	return cmp.Or(verb.Visible(strings.Join(parts, ", ")), "-")
}

// happenedText counts what left by cause.
func happenedText(list []calls.Departure) string {
	var causes []string
	for _, d := range list {
		causes = append(causes, d.Cause)
	}
	return cmp.Or(verb.Visible(strings.Join(counted(causes, "%s %d"), ", ")), "-")
}

// counted formats each different name with its number, in the order of the first of each.
func counted(names []string, format string) (parts []string) {
	var order []string
	count := map[string]int{}
	for _, name := range names {
		if count[name]++; count[name] == 1 {
			order = append(order, name)
		}
	}
	for _, name := range order {
		parts = append(parts, fmt.Sprintf(format, name, count[name]))
	}
	return parts
}
