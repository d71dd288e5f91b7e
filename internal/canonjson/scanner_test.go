package canonjson_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/canonjson"
)

func TestCanonical(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{` null `, `null`},
		{`{"b":1,"a":[true , false]}`, `{"a":[true,false],"b":1}`},
		{`{"é":1,"z":2,"":3}`, `{"":3,"z":2,"\u00e9":1}`},
		{`{"b":{"d":1,"c":{}},"a":[]}`, `{"a":[],"b":{"c":{},"d":1}}`},
		{`"\u0041\/\u00E9😀\u007f\b\u0008\u000B"`, `"A/\u00e9\ud83d\ude00\u007f\b\b\u000b"`},
		{"\"\x7f\"", `"\u007f"`},
		{`[1.0,-0,1e400,0.10,9007199254740993,1E+2]`, `[1.0,-0,1e400,0.10,9007199254740993,1E+2]`},
		{`{"\u0061":1,"B":2}`, `{"B":2,"a":1}`},
	} {
		got, err := canonjson.Canonical(test.in)
		if err != nil || got != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.in, got, err, test.want)
		}
	}
}

// TestValueOfString checks the forms of strings with escapes at any position.
func TestValueOfString(t *testing.T) {
	for _, test := range []struct {
		raw  string
		want canonjson.Form
	}{
		{"", canonjson.Plain},
		{"plain text of some length", canonjson.Plain},
		{`\"#!#!#!`, canonjson.Escaped},
		{`1234567\n`, canonjson.Escaped},
		{`\\]]]`, canonjson.Escaped},
		{`12345678901234567890\u0041`, canonjson.Coded},
		{`1234567\u0041`, canonjson.Coded},
		{`\n\u0041 and some more text`, canonjson.Coded},
	} {
		for pad := range 20 {
			raw := strings.Repeat("x", pad) + test.raw
			got, err := canonjson.NewScanner(`"`+raw+`"`+strings.Repeat(" ", pad), 1).Value()
			if got != (canonjson.Value{Raw: raw, Form: test.want}) || err != nil {
				t.Errorf("%s: %v, %v", raw, got, err)
			}
		}
	}
}

// Reading canonical text does not allocate: the result is a part of the source.
func TestCanonicalIsShared(t *testing.T) {
	src := `{"a":[1,{"b":"x\n\u00e9\"","c":null}],"d":""}`
	if n := testing.AllocsPerRun(10, func() {
		if got, err := canonjson.Canonical(src); err != nil || got != src {
			t.Fatal(got, err)
		}
	}); n > 2 { // the scanner and its names
		t.Errorf("%v allocations", n)
	}
}

func TestErrors(t *testing.T) {
	many := func(last string) string {
		var b strings.Builder
		for i := range 100 {
			fmt.Fprintf(&b, `"n%d":0,`, i)
		}
		return "{" + b.String() + last + ":0}"
	}
	for _, test := range []struct {
		in   string
		want canonjson.Error
	}{
		{``, canonjson.Error{Msg: "the text ends where a JSON value should follow"}},
		{`[1,`, canonjson.Error{Offset: 3, Msg: "the text ends where a JSON value should follow"}},
		{`[1 2]`, canonjson.Error{Offset: 3, Msg: "'2' where a comma or ] should follow"}},
		{`{"a" 1}`, canonjson.Error{Offset: 5, Msg: "'1' where a colon should follow"}},
		{`{"a":1,}`, canonjson.Error{Offset: 7, Msg: "'}' where a member name should follow"}},
		{`{"a":1;`, canonjson.Error{Offset: 6, Msg: "';' where a comma or } should follow"}},
		{`tru`, canonjson.Error{Msg: "'t' where a JSON value should follow"}},
		{`nulll`, canonjson.Error{Offset: 4, Msg: "'l' where the end should follow"}},
		{`-`, canonjson.Error{Msg: "not a JSON number"}},
		{`01`, canonjson.Error{Offset: 1, Msg: "'1' where the end should follow"}},
		{`"abc`, canonjson.Error{Offset: 1, Msg: "a string without an end"}},
		{"\"a\nb\"", canonjson.Error{Offset: 2, Msg: "the control character 0x0a is not escaped"}},
		{`"a\x"`, canonjson.Error{Offset: 2, Msg: "an invalid escape"}},
		{`"a\u12"`, canonjson.Error{Offset: 2, Msg: "an invalid escape"}},
		{`"a\ud800\n"`, canonjson.Error{Kind: canonjson.Encoding, Offset: 2, Msg: "an unpaired surrogate"}},
		{"\"a\xff\"", canonjson.Error{Kind: canonjson.Encoding, Offset: 1, Msg: "a string is not valid UTF-8"}},
		{"\xff", canonjson.Error{Kind: canonjson.Encoding, Msg: "the byte 0xff is not UTF-8"}},
		{`{"a":1,"b":2,"\u0061":3}`, canonjson.Error{Offset: 13, Msg: `duplicate member "a"`}},
		{many(`"n7"`), canonjson.Error{Offset: 791, Msg: `duplicate member "n7"`}},
		{`[[[[1]]]]`, canonjson.Error{Kind: canonjson.Depth, Offset: 3, Msg: "nested deeper than 3 levels"}},
	} {
		for _, name := range []string{"skip", "canonical", "walk"} {
			s := canonjson.NewScanner(test.in, 3)
			var err error
			switch name {
			case "skip":
				err = s.Skip()
			case "canonical":
				_, err = s.Canonical()
			default:
				if test.want.Kind == canonjson.Depth {
					continue // walk does not check the depth
				}
				err = walk(s)
			}
			if err == nil {
				err = s.End()
			}
			got, _ := errors.AsType[*canonjson.Error](err)
			if diff := cmp.Diff(&test.want, got); diff != "" {
				t.Errorf("%s of %q: (-want +got)\n%s", name, test.in, diff)
			}
		}
	}
	if _, err := canonjson.Canonical(many(`"n100"`)); err != nil {
		t.Error(err)
	}
}

