package cli

import (
	"cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/config"
)

// reportSelector shows findings about a selector that stands in no file of its own, with the line and a caret; place
// says where it comes from, "" for the command line.
func (s *session) reportSelector(place, text string, found []diag.Diagnostic) {
	if place != "" {
		place += ": "
	}
	newReporter(s.err, place+"selector", text, s.colour).reportAll(found)
}

// editionOf decides which edition a selector is read in: that of the flag, of the configuration, of the history, or
// 1.0.
func editionOf(flag string, cfg *config.Config, t *engine.Timeline) ast.Edition {
	name := flag
	if cfg != nil {
		if _, origin := cfg.Literal(config.Lookup("edition")); origin.Path != "" {
			name = cmp.Or(name, cfg.Edition().String())
		}
	}
	if t != nil {
		name = cmp.Or(name, t.Edition().String())
	}
	edition, _ := ast.ParseEdition(name) // "" is 1.0
	return edition
}
