package suite

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// section is a file of an archive.
type section struct {
	name string
	span     // its data
	line int // the number of its first line, from 1
}

// sections splits an archive. The text before the first file is the description.
func (s *Suite) sections() (description string, list []section) {
	end := len(s.src)
	at, n := 0, 1
	for at < len(s.src) {
		next := len(s.src)
		if i := strings.IndexByte(s.src[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := strings.TrimRight(s.src[at:next], "\r\n")
		n++
		if name, ok := marker(line); ok {
			if len(list) > 0 {
				list[len(list)-1].end = at
			} else {
				end = at
			}
			list = append(list, section{name, span{next, len(s.src)}, n})
		}
		at = next
	}
	return s.src[:end], list
}

// marker returns the name of the file that a line begins.
func marker(line string) (string, bool) {
	if !strings.HasPrefix(line, "-- ") || !strings.HasSuffix(line, " --") || len(line) < len("-- x --") {
		return "", false
	}
	name := strings.TrimSpace(line[3 : len(line)-3])
	return name, name != ""
}

// isCases reports whether a file of an archive holds cases. Other files hold histories.
func isCases(name string) bool { return name == "cases" || filepath.Ext(name) == ".cases" }

func (s *Suite) parseArchive() error {
	description, list := s.sections()
	s.Title, _, _ = strings.Cut(strings.TrimSpace(description), "\n")
	s.Title = strings.TrimSpace(s.Title)
	for _, f := range list {
		if isCases(f.name) {
			continue
		}
		if _, twice := s.archived[f.name]; twice {
			return problem(f.line-1, "a second file %s", f.name)
		}
		s.archived[f.name] = s.src[f.start:f.end]
		if ext := filepath.Ext(f.name); ext == ".json" || ext == ".jsonl" {
			s.order = append(s.order, f.name)
		}
	}
	for _, f := range list {
		if isCases(f.name) {
			if err := s.parseCases(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// casesReader parses the lines of cases.
type casesReader struct {
	s       *Suite
	setting Setting
	comment string   // the comment above the next selector
	now     *Case    // the case that is being read, if any
	want    []string // the lines of its answer
	spans   []span   // where these lines are
	first   int      // the number of the first of them
}

// parseCases reads a file of cases: comments, settings, and selectors, each with its answer.
func (s *Suite) parseCases(f section) error {
	r := &casesReader{s: s}
	at := f.start
	for n := f.line; at < f.end; n++ {
		next := f.end
		if i := strings.IndexByte(s.src[at:f.end], '\n'); i >= 0 {
			next = at + i + 1
		}
		if err := r.line(strings.TrimRight(s.src[at:next], "\r\n"), n, span{at, next}); err != nil {
			return err
		}
		at = next
	}
	return r.end()
}

func (r *casesReader) line(text string, n int, at span) error {
	trimmed := strings.TrimSpace(text)
	answer, isAnswer := strings.CutPrefix(trimmed, arrow)
	switch {
	case isAnswer:
		if _, expects := expectationLine(strings.TrimSpace(answer)); r.now == nil && !expects {
			if name, _, ok := strings.Cut(strings.TrimSpace(answer), ":"); ok && slices.Contains(expectations, name) {
				return problem(n, "an expectation is written like %s", expectationExample)
			}
			return problem(n, "an answer without a selector above it")
		}
		if r.now == nil {
			r.begin("", n)
		}
		if len(r.want) == 0 {
			r.now.lines.start, r.first = at.start, n
		}
		r.now.lines.end = at.end
		// The indentation of a JSON answer is insignificant.
		r.want, r.spans = append(r.want, strings.TrimSpace(answer)), append(r.spans, at)
		return nil
	case trimmed == "":
		r.comment = ""
		return r.end()
	}
	if r.now != nil && len(r.want) > 0 {
		if err := r.end(); err != nil {
			return err
		}
	}
	switch {
	case r.now == nil && isComment(trimmed):
		if r.comment == "" {
			r.comment = strings.TrimSpace(strings.TrimLeft(trimmed, "#"))
		}
	case r.now == nil && strings.HasPrefix(trimmed, "%"):
		return r.directive(trimmed, n)
	case r.now == nil:
		r.begin(text, n)
		r.now.lines = span{at.end, at.end}
		r.lead(at)
	default:
		r.now.Selector += "\n" + text
		r.now.lines = span{at.end, at.end}
		r.lead(at)
	}
	return nil
}

// begin starts a new case.
func (r *casesReader) begin(selector string, n int) {
	r.now = &Case{Name: r.comment, Line: n, Selector: selector, Setting: r.setting}
	r.comment = ""
}

// lead sets the text to write before the answer of the current case: a line ending, if the archive
// ends without one.
func (r *casesReader) lead(at span) {
	r.now.lead = ""
	if !strings.HasSuffix(r.s.src[at.start:at.end], "\n") {
		r.now.lead = r.s.newline()
	}
}

// isComment reports whether a line is a comment, not a selector that begins with a key.
func isComment(line string) bool {
	return line == "#" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "##") || strings.HasPrefix(line, "#\t")
}

// end completes the case that is being read.
func (r *casesReader) end() error {
	c := r.now
	if c == nil {
		return nil
	}
	if len(r.want) > 0 {
		c.lead = ""
		var err error
		if c.Want, err = parseLines(r.want, r.first); err != nil {
			return err
		}
	}
	for i, e := range c.Want.Expect {
		e.lines = r.spans[i]
	}
	c.Selector = strings.TrimSpace(c.Selector)
	r.now, r.want, r.spans = nil, nil, nil
	return r.s.add(c)
}

// directives are the settings of cases.
var directives = []string{"%files", "%edition", "%strict", "%legacy", "%options", "%policy"}

// directive parses a setting, which applies to the cases below it.
func (r *casesReader) directive(line string, n int) error {
	name, value, _ := strings.Cut(line, " ")
	value = strings.TrimSpace(value)
	switch name {
	case "%files":
		r.setting.Files = strings.Fields(value)
		return nil
	case "%edition":
		edition, ok := ast.ParseEdition(value)
		if !ok {
			return problem(n, "%%edition is 1.0 or 0.1")
		}
		r.setting.Edition = &edition
		return nil
	case "%strict", "%legacy":
		if value != "on" && value != "off" {
			return problem(n, "%s is on or off", name)
		}
		if name == "%strict" {
			r.setting.Strict = value == "on"
		} else {
			r.setting.NoLegacy = value == "off"
		}
		return nil
	case "%options":
		o, err := ParseOptions([]byte(value))
		if err != nil {
			return problem(n, "%%options: %v", err)
		}
		r.setting.Options = o
		return nil
	case "%policy":
		p, err := parsePolicy([]byte(value))
		if err != nil {
			return problem(n, "%%policy: %v", err)
		}
		r.setting.Policy = p
		return nil
	}
	return problem(n, "there is no setting %s; there are %s", name, strings.Join(directives, ", "))
}
