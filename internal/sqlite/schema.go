package sqlite

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// table is a table of a database.
type table struct {
	name    string
	root    uint32
	columns []column
	rowid   int // the column that is the id of the row, or −1
	indexes []index
}

// column is a column of a table.
type column struct {
	name    string
	stored  int   // its place in a row
	real    bool  // whole numbers are stored as such, and are real
	text    bool  // what is written is stored as text
	initial value // of rows from before the column was added
}

// index is an index of a table.
type index struct {
	column string // the first
	root   uint32
}

// positions returns the places of columns, and −1 for a column that the table does not have.
func (t *table) positions(names []string) []int {
	out := make([]int, len(names))
	for i, name := range names {
		out[i] = slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
	}
	return out
}

// index returns the root of an index by the texts of a column, or 0.
func (t *table) index(name string) uint32 {
	if at := t.positions([]string{name})[0]; at < 0 || !t.columns[at].text {
		return 0
	}
	for _, i := range t.indexes {
		if i.column == name {
			return i.root
		}
	}
	return 0
}

// readSchema reads the tables and their indexes.
func (d *Database) readSchema() error {
	schema := &table{name: "sqlite_schema", root: 1, rowid: -1}
	for i, name := range []string{"type", "name", "tbl_name", "rootpage", "sql"} {
		schema.columns = append(schema.columns, column{name: name, stored: i})
	}
	if first, err := d.page(1); err != nil {
		return err
	} else if d.pages == 1 && first[headerSize] == 0 { // nothing was ever written
		return nil
	}
	d.tables = []*table{schema}
	defer func() { d.tables = d.tables[1:] }()
	return d.Rows(Query{Table: schema.name, Columns: []string{"type", "tbl_name", "rootpage", "sql"}}, func(c []string) error {
		of := lower(c[1])
		root, err := strconv.ParseUint(c[2], 10, 32)
		if err != nil || root == 0 { // a view, a trigger, a virtual table
			return nil
		}
		switch c[0] {
		case "table":
			if t := created(c[3]); t != nil {
				t.name, t.root = of, uint32(root)
				d.tables = append(d.tables, t)
			}
		case "index":
			at := slices.IndexFunc(d.tables, func(t *table) bool { return t.name == of })
			if name := indexed(c[3]); at > 0 && name != "" {
				d.tables[at].indexes = append(d.tables[at].indexes, index{name, uint32(root)})
			}
		}
		return nil
	})
}

// token matches what SQL is made of: space and comments, quoted names and texts, words and numbers.
var token = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?s)^(?:(\\s+|--[^\n]*|/\\*.*?(?:\\*/|$))|(\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\\[[^]]*\\]|'(?:[^']|'')*')|([\\w$.\\x{80}-\\x{10ffff}]+)|.)")
})

// word is a token of SQL: a name, a word or a number as it is, a text, or a sign.
type word struct {
	text   string
	quoted bool
	group  []word // between parentheses
}

// is reports whether it is one of some key words or signs.
func (w word) is(texts ...string) bool {
	return !w.quoted && slices.ContainsFunc(texts, func(s string) bool { return strings.EqualFold(s, w.text) })
}

// words splits SQL. What is between parentheses is a group.
func words(sql string) []word {
	open := [][]word{nil}
	for sql != "" {
		m := token().FindStringSubmatch(sql)
		sql = sql[max(len(m[0]), 1):]
		last := len(open) - 1
		switch {
		case m[1] != "":
		case m[0] == "(":
			open = append(open, nil)
		case m[0] == ")" && last > 0:
			open[last-1] = append(open[last-1], word{text: "(", group: open[last]})
			open = open[:last]
		case m[2] != "":
			end := m[2][len(m[2])-1:]
			open[last] = append(open[last], word{text: strings.ReplaceAll(m[2][1:len(m[2])-1], end+end, end), quoted: true})
		default:
			open[last] = append(open[last], word{text: m[0]})
		}
	}
	return open[0]
}

// split splits words at commas.
func split(all []word) (parts [][]word) {
	for len(all) > 0 {
		at := slices.IndexFunc(all, func(w word) bool { return w.is(",") })
		if at < 0 {
			return append(parts, all)
		}
		parts, all = append(parts, all[:at]), all[at+1:]
	}
	return parts
}

