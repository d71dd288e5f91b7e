package parser

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
)

// control reads '@name' or '@name=value', which is one token.
func (b *builder) control(c *ast.Control, text string, at ast.Span) {
	end := 1
	for end < len(text) && text[end] != '=' && !isSpace(text[end]) {
		end++
	}
	c.Extent, c.Name = at.Extent(), text[1:end]
	b.ident(c.Name, ast.Span{Start: at.Start + 1, End: at.Start + end})
	if end == len(text) {
		return
	}
	c.HasValue = true
	end = skipTrivia(text, end, len(text), nil) + len("=")
	value := text[skipTrivia(text, end, len(text), nil):]
	valueAt := ast.Span{Start: at.End - len(value), End: at.End}
	c.Quoted = value[0] == '\'' || value[0] == '"'
	if c.Quoted {
		c.Value = b.unquote(value, valueAt)
	} else {
		c.Value = b.words(value, valueAt, at.Start)
	}
}

// words checks the words of the value of a control that begins at an offset, and returns it with
// its numbers in normal form.
func (b *builder) words(value string, at ast.Span, control int) string {
	if isWithin(value, 'a', 'z') || isDigits(value) && value[0] != '0' { // the common case
		return value
	}
	var out strings.Builder
	copied := 0 // how much of value is in out
	for i := 0; i < len(value); {
		end := wordEnd(value, i)
		// A dot between digits is a decimal point.
		if end < len(value) && value[end] == '.' && ast.IsNumber(value[i:end]) {
			if j := wordEnd(value, end+1); isDigits(value[end+1 : j]) {
				end = j
			}
		}
		switch word := value[i:end]; {
		case ast.IsNumber(word):
			if n := ast.NormalNumber(word); n != word {
				out.WriteString(value[copied:i] + n)
				copied = end
			}
		case word[0] >= '0' && word[0] <= '9' || word[0] == '-' || word[0] == '+' || strings.HasSuffix(word, "-"):
			b.refuseAs(diag.ControlInvalid, ast.Span{Start: at.Start + i, End: at.Start + end},
				"`"+excerpt(word)+"` is neither a number nor a name", "quote the value: `'"+excerpt(value)+"'`")
			b.suppress(control) // it has no value to check
		}
		i = end + 1
	}
	return out.String() + value[copied:]
}

// wordEnd returns the end of the word that begins at an offset of the value of a control.
func wordEnd(value string, from int) int {
	if n := strings.IndexAny(value[from:], ":,."); n >= 0 {
		return from + n
	}
	return len(value)
}

func isDigits(s string) bool { return s != "" && isWithin(s, '0', '9') }

// isWithin reports whether all bytes of s lie from low to high.
func isWithin(s string, low, high byte) bool {
	for i := range len(s) {
		if s[i] < low || s[i] > high {
			return false
		}
	}
	return true
}

// checkControls checks each control of the query, and which ones are used together.
func (b *builder) checkControls() {
	controls := b.query.Controls()
	index := func(name string) int {
		return slices.IndexFunc(controls, func(c ast.Control) bool { return c.Name == name })
	}
	if len(controls) > 8 { // so the time stays linear
		byName := make(map[string]int, len(controls))
		for i := len(controls) - 1; i >= 0; i-- {
			byName[controls[i].Name] = i + 1
		}
		index = func(name string) int { return byName[name] - 1 }
	}
	for i := range controls {
		c := &controls[i]
		b.checkControl(c)
		if old := &controls[index(c.Name)]; old.Value != c.Value || old.HasValue != c.HasValue {
			b.controlError(c, "`@"+c.Name+"` has two different values", "")
		}
	}
	first, limit, page := index("first"), index("limit"), index("p")
	if first >= 0 && limit >= 0 {
		b.controlError(&controls[max(first, limit)], "`@first` and `@limit` contradict each other",
			"`@first` is `@limit=1`")
	}
	if page >= 0 && limit < 0 && first < 0 {
		b.controlError(&controls[page], "`@p` needs `@limit`, the size of a page",
			"write `@limit=10 @p="+excerpt(controls[page].Value)+"`")
	}
}

func (b *builder) controlError(c *ast.Control, message, hint string) {
	b.refuseAs(diag.ControlInvalid, c.Bounds(), message, hint)
}

// checkControl checks the value of one control. Unknown controls are allowed.
func (b *builder) checkControl(c *ast.Control) {
	t := vocab.Lookup(vocab.Control, c.Name)
	if t == nil || b.isSuppressed(c.Start()) {
		return
	}
	if t.NeedsTime {
		b.facets = append(b.facets, facet{c.Bounds(), "@" + c.Name})
	}
	switch t.ValueType {
	case vocab.NoValue:
		if c.HasValue {
			b.controlError(c, "`@"+c.Name+"` takes no value", "")
		}
	case vocab.IntType:
		n, err := strconv.ParseInt(c.Value, 10, 64)
		switch {
		case err != nil && errors.Is(err, strconv.ErrRange) && !c.Quoted:
			b.controlError(c, "the number does not fit into 64 bits", "")
		case !c.HasValue || err != nil || c.Quoted:
			b.controlError(c, "`@"+c.Name+"` needs a whole number", "write `@"+c.Name+"=10`")
		case n < 0:
			b.controlError(c, "`@"+c.Name+"` must not be negative", "")
		case n == 0 && c.Name == "p":
			b.controlError(c, "pages are counted from 1", "")
		}
	case vocab.EnumType:
		if !slices.Contains(t.Params, c.Value) {
			b.controlError(c, "`@"+c.Name+"` needs one of "+strings.Join(t.Params, ", "), "")
		}
	}
}
