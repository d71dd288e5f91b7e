package lsp

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/lint"
)

// world is what holds for all documents until a file of configuration or a fixture changes: then there is a new one.
type world struct {
	number   int64 // grows with each world
	folders  []string
	resolver *config.Resolver
	facts    *facts.Cache // what was read in the world before serves files that have not changed since
}

// worlds hold the newest world.
type worlds struct {
	newest atomic.Pointer[world]
	count  atomic.Int64
}

// renew makes a world in which everything is read again.
func (ws *worlds) renew(ctx context.Context, folders []string) *world {
	w := &world{number: ws.count.Add(1), folders: folders}
	root := "/"
	if len(folders) > 0 {
		root = folders[0]
	}
	w.resolver = config.NewResolver(config.Options{Folder: root})
	if last := ws.newest.Load(); last != nil {
		w.facts = last.facts.Renew(ctx)
	} else {
		w.facts = facts.NewCache(ctx, openFixture)
	}
	ws.newest.Store(w)
	return w
}

// configOf is the configuration of a file. A broken one counts as none, with its problems.
func (w *world) configOf(path string) (*config.Config, []config.Problem) {
	if path == "" {
		root := "/"
		if len(w.folders) > 0 {
			root = w.folders[0]
		}
		path = root + "/untitled"
	}
	cfg, problems := w.resolver.For(path)
	if cfg == nil {
		cfg, _ = config.NewResolver(config.Options{Folder: "/", Isolated: true}).For(path)
	}
	return cfg, problems
}

// maxFixture is the size over which a fixture is not read into an editor.
const maxFixture = 256 << 20

// openFixture reads a fixture as a world does.
func openFixture(path string) (facts.Fixture, error) {
	t, err := engine.Load(path, engine.ReadOptions{MaxBytes: maxFixture})
	return facts.Fixture{Path: path, Timeline: t}, err
}

// fixturesOf are the recorded contexts of a configuration that could be read.
func (w *world) fixturesOf(cfg *config.Config) []facts.Fixture {
	return w.facts.Fixtures(cfg.Fixtures())
}

// isFixture tells whether a path is a fixture that was read in this world, or a folder that holds one.
func (w *world) isFixture(path string) bool {
	return slices.ContainsFunc(w.facts.Paths(), func(have string) bool { return within(have, path) })
}

// analysis is what is known of a document in a world.
type analysis struct {
	world    *world
	config   *config.Config
	problems []config.Problem
	options  check.Options
	facts    *facts.Facts // nil when nothing is known
	check.Result

	wordsOnce sync.Once
	used      map[lint.WordKind]map[string]int // see words
}

// empty tells whether a document was found to hold nothing for us in a world.
func (d *document) empty(w *world) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.analysed
	return a != nil && a.world == w && len(a.Selectors) == 0 && len(a.Findings) == 0 && len(a.File.Regions) == 0
}

// analyse checks a document, once for each world.
func (d *document) analyse(w *world) *analysis {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.analysed == nil || d.analysed.world.number < w.number {
		d.analysed = w.analyse(d)
	}
	return d.analysed
}

func (w *world) analyse(d *document) *analysis {
	a := &analysis{world: w}
	a.config, a.problems = w.configOf(d.path)
	a.facts = w.facts.Of(a.config.Fixtures(), a.config.Known())
	a.options = check.Options{
		Markers: a.config.Markers(), Level: levels(a.config),
		Format: format.Options{Edition: a.config.Edition()},
	}
	if a.facts != nil {
		a.options.Facts = a.facts
	}
	a.options.Format.Style, _ = format.ParseStyle(a.config.Style())
	if d.host != nil {
		a.Result = check.File(d.host, d.src, a.options)
	}
	return a
}

// levels are those of the rules with a configuration. They are asked for with every rule and selector.
func levels(cfg *config.Config) func(*lint.Rule) lint.Level {
	known := map[*lint.Rule]lint.Level{}
	for r := range lint.Rules() {
		known[r] = cfg.Level(r)
	}
	return func(r *lint.Rule) lint.Level { return known[r] }
}

// selectorAt finds the selector that a place of the document lies in or touches.
func (a *analysis) selectorAt(offset int) *check.Selector {
	i := slices.IndexFunc(a.Selectors, func(s check.Selector) bool { return s.Start <= offset && offset <= s.End })
	if i < 0 {
		return nil
	}
	return &a.Selectors[i]
}

var _ lint.Facts = (*facts.Facts)(nil)
