package journal_test

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store/journal"
)

// decoded replays frames.
func decoded(t *testing.T, frames []journal.Frame) (*engine.Timeline, journal.Head) {
	t.Helper()
	d := journal.NewDecoder("a", engine.ReadOptions{Strict: true})
	for _, f := range frames {
		line := f.AppendLine(nil)
		again, err := journal.ParseLine(line[:len(line)-1])
		if err != nil || again != f {
			t.Fatalf("the line is read as %+v, %v\nwant %+v", again, err, f)
		}
		if err := d.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	tl, err := d.Timeline()
	if err != nil {
		t.Fatal(err)
	}
	return tl, d.Head()
}

// listed yields frames.
func listed(list []journal.Frame) iter.Seq2[journal.Frame, error] {
	return func(yield func(journal.Frame, error) bool) {
		for _, f := range list {
			if !yield(f, nil) {
				return
			}
		}
	}
}

// TestForkFrames forks a random history after every frame of a snapshot, and goes on.
func TestForkFrames(t *testing.T) {
	for seed := range uint64(6) {
		base := gentest.Grow(t, gentest.Rand(seed), 5, 60).History()
		all, _, err := journal.NewHead(journal.About{ID: "base"}).Append(base)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range all {
			if !f.IsSealed() {
				continue
			}
			from := engine.ForkPoint{History: "base", Cycle: f.Cycle}
			fork := append(slices.Clone(all[:i+1]), journal.NewFork(f.Version(), from, !f.End, "fork"))
			tl, head := decoded(t, fork)
			want, err := base.Fork(from)
			if err != nil {
				t.Fatal(err)
			}
			if got := tl.At(0).AppendJSON(nil); string(got) != string(want.At(0).AppendJSON(nil)) || !slices.Equal(tl.Forks(), []engine.ForkPoint{from}) {
				t.Fatalf("seed %d, cycle %d: %v, %s", seed, f.Cycle, tl.Forks(), part(got, want.At(0).AppendJSON(nil)))
			}
			c, err := engine.Resume(tl, engine.Options{System: true})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if _, err := c.Insert(engine.InCore(0), engine.Draft{Content: engine.Text("more")}); err != nil {
					t.Fatal(err)
				}
				if _, err := c.Commit(); err != nil {
					t.Fatal(err)
				}
			}
			more, _, err := head.Append(c.History())
			if err != nil {
				t.Fatal(err)
			}
			fork = append(fork, more...)
			end, _ := decoded(t, fork)
			if !slices.Equal(end.AppendJSON(nil), c.AppendJSON(nil)) {
				t.Fatalf("seed %d, cycle %d: the fork is replayed differently", seed, f.Cycle)
			}
			upTo, short, err := journal.Compact(listed(fork), 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(short) > 0 {
				at := slices.IndexFunc(fork, func(f journal.Frame) bool { return f.Version() == upTo })
				rest, head := decoded(t, append(short, fork[at+1:]...))
				if !slices.Equal(rest.Forks(), []engine.ForkPoint{from}) || string(rest.At(0).AppendJSON(nil)) != string(end.At(0).AppendJSON(nil)) || head.Version() != fork[len(fork)-1].Version() {
					t.Fatalf("seed %d, cycle %d: compacted to %v", seed, f.Cycle, rest.Forks())
				}
			}
			whole, _, err := journal.NewHead(journal.About{ID: "fork"}).Append(end)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := decoded(t, whole); !slices.Equal(again.AppendJSON(nil), end.AppendJSON(nil)) {
				t.Fatalf("seed %d, cycle %d: recorded anew, the fork is another", seed, f.Cycle)
			}
		}
	}
}

// TestPrefixAlone reads the file of a fork without the other file.
func TestPrefixAlone(t *testing.T) {
	p := journal.PrefixLine{ID: "fork", History: "base", End: 1234, Digest: journal.Chain(journal.Digest{}, "{}")}
	if again, err := journal.ReadPrefix(p.Frame()); again != p || err != nil {
		t.Errorf("read as %+v, %v", again, err)
	}
	if about, err := journal.ReadHeader(p.Frame()); about.ID != "fork" || err != nil {
		t.Errorf("the header is %+v, %v", about, err)
	}
	d := journal.NewDecoder("a", engine.ReadOptions{})
	if err := d.Add(p.Frame()); !errors.Is(err, journal.ErrPrefix) {
		t.Errorf("read with %v, want %s", err, journal.ErrPrefix)
	}
}
