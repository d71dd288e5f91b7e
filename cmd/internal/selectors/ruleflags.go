package selectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/custom"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/lint"
)

// ruleFlags are the flags that choose rules. Each holds ids, categories, or "all".
type ruleFlags struct {
	only, rules, ignore []string
	dialects            []string
}

func (f *ruleFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.only, "only", nil, "apply these `RULES` and no others; repeatable, or with commas")
	flags.StringSliceVar(&f.rules, "rules", nil, "apply these `RULES` also where the configuration turns them off")
	flags.StringSliceVar(&f.ignore, "ignore", nil, "do not apply these `RULES`")
	flags.StringSliceVar(&f.dialects, "dialect", nil, "report what another implementation of PACT does not read: `NAME` is egregore")
	_ = cmd.RegisterFlagCompletionFunc("dialect", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return dialects(), cobra.ShellCompDirectiveNoFileComp
	})
	for _, flag := range []string{"only", "rules", "ignore"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, completeRules)
	}
}

// completeRules offers the names of rules.
func completeRules(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return slices.Collect(lint.Names()), cobra.ShellCompDirectiveNoFileComp
}

// dialects lists the names of the implementations that have a rule.
func dialects() []string {
	var list []string
	for _, r := range lint.Named("dialect") {
		list = append(list, r.Name())
	}
	return list
}

// check returns an error for the first name that names nothing. A dialect is a rule that is asked
// for.
func (f *ruleFlags) check() error {
	for _, name := range f.dialects {
		if !slices.Contains(dialects(), name) {
			return fmt.Errorf("--dialect: there is no dialect %q; it is one of: %s", name, strings.Join(dialects(), ", "))
		}
		f.rules = append(f.rules, "dialect/"+name)
	}
	return f.named(func(flag, name string) error {
		if strings.HasPrefix(name, projectRules) {
			return nil // checkProject checks it
		}
		return checkName(flag, name)
	})
}

const projectRules = custom.Category + "/"

// checkProject returns an error for the first name of a rule of a project that rules do not have.
func (f *ruleFlags) checkProject(rules []*lint.Rule) error {
	return f.named(func(flag, name string) error {
		if !strings.HasPrefix(name, projectRules) {
			return nil
		}
		return checkName(flag, name, rules...)
	})
}

// named calls a function for each name of a rule in the flags.
func (f *ruleFlags) named(check func(flag, name string) error) error {
	for _, list := range []struct {
		flag  string
		names []string
	}{{"only", f.only}, {"rules", f.rules}, {"ignore", f.ignore}} {
		for _, name := range list.names {
			if err := check(list.flag, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkName returns an error if neither the linter nor more has a rule of a name.
func checkName(flag, name string, more ...*lint.Rule) error {
	if name == custom.Category || len(lint.Named(name, more...)) > 0 {
		return nil
	}
	if near := names.Nearest(name, lint.Names(more...)); near != "" {
		return fmt.Errorf("--%s: there is no rule and no category %q; did you mean %q?", flag, name, near)
	}
	return fmt.Errorf("--%s: there is no rule and no category %q; 'pactkit rules' lists them", flag, name)
}

// level returns the level of each rule: that of the configuration, unless a flag overrides it.
func (f *ruleFlags) level(cfg *config.Config) func(*lint.Rule) lint.Level {
	named := func(list []string, r *lint.Rule) bool {
		return slices.Contains(list, "all") || slices.Contains(list, r.ID) || slices.Contains(list, r.Category())
	}
	return func(r *lint.Rule) lint.Level {
		level := cfg.Level(r)
		switch {
		case named(f.ignore, r), len(f.only) > 0 && !named(f.only, r):
			return lint.Off
		case level == lint.Off && r.Level == lint.Off && (slices.Contains(f.rules, r.ID) || slices.Contains(f.only, r.ID)):
			return lint.Info
		case level == lint.Off && (named(f.rules, r) || named(f.only, r)):
			return r.Level
		}
		return level
	}
}
