package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store/journal"
)

// sample returns a journal of several commits with a working state, and the offsets after its
// lines.
func sample(t testing.TB) (data []byte, ends []int) {
	t.Helper()
	for seed := uint64(0); ; seed++ {
		c := gentest.Live(t, gentest.Rand(seed), 5)
		data = write(t, c.History())
		if bytes.Count(data, []byte("\n")) < 6 {
			continue
		}
		for i, b := range data {
			if b == '\n' {
				ends = append(ends, i+1)
			}
		}
		return data, ends
	}
}

// TestCut cuts a journal at every byte. It is read up to the previous line, and Info reports what
// is ignored.
func TestCut(t *testing.T) {
	data, ends := sample(t)
	lines := len(ends)
	for cut := ends[lines-4]; cut < len(data); cut++ {
		whole := 0
		for whole < lines && ends[whole] <= cut {
			whole++
		}
		tl, info, err := journal.Read("cut.journal", bytes.NewReader(data[:cut]), engine.ReadOptions{})
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", cut, len(data), err)
		}
		if info.Frames != whole || info.Torn != int64(cut-ends[whole-1]) || info.Line != whole+1 || info.Version != info.Head.Version() {
			t.Fatalf("cut at %d: %+v, want %d lines", cut, *info, whole)
		}
		tail, err := journal.ReadTail(bytes.NewReader(data[:cut]), int64(cut))
		if err != nil || tail.End != int64(ends[whole-1]) || tail.Version != info.Version {
			t.Fatalf("cut at %d: the tail is %+v, %v", cut, tail, err)
		}
		if cut == ends[whole-1] {
			same(t, tl, read(t, data[:cut]))
		}
	}
}

