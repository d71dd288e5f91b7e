package host

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// YAML is read in segments, which begin with a key or an element of a block. The library reads each
// segment after a head, which has the keys and elements around it. A segment may end where the
// library can read the whole text before it and the next line has the indentation of an open block:
// such a line ends every value before it.

// yamlLevel is an open block.
type yamlLevel struct {
	indent int
	list   bool
	key    string // the key of a mapping whose value is being read; unused for the innermost block
}

// yamlState is the state at the start of a segment of YAML. It is immutable.
type yamlState struct {
	levels   []yamlLevel // outermost first; the last is that of the segment's first line
	anchors  []string    // defined before in the document, sorted
	marked   string      // the comment that marks the next line
	lost     bool        // no further segment can begin
	broken   bool        // the segment before cannot be read
	failures int         // how many long texts could not be read
}

func (s *yamlState) isSame(t *yamlState) bool {
	return s == t || s.marked == t.marked && s.lost == t.lost && s.broken == t.broken && s.failures == t.failures && slices.Equal(s.levels, t.levels) && slices.Equal(s.anchors, t.anchors)
}

// head returns the text of the blocks around a segment.
func (s *yamlState) head(anchors bool) string {
	var b strings.Builder
	line := func(level yamlLevel, element, other string) {
		b.WriteString(strings.Repeat(" ", level.indent))
		if level.list {
			b.WriteString(element + "\n")
		} else {
			b.WriteString(other + "\n")
		}
	}
	if anchors && len(s.levels) > 0 {
		for _, name := range s.anchors {
			line(s.levels[0], "- &"+name+" 0", "? &"+name+" 0")
		}
	}
	for i := range max(0, len(s.levels)-1) {
		line(s.levels[i], "-", strconv.Quote(s.levels[i].key)+":")
	}
	return b.String()
}

// fitYAML returns the blocks that are open at a line with a given beginning, or false if no block
// has such lines.
func fitYAML(levels []yamlLevel, line string) ([]yamlLevel, bool) {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	list := isYAMLElement(line[indent:])
	for n := len(levels) - 1; n >= 0 && levels[n].indent >= indent; n-- {
		if levels[n].indent == indent && levels[n].list == list {
			return levels[:n+1], true
		}
	}
	return nil, false
}

func isYAMLElement(text string) bool {
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "-\n")
}

// yamlReader reads YAML in segments.
type yamlReader struct {
	markers  *Markers
	keys     bool // keys may mark something
	comments bool // comments may mark something
}

func (h yamlHost) segments(src string, m *Markers, _ segmentReader) segmentReader {
	r := yamlReader{m, m.mayHoldKeys(src), m.mayHoldComments(src)}
	if !r.keys && !r.comments {
		return nil
	}
	return r
}

// isCut reports whether a key, an element or a document may begin at an offset. Tabs do not count
// as indentation.
func (yamlReader) isCut(src string, at int) bool {
	if src[at-1] != '\n' {
		return false
	}
	line := src[at:min(len(src), at+lookAhead)]
	if strings.HasPrefix(line, "---") {
		return true
	}
	line = strings.TrimLeft(line, " ")
	return line != "" && (isYAMLElement(line) || isWordByte(line[0]) || line[0] == '"' || line[0] == '\'')
}

func (yamlReader) enter(s *segment, before state) (state, bool) {
	return s.after, yamlStateOf(before).isSame(yamlStateOf(s.before))
}

var yamlStart = &yamlState{}

func yamlStateOf(s state) *yamlState {
	if s == nil {
		return yamlStart
	}
	return s.(*yamlState)
}

