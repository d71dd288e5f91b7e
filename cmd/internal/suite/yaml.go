package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
)

// The members of a suite in YAML and of its cases.
var (
	suiteMembers  = []string{"description", "files", "edition", "strict", "legacy", "options", "policy", "cases"}
	answerMembers = []string{"ids", "latest", "range", "error"}
	caseMembers   = slices.Concat([]string{"name", "selector", "files", "edition", "strict", "legacy", "options", "policy"}, answerMembers, expectations)
)

// yamlLine is where the errors of package yaml say that they are.
var yamlLine = regexp.MustCompile(`^line (\d+): `)

// yamlReader reads a suite in YAML.
type yamlReader struct {
	s     *Suite
	lines []int // the offset of each line, from line 1
}

func (s *Suite) parseYAML() error {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(s.src), &doc); err != nil {
		message := strings.TrimPrefix(err.Error(), "yaml: ")
		if m := yamlLine.FindStringSubmatch(message); m != nil {
			line, _ := strconv.Atoi(m[1]) // 0 for a number that is too large
			return problem(line, "%s", message[len(m[0]):])
		}
		return problem(0, "%s", message)
	}
	if len(doc.Content) == 0 {
		return problem(0, "no cases here")
	}
	r := &yamlReader{s: s, lines: []int{0, 0}} // there is no line 0
	for i, c := range []byte(s.src) {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	root := doc.Content[0]
	members, err := mapping(root, suiteMembers)
	if err != nil {
		return err
	}
	if d := members["description"]; d != nil {
		s.Title, _, _ = strings.Cut(strings.TrimSpace(d.Value), "\n")
	}
	var base Setting
	if err := r.setting(members, &base); err != nil {
		return err
	}
	cases := members["cases"]
	if cases == nil {
		return problem(root.Line, "no cases here")
	}
	if cases.Kind != yaml.SequenceNode {
		return problem(cases.Line, "cases are a list")
	}
	after := r.after(root, cases)
	for i, item := range cases.Content {
		next := after
		if i+1 < len(cases.Content) {
			next = r.dashOf(cases.Content[i+1])
		}
		if err := r.readCase(item, next, base, cases.Style == yaml.FlowStyle); err != nil {
			return err
		}
	}
	return nil
}

// dashOf returns the line of the dash of an item in a list. It is above the item if nothing but a
// comment follows the dash.
func (r *yamlReader) dashOf(item *yaml.Node) int {
	for line := item.Line; line > 0; line-- {
		text := r.s.src[r.lines[line]:r.lineEnd(line)]
		if line == item.Line {
			text = text[:min(item.Column-1, len(text))]
		}
		switch text = strings.TrimSpace(text); {
		case strings.HasPrefix(text, "-"):
			return line
		case text != "" && !strings.HasPrefix(text, "#"):
			return item.Line // in brackets
		}
	}
	return item.Line
}

// after returns the line of the member after the one with a value, or of the end of the file.
func (r *yamlReader) after(m *yaml.Node, value *yaml.Node) int {
	if i := slices.Index(m.Content, value); i+1 < len(m.Content) {
		return m.Content[i+1].Line
	}
	return len(r.lines)
}

// mapping returns the members of an object by name.
func mapping(n *yaml.Node, known []string) (map[string]*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, problem(n.Line, "expected an object with the members %s", strings.Join(known, ", "))
	}
	found := map[string]*yaml.Node{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if !slices.Contains(known, key.Value) {
			return nil, problem(key.Line, "there is no member %q; %s", key.Value, members.Suggest(key.Value, known))
		}
		if found[key.Value] != nil {
			return nil, problem(key.Line, "duplicate member %q", key.Value)
		}
		found[key.Value] = n.Content[i+1]
	}
	return found, nil
}

