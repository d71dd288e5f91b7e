// Package config reads the configuration of a file: the .pactkit.toml files in the folders above it, what they
// extend, and what the command line says.
package config

import (
	"iter"
	"slices"
)

// FileName is the name of a configuration file.
const FileName = ".pactkit.toml"

// Type is the type of a key's value.
type Type uint8

// The types of value.
const (
	Bool     Type = iota
	Enum          // one of [Key.Values]
	Paths         // a path, or a list of paths
	Patterns      // a list of patterns as in an ignore file, relative to the folder of the configuration file
	Words         // a list of words
	Rules         // a list of rules, categories of rules, or "all"
)

func (t Type) String() string {
	return [...]string{"true or false", "one of", "a path or a list of paths", "a list of patterns", "a list of words", "a list of rules"}[t]
}

// Key describes one setting. The table of keys is all that the reader, the config verb and the reference know
// about a setting; a new one is a row there.
type Key struct {
	Name     string // with the table it stands in: "format.style"
	Type     Type
	Values   []string // of Enum
	Default  any      // bool, string or []string
	PerPath  bool     // may stand in [[overrides]]
	FileOnly bool     // says something about the file it stands in, and is no setting
	Doc      string   // full sentences
}

var keys = []Key{
	{Name: "root", Type: Bool, Default: false, FileOnly: true,
		Doc: "Stops the search: configuration files in the folders above are not read."},
	{Name: "extends", Type: Paths, Default: []string{}, FileOnly: true,
		Doc: "Configuration files to build upon, relative to this one. Later ones overrule earlier ones, and this file overrules them all."},
	{Name: "edition", Type: Enum, Values: []string{"1.0", "0.1"}, Default: "1.0", PerPath: true,
		Doc: "The revision of the PACT specification that selectors are written in."},
	{Name: "include", Type: Patterns, Default: []string{},
		Doc: "The files to read when a folder is searched; without any, all whose name tells what they are. An included file of unknown kind is read as a selector file."},
	{Name: "exclude", Type: Patterns, Default: []string{},
		Doc: "Files and folders to leave alone, also when they are named."},
	{Name: "fixtures", Type: Paths, Default: []string{},
		Doc: "Recorded contexts, files or folders, that selectors are held against: they say which types, tags, keys and attributes there are, and what a selector finds. Relative to the configuration file."},
	{Name: "format.style", Type: Enum, Values: []string{"canonical", "compact"}, Default: "canonical", PerPath: true,
		Doc: "How the formatter prints selectors: in canonical form, or with the shortest spelling of the same."},
	{Name: "lint.error", Type: Rules, Default: []string{}, PerPath: true,
		Doc: "Rules whose findings are errors. A rule is named by its id, by its category, or by \"all\"; an id overrules a category, and a category \"all\". `pactkit rules` lists them."},
	{Name: "lint.warning", Type: Rules, Default: []string{}, PerPath: true,
		Doc: "Rules whose findings are warnings."},
	{Name: "lint.info", Type: Rules, Default: []string{}, PerPath: true,
		Doc: "Rules whose findings are for information."},
	{Name: "lint.off", Type: Rules, Default: []string{}, PerPath: true,
		Doc: "Rules that are not applied."},
	{Name: "lint.fail-level", Type: Enum, Values: []string{"error", "warning", "info"}, Default: "warning",
		Doc: "The level from which on a finding makes the exit code 1."},
	{Name: "lint.baseline", Type: Paths, Default: []string{},
		Doc: "Files of findings that are known and not reported; `pactkit baseline write` makes one. Relative to the configuration file."},
	{Name: "known.types", Type: Words, Default: []string{}, PerPath: true,
		Doc: "Node types that trees have, besides those in fixtures."},
	{Name: "known.tags", Type: Words, Default: []string{}, PerPath: true,
		Doc: "Tags that trees have, besides those in fixtures."},
	{Name: "known.keys", Type: Words, Default: []string{}, PerPath: true,
		Doc: "Keys that trees have, besides those in fixtures."},
	{Name: "known.attributes", Type: Words, Default: []string{}, PerPath: true,
		Doc: "Custom attributes that trees have, besides those in fixtures."},
	{Name: "known.controls", Type: Words, Default: []string{}, PerPath: true,
		Doc: "Controls that the evaluator's caller knows, besides those of the language."},
}

// Keys yields the settings in their order of presentation.
func Keys() iter.Seq[Key] { return slices.Values(keys) }

// The words of an [[overrides]] table.
const (
	overridesName = "overrides"
	pathsName     = "paths"
)

// OverridesDoc documents the [[overrides]] tables.
const OverridesDoc = "Settings for some files only: `paths` is a list of patterns as in an ignore file, and the other keys hold for the files that match. Later tables overrule earlier ones."

// Lookup returns the row of a key; it panics when there is none, for names are constants of the program.
func Lookup(name string) Key { return *findKey(name) }

func findKey(name string) *Key {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return &keys[i]
}
