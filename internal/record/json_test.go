package record

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzIsJSON compares isJSON with encoding/json.
func FuzzIsJSON(f *testing.F) {
	long := strings.Repeat("plain ", 20)
	for _, text := range []string{
		`{"a":"` + long + `"}`, `"` + long + `\u12`, `"\u123"`, `"\u12345"`, `"\u12G4"`, `"\`, `"\"`, `"\\"`, `"\x"`, `"` + long + "\n\"",
		`{"a":[1,2,"b"]} `, `["` + long + `\n` + long + `\ud800"]`, `""`, `"`, "", `{"a":1,}`, "\"\xff\xfe" + long + `"`, `"a"b"c"`, `"\` + "\n" + `"`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := isJSON(text), json.Valid([]byte(text)); got != want {
			t.Errorf("isJSON(%q) = %v, json.Valid %v", text, got, want)
		}
	})
}
