package canonjson_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// FuzzScanner compares the scanner with jsontext: both accept the same texts, and read the same
// values.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-0.5e+3,true,false,null],"b":{"c":"d"}}`, ` [ ] `, `{}`, `""`, `"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t"`,
		`"\ud800"`, `"\udc00\ud800"`, "\"\xff\"", "\"\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97\"", `{"a":1,"\u0061":2}`, `{"abcdefgh1abcdefgh":1,"abcdefgh2abcdefgh":1}`,
		`[1,]`, `[01]`, `1.`, `.5`, `1e`, `-`, "\ufeff1", "\"\x7f\x00\"", `"aaaaaaaaaaaaaaaaaaaaaaaaaaaa\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"`,
		"[\"0123456\\u0041\",\t\"01234567\",\r\n\"012345\xc3\xa9\"]", `{"":{"":{"":0}}}`, `nul`, `truefalse`, `{"a":1}}`,
	} {
		f.Add([]byte(s))
	}
	var b strings.Builder
	b.WriteByte('{')
	for i := range 40 {
		b.WriteString(`"` + strings.Repeat("n", i) + `":1,`)
	}
	f.Add([]byte(b.String() + `"x":1}`))
	f.Add([]byte(b.String() + `"nn":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		src := string(data)
		valid := jsontext.Value(data).IsValid()
		canonical, err := canonjson.Canonical(src)
		if (err == nil) != valid {
			t.Fatalf("canonjson: %v, jsontext accepts: %t", err, valid)
		}
		for _, read := range []func(*canonjson.Scanner) error{(*canonjson.Scanner).Skip, walk} {
			s := canonjson.NewScanner(src, canonjson.DefaultDepth)
			again := read(s)
			if again == nil {
				again = s.End()
			}
			if (again == nil) != valid {
				t.Fatalf("%v, but the canonical form: %v", again, err)
			}
		}
		s := canonjson.NewScanner("", canonjson.DefaultDepth) // which learns names
		var first error
		for n := range 20 {
			s.SetSource(src)
			again := pick(s)
			if again == nil {
				again = s.End()
			}
			if n == 0 {
				first = again
			}
			if (again == nil) != valid || !gocmp.Equal(again, first) {
				t.Fatalf("%v, before: %v, but the canonical form: %v", again, first, err)
			}
		}
		if !valid {
			return
		}
		if again, err := canonjson.Canonical(canonical); err != nil || again != canonical {
			t.Fatalf("canonical text changes from\n%s to\n%s, %v", canonical, again, err)
		}
		if want := string(reference(t, data)); canonical != want {
			t.Fatalf("canonical\n%s, want\n%s", canonical, want)
		}
	})
}

var picked = canonjson.Names{"a", "b", "c"}

// pick reads the next value with Pick, and compares its members with those that Object finds.
func pick(s *canonjson.Scanner) error {
	if s.Peek() != '{' {
		return s.Skip()
	}
	start := s.Offset()
	var want, got [2]canonjson.Value
	calls := 0
	err := s.Pick(&picked, got[:], func(int) error { calls++; return pick(s) })
	if err != nil {
		return err
	}
	end := s.Offset()
	s.Reset(start)
	err = s.Object(func(name string, _ int) error {
		if which := slices.Index(picked, name); which >= 0 && which < len(got) {
			var err error
			want[which], err = s.Value()
			return err
		} else if which >= 0 {
			calls--
		}
		return s.Skip()
	})
	if err != nil || got != want || calls != 0 || s.Offset() != end {
		return fmt.Errorf("Pick: %v, %d, Object: %v, %v", got, end, want, err)
	}
	return nil
}

// reference returns the canonical text of a value, made with jsontext.
func reference(t *testing.T, data []byte) []byte {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	var value func() []byte
	value = func() []byte {
		token, err := d.ReadToken()
		if err != nil {
			t.Fatal(err)
		}
		switch token.Kind() {
		case '{':
			type member struct {
				name string
				text []byte
			}
			var members []member
			for d.PeekKind() != '}' {
				token, err := d.ReadToken()
				if err != nil {
					t.Fatal(err)
				}
				name := token.String()
				members = append(members, member{name, value()})
			}
			d.ReadToken()
			slices.SortFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
			var parts [][]byte
			for _, m := range members {
				parts = append(parts, append(append(ascii(m.name), ':'), m.text...))
			}
			return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
		case '[':
			var parts [][]byte
			for d.PeekKind() != ']' {
				parts = append(parts, value())
			}
			d.ReadToken()
			return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
		case '"':
			return ascii(token.String())
		}
		return []byte(token.String())
	}
	return value()
}

// ascii writes a string as Python does with ensure_ascii.
func ascii(s string) []byte {
	const short = "\b\t\n\f\r\"\\"
	out := []byte{'"'}
	for _, r := range s {
		switch i := strings.IndexRune(short, r); {
		case i >= 0:
			out = append(out, '\\', `btnfr"\`[i])
		case r >= 0x20 && r <= 0x7e:
			out = append(out, byte(r))
		case r < 0x10000:
			out = append(out, unit(r)...)
		default:
			out = append(append(out, unit(0xd800+(r-0x10000)>>10)...), unit(0xdc00+(r-0x10000)&0x3ff)...)
		}
	}
	return append(out, '"')
}

func unit(r rune) string {
	const digits = "0123456789abcdef"
	return `\u` + string([]byte{digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]})
}

// FuzzString checks that written strings can be read back.
func FuzzString(f *testing.F) {
	f.Add("a\"\\\b\u007fé😀\x00")
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		quoted := string(canonjson.AppendString(nil, s))
		if canonical, err := canonjson.Canonical(quoted); err != nil || canonical != quoted {
			t.Fatalf("%q is written as %s, canonical %s, %v", s, quoted, canonical, err)
		}
		if got := canonjson.Unquote(quoted); got != s || quoted != string(ascii(s)) {
			t.Fatalf("%q is written as %s and read as %q", s, quoted, got)
		}
	})
}
