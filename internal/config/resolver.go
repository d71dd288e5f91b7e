package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/policy"
	"github.com/pactkit/pactkit/store"
)

// maxFileSize is the size over which a configuration file is refused.
const maxFileSize = 1 << 20

// maxExtends is the number of files that one file may extend, directly or indirectly.
const maxExtends = 64

// Options say which configuration applies.
type Options struct {
	Folder   string   // the working folder, absolute: values of the command line are relative to it
	Isolated bool     // read no configuration file
	Args     []string // of --config: a file that is read instead of those found, or "key=value"
	// Allow reports whether a configuration file in a folder may extend the file at a path; nil
	// allows every file.
	Allow func(folder, path string) bool
	// Unsaved is the text of files that differ from those on disk, by path.
	Unsaved map[string]string
}

// Resolver resolves the configuration of files. It reads every configuration file once and is safe
// for concurrent use.
type Resolver struct {
	auto    bool // look for files in the folders above
	options Options
	given   []*document // of --config FILE
	command *document   // of --config key=value
	args    []Problem

	mu      sync.Mutex
	folders map[string]layers
	markers *markerCache
}

// layers are documents, later ones overriding earlier ones.
type layers struct {
	documents []*document
	problems  []Problem
}

var assignment = regexp.MustCompile(`^[A-Za-z_-]+(\.[A-Za-z_-]+)*\s*=`)

// NewResolver reads the settings of the command line. [Resolver.For] reports errors in them, for
// every file.
func NewResolver(o Options) *Resolver {
	r := &Resolver{auto: !o.Isolated, options: o, folders: map[string]layers{}, markers: &markerCache{made: map[string]*host.Markers{}}}
	r.command = &document{path: "--config", folder: o.Folder, settings: map[string]setting{}}
	for _, arg := range o.Args {
		if !IsFile(arg) {
			r.assign(arg)
			continue
		}
		r.auto = false
		path := arg
		if !filepath.IsAbs(path) {
			path = filepath.Join(o.Folder, path)
		}
		l := (&loader{Options: r.options}).load(path, true)
		r.given = append(r.given, l.documents...)
		r.args = append(r.args, l.problems...)
	}
	return r
}

// IsFile reports whether an argument of --config names a file rather than setting a key.
func IsFile(arg string) bool { return !assignment.MatchString(arg) }

// assign reads key=value. A value that is not TOML is a string, so it needs no second pair of
// quotes.
func (r *Resolver) assign(arg string) {
	text := arg
	if _, d := parseTOML(arg); d != nil {
		name, value, _ := strings.Cut(arg, "=")
		text = fmt.Sprintf("%s=%q", name, strings.TrimSpace(value))
	} else if name, value, _ := strings.Cut(arg, "="); isEnum(name) && !strings.ContainsAny(value, `"'[{`) {
		text = fmt.Sprintf("%s=%q", name, strings.TrimSpace(value)) // edition=1.0 is not a number
	}
	doc, problems := readDocument("--config "+arg, r.options.Folder, text)
	for i := range problems {
		problems[i].Path, problems[i].Source = "--config", arg
		problems[i].Diagnostic.Span = clamp(problems[i].Diagnostic.Span, len(arg))
	}
	r.args = append(r.args, problems...)
	r.args = append(r.args, (&loader{Options: r.options}).readVocabularies(doc)...)
	r.command.named = append(r.command.named, doc.named...)
	for name, s := range doc.settings {
		if k := findKey(name); k.FileOnly {
			r.args = append(r.args, Problem{Path: "--config", Source: arg, Diagnostic: diag.Diagnostic{
				Span: ast.Span{Start: 0, End: len(name)}, Message: name + " can only stand in a configuration file",
			}})
			continue
		}
		s.origin = Origin{Path: "--config"}
		r.command.settings[name] = s
	}
}

func isEnum(name string) bool {
	k := findKey(strings.TrimSpace(name))
	return k != nil && k.Type == Enum
}

func clamp(s ast.Span, size int) ast.Span {
	return ast.Span{Start: min(s.Start, size), End: min(s.End, size)}
}

// For returns the configuration of a file, or of a folder's own entry; the path is absolute and
// clean and need not exist. If there are problems, the configuration must not be used.
func (r *Resolver) For(path string) (*Config, []Problem) {
	documents, problems := r.given, r.args
	if r.auto {
		r.mu.Lock()
		found := r.above(filepath.Dir(path))
		r.mu.Unlock()
		documents = found.documents
		problems = slices.Concat(problems, found.problems)
	}
	if len(problems) > 0 {
		return nil, coded(problems)
	}
	c := &Config{settings: map[string]setting{}, markers: r.markers}
	for _, k := range keys {
		c.settings[k.Name] = setting{data: k.Default}
	}
	documents = slices.Concat(documents, []*document{r.command})
	for _, d := range documents {
		c.apply(d, path)
	}
	if problems = c.checkNames(documents); len(problems) > 0 {
		return nil, coded(problems)
	}
	return c, nil
}