func (r yamlReader) read(src string, at, end int, before state, _ *[]token) (segment, bool) {
	in := yamlStateOf(before)
	text := strings.Clone(src[at:end]) // the findings would keep the whole source in memory
	after := src[end:min(len(src), end+lookAhead)]
	if end < len(src) && (in.lost || hasYAMLDirective(text)) {
		return segment{}, false
	}
	if in.broken { // the next entries may be unreadable too
		first := afterBroken
		if in.failures >= maxYAMLFailures {
			first = 1
		}
		if cut := nextCut(r, text, min(first, len(text))); cut < len(text) {
			if s, ok := r.readText(text[:cut], text[cut:], in); ok {
				s.length = cmp.Or(s.length, cut)
				return s, true
			}
		}
	}
	return r.readText(text, after, in)
}

// afterBroken is the size of the first part that is read after an entry that cannot be read.
const afterBroken = 256

// After maxYAMLFailures unreadable entries of more than longYAML bytes, each line counts as an
// entry.
const (
	maxYAMLFailures = 4
	longYAML        = 1 << 10
)

// readText reads a text as a segment, or reads the segment with which it begins. after is the text
// that follows.
func (r yamlReader) readText(text, after string, in *yamlState) (segment, bool) {
	d := r.parse(text, in)
	if d.err == nil {
		return r.segment(d, in, after)
	}
	if !d.definite && after != "" && in.failures < maxYAMLFailures {
		return segment{}, false
	}
	// Something in the text cannot be read. The complete entries before it can.
	cuts := yamlCuts(text[:d.consumed])
	if n, _ := slices.BinarySearch(cuts, d.errorAt+1); n > 0 {
		if s, ok, _ := r.prefix(text, cuts[n-1], in); ok {
			return s, true
		}
	}
	tries, tried, isOpen := 0, 0, false
	for _, cut := range cuts {
		if isOpen && !strings.ContainsAny(text[tried:cut], `"'])}`) {
			continue // this offset has the same open blocks as the previous one that was tried
		}
		if tries++; tries > maxYAMLTries {
			break
		}
		s, ok, whole := r.prefix(text, cut, in)
		if ok {
			return s, true
		}
		tried, isOpen = cut, !whole
	}
	return r.broken(text, after, d.consumed, in)
}

// maxYAMLTries is how many lines that look like the next entry are tried as the end of an entry,
// before it counts as broken.
const maxYAMLTries = 16

// prefix reads the beginning of a text up to an offset where a segment may begin. It reports
// whether that is a segment, and whether the library can read it.
func (r yamlReader) prefix(text string, end int, in *yamlState) (s segment, ok, whole bool) {
	d := r.parse(text[:end], in)
	if d.err != nil {
		return segment{}, false, false
	}
	s, ok = r.segment(d, in, text[end:])
	s.length = end
	return s, ok, true
}

// broken returns the segment of an entry that cannot be read. The next segment begins with the next
// line of an open block.
func (r yamlReader) broken(text, after string, consumed int, in *yamlState) (segment, bool) {
	s := segment{}
	out := *in
	out.broken = true
	if consumed > longYAML {
		out.failures++
	}
	found := false
	for at := 1; at <= len(text) && !found; at++ {
		at = nextCut(r, text, at)
		line := text[at:]
		if line == "" {
			line = after
		}
		switch levels, ok := fitYAML(in.levels, line); {
		case line == "":
		case strings.HasPrefix(line, "---"):
			out.levels, out.anchors, found = nil, nil, true
		case ok, in.levels == nil && line[0] != ' ':
			out.levels, found = levels, true
		}
		s.length = at
	}
	if !found && after != "" {
		return segment{}, false
	}
	s.reach = max(consumed, s.length+lookAhead)
	if after == "" && s.reach >= len(text) {
		s.reach = maxReach
	}
	d := r.parse(text[:s.length], in)
	out.marked = d.pending
	s.after = &out
	s.file.Diagnostics = []diag.Diagnostic{{
		Code: Unreadable, Severity: diag.Error, Span: ast.Span{Start: d.errorAt, End: d.errorAt}, Message: "this YAML cannot be read",
	}}
	return s, true
}