// setting reads the settings of a case.
func (r *yamlReader) setting(members map[string]*yaml.Node, s *Setting) error {
	if n := members["files"]; n != nil {
		s.Files = nil
		if n.Kind == yaml.ScalarNode {
			s.Files = []string{n.Value}
		} else if err := n.Decode(&s.Files); err != nil {
			return problem(n.Line, "files are a list of names")
		}
	}
	if n := members["edition"]; n != nil {
		edition, ok := ast.ParseEdition(n.Value)
		if !ok {
			return problem(n.Line, "edition is 1.0 or 0.1")
		}
		s.Edition = &edition
	}
	if n := members["strict"]; n != nil {
		if err := n.Decode(&s.Strict); err != nil {
			return problem(n.Line, "strict is true or false")
		}
	}
	if n := members["legacy"]; n != nil {
		allowed := true
		if err := n.Decode(&allowed); err != nil {
			return problem(n.Line, "legacy is true or false")
		}
		s.NoLegacy = !allowed
	}
	if n := members["options"]; n != nil {
		data, err := jsonOf(n)
		if err == nil {
			s.Options, err = ParseOptions(data)
		}
		if err != nil {
			return problem(n.Line, "options: %v", err)
		}
	}
	if n := members["policy"]; n != nil {
		data, err := jsonOf(n)
		if err == nil {
			s.Policy, err = parsePolicy(data)
		}
		if err != nil {
			return problem(n.Line, "policy: %v", err)
		}
	}
	return nil
}

// jsonOf writes a node as JSON.
func jsonOf(n *yaml.Node) ([]byte, error) {
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, errors.New("a value that JSON cannot express")
	}
	return json.Marshal(v)
}

func (r *yamlReader) readCase(n *yaml.Node, next int, base Setting, flow bool) error {
	members, err := mapping(n, caseMembers)
	if err != nil {
		return err
	}
	c := &Case{Line: n.Line, Setting: base}
	if selector := members["selector"]; selector != nil && selector.Kind == yaml.ScalarNode {
		c.Selector, c.Line = strings.TrimSpace(selector.Value), selector.Line
	}
	if name := members["name"]; name != nil {
		c.Name = name.Value
	}
	if err := r.setting(members, &c.Setting); err != nil {
		return err
	}
	indent := strings.Repeat(" ", n.Column-1)
	end := r.lastOf(n.Line, next)
	c.lines, c.lead, c.inner = span{end, end}, indent, indent
	if end > 0 && r.s.src[end-1] != '\n' {
		c.lead = r.s.newline() + indent
	}
	if flow || n.Style == yaml.FlowStyle {
		c.fixed = "a case in braces is not rewritten; write each member on its own line"
	}
	for i := 0; i < len(n.Content); i += 2 {
		line := next
		if i+2 < len(n.Content) {
			line = n.Content[i+2].Line
		}
		if err := r.answer(c, n.Content[i], n.Content[i+1], line); err != nil {
			return err
		}
	}
	switch {
	case c.Selector == "" && c.Want.Kind != Session:
		return problem(n.Line, "a case needs a selector, or one of %s", strings.Join(expectations, ", "))
	case c.Selector == "":
		c.Line = c.Want.Expect[0].Line
	}
	return r.s.add(c)
}

// answer reads a member of a case, if it is an answer or an expectation. The next member, or the
// next case, begins on line next.
func (r *yamlReader) answer(c *Case, key, value *yaml.Node, next int) error {
	expects := slices.Contains(expectations, key.Value)
	if !expects && !slices.Contains(answerMembers, key.Value) {
		return nil
	}
	if c.Want.Kind != Missing && !(expects && c.Want.Kind == Session) {
		return problem(key.Line, "a case has one answer: ids, latest, range, error, or expectations such as left")
	}
	var err error
	p := &c.part
	if expects {
		var e *Expectation
		if e, err = readExpectation(key.Value, value); err == nil {
			e.Line = key.Line
			c.Want.Kind, c.Want.Expect = Session, append(c.Want.Expect, e)
			p = &e.part
		}
	} else {
		c.Want, err = answerOf(key.Value, value)
	}
	if err != nil {
		return err
	}
	p.lines, p.lead = span{r.lines[key.Line] + key.Column - 1, r.lastOf(key.Line, next)}, ""
	p.remarks, p.checked = r.remarks(key, value, p.lines), append(commentLines(key), commentLines(value)...)
	return nil
}

// lastOf returns the end of the part that begins on line first and ends before line next, without
// the comments and blank lines at its end: they belong to the part that follows.
func (r *yamlReader) lastOf(first, next int) int {
	for next-1 > first {
		text := strings.TrimSpace(r.s.src[r.lines[next-1]:r.lineEnd(next-1)])
		if text != "" && !strings.HasPrefix(text, "#") {
			break
		}
		next--
	}
	return r.lineEnd(next - 1)
}

// lineEnd returns the end of a line, after its newline.
func (r *yamlReader) lineEnd(line int) int {
	if line+1 < len(r.lines) {
		return r.lines[line+1]
	}
	return len(r.s.src)
}

