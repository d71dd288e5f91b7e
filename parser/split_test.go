package parser

import "testing"

// TestUnquoted checks that strings end as in the lexer: an escape hides a quote, and every string
// ends with its line.
func TestUnquoted(t *testing.T) {
	for src, want := range map[string]string{
		"":                  "",
		`.a{x="b"}.c`:       ".a{x=}.c",
		`'it\'s' "'" 'x"y'`: "  ",
		`''""#`:             "#",
		"'a\n.b 'c' 'd\r\n": "\n.b  \r\n",
		`.a 'open`:          ".a ",
		`.a 'open\`:         ".a ",
		".a 'open\\\n.b":    ".a \n.b",
		`\'x'`:              `\`,
		"# don't\n(":        "# don\n(",
	} {
		var got []byte
		for i, c := range Unquoted(src) {
			if src[i] != c {
				t.Errorf("%q: byte %d is %q, not %q", src, i, src[i], c)
			}
			got = append(got, c)
		}
		if string(got) != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
	for i := range Unquoted("'a'bc") { // and it can be left
		if i != 3 {
			t.Errorf("the first byte is at %d", i)
		}
		break
	}
}