// TestZeros reads journals with NUL bytes in place of data that never reached the disk.
func TestZeros(t *testing.T) {
	data, ends := sample(t)
	whole := data[:ends[len(ends)-1]]
	for _, torn := range []string{"\x00", strings.Repeat("\x00", 5000), `{"cyc` + strings.Repeat("\x00", 700), strings.Repeat("\x00", 700) + "\n"} {
		_, info, err := journal.Read("z.journal", strings.NewReader(string(whole)+torn), engine.ReadOptions{})
		if err != nil || info.Torn != int64(len(torn)) || info.Frames != len(ends) {
			t.Errorf("%d bytes: %+v, %v", len(torn), info, err)
		}
	}
	// A complete line whose newline is missing was never acknowledged.
	before := ends[len(ends)-2]
	text := string(whole[:len(whole)-1]) + strings.Repeat("\x00", 300)
	_, info, err := journal.Read("z.journal", strings.NewReader(text), engine.ReadOptions{})
	if err != nil || info.Torn != int64(len(text)-before) || info.Frames != len(ends)-1 {
		t.Errorf("NUL for a newline: %+v, %v", info, err)
	}
	if tail, err := journal.ReadTail(strings.NewReader(text), int64(len(text))); err != nil || tail.End != int64(before) || tail.Version != info.Version {
		t.Errorf("NUL for a newline: the tail is %+v, %v", tail, err)
	}
	// A line with the right digest was written as it is, so no append was interrupted there.
	_, info, err = journal.Read("z.journal", bytes.NewReader(whole), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	body := "{\"cycle\":\x00\x00}"
	text = fmt.Sprintf("%s%s,\"digest\":\"%s\"}\n", whole, body[:len(body)-1], journal.Chain(info.Version.Digest, body))
	if _, info, err := journal.Read("z.journal", strings.NewReader(text), engine.ReadOptions{}); !errors.Is(err, journal.ErrLine) {
		t.Errorf("a line with NUL bytes and its digest: %v, %d frames, %d torn", err, info.Frames, info.Torn)
	}
}

// TestFlip checks that a change of any byte is detected.
func TestFlip(t *testing.T) {
	data, ends := sample(t)
	first := ends[len(ends)-4]
	for i := first; i < len(data); i++ {
		for _, mask := range []byte{1, 0x20, data[i] ^ '\n'} {
			if mask == 0 {
				continue
			}
			bad := bytes.Clone(data)
			bad[i] ^= mask
			_, _, err := journal.Read("flip.journal", bytes.NewReader(bad), engine.ReadOptions{})
			e, ok := errors.AsType[*engine.Error](err)
			if !ok || e.Line == 0 || !strings.HasPrefix(string(e.Code), "E_JOURNAL_") {
				t.Fatalf("byte %d, %q to %q: %v\n%s", i, data[i], bad[i], err, bad[first:])
			}
		}
	}
}

// TestOrder checks that missing, duplicate and reordered lines are detected, and that the lines
// before them are read.
func TestOrder(t *testing.T) {
	data, _ := sample(t)
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	refuse := func(what string, code engine.Code, line int, text []string) {
		t.Helper()
		_, info, err := journal.Read("order.journal", strings.NewReader(strings.Join(text, "")), engine.ReadOptions{})
		e, ok := errors.AsType[*engine.Error](err)
		if !ok || e.Code != code || e.Line != line {
			t.Errorf("%s: %v, want %s in line %d", what, err, code, line)
		}
		want := line - 1
		if want == 1 { // the header and the first snapshot are one append
			want = 0
		}
		if ok && info.Frames != want {
			t.Errorf("%s: %d frames are trusted, want %d", what, info.Frames, want)
		}
	}
	n := len(lines)
	for i := 1; i < n-1; i++ {
		refuse("left out", journal.ErrDigest, i+1, append(append([]string{}, lines[:i]...), lines[i+1:]...))
		refuse("doubled", journal.ErrDigest, i+2, append(append([]string{}, lines[:i+1]...), lines[i:]...))
		swapped := append([]string{}, lines...)
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		refuse("swapped", journal.ErrDigest, i+1, swapped)
	}
	other, _, err := journal.Append(nil, gentest.Live(t, gentest.Rand(99), 20).History(), journal.About{ID: "another"})
	if err != nil {
		t.Fatal(err)
	}
	refuse("two in one file", journal.ErrDigest, n+1, append(append([]string{}, lines...), string(other)))
}

// sealed returns lines with their digests.
func sealed(bodies ...string) string {
	var before journal.Digest
	var out []byte
	for _, b := range bodies {
		f := journal.Frame{Body: b, Digest: journal.Chain(before, b)}
		out, before = f.AppendLine(out), f.Digest
	}
	return string(out)
}

const (
	header = `{"format":"pactkit-journal","history":{"spec_version":"PACT/1.0.0"},"version":2}`
	tree   = `{"cycle":1,"end":true,"snapshot":{"root":{"children":[{"id":"^sys","nodeType":"^sys"},{"children":[{"children":[{"id":"cont:1","nodeType":"cont"}],"id":"seg:1","nodeType":"seg"}],"id":"^seq","nodeType":"^seq"},{"id":"^ah","nodeType":"^ah"}],"id":"root","nodeType":"^root"}}}`
)

// implied is a journal whose delta omits everything that can be omitted.
var implied = sealed(header, tree,
	`{"call":{"file":"a","line":1,"model":"m","number":4,"sample":"s"},"cycle":2,"delta":{"added":[{"children":[{"id":"block:3","provenance":{"from":"x","message":1}}],"id":"cont:2"}],"ns":[5]},"end":true}`,
	`{"call":{"model":""},"cycle":3,"delta":{"added":[{"id":"block:4","provenance":[]},{"id":"block:5","provenance":[{"type":"t"}]}],"ns":[-7,9]},"end":true}`)

// delta is a line with changes.
func delta(text string) string { return `{"cycle":2,"delta":` + text + `,"end":true}` }

// TestRefused reads lines that have the right digests but make no sense.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, line string
		code       engine.Code
	}{
		{"a version to come", `{"format":"pactkit-journal","history":{"spec_version":"PACT/1.0.0"},"version":5}`, journal.ErrVersion},
		{"no version", `{"format":"pactkit-journal","history":{"spec_version":"PACT/1.0.0"}}`, journal.ErrLine},
		{"version 0", `{"format":"pactkit-journal","history":{"spec_version":"PACT/1.0.0"},"version":0}`, journal.ErrVersion},
		{"version 1", `{"format":"pactkit-journal","history":{"spec_version":"PACT/1.0.0"},"version":1}`, journal.ErrVersion},
		{"a second header", header, journal.ErrLine},
		{"not an object", `[1]`, journal.ErrLine},
		{"two contents", `{"cycle":2,"delta":{},"end":true,"working":{}}`, journal.ErrLine},
		{"no content", `{"cycle":2,"end":true}`, journal.ErrLine},
		{"an unknown member", `{"cycle":2,"delta":{},"end":true,"x":1}`, journal.ErrLine},
		{"a cycle that is text", `{"cycle":"2","delta":{},"end":true}`, journal.ErrLine},
		{"end is not true", `{"cycle":2,"delta":{},"end":1}`, journal.ErrLine},
		{"a cycle that goes back", `{"cycle":1,"delta":{},"end":true}`, engine.ErrFileShape},
		{"an unknown change", delta(`{"x":1}`), engine.ErrFileShape},
		{"two values", `{"cycle":2,"delta":{},"delta":{},"end":true}`, engine.ErrFileSyntax},
		{"removed and not there", delta(`{"removed":["gone"]}`), engine.ErrNotFound},
		{"a region removed", delta(`{"removed":["^ah"]}`), engine.ErrFileShape},
		{"added twice", delta(`{"added":[{"id":"a:1","parent_id":"^sys"},{"id":"a:1","parent_id":"^sys"}]}`), engine.ErrNodeIDDuplicate},
		{"added and there", delta(`{"added":[{"id":"cont:1","parent_id":"^sys"}]}`), engine.ErrNodeIDDuplicate},
		{"added nowhere", delta(`{"added":[{"id":"a:1","parent_id":"gone"}]}`), engine.ErrFileShape},
		{"added without a parent", delta(`{"added":[{"id":"a:1"}]}`), engine.ErrFileShape},
		{"added without an id", delta(`{"added":[{"parent_id":"^sys"}]}`), engine.ErrNodeIDMissing},
		{"another parent than around it", delta(`{"added":[{"children":[{"id":"a:2","parent_id":"root"}],"id":"a:1","parent_id":"^sys"}]}`), engine.ErrFileShape},
		{"moved into itself", delta(`{"moved":{"cont:1":["seg:1"]}}`), engine.ErrFileShape},
		{"moved into each other", delta(`{"added":[{"id":"cont:2","parent_id":"^sys"}],"moved":{"cont:1":["cont:1"]}}`), engine.ErrFileShape},
		{"moved twice", delta(`{"moved":{"^ah":["cont:1"],"^sys":["cont:1"]}}`), engine.ErrFileShape},
		{"moved into what is removed", delta(`{"added":[{"id":"a:1","parent_id":"^sys"}],"moved":{"cont:1":["a:1"]},"removed":["seg:1"]}`), engine.ErrNotFound},
		{"added to what is removed", delta(`{"added":[{"id":"a:1","parent_id":"cont:1"}],"removed":["seg:1"]}`), engine.ErrFileShape},
		{"changed and not there", delta(`{"changed":[{"id":"gone","set":{"role":"x"}}]}`), engine.ErrNotFound},
		{"changed twice", delta(`{"changed":[{"id":"cont:1","set":{"role":"x"}},{"id":"cont:1","unset":["role"]}]}`), engine.ErrNodeIDDuplicate},
		{"another id", delta(`{"changed":[{"id":"cont:1","set":{"id":"x"}}]}`), engine.ErrFileShape},
		{"a member it has not", delta(`{"changed":[{"id":"cont:1","unset":["x"]}]}`), engine.ErrFileShape},
		{"a header of the wrong type", delta(`{"changed":[{"id":"cont:1","set":{"offset":"1"}}]}`), engine.ErrHeaderType},
		{"new children", delta(`{"changed":[{"id":"cont:1","set":{"children":[{"id":"x"}]}}]}`), engine.ErrFileShape},
		{"a cadence that is none", delta(`{"cadence":[{"key":"k"}]}`), engine.ErrFileShape},
		{"a cadence that was not there", delta(`{"cadence_ended":["k"]}`), engine.ErrFileShape},
		{"a working state of another cycle", `{"cycle":7,"end":true,"working":{}}`, engine.ErrFileShape},
		{"a wrong resume", `{"cycle":2,"end":true,"working":{"resume":{"holds":{"a":0}}}}`, engine.ErrFileShape},
	} {
		bodies := []string{header, tree, c.line}
		if strings.HasPrefix(c.line, `{"format"`) && c.line != header {
			bodies = []string{c.line, tree}
		}
		_, _, err := journal.Read("x.journal", strings.NewReader(sealed(bodies...)), engine.ReadOptions{})
		e, ok := errors.AsType[*engine.Error](err)
		if !ok || e.Code != c.code || e.Line == 0 || e.Path == "" || e.File == "" {
			t.Errorf("%s: %v, want %s with its place", c.name, err, c.code)
		}
	}
}

