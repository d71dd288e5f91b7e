package engine

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// sizes lists the numbers of nodes to measure with.
var sizes = []int{1_000, 100_000, 1_000_000}

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		sizes = []int{300, 1_000, 10_000}
	}
	os.Exit(m.Run())
}

const perSegment = 14 // a segment, its core and twelve blocks

// options returns options with a fixed clock, which makes all runs the same, and the engine's ids.
func options() engine.Options {
	now := int64(0)
	return engine.Options{Clock: func() time.Time { now += 1000; return time.Unix(1_700_000_000, now) }}
}

// measure runs a benchmark that also reports the CPU time of the process, because garbage
// collection on another core costs time too.
func measure(b *testing.B, do func()) {
	b.Helper()
	runtime.GC()
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		do()
	}
	b.ReportMetric(float64(cpuTime(b)-start)/float64(b.N), "cpu-ns/op")
}

// cpuTime returns the CPU time that the process has used, in nanoseconds.
func cpuTime(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

const text = "The quick brown fox jumps over the lazy dog, and then it does so once more."

var content = engine.Text(text)

// turn inserts twelve blocks, one of them with a lifetime, and returns the id of the seventh.
func turn(b testing.TB, ctx *engine.Context, n int) string {
	middle := ""
	for i := range 12 {
		d := engine.Draft{Content: content, Role: "user", Kind: "text", Priority: int64(i)}
		switch i {
		case 0:
			d.Key = fmt.Sprint("k", n%50)
			if n >= 50 {
				d.Key = ""
			}
		case 1:
			d.TTL = new(int64(3))
		case 2:
			d.Tags = []string{"rag", "tool"}
		}
		made, err := ctx.Insert(engine.AtDepth(0, 0), d)
		if err != nil {
			b.Fatal(err)
		}
		if i == 6 {
			middle = made.ID()
		}
	}
	return middle
}

// grown returns a context that has grown to about n nodes.
func grown(b testing.TB, n int) *engine.Context {
	ctx, err := engine.New(options())
	if err != nil {
		b.Fatal(err)
	}
	for i := range n / perSegment {
		turn(b, ctx, i)
		if _, err := ctx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	return ctx
}

// BenchmarkTurn measures a typical turn of an agent: twelve insertions, one replacement in the head
// and the commit, all together, and the commit alone.
func BenchmarkTurn(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint("nodes=", n), func(b *testing.B) {
			ctx := grown(b, n)
			commits := time.Duration(0)
			measure(b, func() {
				id := turn(b, ctx, 100)
				if _, err := ctx.Replace(engine.ByID(id), engine.Draft{Content: content, Role: "user"}); err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				if _, err := ctx.Commit(); err != nil {
					b.Fatal(err)
				}
				commits += time.Since(start)
			})
			b.ReportMetric(float64(commits.Nanoseconds())/float64(b.N), "commit-ns/op")
		})
	}
}

