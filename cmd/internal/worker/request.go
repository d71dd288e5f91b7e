package worker

import (
	"errors"
	"fmt"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
)

// request is one line of the input.
type request struct {
	id      string // canonical JSON; "" for none
	source  Source
	sources int      // how many of log, history, path and context there are
	do      []string // operations, each as JSON

	selectors []selector
	named     bool // selectors is an object
	want      string
	calls     bool
	shares    bool // of each call
	trace     bool
	files     bool // lists the files of the source
	suite     string
	asksSuite bool

	edition *ast.Edition
	options eval.Options
	timeout int // in milliseconds; 0 for none
}

// selector is one of the selectors of a request.
type selector struct{ name, text string }

// parseRequest reads a line. If there is an error, the request still has the id if that was read.
func parseRequest(line string, protocol int) (*request, error) {
	q := &request{}
	var options string
	known := members.Object{
		"id":      func(s *canonjson.Scanner) (err error) { q.id, err = s.Canonical(); return err },
		"log":     q.readText,
		"history": func(s *canonjson.Scanner) error { q.source.IsHistory = true; return q.readText(s) },
		"path": func(s *canonjson.Scanner) error {
			q.sources++
			return members.String(&q.source.Path)(s)
		},
		"name":      members.String(&q.source.Name),
		"from":      members.String(&q.source.From),
		"messages":  members.String(&q.source.Messages),
		"selectors": q.readSelectors,
		"want":      members.String(&q.want),
		"calls":     members.Bool(&q.calls),
		"shares":    members.Bool(&q.shares),
		"trace":     members.Bool(&q.trace),
		"files":     members.Bool(&q.files),
		"suite": func(s *canonjson.Scanner) error {
			q.asksSuite = true
			return members.String(&q.suite)(s)
		},
		"edition":    q.readEdition,
		"options":    func(s *canonjson.Scanner) (err error) { options, err = s.Raw(); return err },
		"timeout_ms": members.Count(&q.timeout),
	}
	if protocol > 1 {
		known["context"] = func(s *canonjson.Scanner) error {
			q.sources++
			return members.String(&q.source.Context)(s)
		}
		known["do"] = q.readOperations
	}
	err := members.Read(line, known)
	if e, ok := errors.AsType[*members.Error](err); ok && protocol == 1 && (e.Path == "$.context" || e.Path == "$.do") {
		e.Msg = `contexts are in version 2 of the protocol; begin with the line {"worker":2}`
	}
	if err != nil {
		return q, failure.Shape(ErrRequest, "", err)
	}
	if options != "" {
		if q.options, err = suite.ParseOptions([]byte(options)); err != nil {
			return q, failure.Shape(ErrRequest, "options", err)
		}
	}
	if err := q.check(protocol); err != nil {
		return q, failure.Shape(ErrRequest, "", err)
	}
	return q, nil
}

// readOperations reads a list of operations.
func (q *request) readOperations(s *canonjson.Scanner) error {
	q.do = []string{}
	return members.List(func(s *canonjson.Scanner) error {
		text, err := s.Raw()
		q.do = append(q.do, text)
		return err
	})(s)
}

// readText reads a log or a history: a string is the text of a file, any other value is the
// document itself.
func (q *request) readText(s *canonjson.Scanner) (err error) {
	q.sources++
	if s.Peek() == '"' {
		q.source.Text, err = s.Text()
		return err
	}
	q.source.Text, err = s.Raw()
	return err
}

// readSelectors reads a list of selectors, or an object of them by name.
func (q *request) readSelectors(s *canonjson.Scanner) error {
	var text string
	read := members.String(&text)
	switch s.Peek() {
	case '[':
		q.selectors = []selector{}
		return s.Array(func(int) error {
			err := read(s)
			q.selectors = append(q.selectors, selector{text: text})
			return err
		})
	case '{':
		q.named, q.selectors = true, []selector{}
		return s.Object(func(name string, _ int) error {
			err := read(s)
			q.selectors = append(q.selectors, selector{name, text})
			return err
		})
	}
	return errors.New("selectors: must be a list of selectors, or an object of them by name")
}

func (q *request) readEdition(s *canonjson.Scanner) error {
	text := ""
	if err := members.String(&text)(s); err != nil {
		return err
	}
	edition, ok := ast.ParseEdition(text)
	if !ok {
		return fmt.Errorf("edition: unknown edition %q; use 1.0 or 0.1", text)
	}
	q.edition = &edition
	return nil
}

// check returns an error if the members together do not make a valid request.
func (q *request) check(protocol int) error {
	or := func(version1, version2 string) error { // version 1 has no contexts
		if protocol == 1 {
			return errors.New(version1)
		}
		return errors.New(version2)
	}
	asks := q.selectors != nil || q.asksSuite || q.calls || q.files
	switch {
	case q.sources != 1:
		return or("a request needs one of log, history and path", "a request needs one of log, history, path and context")
	case q.do != nil && (asks || q.source.Context == ""):
		return errors.New("a request with operations needs a context, and asks for nothing else")
	case q.do != nil:
		return nil
	case q.source.Context == "" && q.source.Path == "" && q.source.Text == "":
		return or("the log, history or path is empty", "the log, history, path or context is empty")
	case q.files && (q.selectors != nil || q.asksSuite || q.calls || q.source.Path == ""):
		return errors.New("a request for files needs a path, and asks for nothing else")
	case q.shares && !q.calls:
		return errors.New("a request for shares needs calls")
	case !asks:
		return or("a request needs selectors, a suite, calls or files", "a request needs selectors, a suite, calls, files or do")
	case q.want != "" && q.want != wantIDs && q.want != wantNodes:
		return fmt.Errorf("want: unknown kind of answer %q; use %s or %s", q.want, wantIDs, wantNodes)
	}
	return checkFrom(q.source.From)
}
