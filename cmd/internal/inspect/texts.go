package inspect

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/pactkit/pactkit/engine"
)

// blob is compressed JSON.
type blob struct {
	buf  bytes.Buffer
	zip  *gzip.Writer
	json *json.Encoder
	list string // what goes before the next element of a list
}

func newBlob() *blob {
	b := &blob{}
	b.zip, _ = gzip.NewWriterLevel(&b.buf, gzip.DefaultCompression) // fails only for another level
	b.json = json.NewEncoder(b.zip)
	b.json.SetEscapeHTML(false)
	return b
}

// text writes a piece of JSON. Writing to memory does not fail.
func (b *blob) text(s string) { _, _ = io.WriteString(b.zip, s) }

// begin begins a list with the text before it.
func (b *blob) begin(s string) {
	b.text(s)
	b.list = "["
}

// add adds an element to a list.
func (b *blob) add(v any) error {
	b.text(b.list)
	b.list = ","
	return b.json.Encode(v)
}

// end ends a list.
func (b *blob) end() {
	if b.list == "[" {
		b.text("[")
	}
	b.text("]")
}

// member writes a member of an object after another one.
func (b *blob) member(name string, v any) error {
	b.text(`,"` + name + `":`)
	return b.json.Encode(v)
}

func (b *blob) bytes() []byte {
	_ = b.zip.Close()
	return b.buf.Bytes()
}

const (
	// shortText is the length of the values that are repeated where they occur.
	shortText = 64
	// textBlob is about the size of the texts in a blob. The page decompresses those that it shows.
	textBlob = 1 << 20
	// textMark begins the strings that are references. A value with such a string is always a text.
	textMark = `"\u0000`
)

// texts holds the long values of a session, each once, in the order in which they occur first.
type texts struct {
	number map[string]int
	first  []int // the number of the first text of each blob
	blobs  [][]byte
	open   *blob
	size   int // of the texts in open
}

// refer returns the JSON of a short value, and a reference to a long one.
func (t *texts) refer(v engine.Value) string {
	s := v.String()
	if len(s) < shortText && !strings.Contains(s, textMark) {
		return s
	}
	n, ok := t.number[s]
	if !ok {
		n = len(t.number)
		t.number[s] = n
		t.add(n, s)
	}
	return textMark + strconv.Itoa(n) + `"`
}

func (t *texts) add(n int, s string) {
	if t.open == nil {
		t.open, t.size = newBlob(), 0
		t.open.begin("")
		t.first = append(t.first, n)
	}
	t.open.text(t.open.list)
	t.open.list = ","
	t.open.text(s)
	if t.size += len(s); t.size >= textBlob {
		t.flush()
	}
}

func (t *texts) flush() {
	if t.open != nil {
		t.open.end()
		t.blobs = append(t.blobs, t.open.bytes())
		t.open = nil
	}
}
