package journal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// The failures of reading a line.
const (
	ErrLine    engine.Code = "E_JOURNAL_LINE"    // not a line of a journal
	ErrDigest  engine.Code = "E_JOURNAL_DIGEST"  // the digest does not match the line, or the previous line
	ErrVersion engine.Code = "E_JOURNAL_VERSION" // of another format, or version of it
	ErrPrefix  engine.Code = "E_JOURNAL_PREFIX"  // the journal of a fork, without what it begins with
	ErrLost    engine.Code = "E_JOURNAL_LOST"    // a damaged journal without an intact snapshot
)

// lineDepth is how deep the values of a line may nest. It is more than any reader of trees accepts.
const lineDepth = 1 << 16

// LineOverhead is how many bytes a line has, with its newline, besides the body of its frame.
const LineOverhead = digestLen

// ParseLine parses a line that [Frame.AppendLine] wrote, without its newline. It does not verify
// the digest, because that takes the previous digest, see [Chain]. Errors are of type
// [*engine.Error], with the code [ErrLine], or [engine.ErrMemory] if the memory does not suffice.
func ParseLine(line []byte) (Frame, error) {
	f := Frame{}
	text := string(line)
	i := len(text) - digestLen
	ok := i > 0 && strings.HasPrefix(text[i:], digestStart) && strings.HasSuffix(text, digestEnd)
	if ok {
		f.Digest, ok = ParseDigest(text[i+len(digestStart) : len(text)-len(digestEnd)])
	}
	if !ok {
		return Frame{}, lineError("it does not end with a digest")
	}
	f.Body = text[:i] + "}"
	s := canonjson.NewScanner(f.Body, lineDepth)
	if s.Peek() != '{' {
		return Frame{}, lineError("it is not an object")
	}
	err := s.Object(func(name string, _ int) error { return f.member(s, name) })
	if err == nil {
		err = s.End()
	}
	if err != nil {
		return Frame{}, scanError(err)
	}
	return f, nil
}

// member reads one member of a line.
func (f *Frame) member(s *canonjson.Scanner, name string) error {
	value, err := s.Raw()
	if err != nil {
		return err
	}
	switch name {
	case "cycle":
		n, ok := canonjson.Int(value)
		if !ok {
			return fmt.Errorf("cycle is not an integer")
		}
		f.Cycle = n
	case "end":
		f.End = value == "true"
	default:
		if k := slices.Index(kindNames[:], name); k > int(Header) {
			f.Kind = Kind(k)
		}
	}
	return nil
}

func lineError(why string) error {
	return &engine.Error{Code: ErrLine, Msg: "this is not a line of a journal: " + why}
}

// scanError returns the error for a text that cannot be read. That is not a line of a journal,
// unless the memory does not suffice.
func scanError(err error) error {
	if isMemory(err) {
		return &engine.Error{Code: engine.ErrMemory, Msg: budget.Refusal()}
	}
	return lineError(err.Error())
}

// isMemory reports whether the memory does not suffice, which says nothing about the text.
func isMemory(err error) bool {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.Code == engine.ErrMemory
	}
	e, ok := errors.AsType[*canonjson.Error](err)
	return ok && e.Kind == canonjson.Memory
}

// ReadHeader returns what a header, or the frame of a fork or prefix, records about its history.
func ReadHeader(f Frame) (About, error) {
	var a About
	s := canonjson.NewScanner(f.Body, lineDepth)
	if f.Kind != Header && f.Kind != Fork && f.Kind != Prefix || s.Peek() != '{' {
		return a, lineError("a header is expected")
	}
	err := s.Object(func(name string, _ int) error {
		into := map[string]*string{"id": &a.ID, "source": &a.Source, "started": &a.Started}[name]
		if into == nil || s.Peek() != '"' {
			return s.Skip()
		}
		var err error
		*into, err = s.Text()
		return err
	})
	if err != nil {
		return a, scanError(err)
	}
	return a, nil
}
