package look

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/explanation"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
)

const explainLong = `Explain a selector, an error code, a rule or a word.

  SELECTOR  what it searches and what it finds, its canonical and compact form, and how it is evaluated
  CODE      the meaning of an error code, such as E_SELECTOR_AMBIGUOUS
  RULE      what a rule of the linter finds and how to correct it, such as correctness/limit-zero
  WORD      the meaning of a word of the language: an attribute, a control, a pseudo, an operator

Put a selector in quotes to protect it from the shell. With a history (FILE, or -f), explain shows how many nodes are left
after each step of the selector, and the result. If the selector names several snapshots, steps are counted on the newest.

--profile evaluates the selector once more, as eval does, and shows for each region how it was searched and how much of it was
skipped, and for each step the time, the nodes it searched among and the nodes it left. Only the times differ between runs.

Exit codes: 0 explained; 1 the selector has errors, or no answer; 2 there is no such code, or a history cannot be read.`

const explainExample = `  pactkit explain '.seg > .block[ttl<=1] +user'
  pactkit explain '^seq .block+tool' agent.json
  pactkit explain --profile '^seq .block+tool' agent.json
  pactkit explain E_TIME_REQUIRED
  pactkit explain ttl`

// explainVerb explains selectors, codes and words.
type explainVerb struct {
	*verb.Run
	selector open.SelectorFlags
	passes   bool
	profile  bool
	json     bool
	history  open.HistoryFlags
}

// Explain returns the verb explain.
func Explain(r *verb.Run) *cobra.Command {
	v := &explainVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "explain SELECTOR|CODE|RULE|WORD [FILE]",
		Short:   "Explain a selector, an error code, a rule or a word",
		Long:    explainLong,
		Example: explainExample,
		Args: func(_ *cobra.Command, args []string) error {
			rest, err := v.history.Take(args, 1)
			switch {
			case len(args) == 0:
				return errors.New("nothing to explain: name a selector, a code or a word")
			case err != nil || len(rest) > 1:
				return errors.New("explain takes one argument; put a selector in quotes")
			case v.json && !v.profile:
				return errors.New("--json requires --profile")
			case v.profile && (len(v.history.From) == 0 || explanation.IsCodeOrRule(args[0])):
				return errors.New("--profile needs a selector and a history to evaluate it on")
			}
			return open.CheckStdin(v.history.From...)
		},
		ValidArgsFunction: completeExplain,
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args[0]) },
	}
	v.selector.Add(cmd)
	cmd.Flags().BoolVar(&v.passes, "passes", false, "show which pass of the formatter changes what")
	cmd.Flags().BoolVar(&v.profile, "profile", false, "show how the selector is evaluated on the history, and the time of each step")
	cmd.Flags().BoolVar(&v.json, "json", false, "print the profile alone, as JSON (docs/schemas/profile.json)")
	v.history.AddFrom(cmd)
	v.history.Add(cmd)
	return cmd
}

// completeExplain offers the codes and the words.
func completeExplain(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	if len(args) == 0 {
		for name, about := range explanation.Names {
			out = append(out, cobra.CompletionWithDesc(name, about))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func (v *explainVerb) run(ctx context.Context, arg string) error {
	cfg, err := v.selector.Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	var t *engine.Timeline
	if len(v.history.From) > 0 && !explanation.IsCodeOrRule(arg) {
		if t = open.From(ctx, v.Run, &v.history); t == nil {
			return nil
		}
	}
	e := explanation.Explainer{
		Run: v.Run, Edition: v.selector.Edition.Value, NoLegacy: v.selector.NoLegacy, Passes: v.passes, History: v.history.Name(),
		Profile: v.profile, JSON: v.json,
	}
	return e.Explain(ctx, arg, cfg, t)
}
