package pactkit_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
)

// steady returns options whose clock advances by one second per call.
func steady() engine.Options {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return engine.Options{Clock: func() time.Time { now = now.Add(time.Second); return now }, System: true}
}

func newContext(t testing.TB) *pactkit.Tree {
	t.Helper()
	c, err := pactkit.New(steady())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func insert(t testing.TB, c *pactkit.Tree, pos string, d engine.Draft) engine.Node {
	t.Helper()
	n, err := c.Insert(t.Context(), pos, d)
	if err != nil {
		t.Fatalf("%s: %v", pos, err)
	}
	return n
}

// target is a container for the positions of a test: how it is written, and its nodes.
type target struct {
	name     string
	text     string
	children func(*engine.Snapshot) []engine.Node
	aside    bool // offset 0 is not for its children
}

func childrenOf(find func(*engine.Snapshot) (engine.Node, bool)) func(*engine.Snapshot) []engine.Node {
	return func(s *engine.Snapshot) []engine.Node {
		n, ok := find(s)
		if !ok {
			return nil
		}
		return slices.Collect(n.Children())
	}
}

func region(r engine.Region) func(*engine.Snapshot) (engine.Node, bool) {
	return func(s *engine.Snapshot) (engine.Node, bool) { return s.Region(r) }
}

func core(s *engine.Snapshot) (engine.Node, bool) {
	head, _ := s.Region(engine.RegionHead)
	for n := range head.Children() {
		if n.Base() == engine.BaseCont && n.Offset() == engine.Int(0) {
			return n, true
		}
	}
	return engine.Node{}, false
}

var targets = []target{
	{"^sys", "^sys", childrenOf(region(engine.RegionSys)), false},
	{"^ah", "d0", childrenOf(region(engine.RegionHead)), true},
	{"core", "d0,0", childrenOf(core), false},
	{"box", "#box", childrenOf(func(s *engine.Snapshot) (engine.Node, bool) { return s.Find("box") }), false},
	{"old", "d1", childrenOf(func(s *engine.Snapshot) (engine.Node, bool) { return s.Find("old") }), true},
}

// stage returns a context that has every target, with a sealed turn and an empty head.
func stage(t testing.TB) *pactkit.Tree {
	t.Helper()
	c := newContext(t)
	e := c.Engine()
	core := engine.Draft{Type: "cont", Children: []engine.Draft{{ID: "q"}}}
	if _, err := e.Insert(engine.AtDepth(1, 0), engine.Draft{ID: "old", Type: "seg", Children: []engine.Draft{core}}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Insert(engine.Under("^sys", 3), engine.Draft{ID: "box", Key: "box", Type: "cont"}); err != nil {
		t.Fatal(err)
	}
	return c
}

// slot is one of n+1 slots among n children: how it is written, and how many children are before
// it.
func slot(kind, n, number int) (text string, ahead int, there bool) {
	switch kind % 4 {
	case 0:
		return "", 0, true
	case 1:
		return "end", n, true
	case 2:
		return fmt.Sprintf("+%d", number), number, number <= n
	default:
		return fmt.Sprintf("-%d", number), number - 1, number <= n
	}
}

func ids(nodes []engine.Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.ID())
	}
	return out
}

// candidates are the offsets, nearest to 0 first, that put a node between two others, found by
// trying.
func candidates(p *target, list []engine.Node, ahead int, moved engine.Node) []int64 {
	fits := func(o int64) bool {
		if o == 0 && p.aside {
			return false
		}
		for i, n := range list {
			if n == moved {
				continue
			}
			off, _ := n.Offset().Int64()
			before := off < o || off == o && (moved.IsZero() || n.CreatedNS().Cmp(moved.CreatedNS()) < 0)
			if before != (i < ahead) {
				return false
			}
		}
		return true
	}
	var out []int64
	for o := range int64(60) {
		for _, o := range []int64{o, -o} {
			if fits(o) && !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// instant reports whether a new node can be put between two others by its instant, and the offset
// that it then has.
func instant(p *target, s *engine.Snapshot, list []engine.Node, ahead int) (offset int64, ok bool) {
	if ahead == len(list) {
		return 0, false
	}
	offset, _ = list[ahead].Offset().Int64()
	high, _ := list[ahead].CreatedNS().Int64()
	low := int64(0)
	if ahead > 0 {
		before := list[ahead-1]
		if ns, _ := before.CreatedNS().Int64(); ns < high || before.Offset().Cmp(list[ahead].Offset()) == 0 {
			low = ns
		}
	}
	taken := int64(0)
	for n := range s.All() {
		if ns, _ := n.CreatedNS().Int64(); ns > low && ns < high && n.Cycle().Cmp(engine.Int(s.Cycle())) == 0 {
			taken++
		}
	}
	return offset, high-low-1 > taken && (offset != 0 || !p.aside)
}

// FuzzInsert inserts and moves at random positions and compares the children with a list into which
// the id is put at the slot the position says.
func FuzzInsert(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0})
	f.Add([]byte{0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 2, 1, 1, 2, 0, 0, 1, 2, 3, 2})
	f.Add([]byte{2, 3, 4, 0, 2, 3, 4, 1, 0, 3, 2, 1, 0, 3, 3, 2, 1, 3, 2, 2})
	f.Add([]byte{2, 1, 7, 0, 2, 1, 1, 0, 0, 1, 2, 1, 0, 4, 1, 0, 0, 4, 0, 0, 1, 4, 2, 1})
	f.Fuzz(insertAtRandom)
}

func TestInsertAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 6))
	for range 300 {
		ops := make([]byte, 4*(1+random.IntN(40)))
		for i := range ops {
			ops[i] = byte(random.Uint32())
		}
		insertAtRandom(t, ops)
	}
}