// coded returns problems with the code and the severity that all have.
func coded(problems []Problem) []Problem {
	problems = slices.Clone(problems)
	for i := range problems {
		d := &problems[i].Diagnostic
		d.Code, d.Severity = diag.Config, diag.Error
	}
	return problems
}

// above collects the documents that apply to the entries of a folder, the farthest first.
func (r *Resolver) above(folder string) layers {
	if l, ok := r.folders[folder]; ok {
		return l
	}
	l := (&loader{Options: r.options}).load(filepath.Join(folder, FileName), false)
	if parent := filepath.Dir(folder); parent != folder && !l.isRoot() {
		up := r.above(parent)
		l.documents = slices.Concat(up.documents, l.documents)
		l.problems = slices.Concat(up.problems, l.problems)
	}
	r.folders[folder] = l
	return l
}

// isRoot reports whether the file that was loaded, the last of the documents, stops the search.
func (l layers) isRoot() bool {
	if len(l.documents) == 0 {
		return false
	}
	root, _ := l.documents[len(l.documents)-1].settings["root"].data.(bool)
	return root
}

// loader follows the extends of one file.
type loader struct {
	Options
	trail []string // the files that led to the one being read
	read  int      // files read so far
}

// text reads a file, unless its unsaved text is known.
func (ld *loader) text(path string) (string, error) {
	if src, ok := ld.Unsaved[path]; ok {
		return src, nil
	}
	data, err := atomicfile.Read(path, maxFileSize)
	return string(data), err
}

// load reads a configuration file and those it extends. A required file that does not exist is a
// problem.
func (ld *loader) load(path string, must bool) layers {
	src, err := ld.text(path)
	if errors.Is(err, fs.ErrNotExist) && !must {
		return layers{}
	}
	if err != nil {
		return layers{problems: []Problem{{Path: path, Diagnostic: diag.Diagnostic{Message: "cannot read the configuration: " + atomicfile.Reason(err)}}}}
	}
	doc, problems := readDocument(path, filepath.Dir(path), src)
	l := layers{problems: append(problems, ld.readVocabularies(doc)...)}
	ld.read++
	ld.trail = append(ld.trail, path)
	bases, _ := doc.settings["extends"].data.([]string)
	for _, b := range bases {
		base := filepath.FromSlash(b)
		if !filepath.IsAbs(base) {
			base = filepath.Join(doc.folder, base)
		}
		if slices.Contains(ld.trail, base) {
			l.problems = append(l.problems, extendsProblem(doc, src, fmt.Sprintf("extends %q forms a cycle", b)))
			continue
		}
		if ld.Allow != nil && !ld.Allow(doc.folder, base) {
			l.problems = append(l.problems, extendsProblem(doc, src, fmt.Sprintf("extends %q is outside the workspace", b)))
			continue
		}
		if ld.read > maxExtends {
			l.problems = append(l.problems, extendsProblem(doc, src, fmt.Sprintf("more than %d files extend each other", maxExtends)))
			break
		}
		below := ld.load(base, true)
		l.documents = append(l.documents, below.documents...)
		l.problems = append(l.problems, below.problems...)
	}
	ld.trail = ld.trail[:len(ld.trail)-1]
	l.documents = append(l.documents, doc)
	return l
}

func extendsProblem(doc *document, src, message string) Problem {
	at := ast.NewLines(src).Start(doc.settings["extends"].origin.Line - 1)
	return Problem{Path: doc.path, Source: src, Diagnostic: diag.Diagnostic{Span: ast.Span{Start: at, End: at + len("extends")}, Message: message}}
}

// Config is the configuration of one file.
type Config struct {
	settings map[string]setting
	markers  *markerCache
}

// apply lets a document override the ones before it.
func (c *Config) apply(d *document, path string) {
	declared := c.declared()
	maps.Copy(c.settings, d.settings)
	if s, ok := d.settings[rulesName]; ok {
		s.data = mergeRules(declared, s.data.([]projectRule))
		c.settings[rulesName] = s
	}
	rel, below := relative(d.folder, path)
	if !below {
		return
	}
	for _, o := range d.overrides {
		if o.paths.Covers(rel, false) {
			maps.Copy(c.settings, o.settings)
		}
	}
}

// Edition is the edition that selectors are written in.
func (c *Config) Edition() ast.Edition {
	e, _ := ast.ParseEdition(c.text("edition"))
	return e
}

// Style is the name of the formatter's style: "canonical", "compact" or "auto", which package check
// resolves for a host.
func (c *Config) Style() string { return c.text("format.style") }

// FailLevel is the level from which on findings make a run fail.
func (c *Config) FailLevel() lint.Level {
	l, _ := lint.ParseLevel(c.text("lint.fail-level"))
	return l
}

// Level is the level of a rule: its own unless a list names it. If several lists name it, the most
// specific wins; among equally specific ones the last in the order error, warning, info, off.
func (c *Config) Level(r *lint.Rule) lint.Level {
	level, best := r.Level, 0
	for _, l := range []lint.Level{lint.Error, lint.Warning, lint.Info, lint.Off} {
		for _, name := range c.list("lint." + l.String()) {
			exact := 0
			switch name {
			case r.ID:
				exact = 3
			case r.Category():
				exact = 2
			case "all":
				if r.Level != lint.Off || l == lint.Off { // a rule that is off is asked for by name
					exact = 1
				}
			}
			if exact > 0 && exact >= best {
				level, best = l, exact
			}
		}
	}
	return level
}

