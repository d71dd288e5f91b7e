package sqlite

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// The encodings of text, as the header of a database has them. A database without content has none.
const (
	utf8    = 1
	utf16le = 2
	utf16be = 3
)

// The kinds of values, in the order of SQLite.
const (
	null = iota
	number
	text
	blob
)

// value is a value of a column. Its text may be that of a page.
type value struct {
	kind    int
	real    bool
	integer int64
	float   float64
	text    []byte
}

// String returns the value as text.
func (v value) String() string {
	switch {
	case v.kind != number:
		return string(v.text)
	case !v.real:
		return strconv.FormatInt(v.integer, 10)
	}
	form := byte('f')
	if size := math.Abs(v.float); size != 0 && size < 1e-4 || size >= 1e17 {
		form = 'e'
	}
	digits, exponent, hasExponent := strings.Cut(strconv.FormatFloat(v.float, form, -1, 64), "e")
	if !strings.ContainsAny(digits, ".I") { // infinity has neither
		digits += ".0"
	}
	if hasExponent {
		digits += "e" + exponent
	}
	return digits
}

// kept returns the value with a text of its own.
func (v value) kept() value {
	v.text = bytes.Clone(v.text)
	return v
}

// compare orders values as SQLite does, texts by their bytes.
func (v value) compare(w value) int {
	switch {
	case v.kind != w.kind:
		return cmp.Compare(v.kind, w.kind)
	case v.kind != number:
		return bytes.Compare(v.text, w.text)
	case !v.real && !w.real:
		return cmp.Compare(v.integer, w.integer)
	}
	return cmp.Compare(v.asFloat(), w.asFloat())
}

func (v value) asFloat() float64 {
	if v.real {
		return v.float
	}
	return float64(v.integer)
}

// row is a row of a table, or an entry of an index.
type row struct {
	d    *Database
	id   int64
	page uint32
	size int64
	data []byte // its beginning
	next uint32 // the page that continues it
}

// column returns the value at a place of the columns of a table, which is negative for a column
// that the table does not have.
func (r *row) column(t *table, at int) (value, error) {
	switch {
	case at < 0:
		return value{}, nil
	case at == t.rowid:
		return value{kind: number, integer: r.id}, nil
	}
	c := t.columns[at]
	values, err := r.values(c.stored)
	if err != nil {
		return value{}, err
	}
	v := values[0]
	switch {
	case v.kind == missing: // from before the column was added
		return c.initial, nil
	case v.kind == number && !v.real && c.real:
		v.real, v.float = true, float64(v.integer)
	}
	return v, nil
}

// missing is the kind of a value that a row does not have.
const missing = -1

// maxColumns is the limit of SQLite.
const maxColumns = 2000

// values returns the values at places of a row; −1 is the last.
func (r *row) values(places ...int) ([]value, error) {
	size, rest, ok := varint(r.data)
	if !ok || size > uint64(r.size) || int64(size) < int64(len(r.data)-len(rest)) {
		return nil, damaged(r.page)
	}
	if err := r.load(int64(size)); err != nil {
		return nil, err
	}
	_, rest, _ = varint(r.data[:size])
	var types []uint64
	for len(rest) > 0 {
		var t uint64
		if t, rest, ok = varint(rest); !ok || len(types) == maxColumns {
			return nil, damaged(r.page)
		}
		types = append(types, t)
	}
	out := make([]value, len(places))
	for i, place := range places {
		if place < 0 {
			place += len(types)
		}
		if place < 0 || place >= len(types) {
			out[i].kind = missing
			continue
		}
		from := int64(size)
		for _, t := range types[:place] {
			if from += width(t); from > r.size {
				return nil, damaged(r.page)
			}
		}
		n := width(types[place])
		if n > r.size-from {
			return nil, damaged(r.page)
		}
		if err := r.load(from + n); err != nil {
			return nil, err
		}
		out[i] = r.d.decoded(types[place], r.data[from:from+n])
	}
	return out, nil
}

// load reads the pages that continue a row, until its first n bytes are known.
func (r *row) load(n int64) error {
	for int64(len(r.data)) < n {
		if r.d.more == 0 {
			return damaged(r.page)
		}
		r.d.more--
		p, err := r.d.page(r.next)
		if err != nil {
			return err
		}
		r.data = append(r.data, p[4:min(r.d.usable, 4+r.size-int64(len(r.data)))]...)
		r.next = binary.BigEndian.Uint32(p)
	}
	return nil
}

// width returns the number of bytes of a value of a type.
func width(of uint64) int64 {
	switch {
	case of >= 12:
		return int64(min((of-12)/2, math.MaxInt32))
	case of == 5:
		return 6
	case of == 6 || of == 7:
		return 8
	case of < 5:
		return int64(of)
	}
	return 0
}

// decoded returns the value that bytes of a type have.
func (d *Database) decoded(of uint64, data []byte) value {
	switch {
	case of == 0, of == 10, of == 11: // the last two are reserved
		return value{}
	case of == 7:
		return value{kind: number, real: true, float: math.Float64frombits(binary.BigEndian.Uint64(data))}
	case of == 8, of == 9:
		return value{kind: number, integer: int64(of) - 8}
	case of < 7:
		n := int64(int8(data[0]))
		for _, b := range data[1:] {
			n = n<<8 | int64(b)
		}
		return value{kind: number, integer: n}
	case of%2 == 0:
		return value{kind: blob, text: data}
	}
	return value{kind: text, text: d.asUTF8(data)}
}

// asUTF8 returns text of the database in UTF-8.
func (d *Database) asUTF8(data []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch d.encoding {
	case utf16be:
		order = binary.BigEndian
	case utf16le:
	default:
		return data
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// varint reads a number of up to nine bytes.
func varint(data []byte) (n uint64, rest []byte, ok bool) {
	for i, b := range data[:min(len(data), 9)] {
		if i == 8 {
			return n<<8 | uint64(b), data[9:], true
		}
		if n = n<<7 | uint64(b&0x7f); b < 0x80 {
			return n, data[i+1:], true
		}
	}
	return 0, nil, false
}
