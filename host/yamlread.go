package host

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/pactkit/pactkit/ast"
)

// yamlDoc is the result of reading a file.
type yamlDoc struct {
	src     string
	markers *Markers
	lines   []ast.Span
	scalars []yamlScalar
	broken  []int // the offsets of parts that cannot be read
}

// line returns the line of an offset, counted from 0.
func (d *yamlDoc) line(offset int) int {
	i, found := slices.BinarySearchFunc(d.lines, offset, func(l ast.Span, at int) int { return l.Start - at })
	if !found {
		i--
	}
	return i
}

// yamlLines cuts a source into lines, with their endings, as YAML 1.1 does.
func yamlLines(src string) []ast.Span {
	var lines []ast.Span
	start := 0
	for i := 0; i < len(src); {
		n := yamlBreak(src, i)
		if n == 0 {
			i++
			continue
		}
		i += n
		lines = append(lines, ast.Span{Start: start, End: i})
		start = i
	}
	return append(lines, ast.Span{Start: start, End: len(src)})
}

// yamlBreak returns the number of bytes of the line ending at an offset, or 0.
func yamlBreak(src string, at int) int {
	if n := lineEnd(src, at); n > 0 {
		return n
	}
	switch {
	case strings.HasPrefix(src[at:], "\u0085"):
		return 2
	case strings.HasPrefix(src[at:], "\u2028"), strings.HasPrefix(src[at:], "\u2029"):
		return 3
	}
	return 0
}

func readYAML(src string, m *Markers) *yamlDoc {
	d := &yamlDoc{src: src, markers: m, lines: yamlLines(src)}
	whole := ast.Span{Start: 0, End: len(src)}
	if _, ok := d.read(whole); ok {
		return d
	}
	d.scalars = nil
	from, keys := 0, false
	for _, l := range d.lines {
		line := src[l.Start:l.End]
		element := strings.HasPrefix(line, "- ") || line == "-\n"
		if l.Start > from && isYAMLTop(line) && !(element && keys) {
			d.readPart(ast.Span{Start: from, End: l.Start})
			from = l.Start
		}
		keys = (keys || isYAMLTop(line) && !element) && !strings.HasPrefix(line, "---")
	}
	d.readPart(ast.Span{Start: from, End: len(src)})
	return d
}

// isYAMLTop reports whether a line may begin something independent: a key without indentation, an
// element of a list that belongs to no key, or a document.
func isYAMLTop(line string) bool {
	return line != "" && strings.IndexByte(" \t\r\n#]}'\"", line[0]) < 0
}

func (d *yamlDoc) readPart(part ast.Span) {
	if at, ok := d.read(part); !ok {
		d.broken = append(d.broken, at)
	}
}

// The library has no type for its errors of syntax, and their positions are only in their texts,
// which the next two functions read. TestYAMLErrors fails when the library changes the texts.

var yamlErrorLine = regexp.MustCompile(`^yaml: line (\d+): `)

// yamlErrorAt returns the line that an error of the library names, counted from 0. An error in the
// first line names none, nor does one in the encoding.
func yamlErrorAt(err error) int {
	if m := yamlErrorLine.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return max(0, n-1)
	}
	return 0
}

// lacksAnchor reports whether an error of the library says that an alias has no anchor before it.
func lacksAnchor(err error) bool { return strings.HasPrefix(err.Error(), "yaml: unknown anchor ") }

// read reads documents, and adds their values if all can be read; otherwise it returns where
// reading failed.
func (d *yamlDoc) read(part ast.Span) (int, bool) {
	text := part.Text(d.src)
	bom := len(text) - len(strings.TrimPrefix(text, "\uFEFF"))
	first := d.line(part.Start)
	w := yamlWalk{yamlDoc: d, first: first, bom: part.Start + bom}
	dec := yaml.NewDecoder(bytes.NewReader([]byte(text[bom:])))
	for {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			at := first + yamlErrorAt(err)
			return min(d.lines[min(at, len(d.lines)-1)].Start, part.End), false
		}
		w.walk(&n, false, false)
	}
	if w.lost {
		return part.Start, false
	}
	d.scalars = append(d.scalars, w.scalars...)
	return 0, true
}

// yamlWalk collects the values of documents.
type yamlWalk struct {
	*yamlDoc
	first   int // the line where the documents begin
	bom     int // where they begin
	path    []string
	scalars []yamlScalar
	lost    bool // the library gave a position that is not in the source

	at, line, column int // the position found last: a line may hold many values
}

func (w *yamlWalk) walk(n *yaml.Node, flow, key bool) {
	flow = flow || n.Style&yaml.FlowStyle != 0
	switch n.Kind {
	case yaml.DocumentNode:
		for _, c := range n.Content {
			w.walk(c, flow, false)
		}
	case yaml.SequenceNode:
		w.path = append(w.path, "[]")
		for _, c := range n.Content {
			w.walk(c, flow, false)
		}
		w.path = w.path[:len(w.path)-1]
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			w.walk(n.Content[i], flow, true)
			w.path = append(w.path, n.Content[i].Value)
			w.walk(n.Content[i+1], flow, false)
			w.path = w.path[:len(w.path)-1]
		}
	case yaml.ScalarNode:
		if n.Line > 0 && w.first+n.Line < 1 {
			return // it is in the head of a segment
		}
		begin, ok := w.offset(n)
		w.lost = w.lost || !ok
		match, untyped := w.markers.matchKey(w.path)
		w.scalars = append(w.scalars, yamlScalar{
			node: n, depth: len(w.path), match: match, untyped: untyped, begin: begin, start: afterProperties(w.src, begin), flow: flow, key: key,
		})
	}
}

// offset returns where a value begins.
func (w *yamlWalk) offset(n *yaml.Node) (int, bool) {
	line := w.first + n.Line - 1
	if n.Line < 1 || line >= len(w.lines) {
		return 0, n.Line == 0 // an empty value has no position
	}
	if n.Line != w.line || n.Column < w.column {
		w.at, w.line, w.column = max(w.lines[line].Start, w.bom), n.Line, 1
	}
	for ; w.column < n.Column; w.column++ {
		if w.at >= len(w.src) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(w.src[w.at:])
		w.at += size
	}
	return w.at, true
}

// afterProperties skips an anchor and a tag.
func afterProperties(src string, at int) int {
	for at < len(src) && (src[at] == '&' || src[at] == '!') {
		for at < len(src) && strings.IndexByte(" \t\r\n,]}", src[at]) < 0 {
			at++
		}
		at = skipYAMLBlank(src, at)
	}
	return at
}

// skipYAMLBlank skips white space and comments.
func skipYAMLBlank(src string, at int) int {
	for at < len(src) {
		switch c := src[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case c == '#' && at > 0 && strings.IndexByte(" \t\r\n", src[at-1]) >= 0:
			for at < len(src) && yamlBreak(src, at) == 0 {
				at++
			}
		default:
			return at
		}
	}
	return at
}

func yamlBreakAt(src string, at int) int {
	if at >= len(src) {
		return 0
	}
	return yamlBreak(src, at)
}
