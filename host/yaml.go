package host

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pactkit/pactkit/ast"
)

// yamlHost is the host of YAML. The library determines the values; this package tracks the source
// of each of their bytes, and compares the result with the library's value. If the library cannot
// read a document, each part from one line without indentation to the next is read separately.
type yamlHost struct{}

var yamlFile = describe("YAML")

func (yamlHost) Name() string { return yamlFile.Name() }

func (yamlHost) Extensions() []string { return yamlFile.Extensions() }

func (yamlHost) Embeds() bool { return true }

func (yamlHost) isFence(name string) bool { return yamlFile.isFence(name) }

// suiteHost is the host of suites in YAML, files of PACT whose members named selector are
// selectors. A case may expect an error, so a selector with one is left alone.
type suiteHost struct{ yamlHost }

// suiteEndings are the endings of the names of suites in YAML.
var suiteEndings = []string{".suite.yaml", ".suite.yml"}

func (h suiteHost) Find(src string, m *Markers) File {
	if m == nil {
		m = defaultMarkers()
	}
	return h.yamlHost.Find(src, m.suites)
}

func (h suiteHost) segments(src string, m *Markers, last segmentReader) segmentReader {
	return h.yamlHost.segments(src, m.suites, last)
}

// yamlScalar is a value of a YAML file.
type yamlScalar struct {
	node    *yaml.Node
	depth   int  // of its path
	match   bool // its path is marked
	untyped bool // by a common name
	begin   int  // its offset, including its anchor and tag
	start   int  // the offset after its anchor and tag
	flow    bool // inside [] or {}
	key     bool
}

func (h yamlHost) Find(src string, m *Markers) File {
	if m == nil {
		m = defaultMarkers()
	}
	return new(Finder).Find(h, src, m)
}

// directives returns the comments that are meant for pactkit. Text of a value that looks like one
// does not count.
func (d *yamlDoc) directives() []ast.Span {
	if !strings.Contains(d.src, Directive) {
		return nil
	}
	var values []ast.Span
	for _, s := range d.scalars {
		if s.node.Style != 0 || strings.Contains(s.node.Value, Directive) {
			b := builder{src: d.src}
			values = append(values, s.decode(&b))
		}
	}
	slices.SortFunc(values, func(a, b ast.Span) int { return a.Start - b.Start })
	within := func(at int) bool {
		i, found := slices.BinarySearchFunc(values, at, func(v ast.Span, at int) int { return v.Start - at })
		return found || i > 0 && at < values[i-1].End
	}
	var out []ast.Span
	for _, l := range d.lines {
		end := l.End - len(l.Text(d.src)) + len(strings.TrimRight(l.Text(d.src), "\r\n"))
		for at := l.Start; at < end; at++ {
			if d.src[at] != '#' || at > l.Start && d.src[at-1] != ' ' && d.src[at-1] != '\t' || within(at) {
				continue
			}
			if c := (ast.Span{Start: at, End: end}); strings.Contains(c.Text(d.src), Directive) {
				out = append(out, c)
			}
			break
		}
	}
	return out
}

// commentedLines returns the comments that mark a selector, by the line that follows, from 0. If
// pending is not empty, it is the comment before the first line; the result has that before the
// line after the source.
func commentedLines(src string, lines []ast.Span, m *Markers, pending string) (map[int]string, string) {
	marked := map[int]string{}
	for i, line := range lines {
		text := strings.TrimSpace(line.Text(src))
		switch {
		case strings.HasPrefix(text, "#"):
			if m.marksComment(text) {
				pending = text
			}
		case pending != "" && text != "":
			marked[i], pending = pending, ""
		}
	}
	return marked, pending
}

func (yamlHost) outline(src string) []mark {
	doc := readYAML(src, &Markers{})
	var out []mark
	for _, s := range doc.scalars {
		b := builder{src: src}
		span := s.decode(&b)
		kind := byte(s.depth) << 1 // a value may get quotes, so its style is not part of its kind
		if s.isBlock() {
			kind |= 1
		}
		out = append(out, mark{span, kind})
	}
	slices.SortStableFunc(out, func(a, b mark) int { return a.Start - b.Start })
	return out
}

// region makes a region from a value.
func (s *yamlScalar) region(src string) Region {
	b := builder{src: src}
	token := s.decode(&b)
	r := Region{Text: s.node.Value, src: src}
	if string(b.text) != s.node.Value {
		token = ast.Span{Start: s.begin, End: min(s.begin+1, len(src))}
		b = builder{src: src}
		b.whole(s.node.Value, token.Start, token.End)
		r.Kind, r.Fixed = Folded, "the positions of its characters in the file are unknown"
	}
	r.token = token
	switch {
	case r.Kind != Editable:
		r.Span = token
	case s.isStyle(yaml.DoubleQuotedStyle):
		r.Span = ast.Span{Start: token.Start + 1, End: token.End - 1}
		r.spelling = &literal{dialect: yamlDouble, quote: '"'}
	case s.isStyle(yaml.SingleQuotedStyle):
		r.Span = ast.Span{Start: token.Start + 1, End: token.End - 1}
		r.spelling = &literal{dialect: yamlSingle, quote: '\''}
	default:
		r.Span = token
		r.spelling = &literal{dialect: yamlBlock}
		if !s.isBlock() {
			r.quote = quoteYAML
		}
	}
	r.pieces = b.done(r.Span.Start)
	if s.isBlock() {
		r.Span = ast.Span{Start: r.pieces[0].source.Start, End: r.pieces[len(r.pieces)-1].source.End}
	} else {
		r.reread = s.reread
	}
	return r
}

func (s *yamlScalar) isStyle(style yaml.Style) bool { return s.node.Style&style != 0 }

func (s *yamlScalar) isBlock() bool {
	return s.isStyle(yaml.LiteralStyle) || s.isStyle(yaml.FoldedStyle)
}

// quoteYAML writes a text of one line in single or double quotes, depending on the quotes in the
// text.
func quoteYAML(text string) string {
	if !strings.ContainsAny(text, `"\`) {
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// reread reads a changed value in a context like that of the old one.
func (s *yamlScalar) reread(text string) (string, bool) {
	before, after := "k:\n    ", "\n"
	if s.flow {
		before, after = "[ ", " ]\n"
	}
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(before+text+after), &n); err != nil || len(n.Content) != 1 || len(n.Content[0].Content) == 0 {
		return "", false
	}
	list := n.Content[0].Content
	v := list[len(list)-1]
	if v.Kind != yaml.ScalarNode || v.ShortTag() != "!!str" || v.Style != s.node.Style&^yaml.TaggedStyle || v.LineComment != "" ||
		len(list) != 1 && s.flow {
		return "", false
	}
	return v.Value, true
}
