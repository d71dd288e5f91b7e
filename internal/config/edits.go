package config

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Strings yields the string values of a configuration file in source order, each with the span of
// its literal. If the file has a syntax error, it yields those before the error.
func Strings(src string) iter.Seq2[ast.Span, string] {
	root, _ := readTOML(src)
	found := root.strings(nil)
	slices.SortFunc(found, func(a, b value) int { return cmp.Compare(a.span.Start, b.span.Start) })
	return func(yield func(ast.Span, string) bool) {
		for _, v := range found {
			if !yield(v.span, v.data.(string)) {
				return
			}
		}
	}
}

func (t *table) strings(out []value) []value {
	for _, m := range t.members {
		out = m.value.strings(out)
	}
	return out
}

func (v value) strings(out []value) []value {
	switch data := v.data.(type) {
	case string:
		out = append(out, v)
	case []value:
		for _, e := range data {
			out = e.strings(out)
		}
	case *table:
		out = data.strings(out)
	}
	return out
}

// AddToList returns the edit of a configuration file that adds texts to the list of a key of a
// table, such as known.tags, or of a vocabulary, such as tags. It makes the list, and the table, if
// need be. It returns false if the value of the key is not a list.
func AddToList(src, key string, texts ...string) (diag.Edit, bool) {
	insert := func(at int, text string) (diag.Edit, bool) {
		return diag.Edit{Span: ast.Span{Start: at, End: at}, Text: text}, true
	}
	root, _ := readTOML(src)
	tableName, name, below := strings.Cut(key, ".")
	if !below {
		tableName, name = "", key
	}
	literals := make([]string, len(texts))
	for i, text := range texts {
		literals[i] = Literal(text)
	}
	literal := strings.Join(literals, ", ")
	line := name + " = [" + literal + "]\n"
	of := root.find(tableName)
	t := &table{}
	switch {
	case !below:
		t = root
	case of != nil:
		t = of.below()
	}
	if m := t.find(name); m != nil {
		list, ok := m.value.data.([]value)
		switch n := len(list); {
		case !ok:
			return diag.Edit{}, false
		case n == 0:
			return insert(m.key.End+strings.IndexByte(src[m.key.End:], '[')+1, literal)
		default:
			at := list[n-1].span.End
			if rest := strings.TrimLeft(src[at:], " \t\r\n"); strings.HasPrefix(rest, ",") {
				return insert(len(src)-len(rest)+1, " "+literal)
			}
			return insert(at, ", "+literal)
		}
	}
	if t.header.End > 0 {
		if n := strings.IndexByte(src[t.header.End:], '\n'); n >= 0 {
			return insert(t.header.End+n+1, line)
		}
		return insert(len(src), "\n"+line)
	}
	if of != nil && src[of.value.span.Start] == '{' {
		if line = strings.TrimSuffix(line, "\n"); len(t.members) > 0 {
			line += ","
		}
		return insert(of.value.span.End, " "+line)
	}
	if of != nil { // its keys are dotted
		return insert(strings.LastIndexByte(src[:of.key.Start], '\n')+1, tableName+"."+line)
	}
	if !below {
		if src != "" && !strings.HasSuffix(src, "\n") {
			line = "\n" + line
		}
		return insert(len(src), line)
	}
	line = "[" + tableName + "]\n" + line
	if src != "" {
		line = "\n" + line
		if !strings.HasSuffix(src, "\n") {
			line = "\n" + line
		}
	}
	return insert(len(src), line)
}
