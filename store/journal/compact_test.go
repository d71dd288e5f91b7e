package journal_test

import (
	"bytes"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store/journal"
)

// framesOf yields the frames of a journal.
func framesOf(data []byte) iter.Seq2[journal.Frame, error] {
	return func(yield func(journal.Frame, error) bool) {
		for line := range bytes.Lines(data) {
			if f, err := journal.ParseLine(bytes.TrimSuffix(line, []byte("\n"))); !yield(f, err) {
				return
			}
		}
	}
}

// compacted returns a journal with the newest snapshots and the one before.
func compacted(t *testing.T, data []byte, keep int) []byte {
	t.Helper()
	upTo, frames, err := journal.Compact(framesOf(data), keep)
	if err != nil {
		t.Fatal(err)
	}
	if len(frames) == 0 {
		return data
	}
	var out []byte
	for _, f := range frames {
		out = f.AppendLine(out)
	}
	rest := false
	for f, err := range framesOf(data) {
		if err != nil {
			t.Fatal(err)
		}
		if rest {
			out = f.AppendLine(out)
		}
		rest = rest || f.Digest == upTo.Digest
	}
	return out
}

// TestCompact checks that compacting a journal changes neither its version nor the remaining
// history, and that a context continues from it with the same bytes as from the whole journal.
func TestCompact(t *testing.T) {
	shorter := 0
	for seed := range uint64(60) {
		c := gentest.Live(t, gentest.Rand(seed), 20)
		data := write(t, c.History())
		for _, keep := range []int{0, 1, 3} {
			less := compacted(t, data, keep)
			if again := compacted(t, less, keep); !bytes.Equal(again, less) {
				t.Fatalf("seed %d: compacted twice, %s", seed, part(again, less))
			}
			tl, info, err := journal.Verify("less.journal", bytes.NewReader(less), engine.ReadOptions{})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, less)
			}
			whole, was, err := journal.Read("whole.journal", bytes.NewReader(data), engine.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(was.Version, info.Version); diff != "" {
				t.Fatal(diff)
			}
			if tl.Len() < whole.Len() {
				shorter++
			}
			if tl.Len() < min(whole.Len(), keep+1) {
				t.Fatalf("seed %d: %d states of %d", seed, tl.Len(), whole.Len())
			}
			for back, s := range tl.All() {
				if a, b := s.AppendJSON(nil), whole.At(back).AppendJSON(nil); !bytes.Equal(a, b) {
					t.Fatalf("seed %d, @t-%d: %s", seed, back, part(a, b))
				}
			}
			anew, _, err := journal.Read("anew.journal", bytes.NewReader(write(t, tl)), engine.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := goOn(t, anew), goOn(t, tl); !bytes.Equal(a, b) {
				t.Fatalf("seed %d: written anew, a run goes on in another way, %s", seed, part(a, b))
			}
			a, b := goOn(t, tl), goOn(t, whole)
			if !bytes.Equal(a, b) {
				t.Fatalf("seed %d: a run goes on in another way, %s", seed, part(a, b))
			}
		}
	}
	if shorter < 30 {
		t.Errorf("only %d journals became shorter", shorter)
	}
}

// goOn resumes a history, inserts a node and commits.
func goOn(t *testing.T, tl *engine.Timeline) []byte {
	t.Helper()
	c, err := engine.Resume(tl, engine.Options{Clock: clock()})
	if err != nil {
		return []byte(err.Error())
	}
	for range 3 {
		if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text("more")}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	var out []byte
	for back := range 4 {
		out = append(c.Timeline().Recorded().At(min(back, 2)).AppendJSON(out), '\n')
	}
	return out
}

// TestErase checks that what is erased is in no line, and that nothing else is missing.
func TestErase(t *testing.T) {
	c, err := engine.New(engine.Options{System: true, Clock: clock()})
	if err != nil {
		t.Fatal(err)
	}
	insert := func(id, text string, d engine.Draft) {
		t.Helper()
		d.ID, d.Content = id, engine.Text(text)
		if _, err := c.Insert(engine.AtDepth(0, 0), d); err != nil {
			t.Fatal(err)
		}
	}
	commit := func() {
		t.Helper()
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	ttl, cad := int64(1), int64(2)
	insert("other", "kept", engine.Draft{Role: "user"})
	insert("secret", "the password is tulip", engine.Draft{Key: "k", TTL: &ttl, Cad: &cad, Members: map[string]engine.Value{"note": engine.Text("tulip")}})
	insert("plain", "another secret: rose", engine.Draft{})
	commit()
	commit()
	commit()
	if _, err := c.Replace(engine.ByID("plain"), engine.Draft{Content: engine.Text("rose, again")}); err != nil {
		t.Fatal(err)
	}
	commit()
	insert("late", "kept, too", engine.Draft{Refs: []string{"plain"}, Kind: "x"})
	data := write(t, c.History())
	var out []byte
	less, err := journal.Erase(framesOf(data), "secret", "plain")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range less.Frames {
		out = f.AppendLine(out)
	}
	for _, word := range []string{"tulip", "rose"} {
		if bytes.Contains(out, []byte(word)) || !bytes.Contains(data, []byte(word)) {
			t.Errorf("%s is still there:\n%s", word, out)
		}
	}
	tl, info, err := journal.Verify("less.journal", bytes.NewReader(out), engine.ReadOptions{Strict: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if tl.Len() != c.History().Len() || info.Version.Cycle != c.Working().Cycle() || !bytes.Contains(out, []byte(`"kept"`)) {
		t.Errorf("%d states, %+v\n%s", tl.Len(), info, out)
	}
	for back, s := range c.History().All() {
		for n := range s.All() {
			m, ok := tl.At(back).Find(n.ID())
			if !ok || m.Type() != n.Type() || m.Offset() != n.Offset() {
				t.Errorf("@t-%d: %s is %v", back, n.ID(), ok)
			}
		}
	}
	if _, err := engine.Resume(tl, engine.Options{}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{`"another secret: rose"`, `"kept, too"`, `"rose, again"`, `"the password is tulip"`}, less.Texts); diff != "" {
		t.Errorf("the erased texts: -want +got\n%s", diff)
	}
	// A digest of what was erased would let a short secret be guessed.
	for f, err := range framesOf(data) {
		if err != nil {
			t.Fatal(err)
		}
		if f.Kind != journal.Header && bytes.Contains(out, []byte(f.Digest.String())) {
			t.Errorf("the digest of %s is still there", f.Kind)
		}
	}
	earlier := less.Frames
	earlier[0].Body = strings.Replace(earlier[0].Body, `"purged":[{`, `"purged":[{"head":"`+strings.Repeat("0f", 32)+`",`, 1)
	out = nil
	for i, f := range earlier {
		if f.Digest = journal.Chain(journal.Digest{}, f.Body); i > 0 {
			f.Digest = journal.Chain(earlier[i-1].Digest, f.Body)
		}
		earlier[i] = f
		out = f.AppendLine(out)
	}
	twice, err := journal.Erase(framesOf(out), "other")
	if err != nil || strings.Contains(twice.Frames[1].Body, `"content":"kept"`) ||
		!strings.Contains(twice.Frames[0].Body, `"plain","secret"]},{"ids":["other"]}]`) || strings.Contains(twice.Frames[0].Body, "head") {
		t.Errorf("erased once more: %v, %s", err, twice.Frames[0].Body)
	}
	if _, err := journal.Erase(framesOf(data), "nobody"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("an unknown id: %v", err)
	}
}
