package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// Kind is the kind of an answer.
type Kind uint8

// The kinds of answer.
const (
	Missing Kind = iota // not written yet
	IDs                 // the ids of nodes, in order
	Latest              // the ids of nodes with their snapshots, for @mode=latest
	Range               // the differences of a range or pair
	Errors              // codes of errors in the selector or its evaluation
	Session             // expectations about model calls
	Found               // the findings of a rule of the project, and its fix
)

// Answer is what a selector selects, or must select.
type Answer struct {
	Kind  Kind
	IDs   []string
	At    []string // the snapshot of each id, for Latest
	Range string   // the RangeDiffLatestResult, as JSON
	Codes []string // the codes, each once, for Errors

	Expect []*Expectation // the expectations, for Session
	Found  []string       // the lines, for Found
}

// AnswerOf turns a result, or an error in a selector, into an answer. It returns all other errors.
func AnswerOf(r *eval.Result, err error) (Answer, error) {
	if e, ok := errors.AsType[*eval.Error](err); ok {
		a := Answer{Kind: Errors}
		for _, d := range e.Diagnostics {
			if !slices.Contains(a.Codes, string(d.Code)) {
				a.Codes = append(a.Codes, string(d.Code))
			}
		}
		return a, nil
	}
	if err != nil {
		return Answer{}, err
	}
	switch r.Kind {
	case eval.KindRange:
		return Answer{Kind: Range, Range: string(r.AppendJSON(nil))}, nil
	case eval.KindLatest:
		a := Answer{Kind: Latest, IDs: r.IDs()}
		for _, l := range r.Latest {
			a.At = append(a.At, l.Snapshot.Label)
		}
		return a, nil
	}
	return Answer{Kind: IDs, IDs: r.IDs()}, nil
}

// Equal reports whether two answers are the same. The members of JSON objects may be in any order.
func (a Answer) Equal(b Answer) bool {
	if len(a.IDs) == 0 && len(b.IDs) == 0 && (a.Kind == IDs || a.Kind == Latest) && (b.Kind == IDs || b.Kind == Latest) {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	if a.Kind == Range {
		x, errX := engine.JSON([]byte(a.Range))
		y, errY := engine.JSON([]byte(b.Range))
		return errX == nil && errY == nil && x == y
	}
	if a.Kind == Session {
		return slices.EqualFunc(a.Expect, b.Expect, (*Expectation).equal)
	}
	return slices.Equal(a.IDs, b.IDs) && slices.Equal(a.At, b.At) && slices.Equal(a.Codes, b.Codes)
}

// none is the spelling of an empty answer.
const none = "(none)"

// Lines returns an answer as the lines of an archive, without the arrows.
func (a Answer) Lines() []string {
	var out []string
	switch a.Kind {
	case Missing:
		return nil
	case Errors:
		for _, c := range a.Codes {
			out = append(out, "! "+c)
		}
		return out
	case Range:
		return strings.Split(indented(a.Range), "\n")
	case Session:
		for _, e := range a.Expect {
			out = append(out, e.String())
		}
		return out
	case Found:
		if len(a.Found) == 0 {
			return []string{"finds nothing"}
		}
		return a.Found
	}
	for i, id := range a.IDs {
		line := quoteID(id)
		if a.Kind == Latest {
			line += " " + a.At[i]
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		out = append(out, none)
	}
	return out
}

// quoteID writes an id, as a JSON string if it could be read as something else.
func quoteID(id string) string {
	if id == "" || strings.ContainsAny(id[:1], `!({"`) || id != string(printable(id)) || strings.Contains(id, " ") {
		return engine.Text(id).String()
	}
	return id
}

// printable returns a text without its control characters.
func printable(s string) []byte {
	var out []byte
	for i := range len(s) {
		if s[i] >= ' ' && s[i] != 0x7f {
			out = append(out, s[i])
		}
	}
	return out
}

// lineWidth is the maximum length of a line with a JSON object or array in an indented answer.
const lineWidth = 100

// indented writes JSON on several lines. Values that fit stay on one line; members keep their
// order.
func indented(text string) string {
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(text)) != nil {
		return text
	}
	return string(appendIndented(nil, compact.String(), ""))
}

// appendIndented appends a compact JSON value with white space.
func appendIndented(dst []byte, value, indent string) []byte {
	if c := value[0]; c != '{' && c != '[' || len(indent)+len(value) <= lineWidth {
		return append(dst, value...)
	}
	inner := indent + "  "
	s := canonjson.NewScanner(value, math.MaxInt)
	item := func(name string) error {
		text, err := s.Raw()
		if dst[len(dst)-1] != value[0] {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '\n'), inner...), name...)
		dst = appendIndented(dst, text, inner)
		return err
	}
	dst = append(dst, value[0])
	if value[0] == '{' {
		_ = s.Object(func(_ string, at int) error { return item(value[at:s.Offset()] + " ") })
	} else {
		_ = s.Array(func(int) error { return item("") })
	}
	return append(append(append(dst, '\n'), indent...), value[len(value)-1])
}

// arrow begins a line of an answer.
const arrow = "=>"

// text writes an answer as the lines of an archive.
func (a Answer) text(newline string) string {
	var b strings.Builder
	for _, line := range a.Lines() {
		b.WriteString(arrow + " " + line + newline)
	}
	return b.String()
}

// parseLines parses the lines of an answer, without their arrows. The number of the first line is
// first.
func parseLines(lines []string, first int) (Answer, error) {
	if strings.HasPrefix(lines[0], "{") {
		a := Answer{Kind: Range, Range: strings.Join(lines, "\n")}
		if _, err := engine.JSON([]byte(a.Range)); err != nil {
			return a, problem(first, "the differences of a range are JSON: %s", failure.Of(err).Message)
		}
		return a, nil
	}
	var a Answer
	for i, line := range lines {
		kind := IDs
		_, expects := expectationLine(line)
		switch {
		case expects:
			kind = Session
			e, err := parseExpectationLine(line, first+i)
			if err != nil {
				return a, err
			}
			a.Expect = append(a.Expect, e)
		case line == none:
			if len(lines) > 1 {
				return a, problem(first+i, "%s must be the only line", none)
			}
		case strings.HasPrefix(line, "!"):
			kind = Errors
			a.Codes = append(a.Codes, strings.TrimSpace(line[1:]))
		default:
			id, at, err := parseID(line)
			if err != nil {
				return a, problem(first+i, "%v", err)
			}
			if at != "" {
				kind = Latest
				a.At = append(a.At, at)
			}
			a.IDs = append(a.IDs, id)
		}
		if a.Kind != Missing && a.Kind != kind {
			return a, problem(first+i, "ids, snapshots, errors and expectations do not mix in one answer")
		}
		a.Kind = kind
	}
	return a, nil
}

// parseID parses an id and, if there is one, the snapshot after it.
func parseID(line string) (id, at string, err error) {
	rest := ""
	if strings.HasPrefix(line, `"`) {
		s := canonjson.NewScanner(line, canonjson.DefaultDepth)
		if id, err = s.Text(); err != nil {
			return "", "", errors.New("the string is not closed, or it has an invalid escape")
		}
		rest = strings.TrimSpace(line[s.Offset():])
	} else {
		id, rest, _ = strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
	}
	if rest != "" && !strings.HasPrefix(rest, "@") {
		return "", "", errors.New("one id per line; an id with blanks is written in double quotes")
	}
	return id, rest, nil
}
