package thread

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// maxReused is the maximum size of maps that are cleared and reused. Clearing a large map costs
// more than a new one.
const maxReused = 16

// writer writes compact ASCII JSON. The last byte of buf determines whether a comma is needed.
type writer struct {
	buf   []byte
	names []map[string]bool         // names of members of the open objects, followed by empty maps for reuse
	depth int                       // number of open objects
	put   func(engine.Value) string // RenderOptions.Value
}

func (w *writer) comma() {
	if len(w.buf) == 0 {
		return
	}
	switch w.buf[len(w.buf)-1] {
	case '{', '[', ':', ',', '\n':
	default:
		w.buf = append(w.buf, ',')
	}
}

func (w *writer) open(c byte) {
	w.comma()
	w.buf = append(w.buf, c)
	if c == '{' {
		if w.depth == len(w.names) {
			w.names = append(w.names, map[string]bool{})
		}
		w.depth++
	}
}

func (w *writer) close(c byte) {
	w.buf = append(w.buf, c)
	if c == '}' {
		w.depth--
		if in := w.names[w.depth]; len(in) <= maxReused {
			clear(in)
		} else {
			w.names[w.depth] = map[string]bool{}
		}
	}
}

// key begins a member. If the object already has it, key writes nothing and returns false.
func (w *writer) key(name string) bool {
	in := w.names[w.depth-1]
	if in[name] {
		return false
	}
	in[name] = true
	w.raw(engine.Text(name).String())
	w.buf = append(w.buf, ':')
	return true
}

func (w *writer) text(s string) { w.value(engine.Text(s)) }

func (w *writer) value(v engine.Value) {
	if w.put != nil {
		w.raw(w.put(v))
		return
	}
	w.raw(v.String())
}

func (w *writer) raw(s string) {
	w.comma()
	w.buf = append(w.buf, s...)
}

// member writes a member whose value is a string.
func (w *writer) member(name, s string) { w.memberValue(name, engine.Text(s)) }

func (w *writer) memberValue(name string, v engine.Value) {
	if !v.IsZero() && w.key(name) {
		w.value(v)
	}
}

// indentedSize is about how large indented JSON is.
func indentedSize(compact int) int { return compact + compact/4 }

// indent returns compact JSON indented by two spaces with a final newline, and adjusts the units.
func indent(compact []byte, units []Unit) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(indentedSize(len(compact)))
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	pretty := out.Bytes()
	places := make([]*int, 0, 2*len(units)) // of bytes of compact
	for i := range units {
		u := &units[i]
		u.End--
		places = append(places, &u.Start, &u.End)
	}
	slices.SortFunc(places, func(a, b *int) int { return *a - *b })
	i, j := 0, 0
	for _, place := range places {
		for ; i < *place; i++ {
			for pretty[j] != compact[i] {
				j++
			}
			j++
		}
		for pretty[j] != compact[i] {
			j++
		}
		*place = j
	}
	for i := range units {
		units[i].End++
	}
	return pretty, nil
}