// created returns the table that a statement creates, or nil for one without rowids.
func created(sql string) *table {
	all := words(sql)
	at := slices.IndexFunc(all, func(w word) bool { return w.is("(") })
	if at < 0 || slices.ContainsFunc(all[at:], func(w word) bool { return w.is("without") }) {
		return nil
	}
	t := &table{rowid: -1}
	stored := 0
	key := ""
	for _, part := range split(all[at].group) {
		if len(part) == 0 {
			continue
		}
		if part[0].is("constraint", "primary", "unique", "check", "foreign") {
			if k := slices.IndexFunc(part, func(w word) bool { return w.is("primary") }); k >= 0 && k+2 < len(part) && len(part[k+2].group) > 0 {
				if columns := split(part[k+2].group); len(columns) == 1 {
					key = lower(columns[0][0].text)
				}
			}
			continue
		}
		c, isKey, isVirtual := declared(part)
		if isVirtual {
			continue
		}
		if c.stored = stored; isKey {
			key = c.name
		}
		stored++
		t.columns = append(t.columns, c)
	}
	if i := slices.IndexFunc(t.columns, func(c column) bool { return c.name == key }); i >= 0 && isInteger(all[at].group, key) {
		t.rowid = i
	}
	return t
}

// isInteger reports whether the type of a column is exactly INTEGER.
func isInteger(group []word, name string) bool {
	return slices.ContainsFunc(split(group), func(part []word) bool {
		return len(part) > 1 && lower(part[0].text) == name && part[1].is("integer") && (len(part) == 2 || isConstraint(part[2]))
	})
}

func isConstraint(w word) bool {
	return w.is("constraint", "primary", "not", "null", "unique", "check", "default", "collate", "references", "generated", "as")
}

// declared returns the column that a part of a statement declares, and whether it is the primary
// key, in ascending order, or computed when it is read.
func declared(part []word) (c column, isKey, isVirtual bool) {
	c.name = lower(part[0].text)
	var kind strings.Builder
	rest := part[1:]
	for len(rest) > 0 && !isConstraint(rest[0]) {
		kind.WriteString(strings.ToUpper(rest[0].text))
		rest = rest[1:]
	}
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(kind.String(), p) })
	}
	c.text = !has("INT") && has("CHAR", "CLOB", "TEXT")
	c.real = !has("INT", "CHAR", "CLOB", "TEXT", "BLOB") && has("REAL", "FLOA", "DOUB")
	for i, w := range rest {
		next := word{}
		if i+1 < len(rest) {
			next = rest[i+1]
		}
		switch {
		case w.is("primary"):
			isKey = i+2 >= len(rest) || !rest[i+2].is("desc")
		case w.is("collate") && !next.is("binary"):
			c.text = false // another order than that of bytes
		case w.is("as"):
			isVirtual = !slices.ContainsFunc(rest[i:], func(w word) bool { return w.is("stored") })
		case w.is("default"):
			c.initial = literal(next, rest[min(i+2, len(rest)):])
		}
	}
	return c, isKey, isVirtual
}

// literal returns the value of a word, which may be a sign before a number. An expression, which no
// column can have that is added to rows, is null.
func literal(w word, after []word) value {
	sign := ""
	if w.is("-", "+") && len(after) > 0 {
		sign, w = w.text, after[0]
	}
	switch {
	case len(w.group) == 1:
		return literal(w.group[0], nil)
	case w.quoted:
		return value{kind: text, text: []byte(w.text)}
	case w.is("true", "false"):
		v := value{kind: number}
		if w.is("true") {
			v.integer = 1
		}
		return v
	}
	if n, err := strconv.ParseInt(sign+w.text, 10, 64); err == nil {
		return value{kind: number, integer: n}
	}
	if f, err := strconv.ParseFloat(sign+w.text, 64); err == nil {
		return value{kind: number, real: true, float: f}
	}
	return value{}
}

// indexed returns the first column of the index that a statement creates, or nothing for an index
// that does not have all rows, or in another order.
func indexed(sql string) string {
	all := words(sql)
	at := slices.IndexFunc(all, func(w word) bool { return w.is("(") })
	if at < 0 || at+1 < len(all) {
		return ""
	}
	columns := split(all[at].group)
	if len(columns) == 0 || len(columns[0]) == 0 || len(columns[0]) > 1 && !columns[0][1].is("asc") || len(columns[0][0].group) > 0 {
		return ""
	}
	return lower(columns[0][0].text)
}
