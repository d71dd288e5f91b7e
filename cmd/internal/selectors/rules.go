package selectors

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/lint"
)

const rulesLong = `List the rules of the linter, and those that the configuration of the working folder declares, with their level and their
kind of fix. Arguments choose rules or categories. 'pactkit explain RULE' explains one.`

const rulesExample = `  pactkit rules             every rule
  pactkit rules legacy      those of a category
  pactkit rules --json      with their documentation`

// Rules returns the verb rules.
func Rules(r *verb.Run) *cobra.Command {
	asJSON := false
	var files verb.FileFlags
	cmd := &cobra.Command{
		Use:               "rules [RULE...]",
		Short:             "List the rules of the linter",
		Long:              rulesLong,
		Example:           rulesExample,
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := verb.NewCollector(r, &files)
			if err != nil {
				return err
			}
			cfg, ok := c.ConfigFor(filepath.Join(r.Folder, "any.pactsel"))
			if !ok {
				return nil
			}
			var chosen []*lint.Rule
			for _, name := range args {
				named := lint.Named(name, cfg.Rules()...)
				if len(named) == 0 {
					return fmt.Errorf("there is no rule and no category %q", name)
				}
				chosen = append(chosen, named...)
			}
			if len(args) == 0 {
				chosen = lint.Named("all", cfg.Rules()...)
			}
			listRules(r, chosen, asJSON)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the rules as JSON, with their documentation")
	files.AddConfig(cmd)
	return cmd
}

func listRules(run *verb.Run, rules []*lint.Rule, asJSON bool) {
	if !asJSON {
		for _, r := range rules {
			fmt.Fprintf(run.Out, "%-40s %-8s %-7s %s\n", r.ID, r.Level, r.Fix, r.Page().Summary)
		}
		return
	}
	type row struct {
		ID      string   `json:"id"`
		Level   string   `json:"level"`
		Fix     string   `json:"fix"`
		Summary string   `json:"summary"`
		Text    string   `json:"documentation"`
		Bad     []string `json:"bad"`
		Good    []string `json:"good"`
	}
	list := []row{}
	for _, r := range rules {
		p := r.Page()
		x := row{r.ID, r.Level.String(), r.Fix.String(), p.Summary, p.Text, []string{}, []string{}}
		x.Bad, x.Good = append(x.Bad, p.Bad...), append(x.Good, p.Good...)
		list = append(list, x)
	}
	run.PrintJSON(list)
}
