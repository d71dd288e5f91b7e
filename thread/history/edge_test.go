package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/series"
)

// write returns the entries that a writer makes of requests.
func write(t *testing.T, requests ...*series.Request) []engine.Entry {
	t.Helper()
	var tracker series.Tracker
	var calls []*series.Step
	for i, r := range requests {
		r.Number, r.Origin.Call = i, i
		c, err := tracker.Add(r)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c...)
	}
	var w history.Writer
	var out []engine.Entry
	for _, c := range append(calls, tracker.Flush()...) {
		entries, err := w.Add(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, entries...)
	}
	return out
}

// replay returns the history of entries.
func replay(t *testing.T, entries []engine.Entry) *engine.Timeline {
	t.Helper()
	rp := engine.NewReplayer("made", engine.ReadOptions{})
	for n, e := range entries {
		if err := rp.Add(e, n+1, "$"); err != nil {
			t.Fatalf("entry %d: %v\n%s", n, err, e.Text)
		}
	}
	tl, err := rp.Timeline()
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

func chat(role, text string) *series.Message {
	roles := map[string]series.Role{"user": series.User, "assistant": series.Assistant}
	return &series.Message{Value: fmt.Sprintf(`{"content":%q,"role":%q}`, text, role), Role: roles[role]}
}

// TestNoAnswer records a log of Inspect AI whose last call failed: its choice has no message.
func TestNoAnswer(t *testing.T) {
	for _, r := range record(t, "log.json", []byte(`{"version":2,"eval":{},"samples":[{"id":"a","events":[`+
		`{"event":"model","model":"m","input":[{"role":"user","content":"go"}],"output":{"choices":[{}]}}]}]}`)) {
		if n := len(r.calls[0].Reply); n > 0 {
			t.Errorf("%d answers", n)
		}
		r.check(t, "no answer")
	}
	entries := write(t, &series.Request{Messages: []*series.Message{{Role: series.User}}, Format: "inspect"})
	replay(t, entries)
}

// TestFormatsWithoutMessages records messages in formats that cannot represent a single message.
func TestFormatsWithoutMessages(t *testing.T) {
	for _, f := range []thread.Format{thread.Pact, thread.ClaudeCode} {
		var r thread.NodeReader
		if _, err := r.Read(t.Context(), "f", `[{"role":"user","content":"go"}]`, f); err == nil || !strings.Contains(err.Error(), f.String()) {
			t.Errorf("%s: %v", f, err)
		}
		s := replay(t, write(t, &series.Request{List: "messages", Messages: []*series.Message{chat("user", "go")}, Format: f.String()})).At(0)
		if got, want := outline(s), "sys now go"; !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s, not %s", f, got, want)
		}
	}
}

// TestMovedSegments checks that entries depend only on the calls. If a message moves from the end
// to the beginning, the segments of all turns get new instants.
func TestMovedSegments(t *testing.T) {
	var list []*series.Message
	for n := range 12 {
		list = append(list, chat("user", fmt.Sprint("question ", n)), chat("assistant", fmt.Sprint("answer ", n)))
	}
	last := len(list) - 1
	moved := slices.Concat(list[last:], list[:last])
	var want []engine.Entry
	for range 20 {
		got := write(t, &series.Request{Messages: list}, &series.Request{Messages: moved})
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
	if n := strings.Count(want[len(want)-1].Text, `"id":"seg:`); n < 10 {
		t.Errorf("%d segments have other instants", n)
	}
	replay(t, want)
}

// TestCollidingNames checks that members whose names are taken keep their values, under names that
// depend only on them.
func TestCollidingNames(t *testing.T) {
	m := chat("user", "go")
	m.About = `{"key":1,"message_key":2,"message_ttl":3,"ttl":4}`
	settings := []series.Setting{{Name: "key", Value: "1"}, {Name: "record_key", Value: "2"}, {Name: "record_ttl", Value: "3"}, {Name: "ttl", Value: "4"}}
	want := []string{
		"record_key=1", "record_record_key=2", "record_ttl=3", "record_ttl_=4",
		"message_key=1", "message_message_key=2", "message_ttl=3", "message_ttl_=4",
	}
	for range 20 {
		s := replay(t, write(t, &series.Request{Messages: []*series.Message{m}, Format: "inspect", Settings: settings})).At(0)
		var got []string
		for n := range s.All() {
			for name, v := range n.Members() {
				got = append(got, fmt.Sprintf("%s=%s", name, v))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestFarTimes checks that an instant outside the range of nanoseconds is ignored.
func TestFarTimes(t *testing.T) {
	for _, year := range []int{1, 1677, 2263, 9999} {
		at := time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)
		list := []*series.Message{chat("user", "go"), chat("assistant", "done"), chat("user", "more")}
		tl := replay(t, write(t, &series.Request{Messages: list[:1], Time: at}, &series.Request{Messages: list, Time: at}))
		for s := range tl.Sealed() {
			for _, err := range s.Validate() {
				t.Errorf("year %d: %v", year, err)
			}
			for n := range s.All() {
				if iso, _ := n.CreatedISO(); n.Base() == engine.BaseBlock && !strings.HasPrefix(iso, "1970-") {
					t.Errorf("year %d: %s was made at %s", year, n.ID(), iso)
				}
			}
		}
	}
}
