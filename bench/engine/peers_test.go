package engine

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/benbjohnson/immutable"
	iradix "github.com/hashicorp/go-immutable-radix/v2"
	"github.com/hashicorp/go-memdb"
	"github.com/tidwall/btree"

	"github.com/pactkit/pactkit/engine"
)

// row is a node in the representation of the peers.
type row struct {
	ID, Parent, Kind, Role, Key, Text    string
	Tags                                 []string
	Offset, Priority, Cycle, NS, TTL, At int64
}

// segmentRows returns the nodes of one turn, like those that turn inserts: a segment, its core and
// twelve blocks.
func segmentRows(seg int) []row {
	rows := make([]row, perSegment)
	id := func(i int) string { return fmt.Sprintf("block:%d", seg*perSegment+i+1) }
	for i := range rows {
		rows[i] = row{ID: id(i), Parent: id(min(i, 2) / 2), Cycle: int64(seg), NS: int64(seg*perSegment + i), At: int64(i)}
		if i >= 2 {
			rows[i].Kind, rows[i].Role, rows[i].Text, rows[i].Priority = "text", "user", text, int64(i)
		}
	}
	rows[3].TTL, rows[4].Tags = 3, []string{"rag", "tool"}
	return rows
}

// edited returns the row of an old segment that a turn replaces.
func edited(seg int) row {
	r := segmentRows(seg * 7919 % 65537 % seg)[7]
	r.Priority = int64(seg)
	return r
}

// store is a peer. open fills it with some segments. It returns a function that adds the next one,
// edits an old one, commits both and keeps the snapshot.
type store struct {
	lib  string
	open func(b *testing.B, segments int) (commit func(seg int))
}

// stores lists the peers that run in this process, which are all except git.
var stores = []store{
	{"engine", openEngine}, {"memdb", openMemdb}, {"btree", openBtree}, {"radix", openRadix}, {"immutable", openImmutable},
}