// insertAtRandom reads four bytes per step: what to do, in which container, at which slot, and a
// number.
func insertAtRandom(t *testing.T, ops []byte) {
	c := stage(t)
	made := 0
	for ; len(ops) >= 4 && made < 40; ops = ops[4:] {
		p := &targets[int(ops[1])%len(targets)]
		s := c.Engine().Working()
		list := p.children(s)
		made++
		id := fmt.Sprintf("n%d", made)
		if ops[0]%4 == 2 { // something is there already, at an offset of its own
			parent := map[string]string{"^sys": "^sys", "^ah": "^ah", "core": "^ah", "box": "box", "old": "old"}[p.name]
			if _, err := c.Engine().Insert(engine.Under(parent, int64(ops[2]%11)-5), engine.Draft{ID: id}); err != nil && !errors.Is(err, engine.ErrSealed) {
				t.Fatal(err)
			}
			continue
		}
		text, ahead, there := slot(int(ops[2]), len(list), int(ops[3])%6+1)
		pos := fmt.Sprintf("(%s, %s)", p.text, text)
		var moved engine.Node
		if ops[0]%4 == 3 { // move a block that may be moved
			blocks := slices.DeleteFunc(slices.Collect(s.All()), func(n engine.Node) bool { return !strings.HasPrefix(n.ID(), "n") })
			if len(blocks) == 0 {
				continue
			}
			moved = blocks[int(ops[3])%len(blocks)]
			id = moved.ID()
		}
		offsets := candidates(p, list, ahead, moved)
		between := false
		if offset, ok := instant(p, s, list, min(ahead, len(list))); ok && moved.IsZero() && len(offsets) == 0 {
			between, offsets = true, []int64{offset}
		}
		var got engine.Node
		var err error
		if moved.IsZero() {
			got, err = c.Insert(t.Context(), pos, engine.Draft{ID: id})
		} else {
			got, err = c.Move(t.Context(), fmt.Sprintf("{id='%s'}", id), pos)
		}
		after := p.children(c.Engine().Working())
		depth, _ := moved.Depth()
		switch {
		case depth > 0 && p.name != "old" && there && len(offsets) > 0:
			if !errors.Is(err, engine.ErrSealed) {
				t.Fatalf("%s of %s, which is sealed: %v, want %s", pos, id, err, engine.ErrSealed)
			}
		case !there:
			if !errors.Is(err, engine.ErrNotFound) {
				t.Fatalf("%s among %q: %v, want %s", pos, ids(list), err, engine.ErrNotFound)
			}
		case len(offsets) == 0 && !between:
			if !errors.Is(err, engine.ErrNoRoom) {
				t.Fatalf("%s among %q: %v, want %s", pos, ids(list), err, engine.ErrNoRoom)
			}
		case err != nil:
			t.Fatalf("%s of %s among %q: %v; offset %d would do", pos, id, ids(list), err, offsets[0])
		default:
			want := slices.Insert(ids(list), ahead, id)
			if i := slices.Index(list, moved); i >= 0 {
				if i >= ahead {
					i++
				}
				want = slices.Delete(want, i, i+1)
			}
			if diff := cmp.Diff(want, ids(after)); diff != "" {
				t.Fatalf("%s of %s among %q (-want +got):\n%s", pos, id, ids(list), diff)
			}
			if o, _ := got.Offset().Int64(); max(o, -o) != max(offsets[0], -offsets[0]) {
				t.Fatalf("%s among %q: offset %d, and %d is nearer to 0", pos, ids(list), o, offsets[0])
			}
		}
		if diff := cmp.Diff(ids(list), ids(after)); err != nil && diff != "" {
			t.Fatalf("%s failed and changed (-before +after):\n%s", pos, diff)
		}
	}
}

