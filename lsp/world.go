package lsp

import (
	"context"
	"fmt"
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
	ctx      context.Context
	number   int64 // grows with each world
	folders  []string
	resolver *config.Resolver

	mu       sync.Mutex
	facts    map[string]*facts.Facts // by the settings they come from
	fixtures map[string]fixture      // by path
}

// fixture is a recorded context, or why it cannot be read.
type fixture struct {
	facts.Fixture
	err error
}

// worlds hold the newest world.
type worlds struct {
	newest atomic.Pointer[world]
	count  atomic.Int64
}

// renew makes a world in which everything is read again.
func (ws *worlds) renew(ctx context.Context, folders []string) *world {
	w := &world{
		ctx: ctx, number: ws.count.Add(1), folders: folders,
		facts: map[string]*facts.Facts{}, fixtures: map[string]fixture{},
	}
	root := "/"
	if len(folders) > 0 {
		root = folders[0]
	}
	w.resolver = config.NewResolver(config.Options{Folder: root})
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

// factsOf is what is known of the trees of files with a configuration; nil when nothing is.
func (w *world) factsOf(cfg *config.Config) *facts.Facts {
	paths, known := cfg.Fixtures(), cfg.Known()
	words := 0
	for _, list := range known {
		words += len(list)
	}
	if len(paths) == 0 && words == 0 {
		return nil
	}
	id := fmt.Sprintf("%q %q", paths, known) // fmt sorts maps
	w.mu.Lock()
	defer w.mu.Unlock()
	if f, ok := w.facts[id]; ok {
		return f
	}
	var fixtures []facts.Fixture
	for _, path := range paths {
		if x := w.fixture(path); x.err == nil {
			fixtures = append(fixtures, x.Fixture)
		}
	}
	f := facts.New(w.ctx, fixtures, known)
	w.facts[id] = f
	return f
}

// fixture reads a fixture once. The caller holds the lock.
func (w *world) fixture(path string) fixture {
	x, ok := w.fixtures[path]
	if !ok {
		t, err := engine.Load(path, engine.ReadOptions{MaxBytes: maxFixture})
		x = fixture{facts.Fixture{Path: path, Timeline: t}, err}
		w.fixtures[path] = x
	}
	return x
}

// maxFixture is the size over which a fixture is not read into an editor.
const maxFixture = 256 << 20

// fixturesOf are the recorded contexts of a configuration that could be read.
func (w *world) fixturesOf(cfg *config.Config) []facts.Fixture {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []facts.Fixture
	for _, path := range cfg.Fixtures() {
		if x := w.fixture(path); x.err == nil {
			out = append(out, x.Fixture)
		}
	}
	return out
}

// isFixture tells whether a path is a fixture that was read in this world.
func (w *world) isFixture(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.fixtures[path]
	return ok
}

// analysis is what is known of a document in a world.
type analysis struct {
	world    *world
	config   *config.Config
	problems []config.Problem
	options  check.Options
	facts    *facts.Facts // nil when nothing is known
	check.Result
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
	a.facts = w.factsOf(a.config)
	a.options = check.Options{
		Markers: a.config.Markers(), Level: a.config.Level,
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

// selectorAt finds the selector that a place of the document lies in or touches.
func (a *analysis) selectorAt(offset int) *check.Selector {
	i := slices.IndexFunc(a.Selectors, func(s check.Selector) bool { return s.Start <= offset && offset <= s.End })
	if i < 0 {
		return nil
	}
	return &a.Selectors[i]
}

var _ lint.Facts = (*facts.Facts)(nil)
