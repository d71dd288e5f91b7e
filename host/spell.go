package host

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
)

// writer encodes new text for a literal. It uses only escapes that the replaced text had.
type writer struct {
	region *Region
	spare  map[rune][]string // the spellings of characters that were escaped in what is replaced
}

// collect notes the escapes of a part of the text.
func (w *writer) collect(s ast.Span) {
	all := w.region.pieces
	for _, p := range all[all.find(s.Start):] {
		if p.text.Start >= s.End {
			break
		}
		if p.copied || p.hole || p.text.Len() == 0 {
			continue
		}
		text := p.text.Text(w.region.Text)
		if c, n := utf8.DecodeRuneInString(text); n == len(text) && c != '\n' {
			w.spare[c] = append(w.spare[c], p.source.Text(w.region.src))
		}
	}
}

// write encodes a text, and returns also the text with the quotes that its strings got.
func (w *writer) write(text string) (bytes, quoted string, err error) {
	if w.region.spelling == nil && w.region.indent == "" {
		return text, text, nil
	}
	var out, said strings.Builder
	add := func(s string, escapes bool) bool {
		b, used, ok := w.plain(s, escapes)
		if !ok {
			return false
		}
		for _, c := range used {
			w.spare[c] = w.spare[c][1:]
		}
		out.WriteString(b)
		said.WriteString(s)
		return true
	}
	for part := range parts(text) {
		isString := len(part) > 1 && (part[0] == '\'' || part[0] == '"') && part[len(part)-1] == part[0]
		if w.region.Form == Selectors || !isString {
			if !add(part, true) {
				return "", "", w.refuse(part)
			}
			continue
		}
		other := requote(part)
		if !add(part, false) && !add(other, false) && !add(part, true) && !add(other, true) {
			return "", "", w.refuse(part)
		}
	}
	return out.String(), said.String(), nil
}

// refuse names the first character that the literal cannot hold.
func (w *writer) refuse(part string) error {
	for _, c := range part {
		if _, _, ok := w.plain(string(c), true); !ok {
			return fmt.Errorf("its string cannot hold %q without a new escape", c)
		}
	}
	return errors.New("its string cannot hold the new text without a new escape")
}

// plain encodes a text character by character. used has the characters for which it took an escape
// of the replaced text, in order. Without escapes, it does so only for characters that need no
// escape, in text that its author keeps in ASCII.
func (w *writer) plain(text string, escapes bool) (bytes string, used []rune, ok bool) {
	var out strings.Builder
	taken := map[rune]int{}
	for i, size := 0, 0; i < len(text); i += size {
		var c rune
		c, size = utf8.DecodeRuneInString(text[i:])
		if c == utf8.RuneError && size == 1 {
			if w.region.spelling != nil {
				return "", nil, false
			}
			out.WriteByte(text[i])
			continue
		}
		may := w.region.spelling == nil || w.region.spelling.mayStand(c)
		switch {
		case c == '\n' && w.region.indent != "":
			out.WriteByte('\n')
			if strings.HasPrefix(text[i+1:], "\n") {
				out.WriteString(strings.TrimRight(w.region.indent, " \t"))
			} else {
				out.WriteString(w.region.indent)
			}
		case (escapes && !may || c >= utf8.RuneSelf) && taken[c] < len(w.spare[c]):
			out.WriteString(w.spare[c][taken[c]])
			taken[c]++
			used = append(used, c)
		case may:
			out.WriteRune(c)
		default:
			return "", nil, false
		}
	}
	return out.String(), used, true
}

// parts cuts a selector into its strings and the text between them.
func parts(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		from := 0
		for i := 0; i < len(text); i++ {
			quote := text[i]
			if quote != '\'' && quote != '"' {
				continue
			}
			end := i + 1
			for end < len(text) && text[end] != quote {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			if i > from && !yield(text[from:i]) || !yield(text[i:end]) {
				return
			}
			from, i = end, end-1
		}
		if from < len(text) {
			yield(text[from:])
		}
	}
}

// requote writes a string of a selector with the other quote.
func requote(s string) string {
	from := s[0]
	to := byte('"')
	if from == '"' {
		to = '\''
	}
	out := []byte{to}
	for i := 1; i < len(s)-1; i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s)-1:
			i++
			if s[i] == from {
				out = append(out, from)
			} else {
				out = append(out, '\\', s[i])
			}
		case c == to:
			out = append(out, '\\', to)
		default:
			out = append(out, c)
		}
	}
	return string(append(out, to))
}
