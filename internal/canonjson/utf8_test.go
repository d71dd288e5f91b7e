package canonjson

import "testing"

func TestUnescapeWide(t *testing.T) {
	for text, want := range map[string]string{
		`"plain"`:                    `"plain"`,
		`"\u65e5\u672c"`:             `"日本"`,
		`"\u00e9\\u00e9\\\u00e9"`:    `"é\\u00e9\\é"`,
		`"\ud83d\ude00."`:            `"😀."`,
		`"\ud83d.\ude00"`:            `"\ud83d.\ude00"`,
		`"\ud83d"`:                   `"\ud83d"`,
		`"\u0000\u007f\u0085\u009f"`: `"\u0000\u007f\u0085\u009f"`,
		`"\u2028\u2029\ufeff\ufffd"`: `"\u2028\u2029\ufeff\ufffd"`,
		`{"\u00e4":"\n\u00a0\""}`:    "{\"ä\":\"\\n\u00a0\\\"\"}",
	} {
		if got := UnescapeWide(text); got != want {
			t.Errorf("UnescapeWide(%s) = %s, want %s", text, got, want)
		}
	}
}

// FuzzUnescape checks that unescaped text has the same canonical text.
func FuzzUnescape(f *testing.F) {
	f.Add("\u00e9\u65e5😀\u2028\x00\\u00e9\"")
	f.Fuzz(func(t *testing.T, s string) {
		canonical, err := Canonical(string(AppendString(nil, s)))
		if err != nil {
			return // not UTF-8
		}
		if again, err := Canonical(UnescapeWide(canonical)); err != nil || again != canonical {
			t.Errorf("%s, unescaped %s, became %s: %v", canonical, UnescapeWide(canonical), again, err)
		}
	})
}