// walk reads the next value with the methods for its parts.
func walk(s *canonjson.Scanner) error {
	var err error
	switch s.Peek() {
	case '{':
		err = s.Object(func(string, int) error { return walk(s) })
	case '[':
		err = s.Array(func(int) error { return walk(s) })
	case '"':
		_, err = s.Text()
	default:
		_, err = s.Raw()
	}
	return err
}

func TestPath(t *testing.T) {
	src := `{"a": [1, {"b c": "xyz"}], "d": {}, "e":`
	for _, test := range []struct {
		before string // the offset is where this begins
		want   string
	}{
		{`{"a"`, "$"}, {`"a"`, "$.a"}, {`[1`, "$.a"}, {`1,`, "$.a[0]"}, {`, {`, "$.a"}, {`{"b c"`, "$.a[1]"}, {`"b c"`, `$.a[1]["b c"]`},
		{`yz"`, `$.a[1]["b c"]`}, {`}], `, `$.a[1]`}, {`], `, `$.a`}, {`"d"`, "$.d"}, {`{}`, "$.d"}, {`:`, "$.a"}, {``, "$.e"},
	} {
		at := strings.Index(src, test.before)
		if test.before == "" {
			at = len(src)
		}
		if got := canonjson.Path(src, at); got != test.want {
			t.Errorf("%d, %s: got %s, want %s", at, src[at:], got, test.want)
		}
	}
	// In a name without an end, the path is that of the object, not of the previous member.
	if got := canonjson.Path(`{"a":[{"b":1,"c`, 13); got != "$.a[0]" {
		t.Errorf("a name without an end: got %s", got)
	}
	// One pass finds it at any depth.
	deep := strings.Repeat(`{"a":[`, 50_000)
	if got := canonjson.Path(deep, len(deep)); got != "$"+strings.Repeat(".a[0]", 50_000) {
		t.Error("the path of a deep place is wrong")
	}
}

// TestTwice checks that a duplicate name of any length is refused, even if it is escaped.
func TestTwice(t *testing.T) {
	for n := range 40 {
		name := strings.Repeat("0123456789", 4)[:n]
		for _, again := range []string{`"` + name + `x"`, `"` + name + `\u0078"`} {
			for _, end := range []string{`:1}`, `:"a longer value after the name"}`} {
				src := `{"` + name + `x":0,"` + name + `y":0,"` + name + `":0,` + again + end
				if err := canonjson.NewScanner(src, 3).Skip(); err == nil || !strings.Contains(err.Error(), "duplicate") {
					t.Errorf("%s: %v", src, err)
				}
			}
		}
	}
}

// TestDeepObjects sorts the members of nested objects. It takes seconds if each level copies the
// levels below it.
func TestDeepObjects(t *testing.T) {
	const levels = 900
	text := `"` + strings.Repeat("x", 16<<20) + `"`
	got, err := canonjson.Canonical(strings.Repeat(`{"b":[1],"a":`, levels) + text + strings.Repeat("}", levels))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat(`{"a":`, levels) + text + strings.Repeat(`,"b":[1]}`, levels); got != want {
		t.Errorf("%d bytes, want %d, or other ones", len(got), len(want))
	}
}
