package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlaces checks the place at the mark in each document.
func TestPlaces(t *testing.T) {
	for _, x := range []struct{ src, want string }{
		{"ro~ot = true", "key  root"},
		{"~root = true", "key  root"},
		{"root = tr~ue", "value root true"},
		{"root = ~", "value root "},
		{"a = 1\n~", "key  "},
		{"[format]\nst~", "key format st"},
		{"[format]\nstyle = \"ca~n\"", "value format.style 'can'"},
		{"format.st~yle = 1", "key format style"},
		{"[fo~rmat]", "header  format"},
		{"[rules.ol~d]", "header rules old"},
		{"[[overr~", "header  overr"},
		{"[rules.\"a.b\"]\nfor~", "key rules.a.b for"},
		{"lint.off = ['a', 'b~']", "value lint.off 'b'"},
		{"lint.off = [\n  'a',\n  ~", "value lint.off "},
		{"[rules.a]\nbad = [{ selector = 'x', fo~ }]", "key rules.a.bad fo"},
		{"[rules.a]\nbad = [{ selector = 'x' }]\nus~", "key rules.a us"},
		{"policy = { window = 3, ~", "key policy "},
		{"a = \"\"\"\n[x]\n\"\"\"\nb~", "key  b"},
		{"a = 'it\nb~ = 2", "key  b"},
		{"a = 1 # no~", "none"},
	} {
		offset := strings.IndexByte(x.src, '~')
		src := strings.Replace(x.src, "~", "", 1)
		p, ok := PlaceAt(src, offset)
		got := "none"
		if ok {
			kind, word := "key", p.Word.Text(src)
			switch {
			case p.Header:
				kind = "header"
			case p.IsValue:
				kind = "value"
			}
			if p.Quoted {
				word = "'" + word + "'"
			}
			got = fmt.Sprintf("%s %s %s", kind, strings.Join(p.Path, "."), word)
		}
		if got != x.want {
			t.Errorf("%q: got %q, want %q", x.src, got, x.want)
		}
	}
}

// FuzzPlaceAt checks that any text has a place at any offset, and that its word lies in the text.
func FuzzPlaceAt(f *testing.F) {
	f.Add("[a.'b']\nc = [{ d = \"e", uint(5))
	f.Add("[[x", uint(3))
	f.Fuzz(func(t *testing.T, src string, number uint) {
		offset := int(number % uint(len(src)+1))
		if p, ok := PlaceAt(src, offset); ok && (p.Word.Start < 0 || p.Word.Start > p.Word.End || p.Word.End > len(src)) {
			t.Errorf("%q at %d: %v", src, offset, p.Word)
		}
	})
}
