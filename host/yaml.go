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
	"github.com/pactkit/pactkit/ast/diag"
)

// yamlHost is the host of YAML. The library says which values there are and what they are; where each of their bytes
// comes from is followed here and held against what the library says. A document that cannot be read is read in
// pieces, from one line without indentation to the next.
type yamlHost struct{}

func (yamlHost) Name() string { return "YAML file" }

func (yamlHost) Extensions() []string { return []string{".yaml", ".yml"} }

func (yamlHost) isFence(name string) bool { return name == "yaml" || name == "yml" }

// yamlScalar is a value of a YAML file.
type yamlScalar struct {
	node    *yaml.Node
	depth   int  // of its path
	match   bool // its path is marked
	untyped bool // by a common name
	place   int  // where it begins
	start   int  // the same, behind its anchor and tag
	flow    bool // inside [] or {}
	key     bool
}

func (h yamlHost) Find(src string, m *Markers) File {
	if m == nil {
		m = DefaultMarkers()
	}
	comments := m.mayHoldComments(src)
	keys := m.mayHoldKeys(src)
	if !comments && !keys {
		return File{}
	}
	var marked map[int]bool // the lines that comments mark
	if comments {
		marked = commentedLines(src, m)
	}
	if !keys && len(marked) == 0 {
		return File{}
	}
	var f File
	if !keys {
		m = &Markers{comments: m.comments}
	}
	doc := readYAML(src, m)
	for _, s := range doc.scalars {
		if s.key || s.node.Kind != yaml.ScalarNode || s.node.ShortTag() != "!!str" {
			continue
		}
		if commented := marked[doc.line(s.start)]; s.match || commented {
			if r := s.region(src); r.Len() > 0 || r.Text == "" {
				r.untyped = s.untyped && !commented
				f.Regions = append(f.Regions, r)
			}
		}
		delete(marked, doc.line(s.start))
	}
	f.Comments = doc.directives()
	for _, at := range doc.broken {
		f.Diagnostics = append(f.Diagnostics, diag.Diagnostic{
			Code: Unreadable, Severity: diag.Error, Span: ast.Span{Start: at, End: at}, Message: "this YAML cannot be read",
		})
	}
	judge(&f, m.proven)
	return f
}

// directives are the comments that say something to pactkit. What looks like one inside a value is none.
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

// commentedLines are the lines, from 0, that follow a comment which marks a selector.
func commentedLines(src string, m *Markers) map[int]bool {
	lines := map[int]bool{}
	pending := false
	for i, line := range yamlLines(src) {
		text := strings.TrimSpace(src[line.Start:line.End])
		switch {
		case strings.HasPrefix(text, "#"):
			pending = m.marksComment(text) || pending
		case pending && text != "":
			lines[i], pending = true, false
		}
	}
	return lines
}

func (yamlHost) outline(src string) []mark {
	doc := readYAML(src, &Markers{})
	var out []mark
	for _, s := range doc.scalars {
		b := builder{src: src}
		span := s.decode(&b)
		kind := byte(s.depth) << 1 // a value may get quotes, so that the style of others is not part of its kind
		if s.isBlock() {
			kind |= 1
		}
		out = append(out, mark{span, kind})
	}
	slices.SortStableFunc(out, func(a, b mark) int { return a.Start - b.Start })
	return out
}

// yamlDoc is what was read of a file.
type yamlDoc struct {
	src     string
	markers *Markers
	lines   []ast.Span
	scalars []yamlScalar
	broken  []int // where what cannot be read begins
}

// line is the line of an offset, from 0.
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

// yamlBreak is the number of bytes of a line ending, or 0.
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

// isYAMLTop reports whether something of its own may begin with a line: a key without indentation, an element of
// a list that belongs to no key, a document.
func isYAMLTop(line string) bool {
	return line != "" && strings.IndexByte(" \t\r\n#]}'\"", line[0]) < 0
}

