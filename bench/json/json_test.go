package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// texts returns JSON such as agents write: a log of tau-bench, the same log indented, Chinese
// prose, and the same prose escaped. The variable PACTKIT_JSON can name another file.
func texts(b *testing.B) (names []string, texts map[string]string) {
	log, err := os.ReadFile("../../testdata/logs/tau-bench/gpt-4o-airline.json")
	if err != nil {
		b.Fatal(err)
	}
	const repeat = 14 // about 750 KB
	all := "[" + strings.TrimSuffix(strings.Repeat(string(log)+",", repeat), ",") + "]"
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(all), "", "  "); err != nil {
		b.Fatal(err)
	}
	prose := "[" + strings.TrimSuffix(strings.Repeat(`{"role":"user","content":"请帮我预订明天早上从上海到北京的航班，谢谢。\n"},`, 8000), ",") + "]"
	escaped, err := canonjson.Canonical(prose)
	if err != nil {
		b.Fatal(err)
	}
	names = []string{"tau", "indented", "cjk", "escaped"}
	texts = map[string]string{"tau": all, "indented": indented.String(), "cjk": prose, "escaped": escaped}
	if name := os.Getenv("PACTKIT_JSON"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		names = append(names, "file")
		texts["file"] = string(data)
	}
	return names, texts
}

// BenchmarkSkip validates a text and skips it.
func BenchmarkSkip(b *testing.B) {
	names, texts := texts(b)
	for _, name := range names {
		src := texts[name]
		data := []byte(src)
		run(b, name, "pactkit", src, func() error {
			s := canonjson.NewScanner(src, canonjson.DefaultDepth)
			return s.Skip()
		})
		var d jsontext.Decoder
		run(b, name, "jsontext", src, func() error {
			d.Reset(bytes.NewBuffer(data))
			return d.SkipValue()
		})
		run(b, name, "encoding-json", src, func() error {
			if !json.Valid(data) {
				return fmt.Errorf("not JSON")
			}
			return nil
		})
	}
}

// BenchmarkTokens visits every value and decodes every string.
func BenchmarkTokens(b *testing.B) {
	names, texts := texts(b)
	for _, name := range names {
		src := texts[name]
		data := []byte(src)
		run(b, name, "pactkit", src, func() error {
			return walk(canonjson.NewScanner(src, canonjson.DefaultDepth))
		})
		var d jsontext.Decoder
		run(b, name, "jsontext", src, func() error {
			d.Reset(bytes.NewBuffer(data))
			for depth := 0; ; {
				t, err := d.ReadToken()
				if err != nil {
					return err
				}
				switch t.Kind() {
				case '"':
					_ = t.String()
				case '[', '{':
					depth++
				case ']', '}':
					if depth--; depth == 0 {
						return nil
					}
				}
			}
		})
		run(b, name, "encoding-json", src, func() error {
			d := json.NewDecoder(bytes.NewReader(data))
			for depth := 0; ; {
				t, err := d.Token()
				if err != nil {
					return err
				}
				switch t {
				case json.Delim('['), json.Delim('{'):
					depth++
				case json.Delim(']'), json.Delim('}'):
					if depth--; depth == 0 {
						return nil
					}
				}
			}
		})
	}
}

func run(b *testing.B, text, lib, src string, do func() error) {
	b.Run(fmt.Sprintf("text=%s/lib=%s", text, lib), func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if err := do(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

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
