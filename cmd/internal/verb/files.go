package verb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/ignore"
)

const (
	// MaxFileSize is the size over which a file is skipped.
	MaxFileSize = 10 << 20
	// StdinName is the name of standard input unless the caller gives another one.
	StdinName = "-"
	// maxListSize is the size over which a list of files is refused.
	maxListSize = 64 << 20
)

// Target is a file to work on.
type Target struct {
	Name   string // as the user sees it
	Path   string // absolute
	Host   host.Host
	Config *config.Config
}

// Collector turns the names on the command line into targets, and reports those that it cannot use.
type Collector struct {
	*Run
	resolver *config.Resolver
	ignored  *ignore.Tree // nil with --no-ignore
	seen     map[string]bool
	problems map[string]bool // reported ones: a configuration file is read for many files
	Suites   bool            // collect suites of tests instead of files that hold selectors
	targets  []Target
}

func NewCollector(run *Run, f *FileFlags) (*Collector, error) {
	r, err := f.resolver(run)
	if err != nil {
		return nil, err
	}
	c := &Collector{Run: run, resolver: r, seen: map[string]bool{}, problems: map[string]bool{}}
	if !f.NoIgnore {
		c.ignored = ignore.NewTree()
	}
	return c, nil
}

// Collect returns the files that arguments and flags name, in the order of their names, each once.
func (c *Collector) Collect(cmd *cobra.Command, f *FileFlags, args []string) ([]Target, error) {
	if f.Staged && f.Since != "" {
		return nil, errors.New("--staged and --since cannot be combined")
	}
	if (f.Staged || f.Since != "") && f.FilesFrom != "" {
		return nil, errors.New("--files-from cannot be combined with --staged or --since")
	}
	if len(args) == 0 && f.FilesFrom == "" && !f.Staged && f.Since == "" {
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
	case f.Staged || f.Since != "":
		if len(args) > 0 && len(names) == 0 {
			break // the lists that were named are empty
		}
		changed, err := c.changedFiles(cmd.Context(), f.Since, names)
		if err != nil {
			c.FailGit(err)
		}
		for _, path := range changed {
			c.addFound(path)
		}
		names = nil
	case f.FilesFrom != "":
		addList(c.readList(f.FilesFrom, "\x00"))
	}
	for _, name := range names {
		c.addNamed(name, listed[name])
	}
	slices.SortFunc(c.targets, func(a, b Target) int { return strings.Compare(a.Name, b.Name) })
	return c.targets, nil
}

