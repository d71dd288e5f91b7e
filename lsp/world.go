package lsp

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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
	facts    map[string]*facts.Facts // by the settings they come from, and the fixtures
	fixtures map[string]fixture      // by path
	before   remembered
}

// remembered is what was read in the world before, for files that have not changed since.
type remembered struct {
	facts    map[string]*facts.Facts
	fixtures map[string]fixture
}

// fixture is a recorded context, or why it cannot be read.
type fixture struct {
	facts.Fixture
	err      error
	size     int64
	modified time.Time
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
	if last := ws.newest.Load(); last != nil {
		last.mu.Lock()
		w.before = remembered{maps.Clone(last.facts), maps.Clone(last.fixtures)}
		if len(last.fixtures) == 0 {
			w.before = last.before
		}
		last.before = remembered{}
		last.mu.Unlock()
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
	var id strings.Builder
	id.WriteString(fmt.Sprintf("%q", known)) // fmt sorts maps
	w.mu.Lock()
	defer w.mu.Unlock()
	var fixtures []facts.Fixture
	for _, path := range paths {
		if x := w.fixture(path); x.err == nil {
			fixtures = append(fixtures, x.Fixture)
			id.WriteString(fmt.Sprintf(" %q %p", path, x.Timeline))
		}
	}
	if f, ok := w.facts[id.String()]; ok {
		return f
	}
	f, ok := w.before.facts[id.String()]
	if !ok {
		f = facts.New(w.ctx, fixtures, known)
	}
	w.facts[id.String()] = f
	return f
}

// fixture reads a fixture once. The caller holds the lock.
func (w *world) fixture(path string) fixture {
	if x, ok := w.fixtures[path]; ok {
		return x
	}
	x := fixture{size: -1}
	if info, err := os.Stat(path); err == nil {
		x.size, x.modified = info.Size(), info.ModTime()
	}
	if old, ok := w.before.fixtures[path]; ok && x.size >= 0 && old.err == nil && old.size == x.size && old.modified.Equal(x.modified) {
		x = old
	} else {
		x.Path = path
		x.Timeline, x.err = engine.Load(path, engine.ReadOptions{MaxBytes: maxFixture})
	}
	w.fixtures[path] = x
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

// isFixture tells whether a path is a fixture that was read in this world, or a folder that holds one.
func (w *world) isFixture(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for have := range w.fixtures {
		if within(have, path) {
			return true
		}
	}
	return false
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
	a.facts = w.factsOf(a.config)
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