// openEngine makes the insertions one by one, as a program would. Readers see each of them at once.
func openEngine(b *testing.B, segments int) func(int) {
	ctx := grown(b, segments*perSegment)
	return func(seg int) {
		turn(b, ctx, 100)
		depth := 1 + seg*7919%ctx.Timeline().At(0).Segments()
		if _, err := ctx.Insert(engine.AtDepth(depth, 1), engine.Draft{TTL: new(int64(1))}); err != nil {
			b.Fatal(err)
		}
		if _, err := ctx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}

// openLoop is the simple solution: a slice that is copied for each snapshot. It keeps only the
// newest snapshot, since more would not fit in memory.
func openLoop(_ *testing.B, segments int) func(int) {
	live := make([]row, 0, segments*perSegment)
	for seg := range segments {
		live = append(live, segmentRows(seg)...)
	}
	return func(seg int) {
		next := make([]row, len(live), len(live)+perSegment)
		e := edited(seg)
		for i := range live {
			if next[i] = live[i]; next[i].ID == e.ID {
				next[i] = e
			}
		}
		live = append(next, segmentRows(seg)...)
	}
}

// openMemdb uses one transaction per commit, and indexes nodes by id and by parent.
func openMemdb(b *testing.B, segments int) func(int) {
	db, err := memdb.NewMemDB(&memdb.DBSchema{Tables: map[string]*memdb.TableSchema{"node": {
		Name: "node",
		Indexes: map[string]*memdb.IndexSchema{
			"id":     {Name: "id", Unique: true, Indexer: &memdb.StringFieldIndex{Field: "ID"}},
			"parent": {Name: "parent", Indexer: &memdb.StringFieldIndex{Field: "Parent"}},
		},
	}}})
	if err != nil {
		b.Fatal(err)
	}
	put := func(txn *memdb.Txn, rows ...row) {
		for i := range rows {
			if err := txn.Insert("node", &rows[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
	txn := db.Txn(true)
	for seg := range segments {
		put(txn, segmentRows(seg)...)
	}
	txn.Commit()
	var snaps []*memdb.MemDB
	return func(seg int) {
		txn := db.Txn(true)
		put(txn, segmentRows(seg)...)
		put(txn, edited(seg))
		txn.Commit()
		snaps = append(snaps, db.Snapshot())
	}
}

// openBtree copies the tree lazily, node by node, after each commit.
func openBtree(_ *testing.B, segments int) func(int) {
	var tree btree.Map[string, *row]
	put := func(rows ...row) {
		for i := range rows {
			tree.Set(rows[i].ID, &rows[i])
		}
	}
	for seg := range segments {
		put(segmentRows(seg)...)
	}
	var snaps []*btree.Map[string, *row]
	return func(seg int) {
		put(segmentRows(seg)...)
		put(edited(seg))
		snaps = append(snaps, tree.Copy())
	}
}

// openRadix uses one transaction per commit.
func openRadix(_ *testing.B, segments int) func(int) {
	tree := iradix.New[*row]()
	put := func(txn *iradix.Txn[*row], rows ...row) {
		for i := range rows {
			txn.Insert([]byte(rows[i].ID), &rows[i])
		}
	}
	txn := tree.Txn()
	for seg := range segments {
		put(txn, segmentRows(seg)...)
	}
	tree = txn.Commit()
	var snaps []*iradix.Tree[*row]
	return func(seg int) {
		txn := tree.Txn()
		put(txn, segmentRows(seg)...)
		put(txn, edited(seg))
		tree = txn.Commit()
		snaps = append(snaps, tree)
	}
}

// openImmutable uses a hash trie in which every insertion makes a new map.
func openImmutable(_ *testing.B, segments int) func(int) {
	first := immutable.NewMapBuilder[string, *row](nil)
	for seg := range segments {
		for _, r := range segmentRows(seg) {
			first.Set(r.ID, &r)
		}
	}
	m := first.Map()
	var snaps []*immutable.Map[string, *row]
	return func(seg int) {
		for _, r := range append(segmentRows(seg), edited(seg)) {
			m = m.Set(r.ID, &r)
		}
		snaps = append(snaps, m)
	}
}

// repository is a git repository with a file for every node, a folder for every segment and a
// folder for every hundred segments, written by git fast-import. git runs in a separate process, so
// the CPU time and memory of the benchmark do not include its own.
type repository struct {
	b        *testing.B
	dir      string
	importer *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
}

func openGit(b *testing.B, segments int) *repository {
	b.Helper()
	g := &repository{b: b, dir: b.TempDir()}
	g.run("init", "--quiet", "--bare")
	g.importer = g.command("fast-import", "--quiet")
	g.in, g.out = g.start(g.importer)
	g.commit(0, segments)
	return g
}

func (g *repository) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-C", g.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	return cmd
}

func (g *repository) run(args ...string) string {
	out, err := g.command(args...).Output()
	if err != nil {
		g.b.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func (g *repository) start(cmd *exec.Cmd) (io.WriteCloser, *bufio.Reader) {
	in, err := cmd.StdinPipe()
	if err != nil {
		g.b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		g.b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		g.b.Fatal(err)
	}
	return in, bufio.NewReader(out)
}

// commit commits segments, with an edit of an old segment if there is one, and waits until that is
// done.
func (g *repository) commit(from, to int) {
	var text strings.Builder
	fmt.Fprintf(&text, "commit refs/heads/main\ncommitter b <b@b> %d +0000\ndata 1\nc\n", 1_700_000_000+to)
	file := func(seg int, r *row) {
		data := fmt.Sprintf("%+v\n", *r)
		fmt.Fprintf(&text, "M 100644 inline %d/%d/%d\ndata %d\n%s", seg/100, seg, r.At, len(data), data)
	}
	for seg := from; seg < to; seg++ {
		for _, r := range segmentRows(seg) {
			file(seg, &r)
		}
	}
	if from > 0 {
		e := edited(from)
		file(int(e.Cycle), &e)
	}
	g.write(text.String())
}

// write sends commands to the import and waits until they are done.
func (g *repository) write(commands string) {
	if _, err := io.WriteString(g.in, commands+"progress done\n"); err != nil {
		g.b.Fatal(err)
	}
	g.await(g.out, "progress done\n")
}

// await reads lines up to a given one, and returns the number of lines before it.
func (g *repository) await(r *bufio.Reader, last string) int {
	for n := 0; ; n++ {
		line, err := r.ReadString('\n')
		if err != nil {
			g.b.Fatal(err)
		}
		if line == last {
			return n
		}
	}
}

// finish ends the import.
func (g *repository) finish() {
	if err := g.in.Close(); err != nil {
		g.b.Fatal(err)
	}
	if err := g.importer.Wait(); err != nil {
		g.b.Fatal(err)
	}
}

// size returns the size of all packed objects in bytes.
func (g *repository) size() int64 {
	packs, err := filepath.Glob(filepath.Join(g.dir, "objects", "pack", "*.pack"))
	if err != nil || len(packs) == 0 {
		g.b.Fatal("no pack", err)
	}
	size := int64(0)
	for _, p := range packs {
		info, err := os.Stat(p)
		if err != nil {
			g.b.Fatal(err)
		}
		size += info.Size()
	}
	return size
}

// BenchmarkCommit measures twelve insertions, one edit of an old segment and the commit, all
// together, and the bytes that a snapshot and its new nodes keep alive.
func BenchmarkCommit(b *testing.B) {
	for _, n := range sizes {
		segments := n / perSegment
		for _, s := range stores {
			if n > sizes[1] && s.lib != "engine" {
				continue
			}
			b.Run(fmt.Sprintf("nodes=%d/lib=%s", n, s.lib), func(b *testing.B) {
				commit, seg := s.open(b, segments), segments
				before := heap()
				measure(b, func() {
					commit(seg)
					seg++
				})
				b.ReportMetric(float64(heap()-before)/float64(b.N), "kept-B/op")
				runtime.KeepAlive(commit)
			})
		}
		if n > sizes[1] {
			continue
		}
		b.Run(fmt.Sprintf("nodes=%d/lib=loop", n), func(b *testing.B) {
			commit, seg := openLoop(b, segments), segments
			measure(b, func() {
				commit(seg)
				seg++
			})
			b.ReportMetric(float64(seg*perSegment)*float64(unsafe.Sizeof(row{})), "kept-B/op")
		})
		b.Run(fmt.Sprintf("nodes=%d/lib=git", n), func(b *testing.B) {
			g, seg := openGit(b, segments), segments
			g.write("checkpoint\n")
			before := g.size()
			for b.Loop() {
				g.commit(seg, seg+1)
				seg++
			}
			g.finish()
			b.ReportMetric(float64(g.size()-before)/float64(b.N), "kept-B/op")
		})
	}
}

// BenchmarkDiffTurn compares neighboring snapshots that differ by one turn and an edit: with the
// engine, a pass over two slices with a map, and git diff-tree. The other peers cannot compare two
// of their snapshots.
func BenchmarkDiffTurn(b *testing.B) {
	for _, n := range sizes[:2] {
		segments := n / perSegment
		b.Run(fmt.Sprintf("nodes=%d/lib=engine", n), func(b *testing.B) {
			ctx := grown(b, n)
			older := ctx.Timeline().At(1)
			turn(b, ctx, 100)
			if _, err := ctx.Insert(engine.AtDepth(5, 1), engine.Draft{}); err != nil {
				b.Fatal(err)
			}
			newer, err := ctx.Commit()
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if d := engine.Diff(older, newer); len(d.Added) != perSegment+1 {
					b.Fatalf("%d added", len(d.Added))
				}
			}
		})
		b.Run(fmt.Sprintf("nodes=%d/lib=loop", n), func(b *testing.B) {
			var older []row
			for seg := range segments {
				older = append(older, segmentRows(seg)...)
			}
			newer := append(older[:len(older):len(older)], segmentRows(segments)...)
			newer[7].Priority++
			for b.Loop() {
				left := make(map[string]*row, len(older))
				for i := range older {
					left[older[i].ID] = &older[i]
				}
				added, changed := 0, 0
				for i := range newer {
					old := left[newer[i].ID]
					switch {
					case old == nil:
						added++
					case old.Priority != newer[i].Priority || old.Text != newer[i].Text || old.Parent != newer[i].Parent:
						changed++
					}
				}
				if added != perSegment || changed != 1 {
					b.Fatal(added, changed)
				}
			}
		})
		b.Run(fmt.Sprintf("nodes=%d/lib=git", n), func(b *testing.B) {
			g := openGit(b, segments)
			g.commit(segments, segments+1)
			g.finish()
			pair := g.run("rev-parse", "main") + " " + g.run("rev-parse", "main~1") + "\n"
			cmd := g.command("diff-tree", "--stdin", "-r", "--no-commit-id")
			in, out := g.start(cmd)
			for b.Loop() {
				if _, err := io.WriteString(in, pair+"done\n"); err != nil {
					b.Fatal(err)
				}
				if got := g.await(out, "done\n"); got != perSegment+1 {
					b.Fatalf("%d files differ", got)
				}
			}
			in.Close()
			if err := cmd.Wait(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
