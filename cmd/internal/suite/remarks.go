package suite

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// remark is a comment inside an answer in YAML.
type remark struct {
	text   string // from the # on
	of     int    // the index of the list item that it belongs to; -1 for the whole answer
	beside bool   // it is on the same line as what it belongs to; otherwise it is above
}

// remarks finds the comments inside an answer.
func (r *yamlReader) remarks(key, value *yaml.Node, at span) []remark {
	var starts []int // the line of each item
	if value.Kind == yaml.SequenceNode {
		for _, item := range value.Content {
			starts = append(starts, item.Line)
		}
	}
	var out []remark
	taken := map[int]bool{} // items with a comment beside them
	for _, c := range scanComments(r.s.src[at.start:at.end]) {
		m := remark{text: c.text, of: -1, beside: true}
		line := key.Line + c.line
		n, _ := slices.BinarySearch(starts, line+1) // how many items begin on this line or before it
		switch {
		case line == key.Line:
		case c.alone && n < len(starts):
			m.of, m.beside = n, false
		case c.alone || n == 0:
			m.beside = false
		default:
			m.of, m.beside = n-1, !taken[n-1]
			taken[n-1] = true
		}
		out = append(out, m)
	}
	return out
}

// comment is a comment in a piece of YAML.
type comment struct {
	text  string
	line  int  // from 0
	alone bool // nothing else is on its line
}

// scanComments returns the comments of a piece of YAML that begins with a key. It ignores a #
// inside a string.
func scanComments(src string) []comment {
	var out []comment
	block := -1   // inside a block scalar, the indentation of the line above it; otherwise -1
	var open byte // inside a quoted string, its quote
	line := 0
	for text := range strings.Lines(src) {
		text = strings.TrimRight(text, "\r\n")
		indent := len(text) - len(strings.TrimLeft(text, " "))
		if line > 0 && block >= 0 && open == 0 && (indent == len(text) || indent > block) {
			line++
			continue
		}
		block = -1
		begins := true // a value may begin here
		for i := 0; i < len(text); i++ {
			c := text[i]
			switch {
			case open == '"' && c == '\\', open == '\'' && c == '\'' && strings.HasPrefix(text[i+1:], "'"):
				i++
			case open != 0:
				if c == open {
					open = 0
				}
			case c == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t'):
				before := strings.TrimSpace(text[:i])
				out = append(out, comment{strings.TrimRight(text[i:], " \t"), line, before == "" && line > 0})
				i = len(text)
			case begins && (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" \t[{,", text[i-1]) >= 0):
				open, begins = c, false
			case begins && (c == '|' || c == '>'):
				block, begins = indent, false
				if line == 0 {
					block = 0 // the indentation of the key is unknown, but less than that of the block
				}
			case c == ' ' || c == '\t':
			default:
				begins = strings.IndexByte("-:,[{?", c) >= 0
			}
		}
		line++
	}
	return out
}

// commentLines returns the lines of the comments that the YAML library found at a node and below
// it. A rewrite fails if it would lose one of them, so a comment that scanComments misses is not
// lost.
func commentLines(n *yaml.Node) []string {
	var out []string
	for _, c := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for line := range strings.Lines(c) {
			if line = strings.TrimSpace(line); line != "" {
				out = append(out, line)
			}
		}
	}
	for _, c := range n.Content {
		out = append(out, commentLines(c)...)
	}
	return out
}

// arrangement holds the comments of an old answer where they belong in a new one.
type arrangement struct {
	above []string   // above the answer
	first string     // after its first line
	over  [][]string // above each item
	side  []string   // after each item
}

// arrange decides where comments go. An item that stays keeps its comments; those of a removed item
// go above the answer.
func arrange(remarks []remark, was, is []string) arrangement {
	p := arrangement{over: make([][]string, len(is)), side: make([]string, len(is))}
	if len(remarks) == 0 {
		return p
	}
	left := map[string][]int{} // items of the new answer, by name, that are not matched with an old item yet
	for i, name := range is {
		left[name] = append(left[name], i)
	}
	now := make([]int, len(was))
	for k, name := range was {
		now[k] = -1
		if list := left[name]; len(list) > 0 {
			now[k], left[name] = list[0], list[1:]
		}
	}
	for _, m := range remarks {
		to := -1
		if m.of >= 0 && m.of < len(now) {
			to = now[m.of]
		}
		switch {
		case m.of < 0 && m.beside:
			p.first = " " + m.text
		case to < 0:
			p.above = append(p.above, m.text)
		case m.beside:
			p.side[to] = " " + m.text
		default:
			p.over[to] = append(p.over[to], m.text)
		}
	}
	return p
}
