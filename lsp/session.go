package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/lint"
)

// snapshot is the configuration and the fixtures as they were read at one time. When one of their files changes, there
// is a new snapshot.
type snapshot struct {
	number   int64 // grows with each snapshot
	folders  []string
	resolver *config.Resolver
	facts    *facts.Cache // takes over from the snapshot before what has not changed since
	allowed  sync.Map     // what allows has answered, by folder and path
}

// session holds the newest snapshot.
type session struct {
	newest atomic.Pointer[snapshot]
	count  atomic.Int64
}

func (ss *session) snapshot() *snapshot { return ss.newest.Load() }

// reload makes a snapshot by reading everything again.
func (ss *session) reload(ctx context.Context, folders []string) {
	sn := &snapshot{number: ss.count.Add(1), folders: folders}
	root := "/"
	if len(folders) > 0 {
		root = folders[0]
	}
	sn.resolver = config.NewResolver(config.Options{Folder: root, Allow: sn.allows})
	if last := ss.newest.Load(); last != nil {
		sn.facts = last.facts.Renew(ctx)
	} else {
		sn.facts = facts.NewCache(ctx, openFixture)
	}
	ss.newest.Store(sn)
}

// configOf is the configuration of a file. A broken one counts as none, with its problems.
func (sn *snapshot) configOf(path string) (*config.Config, []config.Problem) {
	if path == "" {
		root := "/"
		if len(sn.folders) > 0 {
			root = sn.folders[0]
		}
		path = root + "/untitled"
	}
	cfg, problems := sn.resolver.For(path)
	if cfg == nil {
		cfg, _ = config.NewResolver(config.Options{Folder: "/", Isolated: true}).For(path)
	}
	return cfg, problems
}

// maxFixture is the size over which a fixture is not read.
const maxFixture = 256 << 20

// openFixture reads a fixture for a snapshot.
func openFixture(path string) (facts.Fixture, error) {
	t, err := engine.Load(path, engine.ReadOptions{MaxBytes: maxFixture})
	return facts.Fixture{Path: path, Timeline: t}, err
}

// fixturesOf are the recorded contexts of a configuration that could be read.
func (sn *snapshot) fixturesOf(cfg *config.Config) []facts.Fixture {
	return sn.facts.Fixtures(sn.fixturePaths(cfg))
}

// fixturePaths are the paths of the fixtures of a configuration that it may read.
func (sn *snapshot) fixturePaths(cfg *config.Config) []string {
	_, origin := cfg.Literal(config.Key{Name: "fixtures"})
	return slices.DeleteFunc(cfg.Fixtures(), func(path string) bool { return !sn.allows(filepath.Dir(origin.Path), path) })
}

// allows reports whether a configuration file in a folder may read a file: one in the workspace or below that folder,
// wherever symbolic links lead. A workspace may come from anywhere, and opening it must not read other files.
func (sn *snapshot) allows(folder, path string) bool {
	key := [2]string{folder, path}
	if known, ok := sn.allowed.Load(key); ok {
		return known.(bool)
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		resolved = path // it does not exist, which whoever reads it reports
	}
	ok := slices.ContainsFunc(append(slices.Clone(sn.folders), folder), func(f string) bool {
		if real, err := filepath.EvalSymlinks(f); err == nil {
			f = real
		}
		return within(resolved, f)
	})
	sn.allowed.Store(key, ok)
	return ok
}

// isFixture reports whether a path is a fixture that was read in this snapshot, or a folder that holds one.
func (sn *snapshot) isFixture(path string) bool {
	return slices.ContainsFunc(sn.facts.Paths(), func(have string) bool { return within(have, path) })
}

// analysis is what is known of a document in a snapshot.
type analysis struct {
	snapshot *snapshot
	config   *config.Config
	problems []config.Problem
	options  check.Options
	facts    *facts.Facts // nil when nothing is known
	check.Result

	wordsOnce sync.Once
	used      map[lint.WordKind]map[string]int // see words
}

// empty reports whether a document has no selector and no finding in a snapshot.
func (d *document) empty(sn *snapshot) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.analysed
	return a != nil && a.snapshot == sn && len(a.Selectors) == 0 && len(a.Findings) == 0 && len(a.File.Regions) == 0
}

// analyse checks a document, once for each snapshot.
func (d *document) analyse(sn *snapshot) *analysis {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.analysed == nil || d.analysed.snapshot.number < sn.number {
		d.analysed = sn.analyse(d)
	}
	return d.analysed
}

func (sn *snapshot) analyse(d *document) *analysis {
	a := &analysis{snapshot: sn}
	a.config, a.problems = sn.configOf(d.path)
	a.facts = sn.facts.Of(sn.fixturePaths(a.config), a.config.Known())
	a.options = check.Options{
		Markers: a.config.Markers(), Level: levels(a.config),
		Format: format.Options{Edition: a.config.Edition()},
	}
	if a.facts != nil {
		a.options.Facts = a.facts
	}
	a.options.Format.Style = check.Style(a.config.Style(), d.host)
	if d.host != nil {
		a.Result = check.File(d.host, d.src, a.options)
	}
	return a
}

// levels returns the level of each rule in a configuration, as a table: it is used for every rule and selector.
func levels(cfg *config.Config) func(*lint.Rule) lint.Level {
	known := map[*lint.Rule]lint.Level{}
	for r := range lint.Rules() {
		known[r] = cfg.Level(r)
	}
	return func(r *lint.Rule) lint.Level { return known[r] }
}

// doubtful reports whether nothing proves that a selector is written for PACT. It is read, but never edited, and what the
// editor shows of selectors leaves it out.
func (a *analysis) doubtful(sel *check.Selector) bool {
	return a.File.Regions[sel.Region].Kind == host.Doubtful
}

// selectorAt finds the selector that contains or touches an offset of the document.
func (a *analysis) selectorAt(offset int) *check.Selector {
	i := slices.IndexFunc(a.Selectors, func(s check.Selector) bool { return s.Start <= offset && offset <= s.End })
	if i < 0 {
		return nil
	}
	return &a.Selectors[i]
}

var _ lint.Facts = (*facts.Facts)(nil)
