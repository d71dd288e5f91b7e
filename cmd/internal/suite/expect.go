package suite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/internal/names"
)

// Expectation is a condition on the model calls of a history: for example, that certain nodes did
// not leave, or that no call has more than a number of tokens.
type Expectation struct {
	What   string   // a key of [subjects]
	Line   int      // the line in the suite, from 1
	Causes []string // for left and changed, the causes that count; empty for all
	Kinds  []string // for events, the kinds that count; empty for all
	By     []string // for cache, what ended the prefix; empty for anything
	Cycle  int64    // the cycle of the only call that counts; 0 for all calls
	IDs    []string // for left and changed, exactly these nodes; nil if Limits apply
	// Grades are, for tokens, those that the figures of the calls may have; nil for all.
	Grades []string
	// Missing is, for calls, exactly what of them the log does not record; nil for anything.
	Missing []string
	Limits  []Limit // in the order of the subject's measures

	part // its text in the suite
}

// Limit bounds a measure. A bound that is nil does not apply.
type Limit struct {
	Measure  string
	Min, Max *int64
}

// subject is a property of calls that an expectation is about.
type subject struct {
	measures []string // the measures that can be bounded
	main     bool     // the first measure is bounded by count, min and max, without its name
	exact    bool     // the first measure is a single number: it can be bounded by count, or written alone
	members  []string // the members of an expectation
}

// The measures.
const (
	countMeasure  = "count"  // how many nodes, calls or events
	brokenMeasure = "broken" // how many calls do not begin with everything that the previous call was sent
	resentMeasure = "resent" // how many tokens after these breaks the previous call was sent too
	callMeasure   = "call"   // how many tokens each call is sent
	totalMeasure  = "total"  // how many tokens all calls are sent together
)

// subjects are the subjects of expectations by name.
var subjects = map[string]subject{
	"left":    {[]string{countMeasure}, true, true, []string{"cause", "cycle", "ids", "count", "min", "max"}},
	"changed": {[]string{countMeasure}, true, true, []string{"cause", "cycle", "ids", "count", "min", "max"}},
	"cache":   {[]string{brokenMeasure, resentMeasure}, false, false, []string{"by", "cycle", "broken", "resent"}},
	"tokens":  {[]string{callMeasure, totalMeasure}, true, false, []string{"cycle", "min", "max", "total", "grade"}},
	"calls":   {[]string{countMeasure}, true, true, []string{"count", "min", "max", "missing"}},
	"events":  {[]string{countMeasure}, true, true, []string{"kind", "count", "min", "max"}},
}

// expectations are the names of the subjects, in the order of the documentation.
var expectations = []string{"left", "changed", "cache", "tokens", "calls", "events"}

// takesSelector reports whether an expectation can be about the nodes that a selector selects.
func (e *Expectation) takesSelector() bool { return e.What == "left" || e.What == "changed" }

// The words that members can have.
var (
	causes = []string{
		engine.CauseExpired, engine.CausePruned, engine.CauseDeleted, engine.CauseCompacted, engine.CauseCleared, engine.CauseTruncated,
		engine.CauseDeduplicated, engine.CauseTrimmed,
		engine.CauseEdited, engine.CauseRewound, engine.CauseSessionCleared, engine.CauseUnknown,
	}
	breakers   = []string{"node", "system", "tools", "parameters"}
	eventKinds = []string{"compaction", "clear", "rewind", "rollback", "edit", "interrupt"}
)

// expectationExample is the example in messages.
const expectationExample = "left: {cause: compacted, max: 0}"

// expectationLine reports whether a line is an expectation, not an id, and returns its name.
func expectationLine(line string) (name string, ok bool) {
	name, _, found := strings.Cut(line, ": ")
	return name, found && slices.Contains(expectations, name)
}

// parseExpectationLine parses a line of an archive. It has the form of a member of a case in YAML,
// on one line.
func parseExpectationLine(line string, n int) (*Expectation, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(line), &doc); err != nil || len(doc.Content) == 0 || len(doc.Content[0].Content) != 2 {
		return nil, problem(n, "an expectation is written like %s", expectationExample)
	}
	member := doc.Content[0]
	e, err := readExpectation(member.Content[0].Value, member.Content[1])
	if p, ok := err.(*Problem); ok {
		p.Line = n
		return nil, p
	}
	e.Line = n
	return e, nil
}

