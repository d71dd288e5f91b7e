// Package suite reads and runs test suites for selectors: files of cases, each a selector with the
// answer that it must have on a history. docs/reference/test-suites.md describes the two forms of
// such a file.
package suite

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/policy"
)

// Suite is a file of cases.
type Suite struct {
	Name  string // its name in messages
	Title string // the first line of its description
	Cases []*Case

	src      string            // without the byte order mark
	mark     string            // a byte order mark, or nothing
	archived map[string]string // histories in the file itself, by name
	order    []string          // the names of these histories, in the order of the file
	yaml     bool
}

// Case is a selector with the answer it must have, or expectations about the model calls of a
// history.
type Case struct {
	Name     string // its name, its comment, or the selector
	Line     int    // the line of the selector or of the first expectation, from 1
	Selector string // may be empty if the answer is expectations
	Setting
	Want Answer

	part
	fixed string // why the answer cannot be rewritten in place, or ""
	inner string // in YAML, the indentation of a member
}

// part is the piece of a suite that holds an answer, or one expectation of it.
type part struct {
	lines   span     // its bytes in the suite; empty if there is no answer yet
	lead    string   // the text to write before the answer
	remarks []remark // in YAML, the comments inside the answer
	checked []string // these comments as the YAML library found them
}

// Setting says how a case is evaluated.
type Setting struct {
	Files    []string     // the histories that are joined into one; if empty, all those of the archive
	Edition  *ast.Edition // nil for that of the history
	Strict   bool         // a history that breaks an invariant is an error
	NoLegacy bool         // a legacy form in a selector is an error
	Options  eval.Options
	Policy   *policy.Policy // expectations describe calls under this policy; nil: the calls as they were
}

type span struct{ start, end int }

// Problem is why a suite cannot be used.
type Problem struct {
	Line    int // from 1; 0 if unknown
	Message string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.Message
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Message)
}

func problem(line int, format string, args ...any) *Problem {
	return &Problem{line, fmt.Sprintf(format, args...)}
}

// Ends are the endings of file names by which suites are found in folders.
var Ends = []string{".suite.txtar", ".suite.yaml", ".suite.yml"}

// Is reports whether a file with the given name, found in a folder, is a suite.
func Is(name string) bool {
	return slices.ContainsFunc(Ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// May reports whether a file that the user names can be a suite.
func May(name string) bool {
	return slices.Contains([]string{".txtar", ".yaml", ".yml"}, filepath.Ext(name))
}

const byteOrderMark = "\uFEFF"

// Parse parses a suite. It is YAML if its name ends in .yaml or .yml, and otherwise a txtar
// archive. An error is a [*Problem].
func Parse(name, src string) (*Suite, error) {
	s := &Suite{Name: name, src: src, archived: map[string]string{}}
	if text, ok := strings.CutPrefix(src, byteOrderMark); ok {
		s.src, s.mark = text, byteOrderMark
	}
	var err error
	if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
		s.yaml = true
		err = s.parseYAML()
	} else {
		err = s.parseArchive()
	}
	if err != nil {
		return nil, err
	}
	if len(s.Cases) == 0 {
		return nil, problem(0, "no cases here")
	}
	return s, nil
}

// add adds a case. A case without a name is named after its selector or its expectations.
func (s *Suite) add(c *Case) error {
	for _, e := range c.Want.Expect {
		if c.Selector != "" && !e.takesSelector() {
			return problem(e.Line, "%s is about whole calls: remove the selector", e.What)
		}
		if c.Policy != nil && e.What != "left" && e.What != "changed" && e.What != "tokens" {
			return problem(e.Line, "what a policy would have done is left, changed and tokens, and not %s", e.What)
		}
	}
	if c.Name == "" {
		c.Name = strings.Join(strings.Fields(c.Selector), " ")
	}
	if c.Name == "" {
		c.Name = strings.Join(c.Want.Lines(), ", ")
	}
	s.Cases = append(s.Cases, c)
	return nil
}

// Rewrite returns the text of the suite with new answers and everything else unchanged. For each
// case, answers holds the new answer, or nil to keep the old one. An error names a case that cannot
// be rewritten.
func (s *Suite) Rewrite(answers []*Answer) (string, error) {
	w := rewriter{Suite: s}
	for i, c := range s.Cases {
		if answers[i] == nil {
			continue
		}
		if c.fixed != "" {
			return "", problem(c.Line, "%s", c.fixed)
		}
		if err := w.answer(c, answers[i]); err != nil {
			return "", err
		}
	}
	return s.mark + w.text.String() + s.src[w.at:], nil
}

// rewriter writes the text of a suite.
type rewriter struct {
	*Suite
	text strings.Builder
	at   int // the offset in the suite up to which it has been copied or replaced
}

// answer writes the new answer of a case. Of expectations, it writes only those that have changed.
func (w *rewriter) answer(c *Case, a *Answer) error {
	if c.Want.Kind == Session && a.Kind == Session {
		for i, e := range c.Want.Expect {
			if now := a.Expect[i]; !now.equal(e) {
				if err := w.replace(c, &e.part, now.text(w.yaml, c.inner, w.newline(), e.remarks)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if w.yaml {
		return w.replace(c, &c.part, a.yaml(c.inner, c.Want, c.remarks))
	}
	return w.replace(c, &c.part, a.text(w.newline()))
}

// replace replaces a part of the suite by a text.
func (w *rewriter) replace(c *Case, p *part, text string) error {
	for _, comment := range p.checked {
		if strings.Contains(w.src[p.lines.start:p.lines.end], comment) && !strings.Contains(text, comment) {
			return problem(c.Line, "the comment %q inside the answer would be lost; write it above the answer", comment)
		}
	}
	if w.yaml {
		text = strings.ReplaceAll(text, "\n", w.newline())
	}
	w.text.WriteString(w.src[w.at:p.lines.start] + p.lead + text)
	w.at = p.lines.end
	return nil
}

// newline returns the line ending of the suite.
func (s *Suite) newline() string {
	if line, _, _ := strings.Cut(s.src, "\n"); strings.HasSuffix(line, "\r") {
		return "\r\n"
	}
	return "\n"
}