// A slot among the segments splices a new one in.
func TestInsertSegment(t *testing.T) {
	c := newContext(t)
	for i, step := range []struct{ pos, want string }{
		{"(^seq, )", "s0"}, {"(^seq, end)", "s0 s1"}, {"(^seq, )", "s2 s0 s1"}, {"(^seq, +1)", "s2 s3 s0 s1"}, {"(^seq, -4)", "s2 s3 s0 s4 s1"},
	} {
		insert(t, c, step.pos, engine.Draft{ID: fmt.Sprint("s", i), Content: engine.Text("x")})
		nodes, err := c.Select(t.Context(), "^seq .block")
		if got := strings.Join(ids(nodes), " "); err != nil || got != step.want {
			t.Errorf("%s: %q, %v, want %q", step.pos, got, err, step.want)
		}
	}
}

// An offset in a file may be any number.
func TestInsertBesideOddOffsets(t *testing.T) {
	const doc = `{"root":{"children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah","children":[
		{"id":"core","nodeType":"cont","children":[%s]}]}]}}`
	for _, test := range []struct{ offsets, pos, want string }{
		{"1.5 2.5", "(d0,0, +1)", "2"},
		{"1.5 1.7", "(d0,0, +1)", "E_NO_ROOM"},
		{"1.0 2", "(d0,0, +1)", "1"},
		{"-1e400 1e400", "(d0,0, )", "E_NO_ROOM"},
		{"-1e400 1e400", "(d0,0, +1)", "0"},
		{"-1e400 1e400", "(d0,0, end)", "E_NO_ROOM"},
		{"9223372036854775807", "(d0,0, end)", "9223372036854775807"},
		{"-9223372036854775808", "(d0,0, )", "E_NO_ROOM"},
		{"-3.5", "(d0,0, )", "-4"},
	} {
		var kids []string
		for i, o := range strings.Fields(test.offsets) {
			kids = append(kids, fmt.Sprintf(`{"id":"n%d","offset":%s}`, i, o))
		}
		tl, err := engine.Read("f.json", strings.NewReader(fmt.Sprintf(doc, strings.Join(kids, ","))), engine.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := pactkit.FromTimeline(tl).Resume(steady())
		if err != nil {
			t.Fatal(err)
		}
		n, err := c.Insert(t.Context(), test.pos, engine.Draft{})
		got := ""
		if e, ok := errors.AsType[*engine.Error](err); ok {
			got = string(e.Code)
		} else if err != nil {
			t.Fatal(err)
		} else {
			got = n.Offset().String()
		}
		if got != test.want {
			t.Errorf("%s beside %s: %s, want %s", test.pos, test.offsets, got, test.want)
		}
	}
}

// A node at offset 0 of a head without a core is read as if it were in one; the core that is
// created comes after it.
func TestInsertWithoutCore(t *testing.T) {
	const doc = `{"root":{"children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah","children":[
		{"id":"pre","offset":-1},{"id":"a"},{"id":"b","creation_index":1},{"id":"post","offset":1}]}]}}`
	tl, err := engine.Read("f.json", strings.NewReader(doc), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ pos, want string }{
		{"(d0,0, end)", "pre a b new post"},
		{"(d0,0, +2)", "pre a b new post"},
		{"(d0,0, )", "E_NO_ROOM"},
		{"(d0,0, -2)", "E_NO_ROOM"},
		{"(d0,0, +3)", "E_NOT_FOUND"},
		{"(d0, +2)", "E_NO_ROOM"}, // between two at offset 0
		{"(d0, +3)", "E_NO_ROOM"}, // offset 0 is the core's, and no instant is before the first one
		{"(d0, -2)", "pre new a b post"},
		{"(d0, -4)", "E_NO_ROOM"},
	} {
		c, err := pactkit.FromTimeline(tl).Resume(steady())
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Insert(t.Context(), test.pos, engine.Draft{ID: "new"})
		got := ""
		if e, ok := errors.AsType[*engine.Error](err); ok {
			got = string(e.Code)
		} else if nodes, err := c.Select(t.Context(), "^ah .block"); err != nil {
			t.Fatal(err)
		} else {
			got = strings.Join(ids(nodes), " ")
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.pos, got, test.want)
		}
	}
}
