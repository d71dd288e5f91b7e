// Package failure says what is wrong in one form: code, message, hint and place, for any error.
// Verbs print it, and the servers of agents and of other programs send it.
package failure

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/store"
)

// Failure is what is wrong. It is an error, so a server can return one of its own.
type Failure struct {
	Code    engine.Code `json:"code"`    // "" for an error without a code, such as one of the operating system
	Message string      `json:"message"` // without the place and the code
	Hint    string      `json:"hint,omitempty"`
	File    string      `json:"file,omitempty"`
	Errno   string      `json:"errno,omitempty"` // of the operating system, such as ENOENT
	Line    int         `json:"line,omitempty"`  // of the log or history, from 1
	Path    string      `json:"path,omitempty"`  // JSON path in it
	Range   []int       `json:"range,omitempty"` // bytes of the selector, the end exclusive; nil if it is not about one
	Codes   []string    `json:"codes,omitempty"` // of all errors of a selector, when there are several

	err error // that was described
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// errnos are the errors of the operating system that callers tell apart.
var errnos = []struct {
	name string
	err  error
}{
	{"ENOENT", fs.ErrNotExist}, {"EACCES", fs.ErrPermission}, {"EISDIR", syscall.EISDIR}, {"ENOTDIR", syscall.ENOTDIR},
	{"ELOOP", syscall.ELOOP}, {"ENAMETOOLONG", syscall.ENAMETOOLONG},
}

// Of describes an error. The caller may change the result.
func Of(err error) *Failure {
	if f, ok := errors.AsType[*Failure](err); ok {
		again := *f
		return &again
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return &Failure{Code: e.Code, Message: e.Msg, File: e.File, Line: e.Line, Path: e.Path, err: e}
	}
	if e, ok := errors.AsType[*store.Error](err); ok {
		return &Failure{Code: engine.Code(e.Code), Message: e.Msg, err: e}
	}
	if e, ok := errors.AsType[*eval.Error](err); ok {
		d := e.Diagnostics[0]
		f := &Failure{Code: engine.Code(d.Code), Message: d.Message, Hint: d.Hint, Range: []int{d.Span.Start, d.Span.End}, err: e}
		if len(e.Diagnostics) > 1 {
			for _, d := range e.Diagnostics {
				f.Codes = append(f.Codes, string(d.Code))
			}
		}
		return f
	}
	f := &Failure{Message: atomicfile.Reason(err), err: err}
	for _, e := range errnos {
		if errors.Is(err, e.err) {
			f.Errno = e.name
			break
		}
	}
	return f
}

// WithHint moves the hint to the end of the message, for readers that know no hints.
func (f *Failure) WithHint() *Failure {
	if f.Hint != "" {
		f.Message, f.Hint = f.Message+"; "+f.Hint, ""
	}
	return f
}

// Text is the failure in words: the place, the message and its cause, the code. A failure that does
// not know its place is about what name says.
func (f *Failure) Text(name string) string {
	switch e := f.err.(type) {
	case *engine.Error:
		return e.Error()
	case *store.Error:
		if e.Err != nil {
			return fmt.Sprintf("%s: %s: %s [%s]", name, e.Msg, atomicfile.Reason(e.Err), e.Code)
		}
	}
	if f.Code == "" {
		return name + ": " + f.Message
	}
	return fmt.Sprintf("%s: %s [%s]", name, f.Message, f.Code)
}

// Below is the failure in words for a message that names the file and the line itself.
func (f *Failure) Below() string {
	text := f.Message
	if f.Path != "" && f.Path != "$" {
		text = f.Path + ": " + text
	}
	if f.Code != "" {
		text += " [" + string(f.Code) + "]"
	}
	return text
}

// Shape is an error of package members about a value below a path, or "". If the text is JSON, the
// error has the code, and its message begins with the path of the value.
func Shape(code engine.Code, below string, err error) *engine.Error {
	if e, ok := errors.AsType[*canonjson.Error](err); ok {
		code := engine.ErrFileSyntax
		switch e.Kind {
		case canonjson.Encoding:
			code = engine.ErrFileEncoding
		case canonjson.Depth:
			code = engine.ErrTreeDepth
		case canonjson.Memory:
			code = engine.ErrMemory
		}
		return &engine.Error{Code: code, Msg: e.Error()}
	}
	path, text := below, err.Error()
	if e, ok := errors.AsType[*members.Error](err); ok {
		path, text = strings.TrimPrefix(below+strings.TrimPrefix(e.Path, "$"), "."), e.Msg
	}
	if path != "" {
		text = path + ": " + text
	}
	return &engine.Error{Code: code, Msg: text}
}
