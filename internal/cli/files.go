package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/ignore"
	"github.com/pactkit/pactkit/internal/suite"
)

const (
	// maxFileSize is the size over which a file is skipped.
	maxFileSize = 10 << 20
	// stdinName is the name of standard input unless the caller gives another one.
	stdinName = "-"
	// maxListSize is the size over which a list of files is refused.
	maxListSize = 64 << 20
)

// target is a file to work on.
type target struct {
	name   string // as the user sees it
	path   string // absolute
	host   host.Host
	config *config.Config
}

// collector turns the names on the command line into targets, and reports those that it cannot use.
type collector struct {
	*session
	resolver *config.Resolver
	ignored  *ignore.Tree // nil with --no-ignore
	seen     map[string]bool
	problems map[string]bool // reported ones: a configuration file is read for many files
	suites   bool            // collect suites of tests instead of files that hold selectors
	targets  []target
}

func newCollector(s *session, f *fileFlags) (*collector, error) {
	r, err := f.resolver(s)
	if err != nil {
		return nil, err
	}
	c := &collector{session: s, resolver: r, seen: map[string]bool{}, problems: map[string]bool{}}
	if !f.noIgnore {
		c.ignored = ignore.NewTree()
	}
	return c, nil
}

// collect returns the files that arguments and flags name, in the order of their names, each once.
func (c *collector) collect(cmd *cobra.Command, f *fileFlags, args []string) ([]target, error) {
	if f.staged && f.since != "" {
		return nil, errors.New("--staged and --since cannot be combined")
	}
	if (f.staged || f.since != "") && f.filesFrom != "" {
		return nil, errors.New("--files-from cannot be combined with --staged or --since")
	}
	if len(args) == 0 && f.filesFrom == "" && !f.staged && f.since == "" {
		args = []string{"."}
	}
	var names []string
	listed := map[string]bool{} // the names from a list
	addList := func(list []string) {
		names = append(names, list...)
		for _, name := range list {
			listed[name] = true
		}
	}
	for _, arg := range args {
		if list, ok := strings.CutPrefix(arg, "@"); ok {
			addList(c.readList(list, "\n"))
		} else {
			names = append(names, arg)
		}
	}
	switch {
	case f.staged || f.since != "":
		if len(args) > 0 && len(names) == 0 {
			break // the lists that were named are empty
		}
		changed, err := c.changedFiles(cmd.Context(), f.since, names)
		if err != nil {
			c.fail("%v", err)
		}
		for _, path := range changed {
			c.addFound(path)
		}
		names = nil
	case f.filesFrom != "":
		addList(c.readList(f.filesFrom, "\x00"))
	}
	for _, name := range names {
		c.addNamed(name, listed[name])
	}
	slices.SortFunc(c.targets, func(a, b target) int { return strings.Compare(a.name, b.name) })
	return c.targets, nil
}

// readList reads paths from a file, or from standard input for "-".
func (c *collector) readList(name, separator string) []string {
	var data []byte
	var err error
	if name == "-" {
		data, err = readAll(c.in, maxListSize)
	} else {
		data, err = atomicfile.Read(c.abs(name), maxListSize)
	}
	if err != nil {
		c.fail("cannot read the list %s: %s", visible(name), atomicfile.Reason(err))
		return nil
	}
	var names []string
	for line := range strings.SplitSeq(string(data), separator) {
		if separator == "\n" {
			line = strings.TrimSuffix(line, "\r")
		}
		if line != "" {
			names = append(names, line)
		}
	}
	return names
}

// abs returns the absolute path of a name.
func (s *session) abs(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.folder, name)
}

// name returns a path as it is shown: relative to the working folder if it is below that, or if
// that is shorter.
func (s *session) name(path string) string {
	if dir, ok := strings.CutPrefix(path, "file:"); ok && filepath.IsAbs(dir) { // of a store
		dir, id, hasID := strings.Cut(dir, "#")
		if hasID {
			id = "#" + id
		}
		return "file:" + s.name(dir) + id
	}
	if rel, err := filepath.Rel(s.folder, path); err == nil && (filepath.IsLocal(rel) || len(rel) < len(path)) {
		return rel
	}
	return path
}

// addNamed adds what the user named: a file, or the files of a folder. A file of a kind that holds
// no selectors is an error, unless it comes from a list: lists name whatever has changed.
func (c *collector) addNamed(name string, listed bool) {
	path := c.abs(name)
	if name == "" {
		c.fail("the path is empty")
		return
	}
	info, err := atomicfile.Stat(path)
	if err != nil && !listed && !(c.suites && suite.May(name)) { // a missing suite is a separate failure in the report
		c.fail("%s: %s", visible(name), atomicfile.Reason(err))
		return
	}
	cfg, ok := c.configFor(path)
	if !ok {
		return
	}
	isFolder := err == nil && info.IsDir()
	switch {
	case listed && !isFolder && !c.holds(cfg, path):
	case err != nil && !c.suites:
		c.fail("%s: %s", visible(name), atomicfile.Reason(err))
	case !isFolder:
		if t, ok := c.namedFile(name, cfg); ok {
			c.add(t)
		}
	case !c.reportIgnored(name, cfg, path, true):
		c.walk(path)
	}
}

// stdinTarget returns the target for standard input. Without a name it is a selector file in the
// working folder.
func (c *collector) stdinTarget(name string) (target, bool) {
	t := target{name: name, path: c.abs(name), host: host.SelectorFile{}}
	if name == "" {
		t.name, t.path = stdinName, filepath.Join(c.folder, "stdin.pactsel")
	}
	cfg, ok := c.configFor(t.path)
	if !ok || name == "" {
		t.config = cfg
		return t, ok
	}
	return c.namedFile(name, cfg)
}

