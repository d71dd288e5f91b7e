package open

import (
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/lint"
)

// WordFacts returns the facts of timelines and of a configuration, which may be nil, to compare a
// selector with.
func WordFacts(cfg *config.Config, timelines ...*engine.Timeline) *fixtures.Facts {
	var known map[lint.WordKind][]string
	if cfg != nil {
		known = cfg.Known()
	}
	var list []fixtures.Fixture
	for _, t := range timelines {
		list = append(list, fixtures.Fixture{Timeline: t})
	}
	return fixtures.Of(list, known)
}
