package parser

import (
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// unquote decodes a string literal, quotes included, and reports wrong escapes.
func (b *builder) unquote(text string, at ast.Span) string {
	body := text[1 : len(text)-1]
	if strings.IndexByte(body, '\\') < 0 {
		return body
	}
	var out strings.Builder
	for i := 0; i < len(body); {
		if body[i] != '\\' {
			out.WriteByte(body[i])
			i++
			continue
		}
		from := at.Start + 1 + i
		switch c := body[i+1]; c {
		case '\\', '\'', '"':
			out.WriteByte(c)
			i += 2
		case 'n', 't', 'r':
			out.WriteByte(map[byte]byte{'n': '\n', 't': '\t', 'r': '\r'}[c])
			i += 2
		case 'u':
			r, size := canonjson.EscapedRune(body[i:])
			if r < 0 {
				b.errorf(ast.Span{Start: from, End: from + size},
					"`%s` is not a character; \\u takes four hexadecimal digits, and surrogates come in pairs",
					excerpt(body[i:i+size]))
			} else {
				out.WriteRune(r)
			}
			i += size
		default:
			_, size := utf8.DecodeRuneInString(body[i+1:])
			b.refuse(ast.Span{Start: from, End: from + 1 + size}, "`"+excerpt(body[i:i+1+size])+"` is not an escape",
				`the escapes are \\ \' \" \n \t \r and \uXXXX; a backslash is written \\`,
				insert(`write \\`, from, `\`))
			i += 1 + size
		}
	}
	return out.String()
}
