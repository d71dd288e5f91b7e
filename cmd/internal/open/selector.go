package open

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/parser"
)

// ReportSelector prints findings about a selector that is not a file. The location names its
// source; it is "" for the command line.
func ReportSelector(r *verb.Run, location, text string, found []diag.Diagnostic) {
	if location != "" {
		location += ": "
	}
	if r.Quiet {
		found = suite.OnlyErrors(found)
	}
	r.Reporter(r.Err, location+"selector", text, r.Color).ReportAll(found)
}

// SelectorFlags are the flags of the verbs that read selectors: the edition, and the configuration.
type SelectorFlags struct {
	Edition  verb.EnumFlag
	NoLegacy bool
	Files    verb.FileFlags
}

func (f *SelectorFlags) Add(cmd *cobra.Command) {
	k := config.Lookup("edition")
	verb.AddEnum(cmd, &f.Edition, "edition", k.Values,
		"the revision of the language that selectors are written in (default: that of the configuration, else of the history)")
	cmd.Flags().BoolVar(&f.NoLegacy, "no-legacy", false, "refuse forms of older revisions in selectors, instead of warning")
	f.Files.AddConfig(cmd)
}

// Configuration returns the configuration of the working folder. It reports an error in it and
// returns nil.
func (f *SelectorFlags) Configuration(r *verb.Run) (*config.Config, error) {
	c, err := verb.NewCollector(r, &f.Files)
	if err != nil {
		return nil, err
	}
	cfg, ok := c.ConfigFor(filepath.Join(r.Folder, "any.pactsel"))
	if !ok {
		return nil, nil
	}
	return cfg, nil
}

// Source takes the fixture of the configuration if no history is named. It reports an error in the
// configuration, and names no history then.
func Source(r *verb.Run, f *HistoryFlags, files *verb.FileFlags) error {
	if len(f.From) > 0 {
		return nil
	}
	cfg, err := (&SelectorFlags{Files: *files}).Configuration(r)
	if err != nil || cfg == nil {
		return err
	}
	return f.OrFixture(cfg)
}

// EditionOf returns the edition to read a selector in: that of the flag, of the configuration, of
// the history, or 1.0.
func EditionOf(flag string, cfg *config.Config, t *engine.Timeline) ast.Edition {
	edition, ok := ast.ParseEdition(cmp.Or(flag, ConfiguredEdition(cfg)))
	if !ok && t != nil {
		return t.Edition()
	}
	return edition
}

// ConfiguredEdition returns the edition that a configuration sets, or "". The configuration may be
// nil.
func ConfiguredEdition(cfg *config.Config) string {
	if cfg == nil {
		return ""
	}
	if _, origin := cfg.Literal(config.Lookup("edition")); origin.Path == "" {
		return ""
	}
	return cfg.Edition().String()
}

// PlanOf compiles a selector and reports all findings. It returns a nil plan if there are errors.
func PlanOf(r *verb.Run, text string, o parser.Options) (*ast.Query, *eval.Plan) {
	q, plan, found := compiled.Compile(text, o)
	ReportFound(r, text, found)
	return q, plan
}

// ReportFound reports findings about the selector of the command line: only the errors, if there
// are any.
func ReportFound(r *verb.Run, text string, found []diag.Diagnostic) {
	if short := verb.Shown(text); short != verb.Visible(text) {
		r.Find("%s is the address of a store, and not a selector", short)
		r.Hint("the selector comes first")
		return
	}
	if diag.HasErrors(found) {
		found = suite.OnlyErrors(found)
		r.Find("%s", found[0].Message)
	}
	ReportSelector(r, "", text, found)
}

// FailEval reports why an evaluation failed: the selector is wrong, or the run was interrupted.
func FailEval(r *verb.Run, text string, err error) {
	if e, ok := errors.AsType[*eval.Error](err); ok {
		ReportFound(r, text, e.Diagnostics)
		return
	}
	if errors.Is(err, context.Canceled) {
		r.Interrupt("interrupted")
		return
	}
	r.Fail("%s", atomicfile.Reason(err))
}
