package thread

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// document is a JSON text: a whole file, a line, or an element of a list in a file. It is valid
// JSON.
type document struct {
	text    string
	element int                // index in the list in the file, or noElement
	line    int                // line of the file in which the text begins
	scanner *canonjson.Scanner // of text
	root    value
	nodes   nodes   // the values below the root
	found   []value // buffer for children

	mark, markLine int // offset and line where a message begins
	seen, seenLine int // offset and line of the latest lookup
}

// value is one JSON value of a document. Its members or elements are found on first use.
type value struct {
	doc   *document // nil for a value that is not in a file
	raw   string
	off   int    // offset of raw in the text of the document
	up    *value // the object or list that contains it; nil for the root
	name  string // of a member of an object
	index int    // of an element of a list
	open  bool   // kids is set
	kids  []value
}

// missing is the value of a member that an object does not have.
var missing value

// nodes allocates values and reuses released ones.
type nodes struct {
	blocks [][]value
	next   position
}

// position is the index of a block and an index in it.
type position struct{ block, at int }

// nodeBlock is the size of a block of values. The first two blocks are smaller, because many
// documents are small.
const nodeBlock = 256

// take returns a copy of values in memory that is not reallocated.
func (n *nodes) take(kids []value) []value {
	if len(kids) > nodeBlock {
		return slices.Clone(kids)
	}
	for n.next.block < len(n.blocks) && n.next.at+len(kids) > len(n.blocks[n.next.block]) {
		n.next = position{n.next.block + 1, 0}
	}
	if n.next.block == len(n.blocks) {
		size := nodeBlock >> (4 - 2*min(n.next.block, 2))
		n.blocks = append(n.blocks, make([]value, max(size, len(kids))))
	}
	out := n.blocks[n.next.block][n.next.at:][:len(kids):len(kids)]
	n.next.at += len(kids)
	copy(out, kids)
	return out
}

func (v *value) is(c byte) bool { return len(v.raw) > 0 && v.raw[0] == c }
func (v *value) isNull() bool   { return v.is('n') }

// text returns the decoded string if the value is one.
func (v *value) text() (string, bool) {
	if !v.is('"') {
		return "", false
	}
	return canonjson.Unquote(v.raw), true
}

// json returns the value as one that a node can have.
func (v *value) json() engine.Value {
	e, _ := engine.JSON(v.raw) // the document is valid
	return e
}

// fields yields the members of an object in their order.
func (v *value) fields() iter.Seq[*value] { return v.each('{') }

// elements yields the elements of a list.
func (v *value) elements() iter.Seq[*value] { return v.each('[') }

func (v *value) each(bracket byte) iter.Seq[*value] {
	return func(yield func(*value) bool) {
		if !v.is(bracket) {
			return
		}
		kids := v.children()
		for i := range kids {
			if !yield(&kids[i]) {
				return
			}
		}
	}
}

func (v *value) children() []value {
	if v.open {
		return v.kids
	}
	d := v.doc
	s, found := d.scanner, d.found[:0]
	next := func(name string, index int) error {
		s.Peek()
		start := s.Offset()
		raw, err := s.Raw()
		found = append(found, value{doc: d, raw: raw, off: start, up: v, name: name, index: index})
		return err
	}
	s.Reset(v.off)
	// The document is valid, so nothing fails.
	if v.is('{') {
		_ = s.Object(func(name string, _ int) error { return next(name, 0) })
	} else {
		_ = s.Array(func(i int) error { return next("", i) })
	}
	v.kids, v.open = d.nodes.take(found), true
	d.found = found
	return v.kids
}

// get returns a member of an object, or missing and false.
func (v *value) get(name string) (*value, bool) {
	for f := range v.fields() {
		if f.name == name {
			return f, true
		}
	}
	return &missing, false
}

// textOf returns the string value of a member of an object, or "".
func textOf(v *value, name string) string {
	f, _ := v.get(name)
	s, _ := f.text()
	return s
}

// valueOf parses the content or a member of a node. It may be missing.
func valueOf(v engine.Value) *value {
	if v.IsZero() {
		return &missing
	}
	root, _ := new(document).parse(v.String(), noElement, 1) // a Value is valid JSON
	return root
}

// path returns the JSON path of a value in its file.
func (v *value) path() string {
	switch {
	case v.doc == nil:
		return "$"
	case v.up == nil:
		return v.doc.path()
	case v.up.is('['):
		return v.up.path() + "[" + strconv.Itoa(v.index) + "]"
	}
	return v.up.path() + pathStep(v.name)
}

// line returns the line of a value in its file, from 1.
func (v *value) line() int {
	if v.doc == nil {
		return 1
	}
	return v.doc.lineAt(v.off)
}

// noElement is the index of a document that is a whole file or a line.
const noElement = -1

// path returns the JSON path of the document in its file.
func (d *document) path() string {
	if d.element == noElement {
		return "$"
	}
	return "$[" + strconv.Itoa(d.element) + "]"
}

func pathStep(name string) string { return string(canonjson.AppendStep(nil, name)) }

// parse parses a text that begins at a line of the file. It reuses the memory of the previous text,
// whose values become invalid.
func (d *document) parse(text string, element, line int) (*value, error) {
	d.text, d.element, d.line = text, element, line
	d.mark, d.markLine, d.seen, d.seenLine = 0, line, 0, line
	d.nodes.next = position{}
	if d.scanner == nil {
		d.scanner = canonjson.NewScanner("", canonjson.DefaultDepth)
	}
	s := d.scanner
	s.SetSource(text)
	s.Peek()
	start := s.Offset()
	raw, err := s.Raw()
	if err == nil {
		err = s.End()
	}
	d.root = value{doc: d, raw: raw, off: start}
	return &d.root, err
}

// forget releases the children of a value and, from a position on, the memory of values.
func (d *document) forget(v *value, begin position) {
	v.kids, v.open = nil, false
	d.nodes.next = begin
}

// lineAt returns the line of an offset in the text. Calls with ascending offsets cost one pass over
// the text in total. An offset before the previous one costs a pass from the mark, or from the
// beginning.
func (d *document) lineAt(off int) int {
	switch {
	case off >= d.seen:
		d.seenLine += strings.Count(d.text[d.seen:off], "\n")
		d.seen = off
		return d.seenLine
	case off >= d.mark:
		return d.markLine + strings.Count(d.text[d.mark:off], "\n")
	}
	return d.line + strings.Count(d.text[:off], "\n")
}

// begin marks where a message begins, because that is the position of its notes.
func (d *document) begin(off int) { d.markLine, d.mark = d.lineAt(off), off }