// readExpectation reads the value of an expectation.
func readExpectation(what string, n *yaml.Node) (*Expectation, error) {
	e := &Expectation{What: what, Line: n.Line}
	s := subjects[what]
	if n.Kind == yaml.ScalarNode && s.exact {
		limit, err := readLimit(s.measures[0], n)
		e.Limits = []Limit{limit}
		return e, err
	}
	found, err := mapping(n, s.members)
	if err != nil {
		return nil, err
	}
	if err := e.readFilters(found); err != nil {
		return nil, err
	}
	for i, measure := range s.measures {
		limit := Limit{Measure: measure}
		if i == 0 && s.main {
			limit, err = mainLimit(measure, found)
		} else if m := found[measure]; m != nil {
			limit, err = readLimit(measure, m)
		}
		if err != nil {
			return nil, err
		}
		if limit.Min != nil || limit.Max != nil {
			e.Limits = append(e.Limits, limit)
		}
	}
	switch {
	case e.IDs != nil && len(e.Limits) > 0:
		return nil, problem(n.Line, "%s has either ids or their number", what)
	case e.IDs == nil && len(e.Limits) == 0 && (e.takesSelector() || what == "events"):
		e.Limits = []Limit{{Measure: countMeasure, Min: new(int64(1))}}
	case e.IDs == nil && len(e.Limits) == 0 && e.Grades == nil && e.Missing == nil:
		return nil, problem(n.Line, "%s needs a number; it has the members %s", what, strings.Join(s.members, ", "))
	}
	return e, nil
}

// readFilters reads the members that restrict an expectation to some nodes, causes or calls.
func (e *Expectation) readFilters(found map[string]*yaml.Node) error {
	if n := found["cycle"]; n != nil {
		if err := n.Decode(&e.Cycle); err != nil || e.Cycle < 1 {
			return problem(n.Line, "cycle is that of a call, such as 9 for @c9")
		}
	}
	if n := found["cause"]; n != nil {
		var err error
		if e.Causes, err = wordList(n, "cause"); err != nil {
			return err
		}
		for _, c := range e.Causes {
			if near := names.Nearest(c, slices.Values(causes)); near != "" && near != c {
				return problem(n.Line, "there is no cause %q; did you mean %q?", c, near)
			}
		}
	}
	for _, w := range [...]struct {
		member  string
		list    *[]string
		allowed []string
		wrong   string
	}{
		{"kind", &e.Kinds, eventKinds, "is not a kind of event"},
		{"by", &e.By, breakers, "does not break a cache"},
		{"grade", &e.Grades, gradeNames(), "is not a grade"},
	} {
		n := found[w.member]
		if n == nil {
			continue
		}
		var err error
		if *w.list, err = wordList(n, w.member); err != nil {
			return err
		}
		for _, word := range *w.list {
			if !slices.Contains(w.allowed, word) {
				return problem(n.Line, "%q %s; %s", word, w.wrong, members.Suggest(word, w.allowed))
			}
		}
	}
	if n := found["missing"]; n != nil {
		if n.Kind == yaml.ScalarNode && n.Value == "none" {
			e.Missing = []string{}
		} else {
			var err error
			if e.Missing, err = wordList(n, "missing"); err != nil {
				return err
			}
		}
	}
	if n := found["ids"]; n != nil {
		if err := n.Decode(&e.IDs); err != nil || n.Kind != yaml.SequenceNode {
			return problem(n.Line, "ids are a list of ids")
		}
	}
	return nil
}

// gradeNames returns the grades of figures.
func gradeNames() []string {
	var out []string
	for _, g := range calls.Grades() {
		out = append(out, string(g))
	}
	return out
}

// wordList reads a word or a list of words.
func wordList(n *yaml.Node, name string) ([]string, error) {
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		return []string{n.Value}, nil
	}
	var list []string
	if err := n.Decode(&list); err != nil || len(list) == 0 {
		return nil, problem(n.Line, "%s is a word, or a list of words", name)
	}
	return list, nil
}

// mainLimit reads count, min and max.
func mainLimit(measure string, found map[string]*yaml.Node) (Limit, error) {
	if n := found["count"]; n != nil {
		if found["min"] != nil || found["max"] != nil {
			return Limit{}, problem(n.Line, "count says exactly how many; leave min and max out")
		}
		return readLimit(measure, n)
	}
	return bounds(measure, found)
}

