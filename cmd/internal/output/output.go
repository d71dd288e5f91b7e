// Package output prints findings in the formats that other programs read: those of code review and
// continuous integration, and our own JSON. Package cli prints the text for people.
package output

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
)

// File is a source with findings.
type File struct {
	Path     string // with slashes, relative to the folder that readers of the report have
	Repo     string // with slashes, from the root of the repository, for services; "" for Path
	Text     string
	Findings []Finding // sorted by position

	columns *Columns
}

// repo is the path that services know the file by.
func (f *File) repo() string { return cmp.Or(f.Repo, f.Path) }

// Finding is one finding about a file. Spans are byte offsets in its text.
type Finding struct {
	diag.Diagnostic
	Rule     string // ID
	Selector string // canonical text of the selector the finding is about, or its original text; part of the fingerprint
	Silenced string // the reason for which it is suppressed, "" when it is not
}

// Rule describes a rule for the forms that carry descriptions.
type Rule struct {
	ID, Summary, Text string
	Level             diag.Severity
}

// Report is all that one run found.
type Report struct {
	Version string // of the program
	Files   []File // those with findings, sorted by path
	Checked int    // files that were checked
	Rules   []Rule // all there are, in their order
	Exit    Exit
}

// Exit is how a run ended. The format does not change it.
type Exit struct {
	Code    int      `json:"code"`
	Reasons []string `json:"reasons"`
}

// form is a format of a report.
type form struct {
	name string
	doc  string
	fn   func(*bufio.Writer, *Report) error
}

// forms is the table of formats.
var forms = []form{
	{"compact", "one line a finding: path:line:column: level: message [rule]", compact},
	{"json", "one document; docs/schemas/findings.json describes it", writeJSON},
	{"jsonl", "one finding per line", writeJSONL},
	{"sarif", "SARIF 2.1.0, for code scanning", sarif},
	{"github", "workflow commands of GitHub Actions, which mark the lines of a pull request", github},
	{"gitlab", "the code quality report of GitLab", gitlab},
	{"checkstyle", "Checkstyle XML, which many servers read", checkstyle},
	{"junit", "JUnit XML, one test case a finding", junit},
}

// Forms yields the name and the purpose of every format.
func Forms() iter.Seq2[string, string] {
	return func(yield func(name, doc string) bool) {
		for _, f := range forms {
			if !yield(f.name, f.doc) {
				return
			}
		}
	}
}

// Write prints a report in the format of that name. The same report gives the same bytes.
func Write(w io.Writer, name string, r *Report) error {
	for _, f := range forms {
		if f.name == name {
			b := bufio.NewWriter(w)
			if err := f.fn(b, r); err != nil {
				return err
			}
			return b.Flush()
		}
	}
	return fmt.Errorf("there is no format %q", name)
}

// each yields the findings that are not silenced, file by file.
func (r *Report) each() iter.Seq2[*File, *Finding] {
	return func(yield func(*File, *Finding) bool) {
		for i := range r.Files {
			f := &r.Files[i]
			for k := range f.Findings {
				if f.Findings[k].Silenced == "" && !yield(f, &f.Findings[k]) {
					return
				}
			}
		}
	}
}

// position is a position in a text: line and column count from 1, columns in characters.
type position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"` // in bytes, from 0
}

func (f *File) position(at int) position {
	if f.columns == nil {
		f.columns = NewColumns(f.Text)
	}
	line, column := f.columns.Position(at)
	return position{Line: line, Column: column, Offset: at}
}

// name is the name of a finding: its rule, else its code.
func (f *Finding) name() string {
	if f.Rule != "" {
		return f.Rule
	}
	return string(f.Code)
}

// sentence is the message, with the hint as a second one.
func (f *Finding) sentence() string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + ". " + strings.ToUpper(f.Hint[:1]) + f.Hint[1:]
}

// fingerprints returns a name for each finding that does not change when lines move. It covers
// path, rule and selector, and the number among findings with the same ones.
func (f *File) fingerprints() []string {
	seen := map[string]int{}
	out := make([]string, len(f.Findings))
	for i, d := range f.Findings {
		key := f.repo() + "\x00" + d.name() + "\x00" + d.Selector
		sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(seen[key])))
		seen[key]++
		out[i] = hex.EncodeToString(sum[:16])
	}
	return out
}

func compact(w *bufio.Writer, r *Report) error {
	for f, d := range r.each() {
		at := f.position(d.Span.Start)
		fmt.Fprintf(w, "%s:%d:%d: %s: %s [%s]\n", f.Path, at.Line, at.Column, d.Severity, oneLine(d.sentence()), d.name())
	}
	return nil
}

// oneLine replaces control characters, which a source may hold.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// github prints workflow commands.
func github(w *bufio.Writer, r *Report) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	words := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice", diag.Hint: "notice"}
	for f, d := range r.each() {
		from, to := f.position(d.Span.Start), f.position(d.Span.End)
		fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,endLine=%d,endColumn=%d,title=%s::%s\n", words[d.Severity],
			property.Replace(f.repo()), from.Line, from.Column, to.Line, to.Column, property.Replace(d.name()), data.Replace(d.sentence()))
	}
	return nil
}
