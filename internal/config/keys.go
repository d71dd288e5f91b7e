// Package config reads the configuration of a file: the .pactkit.toml files in the folders above
// it, the files they extend, and the settings of the command line.
package config

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/internal/redact"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/policy"
)

// FileName is the name of a configuration file.
const FileName = ".pactkit.toml"

// Type is the type of a key's value.
type Type uint8

// The types of value.
const (
	Bool        Type = iota
	Enum             // one of [Key.Values]
	Paths            // a path, or a list of paths
	Patterns         // a list of patterns as in an ignore file, relative to the folder of the configuration file
	Texts            // a list of texts, each checked by [Key.Check]
	Prices           // a table of the prices of models
	Windows          // a table of the windows of models
	Text             // a text, checked by [Key.Check]
	Policy           // a policy
	TextOrTexts      // a text, or a list of texts
	Examples         // a list of examples of a rule
	Rules            // a table of the rules of the project, by name
	Count            // a number of tokens or nodes
	CountOrText      // a number of tokens, or the name of a model
	Amount           // a price
	Tables           // a list of tables
)

func (t Type) String() string {
	return [...]string{"true or false", "one of", "a path or a list of paths", "a list of patterns", "a list of texts",
		"a table of models, each with input, output, cache-read, cache-write and cache-write-1h", "a table of models, each with a number of tokens", "a text", "a table", "a text or a list of texts", "a list of selectors, or of tables with selector, found and fixed", "a table of rules", "a whole number that is not negative", "a number of tokens, or the name of a model", "a number that is not negative", "a list"}[t]
}

// Key describes one setting. The reader, the config verb and the reference know settings from the
// table of keys only; to add a setting, add a row.
type Key struct {
	Name     string // with its table: "format.style"
	Type     Type
	Values   []string           // the values of an Enum
	Default  any                // bool, string, []string, prices.Table, prices.Windows or *policy.Policy
	Check    func(string) error // returns what is wrong with a text, for Text and Texts
	PerPath  bool               // whether it is allowed in [[overrides]]
	FileOnly bool               // whether it is about the configuration file itself, and not a setting
	Doc      string             // full sentences
	Members  []Key              // the keys of a table, or of each table in it
	Words    iter.Seq[string]   // the words that a text can be, for Texts
	Pattern  string             // a regular expression that texts match, besides Words, as far as one can say what Check takes
}

// somePattern matches texts that are not empty, pathPattern paths.
const (
	somePattern = `[\s\S]`
	pathPattern = `^[^\n\r\x00]+$`
)