// Fixtures lists the recorded contexts: absolute paths, such paths with #NAME for one session of a
// file, and addresses of histories in stores.
func (c *Config) Fixtures() []string { return c.paths("fixtures") }

// Baseline lists the files of known findings, absolute.
func (c *Config) Baseline() []string { return c.paths("lint.baseline") }

// paths are the values of a key, from the folder of the file that sets it.
func (c *Config) paths(name string) []string {
	s := c.settings[name]
	var out []string
	for _, p := range c.list(name) {
		out = append(out, sessions.Rooted(p, s.folder))
	}
	return out
}

func (c *Config) list(name string) []string {
	l, _ := c.settings[name].data.([]string)
	return l
}

// Markers say what is a selector in a file of another kind.
func (c *Config) Markers() *host.Markers {
	var space [2 << 10]byte
	text := space[:0] // of all lists, unambiguously
	for i := range keys {
		if !strings.HasPrefix(keys[i].Name, extractTable) {
			continue
		}
		for _, pattern := range c.list(keys[i].Name) {
			text = strconv.AppendInt(text, int64(len(pattern)), 10)
			text = append(append(text, ':'), pattern...)
		}
		text = append(text, ';')
	}
	c.markers.mu.Lock()
	defer c.markers.mu.Unlock()
	if m := c.markers.made[string(text)]; m != nil {
		return m
	}
	var p host.Patterns
	for _, k := range keys {
		if name, ok := strings.CutPrefix(k.Name, extractTable); ok {
			*patternsOf(&p, name) = c.list(k.Name)
		}
	}
	m, _ := host.NewMarkers(p) // every pattern was checked when it was read
	c.markers.made[string(text)] = m
	return m
}

// markerCache has markers by the text of the lists from which they were made. Files share a few
// configurations; making markers takes 50 µs, and finding them 1 µs.
type markerCache struct {
	mu   sync.Mutex
	made map[string]*host.Markers
}

func (c *Config) text(name string) string {
	s, _ := c.settings[name].data.(string)
	return s
}

// Included reports whether a file is to be read when a folder is searched; decided is false if the
// configuration does not decide that.
func (c *Config) Included(path string) (included, decided bool) {
	s := c.settings["include"]
	if s.patterns.Empty() {
		return false, false
	}
	return s.covers(path, false), true
}

// IsOwn reports whether a file belongs to pactkit itself, such as a configuration.
func IsOwn(path string) bool { return strings.HasPrefix(filepath.Base(path), ".pactkit") }

// IsBaseline reports whether a file holds known findings. Whatever its name, it holds no selectors.
func (c *Config) IsBaseline(path string) bool { return slices.Contains(c.Baseline(), path) }

// Host returns the host of a file, or nil if nothing in the file is a selector. A file that is
// included, but whose kind no host knows, is a selector file.
func (c *Config) Host(path string) host.Host {
	if IsOwn(path) || c.IsBaseline(path) {
		return nil
	}
	if h := host.For(filepath.ToSlash(path)); h != nil {
		return h
	}
	if included, _ := c.Included(path); included {
		return host.SelectorFile{}
	}
	return nil
}

// Takes reports whether a file is read when a folder is searched.
func (c *Config) Takes(path string) bool {
	included, decided := c.Included(path)
	return (included || !decided) && c.Host(path) != nil
}

// Excluded reports whether a file or folder, or a folder above it, is to be ignored.
func (c *Config) Excluded(path string, isDir bool) bool {
	return c.settings["exclude"].covers(path, isDir)
}

func (s setting) covers(path string, isDir bool) bool {
	rel, ok := relative(s.folder, path)
	return ok && s.patterns.Covers(rel, isDir)
}

// Literal is the value of a key as it would be written in a configuration file, without passwords,
// and where it was set.
func (c *Config) Literal(k Key) (string, Origin) {
	s := c.settings[k.Name]
	if list, ok := s.data.([]string); ok {
		list = slices.Clone(list)
		for i, text := range list {
			list[i] = store.Redacted(text) // a fixture in a store
		}
		return Literal(list), s.origin
	}
	return Literal(s.data), s.origin
}

// Literal writes the value of a key as TOML does.
func Literal(value any) string {
	switch v := value.(type) {
	case prices.Table:
		return literalPrices(v)
	case prices.Windows:
		return literalWindows(v)
	case *policy.Policy:
		return literalPolicy(v)
	case []projectRule:
		return literalRules(v)
	case string:
		return quoteTOML(v)
	case []string:
		quoted := make([]string, len(v))
		for i, e := range v {
			quoted[i] = quoteTOML(e)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return fmt.Sprint(value)
}

// quoteTOML writes a basic string: JSON strings are a subset of them, except for the character
// U+007F.
func quoteTOML(s string) string {
	return strings.ReplaceAll(string(canonjson.EncodeLine(s)), "\x7f", `\u007f`)
}
