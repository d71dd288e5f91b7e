package parser

import (
	"iter"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// A selector file holds one selector per line. A selector continues on the next line while brackets
// are open, or if that line is indented and begins with something that cannot begin a selector. The
// lines of each selector are found without parsing, so a broken selector never swallows the next.

// entry is one selector of a file and the lines around it.
type entry struct {
	lines       ast.Span // whole lines, without the last line ending
	before      []*ast.Comment
	blankBefore bool
}

// Entries yields consecutive parts of a selector file that can be read one at a time. Together they
// cover src. Each part has one selector: it begins after the part before it, with the comments and
// blank lines above the selector, and ends with the last line of the selector. What follows the
// last selector is a part too. [Parse] reads a part alone as it reads it in the file, except that
// limits apply to each part. A source with a byte order mark after its start, which would be
// allowed at the start of a part, is a single part. Entries passes over the source once.
func Entries(src string) iter.Seq[ast.Span] {
	return func(yield func(ast.Span) bool) {
		if strings.LastIndex(src, "\ufeff") > 0 {
			yield(ast.Span{Start: 0, End: len(src)})
			return
		}
		lines := ast.NewLines(src)
		at, more := 0, true
		split(replaceInvalid(src), src, afterMark(src), lines, func(e entry) bool {
			line, _ := lines.Line(e.lines.End)
			part := ast.Span{Start: at, End: lines.Start(line + 1)}
			at = part.End
			more = yield(part)
			return more
		})
		if more && at < len(src) {
			yield(ast.Span{Start: at, End: len(src)})
		}
	}
}

// splitter cuts a file into entries.
type splitter struct {
	src    string
	start  int // of the first line, after a byte order mark
	lines  *ast.Lines
	closed []int // by line: the last line that closes a bracket opened on it; -1 if one stays open
}

// split calls yield for every selector of src after the offset start, until it returns false, and
// returns the comments below the last selector. The text of comments is taken from raw, which is as
// long as src.
func split(src, raw string, start int, lines *ast.Lines, yield func(entry) bool) []*ast.Comment {
	s := &splitter{src: src, start: start, lines: lines, closed: make([]int, lines.Count())}
	s.match()
	var before []*ast.Comment
	blank := false
	for line := 0; line < lines.Count(); line++ {
		text, first := s.line(line)
		switch {
		case first == text.End:
			blank = true
		case isComment(src, first, text.End):
			at := ast.Span{Start: first, End: first + len(strings.TrimRight(src[first:text.End], " \t"))}
			before = append(before, &ast.Comment{Span: at, Text: at.Text(raw), BlankBefore: blank})
			blank = false
		default:
			line = s.last(line)
			end, _ := s.line(line)
			if !yield(entry{lines: ast.Span{Start: text.Start, End: end.End}, before: before, blankBefore: blank}) {
				return nil
			}
			before, blank = nil, false
		}
	}
	return before
}

// line returns the range of a line without its line ending, and the offset of its first character
// after white space.
func (s *splitter) line(n int) (text ast.Span, first int) {
	from, to := max(s.lines.Start(n), s.start), s.lines.Start(n+1)
	for to > from && (s.src[to-1] == '\n' || s.src[to-1] == '\r') {
		to--
	}
	return ast.Span{Start: from, End: to}, to - len(strings.TrimLeft(s.src[from:to], " \t"))
}

// last returns the last line of the selector that begins on the given line.
func (s *splitter) last(line int) int {
	line = max(line, s.closed[line])
	for next := line + 1; next < s.lines.Count(); next++ {
		text, first := s.line(next)
		switch {
		case first == text.Start || first == text.End:
			return line
		case isComment(s.src, first, text.End):
		case continues(s.src[first:text.End]):
			line = max(next, s.closed[next])
			next = line
		default:
			return line
		}
	}
	return line
}

// continues reports whether the text of an indented line continues the selector above it: whether
// it begins with a combinator, a separator, a filter, a tag or a control.
func continues(text string) bool {
	switch text[0] {
	case '>', ',', '{', '[', '+':
		return true
	case '?':
		return strings.HasPrefix(text, "??")
	}
	return text[0] == '@' && !beginsWithInstant(text)
}

// beginsWithInstant reports whether a text that begins with '@' is an instant, which begins a
// selector, rather than a control, which continues one.
func beginsWithInstant(s string) bool {
	rest := strings.TrimLeftFunc(s[1:], ast.IsNamePart)
	word := s[1 : len(s)-len(rest)]
	if word == "" || word == "history" {
		return word != "" || strings.HasPrefix(rest, "*")
	}
	digits, ends := strings.TrimLeft(word[1:], "-"), strings.HasPrefix(rest, "+") || strings.HasPrefix(rest, "*")
	return (word[0] == 't' || word[0] == 'c') && (isDigits(digits) || digits == "" && ends)
}

// match finds, for every line, where the brackets opened on it are closed. Strings and comments end
// with their line, so one pass with a stack of the lines of open brackets is enough.
func (s *splitter) match() {
	var open []int
	for line := range s.closed {
		s.closed[line] = line
		t, _ := s.line(line)
		for i := t.Start; i < t.End; i++ {
			switch s.src[i] {
			case '\'', '"':
				i = skipString(s.src, i, t.End) - 1
			case '#':
				if (i == t.Start || isSpace(s.src[i-1])) && isComment(s.src, i, t.End) {
					i = t.End
				}
			case '(', '[', '{':
				open = append(open, line)
			case ')', ']', '}':
				if n := len(open); n > 0 {
					s.closed[open[n-1]] = max(s.closed[open[n-1]], line)
					open = open[:n-1]
				}
			}
		}
	}
	for _, line := range open {
		s.closed[line] = -1
	}
	// On the line where one bracket closes, another may open and continue the selector. If that one
	// is never closed, the first line is a selector by itself.
	for line := len(s.closed) - 1; line >= 0; line-- {
		if end := s.closed[line]; end > line {
			s.closed[line] = s.closed[end]
		}
	}
}

func isSpace(c byte) bool { return c <= ' ' && spaces>>c&1 != 0 }

// spaces is the set of the characters that are white space.
const spaces = 1<<' ' | 1<<'\t' | 1<<'\r' | 1<<'\n'

// isComment reports whether the '#' at i, which is at the start of a line or after white space,
// begins a comment: it must be followed by white space, another '#' or the end.
func isComment(src string, i, end int) bool {
	return src[i] == '#' && (i+1 >= end || isSpace(src[i+1]) || src[i+1] == '#')
}

// skipString returns the offset after the string that begins at i. A string that is not closed ends
// at end or at the end of its line.
func skipString(src string, i, end int) int {
	quote := src[i]
	for i++; i < end; i++ {
		switch src[i] {
		case quote:
			return i + 1
		case '\\':
			if i+1 < end && src[i+1] != '\n' && src[i+1] != '\r' {
				i++
			}
		case '\n', '\r':
			return i
		}
	}
	return end
}

// Unquoted yields the bytes of a source outside strings, with their offsets. A string that is not
// closed ends with its line. Comments are included.
func Unquoted(src string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for i := 0; i < len(src); i++ {
			if src[i] == '\'' || src[i] == '"' {
				i = skipString(src, i, len(src)) - 1
			} else if !yield(i, src[i]) {
				return
			}
		}
	}
}

// skipTrivia skips white space and comments from i, which is at the start of a line or in white
// space, and returns the offset after them. It calls found, unless that is nil, for every comment.
func skipTrivia(src string, i, end int, found func(ast.Span)) int {
	begin := i
	for i < end {
		switch {
		case isSpace(src[i]):
			i++
		case (i == begin || isSpace(src[i-1])) && isComment(src, i, end):
			from := i
			for i < end && src[i] != '\n' && src[i] != '\r' {
				i++
			}
			if found != nil {
				found(ast.Span{Start: from, End: from + len(strings.TrimRight(src[from:i], " \t"))})
			}
		default:
			return i
		}
	}
	return i
}