// answerOf reads the answer of a case.
func answerOf(name string, n *yaml.Node) (Answer, error) {
	switch name {
	case "ids":
		a := Answer{Kind: IDs}
		if err := n.Decode(&a.IDs); err != nil || n.Kind != yaml.SequenceNode {
			return a, problem(n.Line, "ids are a list of ids")
		}
		return a, nil
	case "latest":
		var list []struct{ ID, Snapshot string }
		if err := n.Decode(&list); err != nil {
			return Answer{}, problem(n.Line, "latest is a list of objects with id and snapshot")
		}
		a := Answer{Kind: Latest}
		for _, l := range list {
			a.IDs, a.At = append(a.IDs, l.ID), append(a.At, l.Snapshot)
		}
		return a, nil
	case "range":
		if n.Kind == yaml.ScalarNode {
			if _, err := engine.JSON([]byte(n.Value)); err != nil {
				return Answer{}, problem(n.Line, "the differences of a range are JSON: %s", failure.Of(err).Message)
			}
			return Answer{Kind: Range, Range: n.Value}, nil
		}
		data, err := jsonOf(n)
		if err != nil {
			return Answer{}, problem(n.Line, "range: %v", err)
		}
		return Answer{Kind: Range, Range: string(data)}, nil
	}
	a := Answer{Kind: Errors}
	if n.Kind == yaml.ScalarNode {
		a.Codes = []string{n.Value}
	} else if err := n.Decode(&a.Codes); err != nil {
		return a, problem(n.Line, "error is a code, or a list of codes")
	}
	return a, nil
}

// members returns the codes or ids of an answer.
func (a Answer) members() []string {
	if a.Kind == Errors {
		return a.Codes
	}
	return a.IDs
}

// yaml returns an answer as a member of a case, with the comments of the old answer.
func (a Answer) yaml(indent string, was Answer, remarks []remark) string {
	members := a.members()
	p := arrange(remarks, was.members(), members)
	var b strings.Builder
	for _, text := range p.above {
		fmt.Fprintf(&b, "%s\n%s", text, indent)
	}
	list := func(name string, member func(i int) string) {
		if len(members) == 0 {
			fmt.Fprintf(&b, "%s: []%s\n", name, p.first)
			return
		}
		fmt.Fprintf(&b, "%s:%s\n", name, p.first)
		for i := range members {
			for _, text := range p.over[i] {
				fmt.Fprintf(&b, "%s  %s\n", indent, text)
			}
			fmt.Fprintf(&b, "%s  - %s%s\n", indent, member(i), p.side[i])
		}
	}
	commented := slices.ContainsFunc(p.side, func(s string) bool { return s != "" }) ||
		slices.ContainsFunc(p.over, func(s []string) bool { return len(s) > 0 })
	switch {
	case a.Kind == Errors && commented:
		list("error", func(i int) string { return a.Codes[i] })
	case a.Kind == Errors && len(a.Codes) == 1:
		fmt.Fprintf(&b, "error: %s%s\n", a.Codes[0], p.first)
	case a.Kind == Errors:
		fmt.Fprintf(&b, "error: [%s]%s\n", strings.Join(a.Codes, ", "), p.first)
	case a.Kind == Range:
		fmt.Fprintf(&b, "range: |%s\n", p.first)
		for _, line := range a.Lines() {
			fmt.Fprintf(&b, "%s  %s\n", indent, line)
		}
	case a.Kind == Latest:
		list("latest", func(i int) string { return fmt.Sprintf("{ id: %s, snapshot: %s }", scalar(a.IDs[i]), scalar(a.At[i])) })
	default:
		list("ids", func(i int) string { return scalar(a.IDs[i]) })
	}
	return b.String()
}

// text returns an expectation as a line of an archive, or as a member of a case in YAML with the
// comments of the old expectation.
func (e *Expectation) text(yaml bool, indent, newline string, remarks []remark) string {
	if !yaml {
		return arrow + " " + e.String() + newline
	}
	p := arrange(remarks, nil, nil)
	var b strings.Builder
	for _, text := range p.above {
		fmt.Fprintf(&b, "%s\n%s", text, indent)
	}
	return b.String() + e.String() + p.first + "\n"
}

// plainScalar matches strings that need no quotes in YAML.
var plainScalar = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*(:[A-Za-z0-9_.-]+)*$`)

// words are words that YAML does not read as strings unless they are quoted.
var words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

func scalar(s string) string {
	if plainScalar.MatchString(s) && !slices.Contains(words, strings.ToLower(s)) {
		return s
	}
	return string(canonjson.EncodeLine(s))
}
