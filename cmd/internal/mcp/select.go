package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/search"
	"github.com/pactkit/pactkit/parser"
)

var selectTool = tool{
	name: "select", title: "Select nodes of contexts",
	doc: `Find messages, tool calls and results with a PACT selector. It searches the last state of a session; write a time before the selector, or set ever, to search earlier ones.
.block+tool results of tools · .block{kind=call} calls · .block{content~'regular expression'} · .block{name=bash} of one tool · @c9 .block what call 9 was sent · @* .block{cause=compacted} what compaction took away.
The call tool explain describes words (attributes: explain "ttl") and error codes.`,
	output: `{"type":"object","properties":{
"matches":{"type":"array","description":"As a line of pactkit grep --json each; content may be cut.","items":{"type":"object"}},
` + warningsSchema + moreSchema,
}

// selectInput are the arguments of select.
type selectInput struct {
	Selector string `json:"selector" jsonschema:"the selector, such as .block+tool{content~'Error'}"`
	Path     string `json:"path,omitempty" jsonschema:"a file, FILE#NAME, FILE+ (with the files that belong to it), or a folder; empty for everything"`
	Ever     bool   `json:"ever,omitempty" jsonschema:"search every node that was ever in the session, once, including those that left; first and last are cycles"`
	After    int    `json:"after,omitempty" jsonschema:"how many matches to skip"`
	Limit    int    `json:"limit,omitempty" jsonschema:"how many matches at most (default 20)"`
	Content  int    `json:"content,omitempty" jsonschema:"how many characters of the content of a match (default 300)"`
	logInputs
}

// defaultContent is how many characters of a content are shown unless the client says otherwise.
const defaultContent = 300

func (s *Server) find(ctx context.Context, in selectInput) (*page, error) {
	queries := map[ast.Edition]*search.Query{}
	query, found, err := s.query(in, nil)
	if err != nil {
		return nil, err
	}
	queries[s.edition(nil)] = query
	p := &page{list: "matches"}
	texts := warningTexts(found)
	if in.Content <= 0 {
		in.Content = defaultContent
	}
	number, isCut, read := 0, false, 0
	var unknown []string
	end := func() *page {
		if number == 0 && read != 1 {
			texts = append(texts, s.misspelled(ctx, in.Selector, s.edition(nil))...)
		}
		return p.end(append(texts, unknown...), isCut)
	}
	for x, err := range s.open(ctx, in.Path, in.logInputs) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			read++
		} else if isFile(in.Path) && read == 0 {
			return nil, err
		} else {
			p.note(fmt.Sprintf("%s cannot be read: %s", x.Path, failureOf(err).Message))
			continue
		}
		edition := s.edition(x.Timeline)
		switch {
		case read == 1:
			unknown = s.unknown(ctx, x.Timeline, in.Selector)
		case read == 2: // a word may be one of another session
			unknown = nil
		}
		if queries[edition] == nil {
			if queries[edition], _, err = s.query(in, x.Timeline); err != nil {
				return nil, err
			}
		}
		matches, err := queries[edition].Timeline(ctx, x.Timeline)
		if err != nil {
			return nil, err
		}
		o := search.Outcome{Path: x.Path, Name: x.Name, Matches: matches, Count: len(matches)}
		for i := range matches {
			if number++; number <= in.After {
				continue
			}
			m := &matches[i]
			if cutContent(m, in.Content) {
				isCut = true
			}
			if !p.add(m.AppendJSON(nil, &o), limitOf(in.Limit)) {
				p.note(fmt.Sprintf("there are more matches: ask again with after = %d, or with a narrower selector", number-1))
				return end(), nil
			}
		}
	}
	if number == 0 && !in.Ever {
		p.note("nothing matches in the last state; set ever to look at what left, too, or ask explain where the selector loses its nodes")
	}
	return end(), nil
}

// edition returns the edition of selectors on a history, which may be nil.
func (s *Server) edition(t *engine.Timeline) ast.Edition {
	if e, ok := ast.ParseEdition(s.Edition); ok || t == nil {
		return e
	}
	return t.Edition()
}

// query compiles the selector for a history, which may be nil.
func (s *Server) query(in selectInput, t *engine.Timeline) (*search.Query, []diag.Diagnostic, error) {
	q, found := search.Compile(in.Selector, parser.Options{Edition: s.edition(t)})
	if q == nil {
		return nil, nil, selectorFailure(found)
	}
	if !in.Ever {
		return q, found, nil
	}
	q, err := q.Ever()
	if err != nil {
		return nil, nil, &failure.Failure{Code: ErrArgument, Message: err.Error(), Hint: "leave out the time of the selector, or ever"}
	}
	return q, found, nil
}

// end adds the warnings, and a note if contents are cut.
func (p *page) end(warnings []string, isCut bool) *page {
	if len(warnings) > 0 {
		p.set("warnings", warnings)
	}
	if isCut {
		p.note("contents that end in … are cut: ask for one of them with a larger content")
	}
	return p
}

// cutContent cuts the content of a match to n characters. One that is not a string becomes a string
// if it is cut.
func cutContent(m *search.Match, n int) bool {
	text := m.Content
	if strings.HasPrefix(text, `"`) {
		if len(text) <= n {
			return false
		}
		text = canonjson.Unquote(text)
	}
	short, isCut := cut(text, n)
	if isCut {
		m.Content = string(canonjson.AppendString(nil, short))
	}
	return isCut
}

// selectorFailure is the failure of a selector with errors: the first one.
func selectorFailure(found []diag.Diagnostic) error {
	for _, d := range found {
		if d.Severity == diag.Error {
			return &eval.Error{Diagnostics: []diag.Diagnostic{d}}
		}
	}
	return errors.New("the selector cannot be read")
}

func warningTexts(found []diag.Diagnostic) []string {
	return hinted(slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Severity != diag.Warning }))
}

// unknown returns a warning for each word of a selector that neither the language nor a history nor
// the configuration has.
func (s *Server) unknown(ctx context.Context, t *engine.Timeline, selector string) []string {
	return hinted(fixtures.Of([]fixtures.Fixture{{Timeline: t}}, s.Known).Unknown(ctx, selector, s.edition(t)))
}

// misspelled returns what was probably meant by words of a selector that selects nothing.
func (s *Server) misspelled(ctx context.Context, selector string, edition ast.Edition) []string {
	return hinted(fixtures.Misspelled(ctx, s.Known, selector, edition))
}

func hinted(found []diag.Diagnostic) []string {
	var out []string
	for _, d := range found {
		text := fmt.Sprintf("%s [%s]", d.Message, d.Code)
		if d.Hint != "" {
			text = fmt.Sprintf("%s: %s [%s]", d.Message, d.Hint, d.Code)
		}
		out = append(out, text)
	}
	return out
}

// errNoNode returns the error for an id that no node has, or a selector that selects nothing.
func errNoNode(message, hint string) error {
	return &failure.Failure{Code: engine.ErrNotFound, Message: message, Hint: hint}
}
