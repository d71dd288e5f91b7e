package sqlite

import (
	"encoding/binary"
	"slices"
)

// The kinds of pages of a tree, as their first bytes have them.
const (
	indexInner = 2
	tableInner = 5
	indexLeaf  = 10
	tableLeaf  = 13
)

// maxDepth is more than the depth of any tree: an inner page has two children at least.
const maxDepth = 40

// node is a page of a tree.
type node struct {
	number uint32
	data   []byte
	kind   byte
	cells  []byte // two bytes for each
	right  uint32 // the last child of an inner page
}

// node reads a page of a tree.
func (d *Database) node(number uint32) (*node, error) {
	data, err := d.page(number)
	if err != nil {
		return nil, err
	}
	n := &node{number: number, data: data[:d.usable]}
	head := data
	if number == 1 {
		head = data[headerSize:]
	}
	n.kind = head[0]
	count, first := int(binary.BigEndian.Uint16(head[3:])), 8
	switch n.kind {
	case indexInner, tableInner:
		n.right, first = binary.BigEndian.Uint32(head[8:]), 12
	case indexLeaf, tableLeaf:
	default:
		return nil, damaged(number)
	}
	if first+2*count > len(head) || count > len(data)/6 { // no cell is smaller
		return nil, damaged(number)
	}
	n.cells = head[first : first+2*count]
	return n, nil
}

// cell is an entry of a page of a tree.
type cell struct {
	child uint32 // of an inner page
	id    int64  // of a table
	row   row    // but for an inner page of a table
}

// cell reads the cell at a place.
func (d *Database) cell(n *node, i int) (c cell, err error) {
	at := int(binary.BigEndian.Uint16(n.cells[2*i:]))
	rest := n.data[min(at, len(n.data)):]
	if n.kind == indexInner || n.kind == tableInner {
		if len(rest) < 4 {
			return c, damaged(n.number)
		}
		c.child, rest = binary.BigEndian.Uint32(rest), rest[4:]
	}
	var size uint64
	ok := true
	if n.kind != tableInner {
		size, rest, ok = varint(rest)
	}
	if ok && (n.kind == tableInner || n.kind == tableLeaf) {
		var id uint64
		id, rest, ok = varint(rest)
		c.id = int64(id)
	}
	if !ok || size > uint64(d.limit) {
		return c, damaged(n.number)
	}
	if n.kind == tableInner {
		return c, nil
	}
	c.row = row{d: d, id: c.id, size: int64(size), page: n.number}
	local := d.local(int64(size), n.kind == tableLeaf)
	if local > int64(len(rest)) || local < int64(size) && local+4 > int64(len(rest)) {
		return c, damaged(n.number)
	}
	c.row.data = slices.Clip(rest[:local])
	if local < int64(size) {
		c.row.next = binary.BigEndian.Uint32(rest[local:])
	}
	return c, nil
}

// local returns how many bytes of a row of a size are in the page itself.
func (d *Database) local(size int64, table bool) int64 {
	most := d.usable - 35
	if !table {
		most = (d.usable-12)*64/255 - 23
	}
	if size <= most {
		return size
	}
	least := (d.usable-12)*32/255 - 23
	if n := least + (size-least)%(d.usable-4); n <= most {
		return n
	}
	return least
}

// scan calls each with the rows of a table.
func (d *Database) scan(root uint32, each func(*row) error) error {
	return d.walk(root, new(uint32), 0, tableLeaf, func(n *node, down func(uint32) error) error {
		for i := range len(n.cells) / 2 {
			c, err := d.cell(n, i)
			if err == nil && n.kind == tableInner {
				err = down(c.child)
			} else if err == nil {
				err = each(&c.row)
			}
			if err != nil {
				return err
			}
		}
		return down(n.right)
	})
}

// lookUp calls each with the rows that an index has for a value of its first column.
func (d *Database) lookUp(root uint32, of value, each func(id int64) error) error {
	return d.walk(root, new(uint32), 0, indexLeaf, func(n *node, down func(uint32) error) error {
		for i := range len(n.cells) / 2 {
			c, err := d.cell(n, i)
			if err != nil {
				return err
			}
			values, err := c.row.values(0, -1)
			if err != nil {
				return err
			}
			order := values[0].compare(of)
			if order < 0 { // and so is what is below it
				continue
			}
			if err := down(c.child); err != nil || order > 0 {
				return err
			}
			if err := each(values[1].integer); err != nil {
				return err
			}
		}
		return down(n.right)
	})
}

// walk calls visit with the root of a tree, and, each time that it asks for it, with a page below.
// A tree has each page once, so that a damaged one does not take for ever.
func (d *Database) walk(number uint32, seen *uint32, depth int, leaf byte, visit func(n *node, down func(uint32) error) error) error {
	n, err := d.node(number)
	if err != nil {
		return err
	}
	isLeaf := n.kind == indexLeaf || n.kind == tableLeaf
	if *seen++; *seen > d.pages || depth > maxDepth || isLeaf && n.kind != leaf || !isLeaf && n.kind != leaf-8 {
		return damaged(number)
	}
	return visit(n, func(child uint32) error {
		if isLeaf {
			return nil
		}
		return d.walk(child, seen, depth+1, leaf, visit)
	})
}

// seek calls each with the row of a table that has an id, if there is one.
func (d *Database) seek(root uint32, id int64, each func(*row) error) error {
	return d.walk(root, new(uint32), 0, tableLeaf, func(n *node, down func(uint32) error) error {
		low, high := 0, len(n.cells)/2
		var at cell // the first whose id is not less
		for low < high {
			middle := (low + high) / 2
			c, err := d.cell(n, middle)
			if err != nil {
				return err
			}
			if c.id < id {
				low = middle + 1
			} else {
				high, at = middle, c
			}
		}
		switch {
		case n.kind == tableInner && low < len(n.cells)/2:
			return down(at.child)
		case n.kind == tableInner:
			return down(n.right)
		case at.row.d != nil && at.id == id:
			return each(&at.row)
		}
		return nil
	})
}
