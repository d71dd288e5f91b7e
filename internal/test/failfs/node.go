package failfs

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"regexp"
)

// node is a file or a folder: as programs see it, and as it is on the disk.
type node struct {
	mode fs.FileMode

	// of a folder
	names, kept map[string]*node
	changes     []change // of names, since the folder was flushed

	// of a file
	data, disk []byte
	writes     []write // since the file was flushed
	holder     *file   // of the lock
}

// change is what a call does to the names of a folder: nil removes a name. A crash keeps all of it
// or nothing.
type change map[string]*node

// write is an unflushed write, or with cut a change of the size to at.
type write struct {
	at      int
	data    []byte
	cut     bool
	flushed bool // a flush wrote it, but not one before it
	doomed  bool // a flush failed, so no later one writes it
}

func newFolder() *node {
	return &node{mode: fs.ModeDir | 0o777, names: map[string]*node{}, kept: map[string]*node{}}
}

func (n *node) list(path string, files map[string]string) {
	if n.names == nil {
		files[path] = string(n.data)
	}
	for name, child := range n.names {
		child.list(path+"/"+name, files)
	}
}

// hash writes everything about the node. numbers has the nodes that were written before.
func (n *node) hash(w io.Writer, numbers map[*node]int) {
	number, ok := numbers[n]
	if ok || n == nil {
		fmt.Fprintf(w, "node %d\n", number)
		return
	}
	numbers[n] = len(numbers) + 1
	fmt.Fprintf(w, "%v %d %d %d %d\n%s%s", n.mode, len(n.names), len(n.kept), len(n.data), len(n.disk), n.data, n.disk)
	for _, x := range n.writes {
		fmt.Fprintf(w, "write %d %v %v %v %d\n%s", x.at, x.cut, x.flushed, x.doomed, len(x.data), x.data)
	}
	for _, names := range append([]change{n.names, n.kept}, n.changes...) {
		fmt.Fprintln(w, "names", len(names))
		for _, name := range sortedNames(names) {
			fmt.Fprintf(w, "%q\n", drawn.ReplaceAllString(name, "-"))
			names[name].hash(w, numbers)
		}
	}
}

// drawn matches what is random in the name of a temporary file.
var drawn = regexp.MustCompile("-[A-Z2-7]{26}")

func (n *node) rename(c change) {
	n.changes = append(n.changes, c)
	c.apply(n.names)
}

func (c change) apply(names map[string]*node) {
	for name, child := range c {
		if child == nil {
			delete(names, name)
		} else {
			names[name] = child
		}
	}
}

func (n *node) write(w write) {
	n.writes = append(n.writes, w)
	n.data = w.apply(n.data)
}

// apply returns data as it is after the write.
func (w write) apply(data []byte) []byte {
	data = append([]byte(nil), data...)
	if end := w.at + len(w.data); len(data) < end {
		data = append(data, make([]byte, end-len(data))...)
	}
	if w.cut {
		return data[:w.at]
	}
	copy(data[w.at:], w.data)
	return data
}

func (n *node) locked() bool { return n.holder != nil && !n.holder.p.dead }

// flush makes a file or the names in a folder durable. After a flush that failed, the writes before
// it may never be, as with the page cache of Linux.
func (n *node) flush() {
	if n.names != nil {
		n.kept, n.changes = maps.Clone(n.names), nil
		return
	}
	doomed := false
	for i := range n.writes {
		n.writes[i].flushed = !n.writes[i].doomed
		doomed = doomed || n.writes[i].doomed
	}
	if !doomed {
		n.disk, n.writes = bytes.Clone(n.data), nil
	}
}

func (n *node) doom() {
	for i := range n.writes {
		n.writes[i].doomed = n.writes[i].doomed || !n.writes[i].flushed
	}
}

// crash leaves what is on the disk.
func (n *node) crash(r *rand.Rand, lose float64) {
	n.holder = nil
	for _, w := range n.writes {
		if !w.flushed {
			if r.Float64() < lose {
				continue
			}
			w = w.part(r)
		}
		n.disk = w.apply(n.disk)
	}
	n.data, n.writes = bytes.Clone(n.disk), nil
	if n.names == nil {
		return
	}
	for _, c := range n.changes {
		if r.Float64() >= lose {
			c.apply(n.kept)
		}
	}
	n.names, n.changes = maps.Clone(n.kept), nil
	for _, name := range sortedNames(n.names) {
		n.names[name].crash(r, lose)
	}
}

// part returns what a crash leaves of a write: all of it, its beginning, or its beginning and NUL.
func (w write) part(r *rand.Rand) write {
	if w.cut || len(w.data) == 0 {
		return w
	}
	switch n := r.IntN(len(w.data) + 1); r.IntN(4) {
	case 0:
		w.data = w.data[:n]
	case 1:
		w.data = append(bytes.Clone(w.data[:n]), make([]byte, len(w.data)-n)...)
	}
	return w
}
