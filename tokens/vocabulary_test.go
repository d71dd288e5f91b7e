//go:build !js

package tokens

import (
	"bytes"
	"compress/gzip"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// library has the vocabularies of tiktoken-go, which a program does not contain.
var library = []struct {
	own   func() *vocabulary
	codec *codec.Codec
}{{o200k, codec.NewO200kBase()}, {cl100k, codec.NewCl100kBase()}}

// TestVocabularies compares the embedded vocabularies with those of the library.
func TestVocabularies(t *testing.T) {
	for _, l := range library {
		var want, lengths bytes.Buffer
		for id := uint(0); ; id++ {
			token, err := l.codec.Decode([]uint{id})
			if err != nil {
				break
			}
			lengths.WriteByte(byte(len(token)))
			want.WriteString(token)
		}
		name := "vocabularies/" + l.codec.GetName() + ".gz"
		if os.Getenv("PACTKIT_UPDATE") == "1" {
			var packed bytes.Buffer
			w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(slices.Concat(lengths.Bytes(), []byte{0}, want.Bytes()))
			w.Close()
			if err := os.WriteFile(name, packed.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue // the test itself contains the old ones
		}
		own := l.own()
		if !bytes.Equal(own.texts, want.Bytes()) || own.name != l.codec.GetName() {
			t.Fatalf("%s is not that of the library; PACTKIT_UPDATE=1 writes it", name)
		}
		for rank, n := range lengths.Bytes() {
			text := own.text(uint32(rank))
			if len(text) != int(n) || own.rank(string(text)) != uint32(rank) {
				t.Fatalf("%s: token %d is %q, of rank %d", name, rank, text, own.rank(string(text)))
			}
		}
	}
}

// FuzzSplit checks that pieces are whole characters, and that none has more tokens than bytes.
func FuzzSplit(f *testing.F) {
	f.Add("It's 1234 o'clock. \n \n//\r\n  HTTPServer é\u0301 語 \u00a0\u3000x")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		for _, l := range library {
			v := l.own()
			for rest := text; rest != ""; {
				end := v.split(rest)
				if end <= 0 || end > len(rest) || !utf8.ValidString(rest[:end]) {
					t.Fatalf("%s: the first piece of %q has %d bytes", v.name, rest, end)
				}
				rest = rest[end:]
			}
			if n := v.count(text); n > len(text) {
				t.Fatalf("%s: %d tokens in %d bytes", v.name, n, len(text))
			}
		}
	})
}