// BenchmarkLarge changes a head and a segment whose core has 10,000 nodes. It inserts a node at the
// end, in the middle of the core and before it, replaces a node in place, and finds a node by its
// id. For the segment it also measures the commit, and a node that lives for only one cycle.
func BenchmarkLarge(b *testing.B) {
	const n = 10_000
	ctx, err := engine.New(options())
	if err != nil {
		b.Fatal(err)
	}
	first, err := ctx.Insert(engine.AtDepth(0, 0), engine.Draft{Content: content})
	if err != nil {
		b.Fatal(err)
	}
	core, _ := first.ParentID()
	last := func(i int) (engine.Node, error) {
		return ctx.Insert(engine.Under(core, int64(i)), engine.Draft{Content: content, Role: "user"})
	}
	made := 0
	grow := func() engine.Node {
		made++
		node, err := last(made)
		if err != nil {
			b.Fatal(err)
		}
		return node
	}
	var ids []string
	for range n {
		ids = append(ids, grow().ID())
	}
	do := func(name string, change func(i int) error) {
		b.Run(name, func(b *testing.B) {
			i := 0
			measure(b, func() {
				i++
				if err := change(i); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
	do("head/last", func(int) error { grow(); return nil })
	do("head/find", func(i int) error {
		if n, ok := ctx.Working().Find(ids[i*7919%n]); !ok || n.IsZero() {
			return fmt.Errorf("%s is missing", ids[i*7919%len(ids)])
		}
		return nil
	})
	do("head/midst", func(i int) error { _, err := last(i * 7919 % n); return err })
	do("head/replace", func(i int) error {
		_, err := ctx.Replace(engine.ByID(ids[i*7919%n]), engine.Draft{Content: content})
		return err
	})
	if _, err := ctx.Commit(); err != nil {
		b.Fatal(err)
	}
	insert := func(offset int64, ttl *int64) error {
		if _, err := ctx.Insert(engine.AtDepth(1, offset), engine.Draft{Content: content, TTL: ttl}); err != nil {
			return err
		}
		_, err := ctx.Commit()
		return err
	}
	do("segment/last", func(int) error { return insert(1, nil) })
	do("segment/before", func(int) error { return insert(-1, nil) })
	do("segment/mortal", func(int) error { return insert(1, new(int64(1))) })
}

// BenchmarkDiff compares neighboring snapshots: after a single edit, and after a turn.
func BenchmarkDiff(b *testing.B) {
	for _, n := range sizes {
		ctx := grown(b, n)
		for range 5 { // let lifetimes run out
			if _, err := ctx.Commit(); err != nil {
				b.Fatal(err)
			}
		}
		before := ctx.Timeline().At(1)
		if _, err := ctx.Insert(engine.AtDepth(5, 1), engine.Draft{}); err != nil {
			b.Fatal(err)
		}
		edit, err := ctx.Commit()
		if err != nil {
			b.Fatal(err)
		}
		same, err := ctx.Commit()
		if err != nil {
			b.Fatal(err)
		}
		turn(b, ctx, 100)
		after, err := ctx.Commit()
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			name         string
			older, newer *engine.Snapshot
			want         int
		}{{"same", edit, same, 0}, {"edit", before, edit, 1}, {"turn", same, after, perSegment}} {
			b.Run(fmt.Sprintf("%s/nodes=%d", c.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if d := engine.Diff(c.older, c.newer); len(d.Added) != c.want {
						b.Fatalf("%d added", len(d.Added))
					}
				}
			})
		}
	}
}

// BenchmarkExport writes 100,000 nodes. Its peer is encoding/json on equivalent structs.
func BenchmarkExport(b *testing.B) {
	s := grown(b, sizes[1]).Timeline().At(1)
	data := s.AppendJSON(nil)
	var tree document
	if err := json.Unmarshal(data, &tree); err != nil {
		b.Fatal(err)
	}
	b.Run("lib=engine", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		buf := make([]byte, 0, len(data))
		for b.Loop() {
			buf = s.AppendJSON(buf[:0])
		}
	})
	b.Run("lib=encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := json.Marshal(&tree); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// document and node are the structs that encoding/json works with.
type document struct {
	Cycle       int64  `json:"cycle"`
	Root        node   `json:"root"`
	SpecVersion string `json:"spec_version"`
}

// node has a field for each member of a node.
type node struct {
	Cad           *int64   `json:"cad,omitempty"`
	Children      []node   `json:"children,omitempty"`
	Content       string   `json:"content,omitempty"`
	CreatedISO    string   `json:"created_at_iso"`
	CreatedNS     int64    `json:"created_at_ns"`
	CreationIndex int64    `json:"creation_index"`
	Cycle         int64    `json:"cycle"`
	ID            string   `json:"id"`
	Key           string   `json:"key,omitempty"`
	Kind          string   `json:"kind,omitempty"`
	NodeType      string   `json:"nodeType"`
	Offset        int64    `json:"offset"`
	ParentID      *string  `json:"parent_id"`
	Priority      int64    `json:"priority"`
	Role          string   `json:"role,omitempty"`
	Tag           []string `json:"tag,omitempty"`
	TTL           *int64   `json:"ttl"`
}

// BenchmarkLoad reads 100,000 nodes, validates and indexes them. Its peer is encoding/json, which
// only decodes them.
func BenchmarkLoad(b *testing.B) {
	data := grown(b, sizes[1]).Timeline().At(1).AppendJSON(nil)
	b.Run("lib=engine", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := engine.Read("x.json", bytes.NewReader(data), engine.ReadOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("lib=encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var d document
			if err := json.Unmarshal(data, &d); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkFind looks up nodes of a sealed part by id. Its peer is a plain loop.
func BenchmarkFind(b *testing.B) {
	s := grown(b, 10_000).Timeline().At(1)
	var ids []string
	for n := range s.All() {
		ids = append(ids, n.ID())
	}
	b.Run("lib=engine", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i++
			if _, ok := s.Find(ids[i*7919%len(ids)]); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("lib=loop", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i++
			if !slices.Contains(ids, ids[i*7919%len(ids)]) {
				b.Fatal("not found")
			}
		}
	})
}

// heap returns the bytes in use after a collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemory measures the memory that 10,000 snapshots need in addition to their new nodes, and the
// memory of a loaded file relative to its size.
func TestMemory(t *testing.T) {
	ctx, err := engine.New(options())
	if err != nil {
		t.Fatal(err)
	}
	turns := func(n int, block bool) int64 {
		before := heap()
		for range n {
			if block {
				turn(t, ctx, 100)
			}
			depth := min(5, ctx.Timeline().At(0).Segments())
			if depth > 0 {
				if _, err := ctx.Insert(engine.AtDepth(depth, 1), engine.Draft{TTL: new(int64(1))}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := ctx.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		return (heap() - before) / int64(n)
	}
	turns(1000, true)
	full := turns(10_000, true)
	edits := turns(10_000, false)
	t.Logf("a turn of 12 blocks and an edit: %d bytes; an edit alone: %d bytes", full, edits)
	if edits > 3584 {
		t.Errorf("a snapshot with one new node keeps %d bytes, more than 3.5 KB", edits)
	}

	data := grown(t, sizes[1]).Timeline().At(1).AppendJSON(nil)
	before := heap()
	tl, err := engine.Read("x.json", bytes.NewReader(data), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	used := heap() - before
	t.Logf("a file of %d bytes takes %d bytes of memory: %.2f times", len(data), used, float64(used)/float64(len(data)))
	if used > 4*int64(len(data)) {
		t.Error("more than four times the size of the file")
	}
	runtime.KeepAlive(data)
	runtime.KeepAlive(tl)
	runtime.KeepAlive(ctx)
}
