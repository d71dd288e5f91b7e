package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/sessions"
)

// snapshot is the configuration and the fixtures as they were read at one time. When one of their
// files changes, a new snapshot is made.
type snapshot struct {
	number   int64 // grows with each snapshot
	folders  []string
	resolver *config.Resolver
	facts    *fixtures.Cache // shares unchanged fixtures with the previous snapshot
	allowed  sync.Map        // the results of allows, by folder and path
}

// session holds the newest snapshot.
type session struct {
	newest atomic.Pointer[snapshot]
	count  atomic.Int64

	reloading sync.Mutex
	// background runs a function on another goroutine, and then makes a new snapshot; nil in tests.
	background func(read func(ctx context.Context))
}

func (ss *session) snapshot() *snapshot { return ss.newest.Load() }

// reload makes a snapshot by reading everything again.
func (ss *session) reload(folders []string) {
	ss.reloading.Lock()
	defer ss.reloading.Unlock()
	ss.renew(folders)
}

// again makes a snapshot of the current folders.
func (ss *session) again() {
	ss.reloading.Lock()
	defer ss.reloading.Unlock()
	ss.renew(ss.newest.Load().folders)
}

func (ss *session) renew(folders []string) {
	sn := &snapshot{number: ss.count.Add(1), folders: folders}
	sn.resolver = sn.newResolver(nil)
	if last := ss.newest.Load(); last != nil {
		sn.facts = last.facts.Renew()
	} else {
		sn.facts = fixtures.NewCache(openFixture)
		if ss.background != nil {
			sn.facts.ReadInBackground(largeFixture, ss.background)
		}
	}
	ss.newest.Store(sn)
}

// newResolver resolves the configuration of the workspace, with some of its files as they are in
// the editor.
func (sn *snapshot) newResolver(unsaved map[string]string) *config.Resolver {
	return config.NewResolver(config.Options{Folder: sn.root(), Allow: sn.allows, Unsaved: unsaved})
}

// root is the first folder of the workspace.
func (sn *snapshot) root() string {
	if len(sn.folders) > 0 {
		return sn.folders[0]
	}
	return "/"
}

// configOf returns the configuration of a file. For a malformed one it returns the default
// configuration, and the problems.
func (sn *snapshot) configOf(path string) (*config.Config, []config.Problem) {
	if path == "" {
		path = sn.root() + "/untitled"
	}
	cfg, problems := sn.resolver.For(path)
	if cfg == nil {
		cfg, _ = config.NewResolver(config.Options{Folder: "/", Isolated: true}).For(path)
	}
	return cfg, problems
}

// largeFixture is the minimum size of a fixture that is read in the background.
const largeFixture = 4 << 20

// writeReading names the fixtures that are still being read, so that the answer is incomplete, and
// reports whether there are any.
func (sn *snapshot) writeReading(ctx context.Context, b *strings.Builder, cfg *config.Config) (some bool) {
	for _, path := range sn.fixturePaths(cfg) {
		if _, err := sn.facts.Fixture(ctx, path); errors.Is(err, fixtures.ErrReading) {
			fmt.Fprintf(b, "\n`%s` is being read.\n", base(path))
			some = true
		}
	}
	return some
}

// maxFixture is the maximum size of a fixture.
const maxFixture = 256 << 20

// openFixture reads a fixture for a snapshot.
func openFixture(ctx context.Context, path string) (fixtures.Fixture, error) {
	one, err := sessions.One(ctx, path, sessions.Options{MaxBytes: maxFixture})
	return fixtures.Fixture{Path: path, Timeline: one.Timeline}, err
}

// fixturesOf returns the fixtures of a configuration that could be read.
func (sn *snapshot) fixturesOf(ctx context.Context, cfg *config.Config) []fixtures.Fixture {
	return sn.facts.Fixtures(ctx, sn.fixturePaths(cfg))
}

// fixturePaths returns the paths of the fixtures that a configuration names and may read.
func (sn *snapshot) fixturePaths(cfg *config.Config) []string {
	_, origin := cfg.Literal(config.Key{Name: "fixtures"})
	return slices.DeleteFunc(cfg.Fixtures(), func(path string) bool { return sn.refuses(filepath.Dir(origin.Path), path) != nil })
}

// refuses returns why a configuration file in a folder must not name a fixture, or nil if it may.
// Databases are refused: a workspace may come from an untrusted source, and opening it must not
// connect to a server.
func (sn *snapshot) refuses(folder, fixture string) error {
	file := sessions.FileOf(fixture)
	switch {
	case file == "":
		return errors.New("it is in a database, and an editor does not connect to one by itself; export it to a file of the workspace")
	case !sn.allows(folder, file):
		return errors.New("it is outside the workspace")
	}
	return nil
}

// allows reports whether a configuration file in a folder may read a file, or the files of a
// folder: they must be in the workspace or below the folder of the configuration, after resolving
// symbolic links. A workspace may come from an untrusted source, and opening it must not read other
// files.
func (sn *snapshot) allows(folder, path string) bool {
	key := [2]string{folder, path}
	if known, ok := sn.allowed.Load(key); ok {
		return known.(bool)
	}
	ok := sn.isInside(folder, path)
	if entries, err := atomicfile.List(path); ok && err == nil {
		ok = !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
			return e.Type()&fs.ModeSymlink != 0 && !sn.isInside(folder, filepath.Join(path, e.Name()))
		})
	}
	sn.allowed.Store(key, ok)
	return ok
}

// isInside reports whether a path, after resolving symbolic links, is in the workspace or below a
// folder.
func (sn *snapshot) isInside(folder, path string) bool {
	resolved, err := atomicfile.Resolve(path)
	if err != nil {
		resolved = path // it does not exist; reading it reports that
	}
	return slices.ContainsFunc(append(slices.Clone(sn.folders), folder), func(f string) bool {
		if real, err := atomicfile.Resolve(f); err == nil {
			f = real
		}
		return within(resolved, f)
	})
}

// isFixture reports whether a path is a fixture of its configuration, or a folder that contains a
// fixture that was read in this snapshot.
func (sn *snapshot) isFixture(path string) bool {
	cfg, _ := sn.configOf(path)
	isIt := func(fixture string) bool { return sessions.FileOf(fixture) == path }
	return slices.ContainsFunc(sn.fixturePaths(cfg), isIt) ||
		slices.ContainsFunc(sn.facts.Paths(), func(have string) bool { return within(sessions.FileOf(have), path) })
}