var keys = []Key{
	{Name: "root", Type: Bool, Default: false, FileOnly: true,
		Doc: "Stops the search: configuration files in the folders above are not read."},
	{Name: "extends", Type: Paths, Default: []string{}, FileOnly: true,
		Doc: "Configuration files to extend, relative to this one. Later ones override earlier ones, and this file overrides them all."},
	{Name: "edition", Type: Enum, Values: []string{"1.0", "0.1"}, Default: "1.0", PerPath: true,
		Doc: "The revision of the PACT specification that selectors are written in."},
	{Name: "include", Type: Patterns, Default: []string{},
		Doc: "The files to read when a folder is searched; by default, all files whose kind is known from their name. An included file of unknown kind is read as a selector file."},
	{Name: "exclude", Type: Patterns, Default: []string{},
		Doc: "Files and folders to ignore, even if they are named as arguments."},
	{Name: "fixtures", Type: Paths, Default: []string{},
		Doc: "Recorded contexts that selectors are compared with: they show which types, tags, keys and attributes exist, and what a selector finds. Histories, journals, and logs of any source; `FILE#NAME` is one session of a file, `file:DIR#ID` or `postgres://user@host/database#ID` a history of a store. Relative to the configuration file."},
	{Name: "prices", Type: Prices, Default: prices.Table{}, Members: priceKeys,
		Doc: "What a million tokens of a model cost, instead of the prices in US dollars that pactkit knows: `[prices.\"NAME\"]` with `input`, `output`, `cache-read`, `cache-write` and `cache-write-1h`. `NAME` is a model; a provider before it (`anthropic/`) and a version after it (`-20250514`, `-latest`, or what follows a colon or @) may be left out, and the longest name that matches is used. Without `cache-read` or `cache-write`, these tokens cost what `input` does, and without `cache-write-1h`, for tokens written to be kept for an hour, what `cache-write` does."},
	{Name: "windows", Type: Windows, Default: prices.Windows{},
		Doc: "How many tokens a model can take, instead of what the log says and what pactkit knows: `NAME = 200_000` below `[windows]`, with names as in `prices`."},
	{Name: "policy", Type: Policy, Default: (*policy.Policy)(nil), Members: policyKeys,
		Doc: "How a context is kept within the window of a model: `window`, `reserve`, `keep-first`, `keep-last`, `min-gain`, `nodes`, and the steps, each in a table `[[policy.step]]`. `pactkit policy try` shows what it would have done to a recorded session. [Policies](policy.md) has all of it."},
	{Name: "rules", Type: Rules, Default: []projectRule(nil), Members: ruleKeys,
		Doc: "The rules of the project: `[rules.NAME]` declares the rule `project/NAME`. Files in folders above may declare other rules, and a rule of the same name replaces theirs. [Custom rules](../custom-rules.md) shows how to write one."},
	{Name: "format.style", Type: Enum, Values: []string{"auto", "canonical", "compact"}, Default: "auto", PerPath: true,
		Doc: "How the formatter prints selectors: in canonical form, or in the shortest equivalent spelling. `auto` is canonical in selector files and on standard input, and compact in strings of other files."},
	{Name: "record.max-age", Type: Text, Default: "30d", Check: checkAge, Pattern: agePattern,
		Doc: "How long recordings are kept, in days (`d`) or hours (`h`); `0` keeps them. Older ones are removed when `pactkit record` begins a new one."},
	{Name: "record.max-size", Type: Text, Default: "5GB", Check: checkSize, Pattern: sizePattern,
		Doc: "How large all recordings together may become, in `MB` or `GB`; `0` sets no limit. The oldest ones are removed when `pactkit record` begins a new one."},
	{Name: "lint.error", Type: Texts, Default: []string{}, PerPath: true, Check: checkRule, Words: lint.Names(), Pattern: `^project(/|$)`,
		Doc: "Rules whose findings are errors. A rule is named by its id, by its category, or by \"all\"; an id overrides a category, and a category overrides \"all\". `pactkit rules` lists them."},
	{Name: "lint.warning", Type: Texts, Default: []string{}, PerPath: true, Check: checkRule, Words: lint.Names(), Pattern: `^project(/|$)`,
		Doc: "Rules whose findings are warnings."},
	{Name: "lint.info", Type: Texts, Default: []string{}, PerPath: true, Check: checkRule, Words: lint.Names(), Pattern: `^project(/|$)`,
		Doc: "Rules whose findings are informational."},
	{Name: "lint.off", Type: Texts, Default: []string{}, PerPath: true, Check: checkRule, Words: lint.Names(), Pattern: `^project(/|$)`,
		Doc: "Rules that are not applied."},
	{Name: "lint.fail-level", Type: Enum, Values: []string{"error", "warning", "info"}, Default: "warning",
		Doc: "The lowest level at which a finding makes the exit code 1."},
	{Name: "lint.baseline", Type: Paths, Default: []string{},
		Doc: "Files of known findings, which are not reported; `pactkit baseline write` makes one. Relative to the configuration file."},
	{Name: "known.types", Type: Texts, Default: []string{}, PerPath: true, Check: checkWord, Pattern: somePattern,
		Doc: "Node types that trees have, besides those in fixtures."},
	{Name: "known.tags", Type: Texts, Default: []string{}, PerPath: true, Check: checkWord, Pattern: somePattern,
		Doc: "Tags that trees have, besides those in fixtures."},
	{Name: "known.keys", Type: Texts, Default: []string{}, PerPath: true, Check: checkWord, Pattern: somePattern,
		Doc: "Keys that trees have, besides those in fixtures."},
	{Name: "known.attributes", Type: Texts, Default: []string{}, PerPath: true, Check: checkWord, Pattern: somePattern,
		Doc: "Custom attributes that trees have, besides those in fixtures."},
	{Name: "known.controls", Type: Texts, Default: []string{}, PerPath: true, Check: checkWord, Pattern: somePattern,
		Doc: "Controls that the evaluator's caller knows, besides those of the language."},
	{Name: filesName, Type: Paths, Default: []string{}, PerPath: true,
		Doc: "Vocabularies: files with lists `types`, `tags`, `keys`, `attributes` and `controls`, which count like those in `[known]`, and `closed`. `pactkit vocabulary` writes one. Relative to the configuration file."},
	{Name: closedName, Type: Bool, Default: true, PerPath: true,
		Doc: "Whether the lists, the vocabularies and the fixtures name all words. If not, an unknown word is a finding only if it is close to a known one. By default, the vocabularies decide."},
	{Name: "redact.patterns", Type: Texts, Default: []string{}, Check: redact.CheckPattern, Pattern: somePattern,
		Doc: "Regular expressions (RE2) for what `--redact` replaces, besides the keys, tokens and addresses that it knows. If one has a group, only the first group is replaced."},
	{Name: "redact.names", Type: Texts, Default: []string{}, Check: checkWord, Pattern: somePattern,
		Doc: "Names of people, machines and projects that `--redact` replaces, in upper and lower case."},
	{Name: "redact.allow", Type: Texts, Default: []string{}, Check: redact.CheckPattern, Pattern: somePattern,
		Doc: "Regular expressions for texts that `--redact` keeps, although they look like a secret. They must match the whole text."},
	{Name: "redact.off", Type: Texts, Default: []string{}, Check: redact.CheckKind, Words: redact.Kinds,
		Doc: "Kinds that `--redact` does not look for: ids of the rules of gitleaks, such as `generic-api-key`; `addresses`, which are `email`, `ip` and `home-folder`; `credential`, `basic`, `bearer`, `model-key`, `service-token`, `password-hash`, `url-password` and `card`."},
	extractKey("calls", "Calls with a selector among their arguments: `NAME`, `RECEIVER.NAME` or `*.NAME`, and in parentheses the argument, by number or name; of several, the first that is a string counts. A `?` at the end marks a name that other libraries use too: such a string counts only as far as something else shows that it is a selector."),
	extractKey("positions", "Calls with an insertion position among their arguments, written like `extract.calls`."),
	extractKey("targets", "Calls with a selector that names the target of a mutation among their arguments, written like `extract.calls`."),
	extractKey("tags", "Names before a template literal that is a selector."),
	extractKey("comments", "Texts of a comment that mark the following string as a selector."),
	extractKey("keys", "Paths of selectors in JSON, YAML and TOML: the last keys, joined by dots, with `[]` after the key of a list, and a `?` at the end as in `extract.calls`."),
	extractKey("fences", "Languages of code blocks that contain selectors, one per line."),
	extractKey("imports", "Modules, by their path or a part of it, that count as modules of PACT: what their functions return is what selectors are run on."),
	extractKey("only-with", "Calls, positions, targets and keys count only in a file that contains one of these texts at the start of a word. If the list is empty, they count everywhere."),
}

