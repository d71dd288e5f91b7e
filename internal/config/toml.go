package config

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// table is a TOML table whose members know their position in the source.
type table struct {
	header  ast.Span // of its last name in its own [header], if it has one
	members []*member
}

type member struct {
	name  string
	key   ast.Span // of the name where it was first written
	value value
}

// value is a TOML value: a string, a bool, a number, a []value, a *table, or an other.
type value struct {
	span ast.Span
	data any
}

type number float64

// other stands for a value of a type that no setting has; the text names the type.
type other string

// find returns a member, or nil.
func (t *table) find(name string) *member {
	for _, m := range t.members {
		if m.name == name {
			return m
		}
	}
	return nil
}

func (t *table) member(name string, at ast.Span) *member {
	if m := t.find(name); m != nil {
		return m
	}
	m := &member{name: name, key: at, value: value{span: at}}
	t.members = append(t.members, m)
	return m
}

// below returns the table that a member holds, making it if need be; of an array of tables, the
// last.
func (m *member) below() *table {
	switch v := m.value.data.(type) {
	case *table:
		return v
	case []value:
		if n := len(v); n > 0 {
			if t, ok := v[n-1].data.(*table); ok {
				return t
			}
		}
	}
	t := &table{}
	m.value.data = t
	return t
}

// parseTOML reads a document. The decoder of the library judges whether the document is valid; its
// parser, which alone knows all positions, then yields the values.
func parseTOML(src string) (*table, *diag.Diagnostic) {
	if err := toml.Unmarshal([]byte(src), &map[string]any{}); err != nil {
		return nil, tomlError(src, err)
	}
	root, err := readTOML(src)
	if err != nil {
		return nil, tomlError(src, err)
	}
	return root, nil
}

// readTOML reads the values of a document up to a syntax error.
func readTOML(src string) (*table, error) {
	p := unstable.Parser{}
	p.Reset([]byte(src))
	root := &table{}
	at := root
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			at = lastKey(root, e.Key()).below()
			for parts := e.Key(); parts.Next(); {
				at.header = nodeSpan(parts.Node())
			}
		case unstable.ArrayTable:
			m := lastKey(root, e.Key())
			at = &table{}
			list, _ := m.value.data.([]value)
			m.value.data = append(list, value{span: m.key, data: at})
		case unstable.KeyValue:
			setKey(at, e)
		}
	}
	return root, p.Error()
}

// lastKey walks a dotted key and returns the member its last part names.
func lastKey(t *table, parts unstable.Iterator) *member {
	var m *member
	for parts.Next() {
		if m != nil {
			t = m.below()
		}
		n := parts.Node()
		m = t.member(string(n.Data), nodeSpan(n))
	}
	return m
}

func setKey(t *table, e *unstable.Node) {
	m := lastKey(t, e.Key())
	m.value = readValue(e.Value(), m.key)
}

func readValue(n *unstable.Node, fallback ast.Span) value {
	v := value{span: nodeSpan(n)}
	if v.span.Len() == 0 {
		v.span = fallback
	}
	switch n.Kind {
	case unstable.String:
		v.data = string(n.Data)
	case unstable.Bool:
		v.data = string(n.Data) == "true"
	case unstable.Array:
		list := []value{}
		for it := n.Children(); it.Next(); {
			list = append(list, readValue(it.Node(), v.span))
		}
		v.data = list
	case unstable.InlineTable:
		t := &table{}
		for it := n.Children(); it.Next(); {
			setKey(t, it.Node())
		}
		v.data = t
	case unstable.Integer, unstable.Float:
		f, err := strconv.ParseFloat(strings.ReplaceAll(string(n.Data), "_", ""), 64)
		if v.data = number(f); err != nil {
			v.data = other("a number")
		}
	default:
		v.data = other("a date or time")
	}
	return v
}

func nodeSpan(n *unstable.Node) ast.Span {
	start := int(n.Raw.Offset)
	return ast.Span{Start: start, End: start + int(n.Raw.Length)}
}

// tomlError converts an error of the library.
func tomlError(src string, err error) *diag.Diagnostic {
	d := &diag.Diagnostic{Severity: diag.Error, Message: strings.TrimPrefix(err.Error(), "toml: ")}
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, column := e.Position()
		offset := min(ast.NewLines(src).Start(row-1)+column-1, len(src))
		d.Span = ast.Span{Start: offset, End: offset}
	}
	return d
}
