package record

import (
	"iter"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// The functions of this file walk a text that is valid JSON for encoding/json. It may have what
// canonjson refuses, such as unpaired surrogates: clients send that.

// span is where a value is in a text.
type span struct{ from, to int }

func (s span) of(text string) string { return text[s.from:s.to] }

// space returns the offset of the first byte that is not white space.
func space(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// valueEnd returns the end of the value at an offset.
func valueEnd(text string, i int) int {
	switch text[i] {
	case '"':
		return stringEnd(text, i)
	case '{', '[':
		for depth := 0; ; {
			switch text[i] {
			case '"':
				i = stringEnd(text, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	if n := strings.IndexAny(text[i:], ",]} \t\r\n"); n >= 0 {
		return i + n
	}
	return len(text)
}

// stringEnd returns the end of the string at an offset, after its quote.
func stringEnd(text string, i int) int {
	for i++; ; i++ {
		i += strings.IndexByte(text[i:], '"')
		slashes := 0
		for text[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// members yields the members of the object at an offset.
func members(text string, i int) iter.Seq2[string, span] {
	return func(yield func(string, span) bool) {
		for i = space(text, i+1); text[i] != '}'; {
			end := stringEnd(text, i)
			name := canonjson.Unquote(text[i:end])
			i = space(text, space(text, end)+1)
			end = valueEnd(text, i)
			if !yield(name, span{i, end}) {
				return
			}
			if i = space(text, end); text[i] == ',' {
				i = space(text, i+1)
			}
		}
	}
}

// elements yields the elements of the list at an offset.
func elements(text string, i int) iter.Seq[span] {
	return func(yield func(span) bool) {
		for i = space(text, i+1); text[i] != ']'; {
			end := valueEnd(text, i)
			if !yield(span{i, end}) {
				return
			}
			if i = space(text, end); text[i] == ',' {
				i = space(text, i+1)
			}
		}
	}
}
