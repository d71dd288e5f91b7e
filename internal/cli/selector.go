package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/internal/suite"
	"github.com/pactkit/pactkit/parser"
)

// reportSelector prints findings about a selector that is not a file. The location names its
// source; it is "" for the command line.
func (s *session) reportSelector(location, text string, found []diag.Diagnostic) {
	if location != "" {
		location += ": "
	}
	if s.quiet {
		found = suite.OnlyErrors(found)
	}
	s.reporter(s.err, location+"selector", text, s.color).reportAll(found)
}

// selectorFlags are the flags of the verbs that read selectors: the edition, and the configuration.
type selectorFlags struct {
	edition  enumFlag
	noLegacy bool
	files    fileFlags
}

func (f *selectorFlags) add(cmd *cobra.Command) {
	k := config.Lookup("edition")
	addEnum(cmd, &f.edition, "edition", k.Values,
		"the revision of the language that selectors are written in (default: that of the configuration, else of the history)")
	cmd.Flags().BoolVar(&f.noLegacy, "no-legacy", false, "refuse forms of older revisions in selectors, instead of warning")
	f.files.addConfig(cmd)
}

// configuration returns the configuration of the working folder. It reports an error in it and
// returns nil.
func (f *selectorFlags) configuration(s *session) (*config.Config, error) {
	c, err := newCollector(s, &f.files)
	if err != nil {
		return nil, err
	}
	cfg, ok := c.configFor(filepath.Join(s.folder, "any.pactsel"))
	if !ok {
		return nil, nil
	}
	return cfg, nil
}

// source takes the fixture of the configuration if no history is named. It reports an error in the
// configuration, and names no history then.
func (s *session) source(f *historyFlags, files *fileFlags) error {
	if len(f.from) > 0 {
		return nil
	}
	cfg, err := (&selectorFlags{files: *files}).configuration(s)
	if err != nil || cfg == nil {
		return err
	}
	return f.orFixture(cfg)
}

// editionOf returns the edition to read a selector in: that of the flag, of the configuration, of
// the history, or 1.0.
func editionOf(flag string, cfg *config.Config, t *engine.Timeline) ast.Edition {
	edition, ok := ast.ParseEdition(cmp.Or(flag, configuredEdition(cfg)))
	if !ok && t != nil {
		return t.Edition()
	}
	return edition
}

// configuredEdition returns the edition that a configuration sets, or "". The configuration may be
// nil.
func configuredEdition(cfg *config.Config) string {
	if cfg == nil {
		return ""
	}
	if _, origin := cfg.Literal(config.Lookup("edition")); origin.Path == "" {
		return ""
	}
	return cfg.Edition().String()
}

// planOf compiles a selector and reports all findings. It returns a nil plan if there are errors.
func (s *session) planOf(text string, o parser.Options) (*ast.Query, *eval.Plan) {
	q, plan, found := prepare.Compile(text, o)
	s.reportFound(text, found)
	return q, plan
}

// reportFound reports findings about the selector of the command line: only the errors, if there
// are any.
func (s *session) reportFound(text string, found []diag.Diagnostic) {
	if short := shown(text); short != visible(text) {
		s.find("%s is the address of a store, and not a selector", short)
		s.hint("the selector comes first")
		return
	}
	if diag.HasErrors(found) {
		found = suite.OnlyErrors(found)
		s.find("%s", found[0].Message)
	}
	s.reportSelector("", text, found)
}

// failEval reports why an evaluation failed: the selector is wrong, or the run was interrupted.
func (s *session) failEval(text string, err error) {
	if e, ok := errors.AsType[*eval.Error](err); ok {
		s.reportFound(text, e.Diagnostics)
		return
	}
	if errors.Is(err, context.Canceled) {
		s.interrupt("interrupted")
		return
	}
	s.fail("%s", atomicfile.Reason(err))
}
