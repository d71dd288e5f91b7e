// Package host finds selectors in the files that contain them: in the strings of programs, the
// values of data files and the code blocks of documents. A host reads one kind of file. It reads
// tokens rather than a syntax tree, so it works on incomplete code. A string is a candidate because
// a marker names it ([Markers]); a [Proof] says how sure it is that it is a selector ([Grade]).
//
// A host returns regions: the decoded text of a selector, and a map between that text and the bytes
// of the file. Callers work on the text; [Region.Diagnostic] translates a finding to the file, and
// [Apply] writes new text into it and proves that no other token changed.
package host

import (
	"path"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/languages"
	"github.com/pactkit/pactkit/internal/suppress"
)

// Host reads one kind of file. Hosts are safe for concurrent use.
type Host interface {
	// Name returns the kind of file, in a word or two.
	Name() string
	// Extensions returns the file name extensions that the host reads, in lower case and with the
	// dot. The caller must not change the list.
	Extensions() []string
	// Embeds reports whether the files hold more than selectors and comments, in which selectors
	// are embedded.
	Embeds() bool
	// Find returns the strings that the markers mark. A file without any marker costs only a search
	// for their bytes. If m is nil, the markers are those of [DefaultPatterns].
	Find(src string, m *Markers) File
}

// outliner is a host of files that have tokens, which [Apply] compares.
type outliner interface {
	// outline returns the tokens of a source that an edit of a string must not change.
	outline(src string) []mark
}

// File is what a host found in a source.
type File struct {
	Regions     []Region          // in source order; disjoint, except that a Holed one may contain others in its holes
	Diagnostics []diag.Diagnostic // about the file itself: marked strings that are not constant, code that cannot be read
	Comments    []ast.Span        // comments that hold [Directive], in source order; empty when there are no regions
	// Parts are the consecutive parts of a document that can be read independently of each other.
	// It is nil if they are unknown: only a [Finder] cuts documents.
	Parts []ast.Span

	imports evidence          // of a program, or of the programs of a document
	unsure  []diag.Diagnostic // about strings that depend on values of the program, and may not be selectors
}

// Directive occurs in every comment that is meant for pactkit, such as one that silences a rule.
const Directive = suppress.Marker

// Broken reports whether the tokens of the file are uncertain. An editor may use its regions, but
// the file must not be rewritten.
func (f File) Broken() bool {
	return slices.ContainsFunc(f.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == Unreadable && d.Severity == diag.Error })
}

// The codes of diagnostics about the host. They are rules of the linter.
const (
	// Dynamic is reported for a marked string that depends on values of the program and so
	// cannot be checked.
	Dynamic diag.Code = "embed/dynamic"
	// UnprovenCode is reported for a string that looks like a selector, but has no proof.
	UnprovenCode diag.Code = "embed/unproven"
	// Unreadable is reported where the tokens of a file with markers are uncertain, such as at an
	// unterminated string.
	Unreadable diag.Code = "embed/unreadable"
	// Unwritable is reported for a selector whose new text would need a new escape in its string.
	Unwritable diag.Code = "embed/unwritable"
)

// mark is a token of an outline: its bytes, and its kind in the numbering of the host.
type mark struct {
	ast.Span
	kind byte
}

// hosts has a host for every kind of file, in the order in which [For] tries them.
var hosts = []Host{
	SelectorFile{},
	goLanguage,
	python,
	typescript,
	javascript,
	rust,
	java,
	ruby,
	jsonFile,
	yamlHost{},
	tomlFile,
	markdown{},
}

// described is what the table of languages says about the files of a host.
type described struct {
	*languages.Language
	extensions []string
}

func describe(title string) described {
	l := languages.Named(title)
	return described{l, l.Extensions()}
}

func (d described) Name() string { return d.Language.Name }

func (d described) Extensions() []string { return d.extensions }

// isFence reports whether a name of a code block is one of the language.
func (d described) isFence(name string) bool { return slices.Contains(d.Fences, name) }

// All returns all hosts, in the order in which [For] tries them. It is for programs that list or
// watch the files they read.
func All() []Host { return slices.Clone(hosts) }

// ownPrefix is the prefix of the names of pactkit's own files, such as its configuration.
const ownPrefix = ".pactkit"

// For returns the host of a file, or nil if no host reads such files. pactkit's own files have
// none.
func For(name string) Host {
	if strings.HasPrefix(path.Base(name), ownPrefix) {
		return nil
	}
	if slices.ContainsFunc(suiteEndings, func(end string) bool { return strings.HasSuffix(name, end) }) {
		return suiteHost{}
	}
	for _, h := range hosts {
		if hasExtension(name, h.Extensions()) {
			return h
		}
	}
	return nil
}

// hasExtension reports whether a path ends in one of the extensions, in upper or lower case.
func hasExtension(name string, extensions []string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext != "" && len(path.Base(name)) > len(ext) && slices.Contains(extensions, ext)
}
