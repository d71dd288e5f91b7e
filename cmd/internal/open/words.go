package open

import (
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/lint"
)

// WordFacts returns the facts of timelines and of a configuration, which may be nil, to compare a
// selector with.
func WordFacts(cfg *config.Config, timelines ...*engine.Timeline) *facts.Facts {
	var known map[lint.WordKind][]string
	if cfg != nil {
		known = cfg.Known()
	}
	var fixtures []facts.Fixture
	for _, t := range timelines {
		fixtures = append(fixtures, facts.Fixture{Timeline: t})
	}
	return facts.Of(fixtures, known)
}
