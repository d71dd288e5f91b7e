package source

import "testing"

// TestStringified checks that hashes are of JSON as the client writes it.
func TestStringified(t *testing.T) {
	for in, want := range map[string]string{
		`{"text":"plain \n \"x\""}`:           `{"text":"plain \n \"x\""}`,
		`"a \u2014 b\u00e9"`:                  `"a — bé"`,
		`"\ud83d\ude00 and \u2028"`:           "\"😀 and \u2028\"",
		`"\ud83d alone, \ude00 and \ud83d\n"`: `"\ud83d alone, \ude00 and \ud83d\n"`,
		`"\\u2014 \\\u2014"`:                  `"\\u2014 \\—"`,
		`"\u001f\u0000"`:                      `"\u001f\u0000"`,
	} {
		if got := stringified(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