// TestRefusedImplied reads deltas that omit what does not follow from the previous snapshot.
func TestRefusedImplied(t *testing.T) {
	const from = `{"added":[{"id":"a:1","parent_id":"^sys","provenance":{"from":"x","message":1}},{"id":"a:2","parent_id":"^sys","provenance":`
	for _, c := range []struct{ name, change string }{
		{"the head is empty", `{"added":[{"id":"a:1"}]}`},
		{"more times than nodes", `{"added":[{"id":"cont:2"}],"ns":[1,1]}`},
		{"a time that is not a number", `{"added":[{"id":"cont:2"}],"ns":["1"]}`},
		{"a time that is not whole", `{"added":[{"id":"cont:2"}],"ns":[1.5]}`},
		{"times that are not a list", `{"ns":1}`},
		{"times of nodes as they came", `{"added":[{"id":"a:1","parent_id":"^sys"}],"ns":[1],"verbatim":true}`},
		{"a first provenance", `{"added":[{"id":"a:1","parent_id":"^sys","provenance":[]}]}`},
		{"a provenance that is not of a message", `{"added":[{"id":"a:1","parent_id":"^sys","provenance":{"from":"x"}},{"id":"a:2","parent_id":"^sys","provenance":[]}]}`},
		{"two objects", from + `[{"n":1},{"n":2}]}]}`},
		{"not an object", from + `[1]}]}`},
		{"an object without members", from + `[{}]}]}`},
		{"a member that comes before message", from + `[{"a":1}]}]}`},
		{"the message again", from + `[{"message":7}]}]}`},
	} {
		text := sealed(header, tree, delta(c.change))
		_, _, err := journal.Read("x.journal", strings.NewReader(text), engine.ReadOptions{})
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != engine.ErrFileShape || e.Line != 3 || e.Path == "" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestCheckpoint checks that Verify detects a wrong checkpoint.
func TestCheckpoint(t *testing.T) {
	text := sealed(header, tree, `{"cycle":2,"delta":{},"end":true,"sum":"`+strings.Repeat("ab", 32)+`"}`)
	if _, _, err := journal.Read("x.journal", strings.NewReader(text), engine.ReadOptions{}); err != nil {
		t.Error(err)
	}
	if _, _, err := journal.Verify("x.journal", strings.NewReader(text), engine.ReadOptions{}); !errors.Is(err, journal.ErrDigest) {
		t.Errorf("got %v", err)
	}
}

// FuzzRead reads arbitrary lines. There is no panic, errors have a position, and what was read
// survives a round trip.
func FuzzRead(f *testing.F) {
	data, _ := sample(f)
	for _, text := range []string{string(data), sealed(header, tree, delta(`{"changed":[{"id":"cont:1","set":{"offset":1,"ttl":3}}],"moved":{"^sys":["cont:1"]}}`)), implied} {
		var bodies []string
		for line := range strings.Lines(text) {
			fr, err := journal.ParseLine([]byte(strings.TrimSuffix(line, "\n")))
			if err != nil {
				f.Fatal(err)
			}
			bodies = append(bodies, fr.Body)
		}
		f.Add(strings.Join(bodies, "\n"), true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, seal bool) {
		if seal { // or else the fuzzer would not get past the digests
			bodies := strings.Split(text, "\n")
			for i, b := range bodies {
				if len(b) < 2 || b[len(b)-1] != '}' {
					bodies[i] = "{}"
				}
			}
			text = sealed(bodies...)
		}
		if !journal.IsJournal(text) {
			return
		}
		tl, info, err := journal.Read("f.journal", strings.NewReader(text), engine.ReadOptions{MaxDepth: 50})
		if err != nil {
			if e, ok := errors.AsType[*engine.Error](err); !ok || e.Line < 1 || e.Path == "" {
				t.Fatalf("an error without its place: %v", err)
			}
			return
		}
		if info.Torn == int64(len(text)) {
			t.Fatal("a history of nothing")
		}
		roundTrip(t, tl)
		if c, err := engine.Resume(tl, engine.Options{}); err == nil {
			if _, err := c.Commit(); err == nil {
				roundTrip(t, c.History())
			}
		}
	})
}

func ExampleRead() {
	c, err := engine.New(engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	w := journal.NewWriter(&file, journal.About{ID: "session-17"})
	for _, text := range []string{"Hello", "Hello again"} {
		if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Role: "user", Content: engine.Text(text)}); err != nil {
			fmt.Println(err)
			return
		}
		if _, err := c.Commit(); err != nil {
			fmt.Println(err)
			return
		}
		if err := w.Append(c.History()); err != nil {
			fmt.Println(err)
			return
		}
	}
	t, info, err := journal.Read("session-17.journal", &file, engine.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(info.About.ID, "has", t.Len(), "states, the newest of cycle", t.At(0).Cycle())
	// Output:
	// session-17 has 3 states, the newest of cycle 3
}