// yamlCuts returns the offsets in a text where segments may begin.
func yamlCuts(text string) []int {
	var out []int
	for at := 1; at < len(text); at++ {
		if at = nextCut(yamlReader{}, text, at); at < len(text) {
			out = append(out, at)
		}
	}
	return out
}

// hasYAMLDirective reports whether a line begins with a directive, or ends a document.
func hasYAMLDirective(text string) bool {
	return strings.HasPrefix(text, "%") || strings.Contains(text, "\n%") || strings.HasPrefix(text, "...") || strings.Contains(text, "\n...")
}

// yamlPart is a text that the library has read.
type yamlPart struct {
	yamlDoc
	text       string     // with its head
	wholeLines []ast.Span // the lines of text
	root       *yaml.Node // of the last document
	anchors    []string
	marked     map[int]string // the comments that mark lines
	pending    string         // the comment that marks the line after the text
	err        error
	errorAt    int  // the offset of the line where the library failed
	definite   bool // more text would not change the error
	consumed   int  // how much of the text the library has read
}

// parse reads the text of a segment.
func (r yamlReader) parse(text string, in *yamlState) *yamlPart {
	d := &yamlPart{yamlDoc: yamlDoc{src: text, markers: r.markers, lines: yamlLines(text)}}
	if !r.keys {
		d.markers = &Markers{comments: r.markers.comments}
	}
	if r.comments {
		d.marked, d.pending = commentedLines(text, d.lines, r.markers, in.marked)
	}
	d.decode(in.head(false))
	if d.err != nil && len(in.anchors) > 0 && lacksAnchor(d.err) {
		d.decode(in.head(true))
	}
	if strings.Contains(text, "&") && d.err == nil {
		d.anchors = anchorsOf(d.root, nil)
	}
	return d
}

// anchorsOf adds the anchors of a node to a list.
func anchorsOf(n *yaml.Node, out []string) []string {
	if n == nil || n.Kind == yaml.AliasNode {
		return out
	}
	if n.Anchor != "" {
		out = append(out, n.Anchor)
	}
	for _, c := range n.Content {
		out = anchorsOf(c, out)
	}
	return out
}

// maxAnchors is how many anchors may be defined before a segment.
const maxAnchors = 500

// segment returns what was found in a text that was read as a whole. It reports whether a segment
// can begin after it.
func (r yamlReader) segment(d *yamlPart, in *yamlState, after string) (segment, bool) {
	s := segment{file: d.found()}
	s.reach = len(d.src) + len(after) - len(strings.TrimLeft(after, " ")) + len("---") // how the next line begins
	out := &yamlState{marked: d.pending}
	s.after = out
	if after == "" || strings.HasPrefix(after, "---") {
		return s, true
	}
	if d.root == nil {
		out.levels, out.anchors = in.levels, in.anchors // only comments
		if len(in.levels) > 0 {
			levels, ok := fitYAML(in.levels, after)
			out.levels = levels
			return s, ok
		}
		return s, after[0] != ' '
	}
	levels, empty, ok := d.open()
	if !ok {
		return s, false
	}
	if out.levels, ok = fitYAML(levels, after); !ok {
		indent := len(after) - len(strings.TrimLeft(after, " "))
		list := isYAMLElement(after[indent:])
		last := levels[len(levels)-1]
		if !empty || indent < last.indent || indent == last.indent && (!list || last.list) {
			return s, false
		}
		out.levels = append(slices.Clip(levels), yamlLevel{indent: indent, list: list}) // the value of the last key or element
	}
	if !strings.HasPrefix(d.src, "---") && !strings.Contains(d.src, "\n---") {
		out.anchors = in.anchors
	}
	if len(d.anchors) > 0 {
		out.anchors = slices.Compact(slices.Sorted(slices.Values(append(slices.Clip(out.anchors), d.anchors...))))
		out.lost = len(out.anchors) > maxAnchors
	}
	return s, true
}

