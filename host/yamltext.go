package host

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pactkit/pactkit/ast"
)

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

// decode maps the text of a value to its source, and returns the span of the source.
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

// plain maps a value without quotes. It ends where its text ends.
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

// breaksAt reports whether there are only blanks between an offset and the end of the line.
func (s *yamlScalar) breaksAt(src string, at int) bool {
	for at < len(src) && (src[at] == ' ' || src[at] == '\t') {
		at++
	}
	return at < len(src) && yamlBreak(src, at) > 0
}

// foldYAML reads the blanks and line endings between two lines of a value, writes the text that
// they stand for, and returns where the next line begins. Without a line ending it returns at.
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

// quoted maps a value in quotes.
func (s *yamlScalar) quoted(b *builder, d *dialect, quote byte) ast.Span {
	src := b.src
	if s.start >= len(src) || src[s.start] != quote {
		return ast.Span{Start: s.start, End: s.start}
	}
	at := s.start + 1
	l := &literal{dialect: d}
	for at < len(src) {
		end := at // of the part without a line ending, without trailing blanks
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
		if i < len(src) && src[i] == '\\' { // the line continues below without a blank
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

// block maps a block scalar. Its indentation is that of its first line, or the explicit one, which
// follows from the value.
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
	if explicit { // the first line of the value begins after the indentation
		indent -= min(indent, yamlIndent(s.node.Value, 0))
	}
	return ast.Span{Start: s.start, End: s.blockLines(b, at, indent, chomp)}
}

// yamlIndent returns the indentation of the first line that is not blank.
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

// blockLines maps the lines of a block scalar, as the scanner of libyaml reads them.
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