// readLimit reads a number, none, or an object with min and max.
func readLimit(measure string, n *yaml.Node) (Limit, error) {
	if n.Kind == yaml.MappingNode {
		found, err := mapping(n, []string{"min", "max"})
		if err != nil {
			return Limit{}, err
		}
		l, err := bounds(measure, found)
		if err == nil && l.Min == nil && l.Max == nil {
			err = problem(n.Line, "min, max or both are needed")
		}
		return l, err
	}
	if n.Kind == yaml.ScalarNode && n.Value == "none" {
		return Limit{measure, new(int64(0)), new(int64(0))}, nil
	}
	exactly, err := number(n)
	return Limit{measure, exactly, exactly}, err
}

func bounds(measure string, found map[string]*yaml.Node) (Limit, error) {
	l := Limit{Measure: measure}
	var err error
	if n := found["min"]; n != nil {
		if l.Min, err = number(n); err != nil {
			return l, err
		}
	}
	if n := found["max"]; n != nil {
		if l.Max, err = number(n); err != nil {
			return l, err
		}
		if l.Min != nil && *l.Min > *l.Max {
			return l, problem(n.Line, "min is more than max")
		}
	}
	return l, nil
}

// maxNumber is the greatest number that all readers of JSON represent exactly.
const maxNumber = 1<<53 - 1

func number(n *yaml.Node) (*int64, error) {
	var v int64
	if err := n.Decode(&v); err != nil || n.Kind != yaml.ScalarNode || n.Tag != "!!int" || v < 0 || v > maxNumber {
		return nil, problem(n.Line, "this is %s; write a whole number from 0 to %d, or none", strconv.Quote(n.Value), int64(maxNumber))
	}
	return &v, nil
}

// String returns an expectation as it is written in a line of an archive or as a member of a case
// in YAML.
func (e *Expectation) String() string {
	var parts []string
	list := func(name string, values []string, alone bool) {
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = scalar(v)
		}
		text := strings.Join(texts, ", ")
		if !alone || len(values) > 1 {
			text = "[" + text + "]"
		}
		parts = append(parts, name+": "+text)
	}
	if e.Causes != nil {
		list("cause", e.Causes, true)
	}
	if e.Kinds != nil {
		list("kind", e.Kinds, true)
	}
	if e.By != nil {
		list("by", e.By, true)
	}
	if e.Cycle > 0 {
		parts = append(parts, fmt.Sprintf("cycle: %d", e.Cycle))
	}
	if e.IDs != nil {
		list("ids", e.IDs, false)
	}
	s := subjects[e.What]
	for _, l := range e.Limits {
		switch {
		case s.main && l.Measure == s.measures[0]:
			parts = append(parts, l.parts()...)
		case l.isExact():
			parts = append(parts, fmt.Sprintf("%s: %d", l.Measure, *l.Min))
		default:
			parts = append(parts, fmt.Sprintf("%s: {%s}", l.Measure, strings.Join(l.parts(), ", ")))
		}
	}
	if e.Grades != nil {
		list("grade", e.Grades, true)
	}
	switch {
	case e.Missing == nil:
	case len(e.Missing) == 0:
		parts = append(parts, "missing: none")
	default:
		list("missing", e.Missing, true)
	}
	if len(parts) == 1 && parts[0] == "count: 0" {
		return e.What + ": none"
	}
	return fmt.Sprintf("%s: {%s}", e.What, strings.Join(parts, ", "))
}

func (l Limit) isExact() bool { return l.Min != nil && l.Max != nil && *l.Min == *l.Max }

// parts writes the bounds of the main measure.
func (l Limit) parts() []string {
	if l.isExact() && l.Measure == countMeasure {
		return []string{fmt.Sprintf("count: %d", *l.Min)}
	}
	var out []string
	if l.Min != nil {
		out = append(out, fmt.Sprintf("min: %d", *l.Min))
	}
	if l.Max != nil {
		out = append(out, fmt.Sprintf("max: %d", *l.Max))
	}
	return out
}

// equal reports whether two expectations are the same, except for their positions.
func (e *Expectation) equal(f *Expectation) bool { return e.String() == f.String() }