// readList reads paths from a file, or from standard input for "-".
func (c *Collector) readList(name, separator string) []string {
	var data []byte
	var err error
	if name == "-" {
		data, err = readAll(c.In, maxListSize)
	} else {
		data, err = atomicfile.Read(c.Abs(name), maxListSize)
	}
	if err != nil {
		c.Fail("cannot read the list %s: %s", Visible(name), atomicfile.Reason(err))
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

// Abs returns the absolute path of a name.
func (r *Run) Abs(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(r.Folder, name)
}

// Name returns a path as it is shown: relative to the working folder if it is below that, or if
// that is shorter.
func (r *Run) Name(path string) string {
	if dir, ok := strings.CutPrefix(path, "file:"); ok && filepath.IsAbs(dir) { // of a store
		dir, id, hasID := strings.Cut(dir, "#")
		if hasID {
			id = "#" + id
		}
		return "file:" + r.Name(dir) + id
	}
	if rel, err := filepath.Rel(r.Folder, path); err == nil && (filepath.IsLocal(rel) || len(rel) < len(path)) {
		return rel
	}
	return path
}

// addNamed adds what the user named: a file, or the files of a folder. A file of a kind that holds
// no selectors is an error, unless it comes from a list: lists name whatever has changed.
func (c *Collector) addNamed(name string, listed bool) {
	path := c.Abs(name)
	if name == "" {
		c.Fail("the path is empty")
		return
	}
	info, err := atomicfile.Stat(path)
	if err != nil && !listed && !(c.Suites && suite.May(name)) { // a missing suite is a separate failure in the report
		c.FailFile(name, err)
		return
	}
	cfg, ok := c.ConfigFor(path)
	if !ok {
		return
	}
	isFolder := err == nil && info.IsDir()
	switch {
	case listed && !isFolder && !c.holds(cfg, path):
	case err != nil && !c.Suites:
		c.FailFile(name, err)
	case !isFolder:
		if t, ok := c.namedFile(name, cfg); ok {
			c.add(t)
		}
	case !c.reportIgnored(name, cfg, path, true):
		c.walk(path)
	}
}

// StdinTarget returns the target for standard input. Without a name it is a selector file in the
// working folder.
func (c *Collector) StdinTarget(name string) (Target, bool) {
	t := Target{Name: name, Path: c.Abs(name), Host: host.SelectorFile{}}
	if name == "" {
		t.Name, t.Path = StdinName, filepath.Join(c.Folder, "stdin.pactsel")
	}
	cfg, ok := c.ConfigFor(t.Path)
	if !ok || name == "" {
		t.Config = cfg
		return t, ok
	}
	return c.namedFile(name, cfg)
}

// namedFile makes a target of a file that the user named, unless it is ignored or of an unknown
// kind.
func (c *Collector) namedFile(name string, cfg *config.Config) (Target, bool) {
	path := c.Abs(name)
	if c.reportIgnored(name, cfg, path, false) {
		return Target{}, false
	}
	h := cfg.Host(path)
	switch {
	case !c.Suites && cfg.IsBaseline(path):
		c.Note("%s is skipped: it is a baseline", Visible(name))
		return Target{}, false
	case c.Suites && !c.holds(cfg, path) && filepath.Base(path) == config.FileName:
		c.Fail("%s: no rule has an example to test; bad and good of a rule list them", Visible(name))
		return Target{}, false
	case c.Suites && !c.holds(cfg, path):
		c.Fail("%s: not a suite of tests; suites end in %s", Visible(name), strings.Join(suite.Ends, ", "))
		return Target{}, false
	case h == nil && !c.Suites:
		c.Fail("%s: this kind of file holds no selectors; selector files end in .pactsel", Visible(name))
		return Target{}, false
	}
	return Target{Name: c.Name(path), Path: path, Host: h, Config: cfg}, true
}

// holds reports whether a file is of a kind that the verb works on.
func (c *Collector) holds(cfg *config.Config, path string) bool {
	if c.Suites {
		return suite.May(path) || cfg.Tests(path)
	}
	return cfg.Host(path) != nil
}

// reportIgnored reports whether what the user named is excluded, with a note.
func (c *Collector) reportIgnored(name string, cfg *config.Config, path string, isDir bool) bool {
	why := c.whyIgnored(cfg, path, isDir)
	if why != "" {
		c.Note("%s is skipped: it is ignored by %s (--no-ignore includes it)", Visible(name), why)
	}
	return why != ""
}

// addFound adds a file that was found, not named, if it holds selectors.
func (c *Collector) addFound(path string) {
	info, err := atomicfile.Lstat(path)
	if err != nil {
		c.FailFile(c.Name(path), err)
		return
	}
	if info.Mode().IsDir() { // git names no other folders
		c.Note("%s is a submodule: what changed in it is checked in its folder", Visible(c.Name(path)))
		return
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return
	}
	cfg, ok := c.ConfigFor(path)
	if !ok || !c.takes(cfg, path) || c.whyIgnored(cfg, path, false) != "" {
		return
	}
	if !info.Mode().IsRegular() {
		c.Note("%s is skipped: it is not a regular file", Visible(c.Name(path)))
		return
	}
	c.add(Target{Name: c.Name(path), Path: path, Host: cfg.Host(path), Config: cfg})
}

// add adds a file unless it was added before under another name.
func (c *Collector) add(t Target) {
	id := t.Path
	if resolved, err := atomicfile.Resolve(t.Path); err == nil {
		id = resolved
	}
	if !c.seen[id] {
		c.seen[id] = true
		c.targets = append(c.targets, t)
	}
}

// walk adds the files below a folder. It does not follow links: their targets are either below the
// folder anyway, or were not requested.
func (c *Collector) walk(folder string) {
	entries, err := atomicfile.List(folder)
	if err != nil {
		c.FailFile(c.Name(folder), err)
		return
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.IsDir():
			if ignore.IsRepository(e.Name()) {
				continue
			}
			if cfg, ok := c.ConfigFor(path); ok && c.whyIgnored(cfg, path, true) == "" {
				c.walk(path)
			}
		case e.Type()&fs.ModeSymlink == 0:
			c.addFound(path)
		}
	}
}

// takes reports whether a file that was found, not named, is one to read.
func (c *Collector) takes(cfg *config.Config, path string) bool {
	if c.Suites {
		return suite.Is(path) || cfg.Tests(path)
	}
	return cfg.Takes(path)
}

// whyIgnored names what excludes a path, or returns "".
func (c *Collector) whyIgnored(cfg *config.Config, path string, isDir bool) string {
	if c.ignored == nil {
		return ""
	}
	if source := c.ignored.Ignored(path, isDir); source != "" {
		return Visible(c.Name(source))
	}
	if cfg.Excluded(path, isDir) {
		return "the configuration"
	}
	return ""
}

// ConfigFor returns the configuration of a path. When there is an error in it the path is not
// touched, and the error is reported the first time.
func (c *Collector) ConfigFor(path string) (*config.Config, bool) {
	cfg, problems := c.resolver.For(path)
	for _, p := range problems {
		key := fmt.Sprint(p.Path, p.Diagnostic.Span, p.Diagnostic.Message)
		if !c.problems[key] {
			c.problems[key] = true
			c.ReportProblem(p)
		}
	}
	return cfg, len(problems) == 0
}

// ReportProblem reports an error of a configuration.
func (r *Run) ReportProblem(p config.Problem) {
	r.Raise(ExitFailed)
	r.Problems = append(r.Problems, p)
	message := r.redact(Visible(r.Name(p.Path)) + ": " + Sanitize(p.Diagnostic.Message))
	r.Reasons = append(r.Reasons, message)
	if p.Source == "" {
		fmt.Fprintf(r.Err, "%s: %s [%s]\n", r.Program, message, p.Diagnostic.Code)
		return
	}
	var b strings.Builder // the line of an argument may have a password
	r.Reporter(&b, r.Name(p.Path), p.Source, r.Color).Report(p.Diagnostic)
	fmt.Fprint(r.Err, r.redact(b.String()))
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

const TooLarge = "it is larger than 10 MB"

// IsBinary looks for a NUL byte near the start, as git does.
func IsBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0
}