func (d *yamlDoc) readPart(part ast.Span) {
	if at, ok := d.read(part); !ok {
		d.broken = append(d.broken, at)
	}
}

var yamlErrorLine = regexp.MustCompile(`line (\d+)`)

// read reads documents, and adds their values when all can be read; otherwise it says where not.
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
			at := first
			if m := yamlErrorLine.FindStringSubmatch(err.Error()); m != nil {
				n, _ := strconv.Atoi(m[1])
				at += max(0, n-1)
			}
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
	lost    bool // a place that the library gave is none

	at, line, column int // the place found last: a line may hold many values
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
		place, ok := w.offset(n)
		w.lost = w.lost || !ok
		match, untyped := w.markers.matchKey(w.path)
		w.scalars = append(w.scalars, yamlScalar{
			node: n, depth: len(w.path), match: match, untyped: untyped, place: place, start: behindProperties(w.src, place), flow: flow, key: key,
		})
	}
}

// offset is where a value begins.
func (w *yamlWalk) offset(n *yaml.Node) (int, bool) {
	line := w.first + n.Line - 1
	if n.Line < 1 || line >= len(w.lines) {
		return 0, n.Line == 0 // an empty value has no place
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

// behindProperties passes over an anchor and a tag.
func behindProperties(src string, at int) int {
	for at < len(src) && (src[at] == '&' || src[at] == '!') {
		for at < len(src) && strings.IndexByte(" \t\r\n,]}", src[at]) < 0 {
			at++
		}
		at = skipYAMLBlank(src, at)
	}
	return at
}

// skipYAMLBlank passes over white space and comments.
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

// region makes a region of a value.
func (s *yamlScalar) region(src string) Region {
	b := builder{src: src}
	token := s.decode(&b)
	r := Region{Text: s.node.Value, src: src}
	if string(b.text) != s.node.Value {
		token = ast.Span{Start: s.place, End: min(s.place+1, len(src))}
		b = builder{src: src}
		b.whole(s.node.Value, token.Start, token.End)
		r.Kind, r.Fixed = Folded, "it cannot be told where in the file its characters stand"
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

// quoteYAML writes a text of one line in quotes. Which of the two it takes is up to the quotes in the text.
func quoteYAML(text string) string {
	if !strings.ContainsAny(text, `"\`) {
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// reread reads a changed value where the old one could stand.
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

var (
	yamlDouble = &dialect{name: "double-quoted YAML", special: "\\", forbidden: `\`, escape: yamlEscape}
	yamlSingle = &dialect{name: "single-quoted YAML", special: "'", escape: func(src string, at int, _ *literal) (string, int, bool) {
		if at+1 < len(src) && src[at+1] == '\'' {
			return "'", 2, true
		}
		return "", 0, true
	}}
	yamlBlock = &dialect{name: "YAML text", free: true}
)

func yamlEscape(src string, at int, _ *literal) (string, int, bool) {
	if text, n, ok := simpleEscape(src, at, `abfnrtv\"`); ok {
		return text, n, ok
	}
	if at+1 >= len(src) {
		return "", 1, false
	}
	switch c := src[at+1]; c {
	case '0':
		return "\x00", 2, true
	case 'e':
		return "\x1b", 2, true
	case ' ', '\t', '/':
		return src[at+1 : at+2], 2, true
	case 'N':
		return "\u0085", 2, true
	case '_':
		return "\u00a0", 2, true
	case 'L':
		return "\u2028", 2, true
	case 'P':
		return "\u2029", 2, true
	case 'x':
		return fixedDigits(src, at, 2, 2, 16)
	case 'u':
		return fixedDigits(src, at, 2, 4, 16)
	case 'U':
		return fixedDigits(src, at, 2, 8, 16)
	}
	return "", 1, false
}

// decode follows the text of a value through its source, and returns the source.
func (s *yamlScalar) decode(b *builder) ast.Span {
	switch {
	case s.isStyle(yaml.DoubleQuotedStyle):
		return s.quoted(b, yamlDouble, '"')
	case s.isStyle(yaml.SingleQuotedStyle):
		return s.quoted(b, yamlSingle, '\'')
	case s.isBlock():
		return s.block(b)
	}
	return s.plain(b)
}

// plain follows a value without quotes. Its end is where its text ends.
func (s *yamlScalar) plain(b *builder) ast.Span {
	src, at := b.src, s.start
	for value := s.node.Value; value != ""; {
		n := 0
		for n < len(value) && at+n < len(src) && value[n] == src[at+n] && yamlBreak(src, at+n) == 0 &&
			(value[n] != ' ' || !s.breaksAt(src, at+n)) {
			n++
		}
		b.copy(at, at+n)
		at += n
		value = value[n:]
		if value == "" {
			break
		}
		from := len(b.text)
		next := foldYAML(b, at)
		folded := string(b.text[from:])
		if next == at || !strings.HasPrefix(value, folded) {
			break
		}
		value, at = value[len(folded):], next
	}
	return ast.Span{Start: s.start, End: at}
}

// breaksAt reports whether only blanks stand between an offset and the end of the line.
func (s *yamlScalar) breaksAt(src string, at int) bool {
	for at < len(src) && (src[at] == ' ' || src[at] == '\t') {
		at++
	}
	return at < len(src) && yamlBreak(src, at) > 0
}

// foldYAML reads the blanks and line endings between two lines of a value, writes what they stand for, and returns
// where the next line begins. Without a line ending it returns where it was.
func foldYAML(b *builder, at int) int {
	src, i := b.src, at
	var breaks []ast.Span
	for i < len(src) {
		if n := yamlBreak(src, i); n > 0 {
			breaks = append(breaks, ast.Span{Start: i, End: i + n})
			i += n
		} else if src[i] == ' ' || src[i] == '\t' {
			i++
		} else {
			break
		}
	}
	switch len(breaks) {
	case 0:
		return at
	case 1:
		b.whole(" ", breaks[0].Start, breaks[0].End)
	default:
		for _, n := range breaks[1:] {
			b.whole("\n", n.Start, n.End)
		}
	}
	return i
}

// quoted follows a value in quotes.
func (s *yamlScalar) quoted(b *builder, d *dialect, quote byte) ast.Span {
	src := b.src
	if s.start >= len(src) || src[s.start] != quote {
		return ast.Span{Start: s.start, End: s.start}
	}
	at := s.start + 1
	l := &literal{dialect: d}
	for at < len(src) {
		end := at // of what has no line ending in it, blanks at the end left out
		i := at
		for i < len(src) && yamlBreak(src, i) == 0 {
			c := src[i]
			if c == '\\' && quote == '"' && i+1 < len(src) && yamlBreak(src, i+1) == 0 {
				i += 2
				end = min(i, len(src))
				continue
			}
			if c == '\\' && quote == '"' {
				break
			}
			if c == quote && quote == '\'' && i+1 < len(src) && src[i+1] == quote {
				i += 2
				end = i
				continue
			}
			if c == quote {
				l.decodeRange(b, ast.Span{Start: at, End: i})
				return ast.Span{Start: s.start, End: i + 1}
			}
			i++
			if c != ' ' && c != '\t' {
				end = i
			}
		}
		if i < len(src) && src[i] == '\\' { // the line goes on below without a blank
			l.decodeRange(b, ast.Span{Start: at, End: i})
			i++
			n := yamlBreak(src, i)
			i += n
			for i < len(src) {
				if n := yamlBreak(src, i); n > 0 {
					b.whole("\n", i, i+n)
					i += n
				} else if src[i] == ' ' || src[i] == '\t' {
					i++
				} else {
					break
				}
			}
			at = i
			continue
		}
		l.decodeRange(b, ast.Span{Start: at, End: end})
		next := foldYAML(b, end)
		if next == end {
			break
		}
		at = next
	}
	return ast.Span{Start: s.start, End: len(src)}
}

// block follows a block scalar. Its indentation is that of its first line, or the one that the library must have
// taken.
func (s *yamlScalar) block(b *builder) ast.Span {
	src, at := b.src, s.start
	chomp := byte(0)
	explicit := false
	for at < len(src) && yamlBreak(src, at) == 0 {
		switch c := src[at]; {
		case c == '+' || c == '-':
			chomp = c
		case c >= '1' && c <= '9':
			explicit = true
		case c == ' ' || c == '\t':
			for at < len(src) && yamlBreak(src, at) == 0 {
				at++
			}
			continue
		}
		at++
	}
	if s.node.Value == "" {
		return ast.Span{Start: s.start, End: at}
	}
	at += yamlBreakAt(src, at)
	indent := yamlIndent(src, at)
	if explicit { // the first line of the value begins with what stands behind the indentation
		indent -= min(indent, yamlIndent(s.node.Value, 0))
	}
	return ast.Span{Start: s.start, End: s.blockLines(b, at, indent, chomp)}
}

// yamlIndent is the indentation of the first line that is not blank.
func yamlIndent(src string, at int) int {
	n := 0
	for ; at < len(src); at++ {
		switch {
		case src[at] == ' ':
			n++
		case yamlBreak(src, at) > 0:
			n = 0
			at += yamlBreak(src, at) - 1
		default:
			return n
		}
	}
	return n
}

// blockLines follows the lines of a block scalar, as the scanner of libyaml does.
func (s *yamlScalar) blockLines(b *builder, at, indent int, chomp byte) int {
	src := b.src
	literal := s.isStyle(yaml.LiteralStyle)
	var leading ast.Span    // the line ending before the line
	var trailing []ast.Span // those of blank lines before the line
	blankBefore := false
	end := at
	skip := func() {
		for at < len(src) {
			n := 0
			for n < indent && at+n < len(src) && src[at+n] == ' ' {
				n++
			}
			size := 0
			if at+n < len(src) {
				size = yamlBreak(src, at+n)
			}
			if size == 0 {
				return
			}
			trailing = append(trailing, ast.Span{Start: at + n, End: at + n + size})
			at += n + size
		}
	}
	skip()
	for at < len(src) {
		n := 0
		for n < indent && at+n < len(src) && src[at+n] == ' ' {
			n++
		}
		if n < indent || at+n >= len(src) || indent == 0 && (strings.HasPrefix(src[at:], "---") || strings.HasPrefix(src[at:], "...")) {
			break
		}
		at += n
		blank := src[at] == ' ' || src[at] == '\t'
		switch {
		case leading.Len() == 0:
		case literal || blankBefore || blank:
			b.whole("\n", leading.Start, leading.End)
		case len(trailing) == 0:
			b.whole(" ", leading.Start, leading.End)
		}
		for _, t := range trailing {
			b.whole("\n", t.Start, t.End)
		}
		leading, trailing = ast.Span{}, nil
		blankBefore = blank
		start := at
		for at < len(src) && yamlBreak(src, at) == 0 {
			at++
		}
		b.copy(start, at)
		end = at
		if size := yamlBreakAt(src, at); size > 0 {
			leading = ast.Span{Start: at, End: at + size}
			at += size
		}
		skip()
	}
	if chomp != '-' && leading.Len() > 0 {
		b.whole("\n", leading.Start, leading.End)
		end = leading.End
	}
	if chomp == '+' {
		for _, t := range trailing {
			b.whole("\n", t.Start, t.End)
			end = t.End
		}
	}
	return end
}

func yamlBreakAt(src string, at int) int {
	if at >= len(src) {
		return 0
	}
	return yamlBreak(src, at)
}
