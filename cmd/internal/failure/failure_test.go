package failure_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/store"
)

// Each kind of error, as it is sent and as it is printed.
func TestOf(t *testing.T) {
	selector := &eval.Error{Diagnostics: []diag.Diagnostic{
		{Code: "E_A", Message: "no time", Hint: "write one", Span: ast.Span{Start: 2, End: 5}}, {Code: "E_B"},
	}}
	for _, c := range []struct {
		name              string
		err               error
		json, text, below string
	}{
		{"history", fmt.Errorf("reading: %w", &engine.Error{Code: engine.ErrFileShape, File: "h.json", Line: 3, Path: "$.root", Msg: "no root"}),
			`{"code":"E_FILE_SHAPE","message":"no root","file":"h.json","line":3,"path":"$.root"}`,
			"h.json:3: $.root: no root [E_FILE_SHAPE]", "$.root: no root [E_FILE_SHAPE]"},
		{"line", &engine.Error{Code: engine.ErrFileShape, Line: 3, Path: "$", Msg: "no root"},
			`{"code":"E_FILE_SHAPE","message":"no root","line":3,"path":"$"}`,
			"3: $: no root [E_FILE_SHAPE]", "no root [E_FILE_SHAPE]"},
		{"store", &store.Error{Code: store.ErrFull, Store: "file:x", Msg: "cannot append", Err: &fs.PathError{Op: "write", Path: "x", Err: errors.New("no space")}},
			`{"code":"E_STORE_FULL","message":"cannot append"}`,
			"NAME: cannot append: no space [E_STORE_FULL]", "cannot append [E_STORE_FULL]"},
		{"selector", selector,
			`{"code":"E_A","message":"no time","hint":"write one","range":[2,5],"codes":["E_A","E_B"]}`,
			"NAME: no time [E_A]", "no time [E_A]"},
		{"file", &fs.PathError{Op: "open", Path: "secret", Err: fs.ErrNotExist},
			`{"code":"","message":"file does not exist","errno":"ENOENT"}`, "NAME: file does not exist", "file does not exist"},
		{"other", errors.New("it is broken"),
			`{"code":"","message":"it is broken"}`, "NAME: it is broken", "it is broken"},
		{"failure", fmt.Errorf("call: %w", &failure.Failure{Code: "E_X", Message: "no", Hint: "yes"}),
			`{"code":"E_X","message":"no","hint":"yes"}`, "NAME: no [E_X]", "no [E_X]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := failure.Of(c.err)
			if got := string(canonjson.EncodeLine(f)); got != c.json {
				t.Errorf("JSON:\n%s, want\n%s", got, c.json)
			}
			if got := f.Text("NAME"); got != c.text {
				t.Errorf("Text: %q, want %q", got, c.text)
			}
			if got := f.Below(); got != c.below {
				t.Errorf("Below: %q, want %q", got, c.below)
			}
		})
	}
	if got := failure.Of(selector).WithHint(); got.Message != "no time; write one" || got.Hint != "" {
		t.Errorf("WithHint: %q, hint %q", got.Message, got.Hint)
	}
}

// A failure that is described again can be changed without changing the first.
func TestOfCopies(t *testing.T) {
	first := &failure.Failure{Message: "no", Hint: "yes"}
	failure.Of(first).WithHint()
	if first.Message != "no" || first.Hint != "yes" {
		t.Errorf("the first is now %+v", first)
	}
}

func TestShape(t *testing.T) {
	for src, want := range map[string]string{
		`{"a":[1]}`:          "options.a[0]: this is a number; write a string [E_X]",
		`{"b":1}`:            `options.b: there is no such member; there are a [E_X]`,
		`{"a":[}`:            "[E_FILE_SYNTAX]",
		"{\"a\":[\"\xff\"]}": "[E_FILE_ENCODING]",
	} {
		var list []string
		err := members.Read(src, members.Object{"a": members.Strings(&list)})
		got := failure.Shape("E_X", "options", err).Error()
		if want[0] == '[' {
			got = got[max(0, len(got)-len(want)):]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
	if got := failure.Shape("E_X", "", errors.New("no selector")).Error(); got != "no selector [E_X]" {
		t.Errorf("another error: %q", got)
	}
}