// namedFile makes a target of a file that the user named, unless it is ignored or of an unknown
// kind.
func (c *collector) namedFile(name string, cfg *config.Config) (target, bool) {
	path := c.abs(name)
	if c.reportIgnored(name, cfg, path, false) {
		return target{}, false
	}
	h := hostFor(cfg, path)
	switch {
	case c.suites && !suite.May(name):
		c.fail("%s: not a suite of tests; suites end in %s", visible(name), strings.Join(suite.Ends, ", "))
		return target{}, false
	case h == nil && !c.suites:
		c.fail("%s: this kind of file holds no selectors; selector files end in .pactsel", visible(name))
		return target{}, false
	}
	return target{name: c.name(path), path: path, host: h, config: cfg}, true
}

// holds reports whether a file is of a kind that the verb works on.
func (c *collector) holds(cfg *config.Config, path string) bool {
	if c.suites {
		return suite.May(path)
	}
	return hostFor(cfg, path) != nil
}

// reportIgnored reports whether what the user named is excluded, with a note.
func (c *collector) reportIgnored(name string, cfg *config.Config, path string, isDir bool) bool {
	why := c.whyIgnored(cfg, path, isDir)
	if why != "" {
		c.note("%s is skipped: it is ignored by %s (--no-ignore includes it)", visible(name), why)
	}
	return why != ""
}

// addFound adds a file that was found, not named, if it holds selectors.
func (c *collector) addFound(path string) {
	info, err := atomicfile.Lstat(path)
	if err != nil {
		c.fail("%s: %s", visible(c.name(path)), atomicfile.Reason(err))
		return
	}
	if info.Mode().IsDir() || info.Mode()&fs.ModeSymlink != 0 {
		return
	}
	cfg, ok := c.configFor(path)
	if !ok || !c.takes(cfg, path) || c.whyIgnored(cfg, path, false) != "" {
		return
	}
	if !info.Mode().IsRegular() {
		c.note("%s is skipped: it is not a regular file", visible(c.name(path)))
		return
	}
	c.add(target{name: c.name(path), path: path, host: hostFor(cfg, path), config: cfg})
}

// add adds a file unless it was added before under another name.
func (c *collector) add(t target) {
	id := t.path
	if resolved, err := atomicfile.Resolve(t.path); err == nil {
		id = resolved
	}
	if !c.seen[id] {
		c.seen[id] = true
		c.targets = append(c.targets, t)
	}
}

// walk adds the files below a folder. It does not follow links: their targets are either below the
// folder anyway, or were not requested.
func (c *collector) walk(folder string) {
	entries, err := atomicfile.List(folder)
	if err != nil {
		c.fail("%s: %s", visible(c.name(folder)), atomicfile.Reason(err))
		return
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.IsDir():
			if ignore.IsRepository(e.Name()) {
				continue
			}
			if cfg, ok := c.configFor(path); ok && c.whyIgnored(cfg, path, true) == "" {
				c.walk(path)
			}
		case e.Type()&fs.ModeSymlink == 0:
			c.addFound(path)
		}
	}
}

// takes reports whether a file that was found, not named, is one to read.
func (c *collector) takes(cfg *config.Config, path string) bool {
	if c.suites {
		return suite.Is(path)
	}
	if included, decided := cfg.Included(path); decided {
		return included
	}
	return host.For(filepath.ToSlash(path)) != nil
}

// hostFor returns the host of a file. A file that the configuration includes, but whose kind no
// host knows, is a selector file.
func hostFor(cfg *config.Config, path string) host.Host {
	if h := host.For(filepath.ToSlash(path)); h != nil {
		return h
	}
	if included, _ := cfg.Included(path); included {
		return host.SelectorFile{}
	}
	return nil
}

// whyIgnored names what excludes a path, or returns "".
func (c *collector) whyIgnored(cfg *config.Config, path string, isDir bool) string {
	if c.ignored == nil {
		return ""
	}
	if source := c.ignored.Ignored(path, isDir); source != "" {
		return visible(c.name(source))
	}
	if cfg.Excluded(path, isDir) {
		return "the configuration"
	}
	return ""
}

// configFor returns the configuration of a path. When there is an error in it the path is not
// touched, and the error is reported the first time.
func (c *collector) configFor(path string) (*config.Config, bool) {
	cfg, problems := c.resolver.For(path)
	for _, p := range problems {
		key := fmt.Sprint(p.Path, p.Diagnostic.Span, p.Diagnostic.Message)
		if !c.problems[key] {
			c.problems[key] = true
			c.reportProblem(p)
		}
	}
	return cfg, len(problems) == 0
}

func (s *session) reportProblem(p config.Problem) {
	s.raise(exitFailed)
	if p.Source == "" {
		fmt.Fprintf(s.err, "%s: %s\n", s.program, s.redact(visible(s.name(p.Path))+": "+sanitize(p.Diagnostic.Message)))
		return
	}
	var b strings.Builder // the line of an argument may have a password
	s.reporter(&b, s.name(p.Path), p.Source, s.color).report(p.Diagnostic)
	fmt.Fprint(s.err, s.redact(b.String()))
}

// readAll reads a stream to its end. If the stream is over the limit, it returns what it has read
// so far and [atomicfile.ErrTooLarge].
func readAll(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = atomicfile.ErrTooLarge
	}
	return data, err
}