// open returns the blocks that are open at the end of the text, and reports whether the last key or
// element has no value yet. ok is false if that cannot be determined.
func (d *yamlPart) open() (levels []yamlLevel, empty, ok bool) {
	n := d.root.Content[0]
	for {
		switch {
		case n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 1:
			key := n.Content[len(n.Content)-2]
			if !d.isIndented(key) {
				return levels, false, len(levels) > 0
			}
			levels = append(levels, yamlLevel{indent: key.Column - 1, key: key.Value})
			if key.Kind != yaml.ScalarNode || len(key.Value) > maxYAMLKey {
				return levels, false, true
			}
		case n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0:
			if !d.isIndented(n) || d.text[d.wholeLines[n.Line-1].Start+n.Column-1] != '-' {
				return levels, false, len(levels) > 0
			}
			levels = append(levels, yamlLevel{indent: n.Column - 1, list: true})
		default:
			empty = n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == "" && n.ShortTag() == "!!null"
			return levels, empty, len(levels) > 0
		}
		n = n.Content[len(n.Content)-1]
	}
}

// maxYAMLKey is the longest key below which a segment may begin, because the library limits keys.
const maxYAMLKey = 500

// isIndented reports whether only blanks and the dashes of list elements precede a node on its
// line.
func (d *yamlPart) isIndented(n *yaml.Node) bool {
	if n.Line < 1 || n.Line > len(d.wholeLines) {
		return false
	}
	line := d.wholeLines[n.Line-1].Text(d.text)
	return n.Column-1 < len(line) && strings.Trim(line[:n.Column-1], " -") == ""
}

// decode reads the text after a head.
func (d *yamlPart) decode(head string) {
	bom := 0
	if head == "" {
		bom = len(d.src) - len(strings.TrimPrefix(d.src, "\uFEFF"))
	}
	d.text, d.err, d.root, d.scalars = head+d.src[bom:], nil, nil, nil
	d.wholeLines = yamlLines(d.text)
	w := yamlWalk{yamlDoc: &d.yamlDoc, first: -strings.Count(head, "\n"), bom: bom}
	input := &byLittle{Reader: strings.NewReader(d.text)}
	for dec := yaml.NewDecoder(input); ; {
		var n yaml.Node
		if err := dec.Decode(&n); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			d.err = err
			d.errorAt = d.lines[min(max(w.first+yamlErrorAt(err), 0), len(d.lines)-1)].Start
			d.consumed = min(max(len(d.text)-input.Len()-len(head)+bom, 1), len(d.src))
			d.definite = input.Len() > 0 || lacksAnchor(err)
			return
		}
		w.walk(&n, false, false)
		d.root = &n
	}
	if w.lost {
		d.err, d.errorAt, d.definite, d.consumed = errYAMLPosition, 0, true, len(d.src)
	}
	d.scalars = w.scalars
}

// byLittle reads a few bytes at a time, so it has read little more than the library has examined.
type byLittle struct{ *strings.Reader }

func (r *byLittle) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 16)]) }

// errYAMLPosition means that the library reported a position outside the source.
var errYAMLPosition = errors.New("a value has no position")

// found returns what is marked in the text.
func (d *yamlPart) found() File {
	var f File
	for _, s := range d.scalars {
		if s.key || s.node.Kind != yaml.ScalarNode || s.node.ShortTag() != "!!str" {
			continue
		}
		line := d.line(s.start)
		if comment := d.marked[line]; s.match || comment != "" {
			if r := s.region(d.src); r.Len() > 0 || r.Text == "" {
				if r.claim = keyClaim(s.untyped); comment != "" && s.untyped || !s.match {
					r.claim = commentClaim(comment)
				}
				r.claim.whole = d.markers.inSuite
				r.Proof = r.claim.proof
				f.Regions = append(f.Regions, r)
			}
		}
		delete(d.marked, line)
	}
	f.Comments = d.directives()
	return f
}

func (r yamlReader) assemble(src string, segments []segment) File {
	c := codeFinder{src: src, markers: r.markers}
	c.addAll(segments)
	c.finish(nil, nil)
	return c.file
}