// checkWord rejects text that cannot be a word of a tree.
func checkWord(text string) error {
	if text == "" {
		return errors.New("a word must not be empty")
	}
	return nil
}

// checkRule rejects text that does not name a rule.
func checkRule(name string) error {
	if len(lint.Named(name)) > 0 || isProjectRule(name) {
		return nil
	}
	if near := names.Nearest(name, lint.Names()); near != "" {
		return fmt.Errorf("there is no rule and no category %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("there is no rule and no category %q", name)
}

// extractKey is the row of a list of patterns, whose defaults are those of package host.
func extractKey(name, doc string) Key {
	p := host.DefaultPatterns()
	return Key{Name: extractTable + name, Type: Texts, Default: *patternsOf(&p, name), PerPath: true, Doc: doc, Pattern: somePattern,
		Check: func(text string) error {
			var one host.Patterns
			*patternsOf(&one, name) = []string{text}
			_, err := host.NewMarkers(one)
			return err
		}}
}

const extractTable = "extract."

// patternsOf is the list of patterns that a key of the table [extract] sets.
func patternsOf(p *host.Patterns, name string) *[]string {
	return map[string]*[]string{
		"calls": &p.Calls, "positions": &p.Positions, "targets": &p.Targets, "tags": &p.Tags, "comments": &p.Comments,
		"keys": &p.Keys, "fences": &p.Fences, "imports": &p.Imports, "only-with": &p.OnlyWith,
	}[name]
}

// nearestKey returns the name of the key that is most like a word, or "".
func nearestKey(word string, list []Key) string {
	return names.Nearest(word, func(yield func(string) bool) {
		for _, k := range list {
			if !yield(k.Name) {
				return
			}
		}
	})
}

// Keys yields the settings in their order of presentation.
func Keys() iter.Seq[Key] { return slices.Values(keys) }

// The words of an [[overrides]] table.
const (
	overridesName = "overrides"
	pathsName     = "paths"
)

// OverridesDoc documents the [[overrides]] tables.
const OverridesDoc = "Settings for some files only: `paths` is a list of patterns as in an ignore file, and the other keys apply to the files that match. Later tables override earlier ones."

// Lookup returns the row of a key; it panics for an unknown name, because names are constants of
// the program.
func Lookup(name string) Key { return *findKey(name) }

func findKey(name string) *Key {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return &keys[i]
}
