package source_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// trackFile returns the calls of a file.
func trackFile(t testing.TB, name string, o source.Options) []*series.Step {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := track(t, name, data, o)
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

func track(t testing.TB, name string, data []byte, o source.Options) ([]*series.Step, error) {
	t.Helper()
	return trackFiles(t, []source.File{source.Bytes(name, data)}, o)
}

func trackFiles(t testing.TB, files []source.File, o source.Options) ([]*series.Step, error) {
	t.Helper()
	if o.Note == nil {
		o.Note = func(n thread.Note) { t.Log(n) }
	}
	var out []*series.Step
	err := source.TrackFiles(t.Context(), files, o, func(c *series.Step) error {
		out = append(out, c)
		return nil
	})
	return out, err
}

// messages returns the messages of a list of items.
func messages(list []series.Item) []*series.Message {
	var out []*series.Message
	for _, i := range list {
		if i.Index() == 0 {
			out = append(out, i.Message())
		}
	}
	return out
}

// replay restores the list of each step.
func replay(t testing.TB, calls []*series.Step) [][]series.Item {
	t.Helper()
	type conversation struct {
		sample string
		number int
	}
	latest := map[conversation][]series.Item{}
	next := map[string]int{}
	out := make([][]series.Item, len(calls))
	for i, c := range calls {
		if c.Event == nil {
			if c.Number != next[c.Origin.Sample] {
				t.Fatalf("call %d of sample %q comes at place %d", c.Number, c.Origin.Sample, next[c.Origin.Sample])
			}
			next[c.Origin.Sample]++
		}
		at := conversation{c.Origin.Sample, c.Conversation}
		before := latest[at]
		out[i] = series.Apply(before[:len(before):len(before)], c)
		if len(out[i]) != c.Length {
			t.Fatalf("call %d: %d messages of %d", i, len(out[i]), c.Length)
		}
		if c.Side == nil {
			latest[at] = out[i]
		}
	}
	return out
}

// callsOf returns the calls among steps, and the lists that they were sent. What left only from the
// state after an answer is removed from them.
func callsOf(t testing.TB, steps []*series.Step) (calls []*series.Step, lists [][]series.Item) {
	t.Helper()
	answered := map[*series.Node]bool{}
	for i, items := range replay(t, steps) {
		c := steps[i]
		if c.Event != nil {
			for _, e := range c.Entered {
				answered[e.Node] = true
			}
			continue
		}
		copied := *c
		copied.Left = slices.DeleteFunc(slices.Clone(c.Left), func(d series.Departure) bool { return answered[d.Node] })
		calls, lists = append(calls, &copied), append(lists, items)
		if c.Side == nil {
			clear(answered)
		}
	}
	return calls, lists
}

// TestCompressed checks that a compressed file gives the same calls.
func TestCompressed(t *testing.T) {
	data := []byte(strings.Repeat(`{"messages":[{"role":"user","content":"again"}]}`+"\n", 3))
	var zipped, packed bytes.Buffer
	g := gzip.NewWriter(&zipped)
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{"a.jsonl": data, "a.jsonl.gz": zipped.Bytes(), "a.jsonl.zst": packed.Bytes()} {
		calls, err := track(t, name, data, source.Options{})
		if err != nil || len(calls) != 3 {
			t.Errorf("%s: %d calls, %v", name, len(calls), err)
		}
		kind, err := source.Recognize(t.Context(), name, bytes.NewReader(data), int64(len(data)), source.Options{})
		if err != nil || kind != source.Requests {
			t.Errorf("%s: %s, %v", name, kind, err)
		}
	}
}

// TestKinds checks that the kind can be given, and that a file is not read as another kind.
func TestKinds(t *testing.T) {
	data := []byte(`{"messages":[{"role":"user","content":"x"}]}`)
	for _, k := range source.Kinds() {
		calls, err := track(t, "a.json", data, source.Options{Kind: k, Note: func(thread.Note) {}})
		if reads := k == source.Requests || k == source.AISDK; reads != (len(calls) == 1) { // whose messages this may be, too
			t.Errorf("%s: %d calls, %v", k, len(calls), err)
		}
	}
	if _, err := track(t, "a.json", data, source.Options{Kind: "other"}); err == nil {
		t.Error("no error for an unknown kind")
	}
}
